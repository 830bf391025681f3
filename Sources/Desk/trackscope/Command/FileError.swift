import Foundation

/// The failure to read or write a file. The description is a message for standard error, with the prefix `error: `.
struct FileError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = "error: \(description)" }

    /// The system's description of an error number.
    static func system(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
