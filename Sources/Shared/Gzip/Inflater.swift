import CZlib

/// Decompresses gzip (RFC 1952) in pieces. The data may have several consecutive members.
package final class Inflater {
    /// The state of the data so far.
    package enum Status: Sendable { case good, damaged }

    private let stream: UnsafeMutablePointer<z_stream> = .allocate(capacity: 1)
    private let piece: UnsafeMutableRawBufferPointer
    private let skipsPadding: Bool
    /// A Boolean value that indicates whether the last member is incomplete.
    package private(set) var isInside = false
    private var hasRead = false

    /// Creates an inflater; nil if zlib cannot allocate memory.
    /// - Parameters:
    ///   - pieceSize: The maximum number of bytes of a decompressed piece.
    ///   - skipsPadding: True if zeros may follow a member. Tapes and block devices pad blocks with them.
    package init?(pieceSize: Int = 1 << 16, skipsPadding: Bool) {
        self.skipsPadding = skipsPadding
        piece = .allocate(byteCount: pieceSize, alignment: 16)
        stream.initialize(to: z_stream())
        // The maximum window of zlib: 15 bits, or 32 KiB. Adding 16 selects gzip's header in place of zlib's.
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
        piece.deallocate()
    }

    /// Decompresses the next bytes. The result is passed on in pieces, because a small input may expand to gigabytes.
    /// - Parameters:
    ///   - bytes: The next compressed bytes.
    ///   - take: Receives each piece. An error that it throws ends the call.
    package func read<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> Status {
        // zlib does not write to its input, although the pointer is mutable.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        defer { stream.pointee.next_in = nil }
        while true {
            if !isInside {
                while skipsPadding, hasRead, stream.pointee.avail_in > 0, stream.pointee.next_in?.pointee == 0 {
                    stream.pointee.next_in = stream.pointee.next_in?.successor()
                    stream.pointee.avail_in -= 1
                }
                if stream.pointee.avail_in == 0 { return .good }
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
            case Z_OK: if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return .good }
            case Z_BUF_ERROR: return .good
            default: return .damaged
            }
        }
    }
}
