@_exported public import JSONSyntax

/// A mistake in a scenario, and its byte offset.
typealias Mistake = JSONSyntaxError

/// The reason why a scenario is refused, and its place.
package struct ScenarioError: Error, Equatable, CustomStringConvertible {
    package var file: String
    /// Lines and columns count from 1; columns count Unicode scalars.
    package var line: Int
    package var column: Int
    package var message: String

    init(_ mistake: Mistake, file: String, in bytes: [UInt8]) {
        // A byte order mark is not a column.
        let before = bytes.prefix(mistake.at).dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        self.file = file
        line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
        column = bytes[start..<before.endIndex].count { $0 & 0xC0 != 0x80 } + 1
        message = mistake.message
    }

    package var description: String { "\(file):\(line):\(column): error: \(message)" }
}
