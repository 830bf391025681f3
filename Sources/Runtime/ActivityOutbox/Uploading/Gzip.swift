import CZlib
import Foundation

/// The gzip format (RFC 1952).
enum Gzip {
    struct OutOfMemory: LocalizedError {
        var errorDescription: String? { "no memory to compress the batch" }
    }

    static func compress(_ bytes: Data) throws -> Data {
        var stream = z_stream()
        // 15 bits select the largest window of zlib, 32 KiB. Adding 16 selects gzip's header in place of zlib's.
        let opened = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard opened == Z_OK else { throw OutOfMemory() }
        defer { deflateEnd(&stream) }
        var output = Data(count: Int(deflateBound(&stream, uLong(bytes.count))))
        let capacity = output.count
        let isDone = bytes.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                // zlib does not write to its input, although the pointer is mutable.
                stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        guard isDone else { throw OutOfMemory() }
        return output.prefix(capacity - Int(stream.avail_out))
    }
}
