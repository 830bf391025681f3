import CZlib
import LogSession

/// The bytes of a file or of standard input, piece by piece. What is gzip'd (RFC 1952) is unpacked.
final class ByteInput {
    let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var inflater: GzipStream?
    private var isFirst = true

    private static let size = 1 << 20

    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws(FileProblem) {
        self.path = path == "-" ? "<stdin>" : path
        if path == "-" {
            descriptor = STDIN_FILENO
            return
        }
        guard FileSystem.kind(path) != .directory else { throw FileProblem("read", path, EISDIR) }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem("read", path, errno) }
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// Calls `body` with each piece.
    func forEachPiece(_ body: ([UInt8]) -> Void) throws(FileProblem) {
        while true {
            let piece = try next()
            if isFirst, piece.starts(with: [0x1F, 0x8B]) { inflater = GzipStream() }
            isFirst = false
            if piece.isEmpty {
                if let inflater, !inflater.isAtEnd { throw FileProblem("cannot read `\(path)`: its gzip data end too early") }
                return
            }
            guard let inflater else {
                body(piece)
                continue
            }
            guard inflater.add(piece, body) else { throw FileProblem("cannot read `\(path)`: its gzip data are damaged") }
        }
    }

    /// All bytes, if they are not more than a person writes.
    func all() throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var isTooMuch = false
        try forEachPiece { piece in
            isTooMuch = isTooMuch || bytes.count + piece.count > 256 << 20
            if !isTooMuch { bytes += piece }
        }
        if isTooMuch { throw FileProblem("cannot read `\(path)`: it has more than 256 MiB") }
        return bytes
    }

    private func next() throws(FileProblem) -> [UInt8] {
        var failure: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, initialized in
            // A pipe gives two bytes only after some calls; gzip's mark needs both.
            while initialized < 2 {
                let count = read(descriptor, buffer.baseAddress.map { $0 + initialized }, Self.size - initialized)
                if count < 0, errno == EINTR { continue }
                if count < 0 { failure = errno }
                guard count > 0 else { return }
                initialized += count
            }
        }
        if failure != 0 { throw FileProblem("read", path, failure) }
        return piece
    }
}

/// Unpacks gzip'd bytes; a file may have several members one behind the other.
private final class GzipStream {
    // zlib keeps the address of its stream.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isOpen: Bool
    /// Whether the last member is complete.
    private(set) var isAtEnd = false
    private var output = [UInt8](repeating: 0, count: 1 << 20)

    init() {
        stream.initialize(to: z_stream())
        // 15 bits of window, and 16 for gzip's frame in place of zlib's.
        isOpen = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// - Returns: false if the bytes are not gzip's.
    func add(_ bytes: [UInt8], _ body: ([UInt8]) -> Void) -> Bool {
        guard isOpen else { return false }
        var input = bytes
        return input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = uInt(input.count)
            while stream.pointee.avail_in > 0 {
                if isAtEnd {
                    guard inflateReset(stream) == Z_OK else { return false }
                    isAtEnd = false
                }
                var result = Z_OK
                let count = output.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = uInt(output.count)
                    result = inflate(stream, Z_NO_FLUSH)
                    return output.count - Int(stream.pointee.avail_out)
                }
                guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return false }
                if count > 0 { body(Array(output[..<count])) }
                isAtEnd = result == Z_STREAM_END
                if result == Z_BUF_ERROR, count == 0 { break }
            }
            return true
        }
    }
}
