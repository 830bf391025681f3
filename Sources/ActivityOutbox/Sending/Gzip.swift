import CZlib

/// RFC 1952.
enum Gzip {
    /// Compresses bytes; nil where zlib has no memory left.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window, and 16 for gzip's frame in place of zlib's.
        let opened = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard opened == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var bytes = bytes
        return bytes.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(input.count)
            let bound = Int(deflateBound(&stream, uLong(input.count)))
            var isDone = false
            let output = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = output.count - Int(stream.avail_out)
            }
            return isDone ? output : nil
        }
    }
}
