import Foundation

/// The reason why a file cannot be read or written, as a sentence.
struct FileError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = "error: \(description)" }

    /// The system's description of an error number.
    static func system(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
