import Foundation

/// A case of a text file: `##### name`, and parts with lines `===` between them.
package struct TextCase: Sendable, CustomStringConvertible {
    package var name: String
    package var parts: [String]

    package var description: String { name }

    /// The documents of the first part: `--- path` and a text for each.
    package var documents: [(path: String, text: String)] {
        "\n\(parts[0])".components(separatedBy: "\n--- ").dropFirst().map { document in
            let lines = document.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(lines[0]), lines.count > 1 ? "\(lines[1])\n" : "")
        }
    }

    /// Returns the cases of a file in the folder `Cases` next to a test.
    package static func all(_ file: String, test: String = #filePath) -> [TextCase] {
        let path = URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent("Cases/\(file)")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return "\n\(text)".components(separatedBy: "\n##### ").dropFirst().map { block in
            let lines = block.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            var parts = "\n\(lines.dropFirst().joined())".components(separatedBy: "\n===\n")
            parts[0] = String(parts[0].dropFirst())
            parts[parts.count - 1] = parts[parts.count - 1].trimmingCharacters(in: .newlines)
            // The expected lines may be missing, and the line `===` may not.
            if parts.count == 1 {
                let isWhole = parts[0].hasSuffix("\n===")
                if isWhole { parts[0] = String(parts[0].dropLast(4)) }
                parts.append(isWhole ? "" : "a line `===` is missing")
            }
            return TextCase(name: String(lines[0]), parts: parts)
        }
    }
}
