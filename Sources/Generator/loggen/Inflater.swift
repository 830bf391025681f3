import CZlib
import LogProject

/// Decompresses gzip (RFC 1952) incrementally. The data may have several members. Zeros after a member are skipped,
/// because tapes and block stores pad their blocks with them.
final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream> = .allocate(capacity: 1)
    private let path: String
    /// Indicates whether the current member is incomplete.
    private(set) var isInside = false
    private var hasRead = false

    init(path: String) throws(FileProblem) {
        self.path = path
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw FileProblem("cannot read `\(path)`: zlib does not start")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Decompresses bytes and passes the result to `take` in pieces, so that a small file that expands to gigabytes
    /// needs no memory.
    func read(
        _ bytes: UnsafeMutableRawBufferPointer, into piece: UnsafeMutableRawBufferPointer,
        _ take: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        stream.pointee.next_in = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(bytes.count)
        while true {
            if !isInside {
                while hasRead, stream.pointee.avail_in > 0, stream.pointee.next_in?.pointee == 0 {
                    stream.pointee.next_in = stream.pointee.next_in?.successor()
                    stream.pointee.avail_in -= 1
                }
                if stream.pointee.avail_in == 0 { return }
                isInside = true
            }
            stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(piece.count)
            let code = inflate(stream, Z_NO_FLUSH)
            try take(UnsafeRawBufferPointer(rebasing: piece[..<(piece.count - Int(stream.pointee.avail_out))]))
            switch code {
            case Z_STREAM_END:
                isInside = false
                hasRead = true
                inflateReset(stream)
            case Z_OK: if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return }
            case Z_BUF_ERROR: return
            default: throw FileProblem("cannot read `\(path)`: the gzip data is damaged")
            }
        }
    }

    /// Checks that the last member is complete. Call it after the last bytes.
    func finish() throws(FileProblem) {
        if isInside { throw FileProblem("cannot read `\(path)`: the gzip data is cut off") }
    }
}
