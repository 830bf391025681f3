import Foundation

/// Files and streams by system calls, because `errno` gives the reason of each failure.
enum SystemCalls {
    /// Returns all bytes of a file, or of standard input for `-`.
    static func read(_ file: String) throws(FileError) -> [UInt8] {
        let descriptor = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
        defer { if descriptor > STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while descriptor >= 0 {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { break }
        }
        let name = file == "-" ? "standard input" : file
        guard errno != EISDIR else {
            throw FileError(
                "\(name) is a directory; name the scenarios in it: \(file == "-" ? "" : file + "/")*.json")
        }
        throw FileError("\(name) cannot be read: \(FileError.system())")
    }

    /// Writes all bytes. Returns 0 or the error number.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return errno }
        }
        return 0
    }
}
