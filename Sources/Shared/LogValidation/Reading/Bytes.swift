#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// The functions of the C library are several times as fast as loops.

extension UnsafePointer<UInt8> {
    /// Returns the first position of a byte before `end`.
    @inline(__always)
    func first(_ byte: UInt8, before end: Self) -> Self? {
        memchr(self, Int32(byte), end - self).map { Self($0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Compares bytes. Returns a negative number, 0 or a positive number, as `memcmp`.
    @inline(__always)
    func compared(to other: UnsafePointer<UInt8>, count: Int) -> Int { Int(memcmp(self, other, count)) }
}
