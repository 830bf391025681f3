/// The imports and exports of a script.
struct ScriptImports {
    /// A name that an import defines.
    struct Local {
        var name: String
        var specifier: String
        /// The export that the name means; nil for the whole module.
        var member: String?
        var isDefault: Bool { member == "default" }
    }

    /// An export of this file.
    struct Export {
        /// The exported name; nil for all exports of the other module.
        var name: String?
        /// The other module; nil for a name of this file.
        var specifier: String?
        /// The exported name of the other module, or the name in this file; nil for the whole module.
        var member: String?
        var token: Int
    }

    private(set) var locals: [Local] = []
    private(set) var exports: [Export] = []
    /// The ranges of tokens that are declarations of imports and exports, in ascending order.
    private(set) var ranges: [Range<Int>] = []
    private let code: CodeTokens

    init(_ code: CodeTokens) {
        self.code = code
        var token = 0
        while token < code.count {
            let end = isMember(token) ? token : declaration(token)
            if end > token {
                ranges.append(token..<end)
                token = end
            } else {
                token += 1
            }
        }
    }

    private func isMember(_ token: Int) -> Bool { code.isMark(token - 1, ".") && !code.isMark(token - 2, ".") }

    /// Reads a declaration at a token, and returns its end, or the token if there is none.
    private mutating func declaration(_ token: Int) -> Int {
        if code.isWord(token, "import") { return importDeclaration(token) }
        if code.isWord(token, "export") { return exportDeclaration(token) }
        if ["const", "let", "var"].contains(where: { code.isWord(token, $0) }) { return variable(token) }
        return token
    }

    // MARK: Imports

    private mutating func importDeclaration(_ start: Int) -> Int {
        var token = start + 1
        if code.isString(token) { return token + 1 }
        guard code.isWord(token) || code.isMark(token, "*") || code.isMark(token, "{") else { return start }
        // `import type X from` imports no values, and `import type from` is a name.
        let isType =
            code.isWord(token, "type")
            && (code.isMark(token + 1, "{") || code.isMark(token + 1, "*")
                || code.isWord(token + 1) && !code.isWord(token + 1, "from"))
        if isType { token += 1 }
        var found: [Local] = []
        if let name = code.name(token), !code.isWord(token, "from") || code.isWord(token + 1, "from") {
            // `import N = require("…")`.
            if code.isMark(token + 1, "="), let (specifier, end) = call(token + 2, "require") {
                locals.append(Local(name: name, specifier: specifier))
                return end
            }
            found.append(Local(name: name, specifier: "", member: "default"))
            token += 1
            if code.isMark(token, ",") { token += 1 }
        }
        if code.isMark(token, "*"), code.isWord(token + 1, "as"), let name = code.name(token + 2) {
            found.append(Local(name: name, specifier: ""))
            token += 3
        } else if code.isMark(token, "{") {
            found += specifiers(token).map { Local(name: $0.alias, specifier: "", member: $0.name) }
            token = min(code.closer(token) + 1, code.count)
        }
        guard code.isWord(token, "from"), let specifier = code.string(token + 1) else { return start }
        if !isType { locals += found.map { Local(name: $0.name, specifier: specifier, member: $0.member) } }
        return token + 2
    }

    /// Returns the names in `{ a, b as c, "d" as e }`. Types are left out.
    private func specifiers(_ opener: Int) -> [(name: String, alias: String)] {
        code.entries(in: opener).compactMap { entry in
            var start = entry.lowerBound
            // `type` alone is a name, as in `{ type as x }` and `{ type }`.
            if code.isWord(start, "type"), entry.count == 2 || entry.count == 4 { return nil }
            if entry.count > 4 { start += 1 }
            guard let name = code.name(start) ?? code.string(start) else { return nil }
            guard code.isWord(start + 1, "as"), start + 2 < entry.upperBound else { return (name, name) }
            return (name, code.name(start + 2) ?? code.string(start + 2) ?? name)
        }
    }

    /// Reads `require("…")` or `import("…")`, and returns the module and the index after it.
    private func call(_ token: Int, _ function: StaticString) -> (specifier: String, end: Int)? {
        guard code.isWord(token, function), code.isMark(token + 1, "("), let specifier = code.string(token + 2) else {
            return nil
        }
        return (specifier, min(code.closer(token + 1) + 1, code.count))
    }

    /// Reads `const N = require("…")` and `const { a, b: c } = await import("…")`.
    private mutating func variable(_ start: Int) -> Int {
        let pattern = start + 1
        let end = code.isMark(pattern, "{") ? code.closer(pattern) + 1 : pattern + 1
        guard code.isMark(end, "="), code.isWord(pattern) || code.isMark(pattern, "{") else { return start }
        let value = code.isWord(end + 1, "await") ? call(end + 2, "import") : call(end + 1, "require")
        // A member of the result is not the module.
        guard let (specifier, next) = value, !code.isMark(next, "."), !code.isMark(next, "(") else { return start }
        if let name = code.name(pattern) {
            locals.append(Local(name: name, specifier: specifier))
            return next
        }
        for entry in code.entries(in: pattern) {
            guard let name = code.name(entry.lowerBound) ?? code.string(entry.lowerBound) else { return start }
            let isRenamed = code.isMark(entry.lowerBound + 1, ":")
            let alias = isRenamed ? code.name(entry.lowerBound + 2) ?? name : name
            locals.append(Local(name: alias, specifier: specifier, member: name))
        }
        return next
    }

    // MARK: Exports

    private mutating func exportDeclaration(_ start: Int) -> Int {
        var token = start + 1
        let isType = code.isWord(token, "type") && (code.isMark(token + 1, "{") || code.isMark(token + 1, "*"))
        if isType { token += 1 }
        if code.isMark(token, "*") {
            var name: String?
            if code.isWord(token + 1, "as") {
                name = code.name(token + 2) ?? code.string(token + 2)
                token += 2
            }
            guard code.isWord(token + 1, "from"), let specifier = code.string(token + 2) else { return start }
            if !isType { exports.append(Export(name: name, specifier: specifier, token: start)) }
            return token + 3
        }
        if code.isMark(token, "{") {
            let end = min(code.closer(token) + 1, code.count)
            let specifier = code.isWord(end, "from") ? code.string(end + 1) : nil
            if !isType {
                exports += specifiers(token).map {
                    Export(name: $0.alias, specifier: specifier, member: $0.name, token: start)
                }
            }
            return specifier == nil ? end : end + 2
        }
        if code.isWord(token, "default"), let name = code.name(token + 1), isEndOfStatement(token + 2) {
            exports.append(Export(name: "default", member: name, token: start))
            return token + 2
        }
        return start
    }

    private func isEndOfStatement(_ token: Int) -> Bool {
        token >= code.count || code.isMark(token, ";")
            || code.startsLine(token)
                && !code.isMark(token, ".") && !code.isMark(token, "(")
    }
}
