import JSONSyntax
import LogDefinitions
package import MarkdownSyntax
import Yams

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

    /// Returns the keys of a JSON object; nil for other text. If the text is cut off, the keys before that place.
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

/// A JSON or YAML value with its source file.
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

    /// Returns the trees of files: JSON or, if it is allowed, YAML with one or several documents. A file that cannot be
    /// read has no tree.
    static func read(_ sources: [InferenceSource], allowsYAML: Bool = false, _ findings: inout [Finding]) -> [Tree] {
        var trees: [Tree] = []
        for source in sources {
            let first = source.text.bytes.first { $0 > 0x20 }
            do {
                let isYAML = allowsYAML && first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
                let values =
                    isYAML
                    ? try YAMLTree.read(source) : [try JSONReader.read(source.text.bytes, what: "the file")]
                trees += values.map { Tree($0, in: source) }
            } catch let error as JSONSyntaxError {
                findings.warn(error.message, at: source.place(error.at))
            } catch let failure as InferenceFailure {
                findings.warn(failure.message, at: failure.place)
            } catch {
                findings.warn("the file is not YAML", at: SourcePlace(source.path))
            }
        }
        return trees
    }
}

extension JSONValue.Content {
    /// The members of an object; empty for another value.
    var members: [(key: String, at: Int, value: JSONValue)] {
        if case .object(let members) = self { members } else { [] }
    }
}

/// The reason why a whole YAML file cannot be read.
private struct InferenceFailure: Error {
    var message: String
    var place: SourcePlace
}

/// Converts YAML to JSON values.
private struct YAMLTree {
    let source: InferenceSource
    /// The number of values that may still be read. Aliases count each time, because nested aliases can expand without
    /// limit.
    var left = 1_000_000

    static func read(_ source: InferenceSource) throws -> [JSONValue] {
        guard source.text.firstInvalidUTF8 == nil else {
            throw InferenceFailure(message: "the file is not UTF-8", place: SourcePlace(source.path))
        }
        var tree = YAMLTree(source: source)
        var values: [JSONValue] = []
        do {
            var nodes = try Yams.compose_all(yaml: source.text.string(0..<source.text.bytes.count))
            while let node = nodes.next() { values.append(try tree.value(node, depth: 0)) }
            if let error = nodes.error { throw error }
        } catch let error as YamlError {
            throw InferenceFailure(
                message: "the file is not YAML: \(tree.message(error))", place: tree.place(error))
        }
        return values
    }

    private func message(_ error: YamlError) -> String {
        switch error {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _): problem
        case .duplicatedKeysInMapping(let duplicates, _): "a key is repeated: \(duplicates.joined(separator: ", "))"
        default: "it cannot be read"
        }
    }

    private func place(_ error: YamlError) -> SourcePlace {
        switch error {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
            SourcePlace(source.path, line: mark.line, column: mark.column)
        default: SourcePlace(source.path)
        }
    }

    private mutating func value(_ node: Node, depth: Int) throws -> JSONValue {
        let at = offset(of: node)
        left -= 1
        guard depth < 200, left > 0 else {
            throw InferenceFailure(
                message: "the file is nested too deeply, or its aliases expand too far", place: source.place(at))
        }
        switch node {
        case .mapping(let mapping):
            var members: [(key: String, at: Int, value: JSONValue)] = []
            for (key, value) in mapping {
                members.append((key.scalar?.string ?? "", offset(of: key), try self.value(value, depth: depth + 1)))
            }
            return JSONValue(content: .object(members), at: at)
        case .sequence(let sequence):
            return JSONValue(content: .array(try sequence.map { try value($0, depth: depth + 1) }), at: at)
        case .scalar(let scalar): return JSONValue(content: content(scalar, node), at: at)
        default: return JSONValue(content: .null, at: at)
        }
    }

    private func content(_ scalar: Node.Scalar, _ node: Node) -> JSONValue.Content {
        guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
        switch scalar.string {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default:
            let isNumber =
                scalar.string.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } && Double(scalar.string) != nil
            return isNumber ? .number(JSONNumber(scalar.string)) : .string(scalar.string)
        }
    }

    private func offset(of node: Node) -> Int {
        guard let mark = node.mark, source.text.lineStarts.indices.contains(mark.line - 1) else { return 0 }
        let line = source.text.lineRange(mark.line - 1)
        var offset = line.lowerBound
        var left = mark.column - 1
        while left > 0, offset < line.upperBound {
            offset += 1
            while offset < line.upperBound, source.text.bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            left -= 1
        }
        return offset
    }
}
