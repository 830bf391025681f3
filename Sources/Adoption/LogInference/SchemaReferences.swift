import JSONSyntax
import LogOutputs

/// Finds the schemas that `$ref` names, in the files of a run.
struct SchemaReferences {
    private var byPath: [String: Tree] = [:]
    private var byIdentifier: [String: [Tree]] = [:]
    /// By the last part of the identifier or the path.
    private var byName: [Substring: [Tree]] = [:]
    /// The schemas below `$defs` and `definitions`, by paths of files with pointers. A search of each would take quadratic
    /// time.
    private var definitions: [String: Tree] = [:]

    init(_ trees: [Tree] = []) {
        for tree in trees {
            let path = tree.source.path
            let id = tree[["$id", "id"]]?.string
            byPath[path] = tree
            for keyword in ["$defs", "definitions"] {
                for (key, _, schema) in tree[keyword]?.members ?? [] where !key.contains(where: { "/~".contains($0) }) {
                    definitions["\(path)#/\(keyword)/\(key)"] = schema
                }
            }
            if let id { byIdentifier[id, default: []].append(tree) }
            for name in Set([Self.name(path), Self.name(id ?? path)]) { byName[name, default: []].append(tree) }
        }
    }

    private static func name(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }

    /// Returns the schema that a reference in a file names: a JSON Pointer (RFC 6901), an anchor, or a whole file.
    func target(_ reference: String, in source: InferenceSource) -> Tree? {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let file = file(String(parts[0]), from: source) else { return nil }
        let fragment = parts.count > 1 ? Self.decoded(parts[1]) : ""
        if let schema = definitions["\(file.source.path)#\(fragment)"] { return schema }
        guard fragment.hasPrefix("/") else { return fragment.isEmpty ? file : Self.anchor(fragment, in: file) }
        return fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst().reduce(file) { tree, part in
            let key = String(part).replacingOccurrences("~1", "/").replacingOccurrences("~0", "~")
            let items = tree?.items ?? []
            return tree?[key] ?? Int(key).flatMap { items.indices.contains($0) ? items[$0] : nil }
        }
    }

    /// Returns the file at a path relative to another file, with an identifier, or with a name that no other file has.
    private func file(_ text: String, from source: InferenceSource) -> Tree? {
        if text.isEmpty { return byPath[source.path] }
        var path = source.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for part in Self.decoded(text[...]).split(separator: "/", omittingEmptySubsequences: false) where part != "." {
            if part == "..", !path.isEmpty { path.removeLast() } else { path.append(part) }
        }
        if let tree = byPath[path.joined(separator: "/")] { return tree }
        for known in [byIdentifier[text], byName[Self.name(text)]] {
            if let known, known.count == 1 { return known[0] }
        }
        return nil
    }

    private static func anchor(_ name: String, in tree: Tree) -> Tree? {
        let isIt = tree["$anchor"]?.string == name || tree[["$id", "id"]]?.string == "#" + name
        return isIt
            ? tree
            : ((tree.members ?? []).map(\.value) + (tree.items ?? [])).lazy.compactMap {
                anchor(name, in: $0)
            }.first
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
