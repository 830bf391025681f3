/// The names that a script declares in addition to its imports: variables, functions, classes and parameters.
struct ScriptDeclarations {
    private let code: CodeTokens
    private let imports: [Range<Int>]

    init(_ code: CodeTokens, _ imports: [Range<Int>]) {
        (self.code, self.imports) = (code, imports)
    }

    /// Returns those of the names that are declared again.
    func names(among wanted: Set<String>) -> Set<String> {
        guard !wanted.isEmpty else { return [] }
        var found: Set<String> = []
        func add(_ token: Int) {
            if let name = code.name(token), wanted.contains(name) { found.insert(name) }
        }
        var ranges = imports[...]
        for token in 0..<code.count {
            while let range = ranges.first, range.upperBound <= token { ranges.removeFirst() }
            if let range = ranges.first, range.contains(token) { continue }
            if ["const", "let", "var"].contains(where: { code.isWord(token, $0) }) {
                if code.isOpener(token + 1) { pattern(token + 1, add) } else { add(token + 1) }
            } else if ["function", "class", "enum", "namespace"].contains(where: { code.isWord(token, $0) }) {
                add(code.isMark(token + 1, "*") ? token + 2 : token + 1)
            } else if code.isPair(token + 1, "=", ">") {
                add(token)
            } else if code.isMark(token, "("), hasParameters(token) {
                pattern(token, add)
            }
        }
        return found
    }

    /// Returns true if parentheses contain parameters instead of arguments.
    private func hasParameters(_ opener: Int) -> Bool {
        let end = code.closer(opener) + 1
        if code.isPair(end, "=", ">") { return true }
        guard code.isMark(end, "{") || code.isMark(end, ":") else { return false }
        if ["if", "while", "for", "switch", "with"].contains(where: { code.isWord(opener - 1, $0) }) { return false }
        // `catch (e) {`, `function f(a) {`, `method(a): Type {`. A type after `:` can also be the rest of `a ? f(b) : c`.
        return true
    }

    private func isEndOfName(_ token: Int) -> Bool {
        code.isMark(token, ":") || code.isMark(token, "?") || code.isMark(token, "=") && !code.isPair(token, "=", "=")
    }

    /// Reports the names of a pattern. Values of defaults are not names.
    private func pattern(_ opener: Int, _ add: (Int) -> Void) {
        var waiting = [opener]
        while let next = waiting.popLast() {
            for entry in code.entries(in: next) {
                var start = entry.lowerBound
                while start < entry.upperBound, code.isMark(start, ".") { start += 1 }
                // `{ key: name }` declares the second name, and `(name: Type)` the first.
                if code.isMark(next, "{"), code.isMark(start + 1, ":") { start += 2 }
                if code.isMark(start, "{") || code.isMark(start, "[") {
                    waiting.append(start)
                } else if start + 1 >= entry.upperBound || isEndOfName(start + 1) {
                    add(start)
                }
            }
        }
    }
}
