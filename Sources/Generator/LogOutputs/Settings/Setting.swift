package import Yams

/// A value that `loggen.yml` gives to an option of an output, with its place in the file.
package struct Setting: Sendable {
    package enum Content: Sendable {
        case text(String)
        case list([Setting])
        /// Keys and values, in the file's order.
        case mapping([(key: Setting, value: Setting)])
    }

    package var content: Content
    /// The range of the value in `loggen.yml`, in bytes.
    package var range: Range<Int>

    package struct Problem: Sendable {
        package var message: String
        package var range: Range<Int>
        package var help: String?

        package init(_ message: String, at range: Range<Int>, help: String? = nil) {
            self.message = message
            self.range = range
            self.help = help
        }
    }

    package var text: String? { if case .text(let text) = content { text } else { nil } }

    /// The strings of a list. A single string is a list of one. Nil for an empty list and for other values.
    package var texts: [String]? {
        switch content {
        case .text(let text): return [text]
        case .list(let list):
            let texts = list.compactMap(\.text)
            return texts.count == list.count && !list.isEmpty ? texts : nil
        case .mapping: return nil
        }
    }

    package var mapping: [(key: Setting, value: Setting)]? {
        if case .mapping(let entries) = content { entries } else { nil }
    }
}

extension SettingsReader {
    /// Reads a value of any form. Reports a message and returns nil if a string in it is empty or missing.
    package mutating func setting(_ node: Node, _ key: String) -> Setting? {
        if let sequence = node.sequence {
            let items = sequence.map { setting($0, key) }
            return items.contains { $0 == nil }
                ? nil : Setting(content: .list(items.compactMap { $0 }), range: range(node))
        }
        if let mapping = node.mapping {
            var entries: [(key: Setting, value: Setting)] = []
            for (name, value) in mapping {
                guard let name = setting(name, key), let value = setting(value, "\(key).\(name.text ?? "?")") else {
                    return nil
                }
                entries.append((name, value))
            }
            return Setting(content: .mapping(entries), range: range(node))
        }
        return string(node, key).map { Setting(content: .text($0), range: range(node)) }
    }
}
