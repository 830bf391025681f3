import JSONSyntax
import LogDefinitions
package import MarkdownSyntax

package struct InferenceSource: Sendable {
    /// The path as given on the command line.
    package var path: String
    package var text: SourceText

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        text = SourceText(bytes)
    }

    func place(_ offset: Int) -> SourcePlace {
        let position = text.position(at: offset)
        return SourcePlace(path, line: position.line, column: position.column)
    }

    /// Returns the line of a place, or nil if the place has no line or the file is UTF-16.
    func excerpt(at place: SourcePlace) -> SourceExcerpt? {
        guard text.lineStarts.indices.contains(place.line - 1),
            ![[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(text.bytes.prefix(2)))
        else {
            return nil
        }
        return SourceExcerpt(line: text.bytes[text.lineRange(place.line - 1)], column: place.column)
    }

    /// Returns the keys of a JSON object, up to the place where the data is cut off; nil for other data.
    package static func keys(ofObject bytes: [UInt8]) -> [String]? {
        guard let value = try? JSONReader.read(bytes, what: "the file"), case .object(let members) = value.content
        else {
            return nil
        }
        return members.map(\.key)
    }

    /// The file's name without folders and extensions.
    var stem: String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
        return String(name.utf8.split(separator: UInt8(ascii: ".")).first.map { Substring($0) } ?? "")
    }
}

struct Tree {
    let value: JSONValue
    let source: InferenceSource

    init(_ value: JSONValue, in source: InferenceSource) {
        self.value = value
        self.source = source
    }

    var place: SourcePlace { source.place(value.at) }

    private func child(_ value: JSONValue) -> Tree { Tree(value, in: source) }

    var string: String? { if case .string(let text) = value.content { text } else { nil } }
    var bool: Bool? { if case .bool(let bool) = value.content { bool } else { nil } }
    var number: JSONNumber? { if case .number(let number) = value.content { number } else { nil } }
    var isNull: Bool { if case .null = value.content { true } else { false } }
    var isObject: Bool { if case .object = value.content { true } else { false } }

    /// Indicates whether the value is null, or an empty string, list or object.
    var isEmpty: Bool {
        switch value.content {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let items): items.isEmpty
        case .object(let members): members.isEmpty
        case .bool, .number: false
        }
    }

    var items: [Tree]? {
        guard case .array(let items) = value.content else { return nil }
        return items.map(child)
    }

    var members: [(key: String, place: SourcePlace, value: Tree)]? {
        isObject ? value.content.members.map { ($0.key, source.place($0.at), child($0.value)) } : nil
    }

    subscript(key: String) -> Tree? {
        value.content.members.first { $0.key.isExactly(key) }.map { child($0.value) }
    }

    subscript(keys: [String]) -> Tree? {
        for key in keys { if let value = self[key] { return value } }
        return nil
    }

    /// Returns the trees of JSON files. A file that cannot be read has no tree.
    static func read(_ sources: [InferenceSource], _ findings: inout [Finding]) -> [Tree] {
        sources.compactMap { source in
            do throws(JSONSyntaxError) {
                return Tree(try JSONReader.read(source.text.bytes, what: "the file"), in: source)
            } catch {
                findings.warn(error.message, at: source.place(error.at))
                return nil
            }
        }
    }
}

extension JSONValue.Content {
    /// The members of an object; empty for another value.
    var members: [(key: String, at: Int, value: JSONValue)] {
        if case .object(let members) = self { members } else { [] }
    }
}
