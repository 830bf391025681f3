import Gzip
import LogProject

/// The decompressor of a gzip file. The caller passes the compressed bytes; errors name the file.
struct GzipFile {
    static let signature: [UInt8] = [0x1F, 0x8B]

    private let inflater: Inflater
    private let path: String

    /// Returns the beginning of a file's data, given the beginning of the file.
    static func beginning(_ bytes: [UInt8]) -> [UInt8] {
        var data: [UInt8] = []
        let file = try? GzipFile(path: "", pieceSize: bytes.count)
        bytes.withUnsafeBytes { bytes in try? file?.read(bytes) { data += $0 } }
        return data
    }

    init(path: String, pieceSize: Int) throws(FileError) {
        guard let inflater = Inflater(pieceSize: pieceSize, skipsPadding: true) else {
            throw FileError("cannot read `\(path)`: zlib cannot be initialized")
        }
        self.inflater = inflater
        self.path = path
    }

    func read(_ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void)
        throws(FileError)
    {
        guard try inflater.read(bytes, take) == .good else {
            throw FileError("cannot read `\(path)`: the gzip data is damaged")
        }
    }

    /// Checks that the data is complete. Call it after the last bytes.
    func finish() throws(FileError) {
        if inflater.isInside { throw FileError("cannot read `\(path)`: the gzip data is cut off") }
    }
}
