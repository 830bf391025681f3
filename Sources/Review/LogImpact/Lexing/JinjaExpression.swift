/// The content of `{{ … }}` or `{% … %}`.
struct JinjaExpression {
    enum Meaning: Equatable {
        /// `ref('x')` or `source('s', 't')` with literals.
        case table([String])
        /// `this`
        case this
        /// A variable, with or without filters, members and subscripts.
        case variable(String)
        /// An expression that does not write names: `config(…)`.
        case settings
        /// A call of a macro, or another expression.
        case macro
    }

    private enum Piece: Equatable {
        case name(String)
        case string(String)
        case mark(UInt8)
    }

    private var pieces: [Piece] = []
    private(set) var meaning = Meaning.macro

    /// The strings, without the arguments of `ref` and `source`.
    private(set) var strings: [String] = []
    /// The tables of all calls of `ref` and `source` with literals.
    private(set) var tables: [[String]] = []
    /// A Boolean value that indicates whether an argument of `ref` or `source` is not a literal.
    private(set) var hasDynamicTable = false

    init(_ bytes: [UInt8], _ token: SQLToken) {
        let end = max(Int(token.start) + 2, Int(token.end) - 2)
        read(bytes, from: min(Int(token.start) + 2, bytes.count), to: min(end, bytes.count))
        collectCalls()
        meaning = findMeaning()
    }

    /// The first word of a block.
    static func tag(_ bytes: [UInt8], _ token: SQLToken) -> String {
        var index = Int(token.start) + 2
        let end = min(Int(token.end), bytes.count)
        while index < end, bytes[index] == 0x2D || bytes[index] == 0x2B || bytes[index] <= 0x20 { index += 1 }
        let start = index
        while index < end, index - start < 20, bytes[index] | 0x20 >= 0x61, bytes[index] | 0x20 <= 0x7A { index += 1 }
        return start <= index && index <= end ? String(decoding: bytes[min(start, index)..<index], as: UTF8.self) : ""
    }

    /// The variable that a `set` or `for` block binds, with its literal values; nil for other blocks.
    ///
    /// `values` is nil if they are not literals. `source` is the name of a variable that has the values.
    var binding: (name: String, values: [String]?, tables: [[String]], source: String?)? {
        var names: [String] = []
        var rest: ArraySlice<Piece> = pieces[...]
        guard case .name(let tag)? = rest.popFirst(), tag == "set" || tag == "for" else { return nil }
        while let piece = rest.first {
            if piece == .mark(0x3D) || piece == .name("in") { break }
            if case .name(let name) = piece { names.append(name) }
            rest.removeFirst()
        }
        guard let name = names.last, rest.popFirst() != nil else { return nil }
        if case .name(let source)? = rest.first, rest.count == 1 { return (name, nil, [], source) }
        if !tables.isEmpty, strings.isEmpty, !hasDynamicTable { return (name, nil, tables, nil) }
        var values: [String] = []
        for piece in rest {
            switch piece {
            case .string(let value): values.append(value)
            case .name: return (name, nil, tables, nil)
            case .mark: continue
            }
        }
        return (name, values.isEmpty ? nil : values, [], nil)
    }

    private mutating func read(_ bytes: [UInt8], from start: Int, to end: Int) {
        var index = start
        while index < end {
            let byte = bytes[index]
            if byte == 0x27 || byte == 0x22 {
                var content: [UInt8] = []
                index += 1
                while index < end, bytes[index] != byte {
                    if bytes[index] == 0x5C, index + 1 < end { index += 1 }
                    content.append(bytes[index])
                    index += 1
                }
                index += 1
                pieces.append(.string(String(decoding: content, as: UTF8.self)))
            } else if SQLLexer.isNameByte(byte) {
                let first = index
                while index < end, SQLLexer.isNameByte(bytes[index]) { index += 1 }
                // A number is not a name.
                if byte < 0x30 || byte > 0x39 {
                    pieces.append(.name(String(decoding: bytes[first..<index], as: UTF8.self)))
                }
            } else {
                if byte > 0x20, !(byte == 0x2D && (index == start || index + 1 == end)) { pieces.append(.mark(byte)) }
                index += 1
            }
        }
    }

    /// Finds the calls of `ref` and `source`; the other strings are arguments of macros.
    private mutating func collectCalls() {
        var index = 0
        while index < pieces.count {
            if case .name(let name) = pieces[index], name == "ref" || name == "source", index + 1 < pieces.count,
                pieces[index + 1] == .mark(0x28)
            {
                var arguments: [String] = []
                var isDynamic = false
                index += 2
                while index < pieces.count, pieces[index] != .mark(0x29) {
                    switch pieces[index] {
                    case .string(let value): arguments.append(value)
                    case .name(let word): if word != "v" && word != "version" { isDynamic = true }
                    case .mark: break
                    }
                    index += 1
                }
                if isDynamic || arguments.isEmpty {
                    hasDynamicTable = true
                } else if name == "ref" {
                    tables.append([arguments[arguments.count - 1]])
                } else {
                    tables.append(arguments)
                }
            } else if case .string(let value) = pieces[index] {
                strings.append(value)
            }
            index += 1
        }
    }

    private func findMeaning() -> Meaning {
        guard case .name(let name)? = pieces.first else { return .macro }
        let isCall = pieces.count > 1 && pieces[1] == .mark(0x28)
        switch name {
        case "ref", "source":
            if isCall, let table = tables.first, tables.count == 1, !hasDynamicTable { return .table(table) }
        case "this": return .this
        case "config", "log", "print", "env_var", "docs", "exceptions", "return":
            if isCall || name == "exceptions" { return .settings }
        case "target", "loop", "model", "invocation_id", "run_started_at", "execute": return .settings
        default:
            for piece in pieces {
                if piece == .mark(0x28) { return .macro }
            }
            return .variable(name)
        }
        return .macro
    }
}
