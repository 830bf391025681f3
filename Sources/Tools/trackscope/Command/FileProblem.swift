import Foundation

/// Why a file cannot be read or written, as a sentence.
struct FileProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = "error: \(description)" }

    /// The system's reason why a call failed.
    static func system(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
