import LogProject

/// The bytes of a file or of standard input in chunks. Gzip (RFC 1952) is decompressed.
final class ByteInput {
    let path: String
    private let descriptor: Int32

    private static let size = 1 << 20

    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws(FileError) {
        self.path = RecordInput.shown(path)
        if path == "-" {
            descriptor = STDIN_FILENO
            return
        }
        guard FileSystem.kind(path) != .directory else { throw FileError("read", path, EISDIR) }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("read", path, errno) }
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// Reads the input to its end, and calls `body` with each decompressed chunk.
    func forEachPiece(_ body: ([UInt8]) -> Void) throws(FileError) {
        let first = try next()
        guard first.starts(with: GzipFile.signature) else {
            var piece = first
            while !piece.isEmpty {
                body(piece)
                piece = try next()
            }
            return
        }
        let file = try GzipFile(path: path, pieceSize: Self.size)
        var piece = first
        while !piece.isEmpty {
            let result = piece.withUnsafeBytes { bytes in
                Result { () throws(FileError) in
                    try file.read(bytes) { if !$0.isEmpty { body(Array($0)) } }
                }
            }
            try result.get()
            piece = try next()
        }
        try file.finish()
    }

    /// - Throws: a problem if there are more than 256 MiB. No document written by hand reaches this size.
    func all() throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var isTooMuch = false
        try forEachPiece { piece in
            isTooMuch = isTooMuch || bytes.count + piece.count > 256 << 20
            if !isTooMuch { bytes += piece }
        }
        if isTooMuch { throw FileError("cannot read `\(path)`: it is larger than 256 MiB") }
        return bytes
    }

    private func next() throws(FileError) -> [UInt8] {
        let piece = try FileSystem.piece(of: descriptor, path: path, Self.size)
        // A pipe may return one byte at a time; the signature of gzip has two.
        return piece.count == 1 ? piece + (try FileSystem.piece(of: descriptor, path: path, Self.size)) : piece
    }
}
