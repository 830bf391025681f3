#if Scope
    import CZlib

    /// Decompresses gzip (RFC 1952) piece by piece: one member, or several in sequence.
    struct GzipReader: ~Copyable {
        private let stream: UnsafeMutablePointer<z_stream> = .allocate(capacity: 1)
        /// A Boolean value that indicates whether a member has begun and not ended.
        private(set) var isInside = false

        init() throws(HTTPProblem) {
            stream.initialize(to: z_stream())
            guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                throw HTTPProblem(status: 503, message: "zlib does not start.")
            }
        }

        deinit {
            inflateEnd(stream)
            stream.deinitialize(count: 1)
            stream.deallocate()
        }

        /// Decompresses bytes and appends the result, which must not exceed the limit. A small body may expand to
        /// gigabytes.
        mutating func read(_ bytes: [UInt8], into text: inout [UInt8], atMost limit: Int) throws(HTTPProblem) {
            var input = bytes
            let count = input.count
            let failure: HTTPProblem? = input.withUnsafeMutableBufferPointer { input in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(count)
                while true {
                    if !isInside {
                        if stream.pointee.avail_in == 0 { return nil }
                        isInside = true
                    }
                    var code = Z_OK
                    var isFull = false
                    text += [UInt8](unsafeUninitializedCapacity: 1 << 16) { piece, count in
                        stream.pointee.next_out = piece.baseAddress
                        stream.pointee.avail_out = UInt32(piece.count)
                        code = inflate(stream, Z_NO_FLUSH)
                        isFull = stream.pointee.avail_out == 0
                        count = piece.count - Int(stream.pointee.avail_out)
                    }
                    guard text.count <= limit else {
                        return HTTPProblem(status: 413, message: "The body stands for more than \(limit) bytes.")
                    }
                    switch code {
                    case Z_STREAM_END:
                        isInside = false
                        inflateReset(stream)
                    case Z_OK: if stream.pointee.avail_in == 0, !isFull { return nil }
                    case Z_BUF_ERROR: return nil
                    default: return HTTPProblem(status: 400, message: "The body's gzip is damaged.")
                    }
                }
            }
            stream.pointee.next_in = nil
            if let failure { throw failure }
        }
    }
#endif
