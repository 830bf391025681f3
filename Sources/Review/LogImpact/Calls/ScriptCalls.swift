/// Finds the calls of generated TypeScript in a file of TypeScript or JavaScript.
///
/// Names are resolved by imports. Scopes are not: a name that the file declares again makes its calls possible ones.
struct ScriptCalls {
    let code: CodeTokens
    let index: CallIndex
    private(set) var sites: CallSites
    private let imports: ScriptImports
    /// The members of modules, by index.
    private let members: [[String: CallIndex.Target]]
    private var names: [String: Binding] = [:]
    private var unknownNames: Set<String> = []
    /// The local names of exports that unknown modules have, with the exports' names.
    private var unknownMembers: [String: String] = [:]
    private var modules: ScriptModules

    struct Binding {
        var target: CallIndex.Target
        var doubt: CallSite.Doubt?
    }

    /// Returns the call sites of a file.
    static func sites(
        in bytes: [UInt8], path: String, _ index: CallIndex, _ modules: inout ScriptModules
    ) -> [CallSite] {
        guard bytes.count < Int32.max else { return [] }
        let hasJSX = ScriptLanguage.hasJSX(path)
        let code = ScriptLexer.tokens(of: bytes, hasJSX: hasJSX)
        let sites = sites(in: code, path, index, &modules)
        guard hasJSX, !code.isClean else { return sites }
        // Type parameters can look like an element. Both readings count.
        let others = self.sites(in: ScriptLexer.tokens(of: bytes, hasJSX: false), path, index, &modules)
        let (first, second) = (Set(sites), Set(others))
        return Array(first.union(second)).map { site in
            var site = site
            if !first.contains(site) || !second.contains(site) { site.doubt = site.doubt ?? .syntax }
            return site
        }.sorted { ($0.line, $0.column ?? 0, $0.event ?? "") < ($1.line, $1.column ?? 0, $1.event ?? "") }
    }

    private static func sites(
        in code: CodeTokens, _ path: String, _ index: CallIndex, _ modules: inout ScriptModules
    ) -> [CallSite] {
        var calls = ScriptCalls(code, path, index, &modules)
        calls.read()
        return calls.sites.sites()
    }

    private init(_ code: CodeTokens, _ path: String, _ index: CallIndex, _ modules: inout ScriptModules) {
        (self.code, self.index) = (code, index)
        sites = CallSites(code, index)
        imports = ScriptImports(code)
        for local in imports.locals {
            switch modules.meaning(local.member, of: local.specifier, from: path) {
            case .generated(let target, let doubt): names[local.name] = Binding(target: target, doubt: doubt)
            case .unknown:
                unknownNames.insert(local.name)
                if let member = local.member, index.eventsByIdentifier[member] != nil {
                    unknownMembers[local.name] = member
                }
            case .other: break
            }
        }
        // `require` and `import` in expressions.
        for token in 0..<code.count where code.isWord(token, "require") || code.isWord(token, "import") {
            guard code.isMark(token + 1, "("), let specifier = code.string(token + 2) else { continue }
            if case .generated(let target, let doubt) = modules.meaning(nil, of: specifier, from: path) {
                inline[token] = Binding(target: target, doubt: doubt)
            }
        }
        self.modules = modules
        members = modules.members
        imported = Set(names.keys).union(unknownMembers.keys)
        let redeclared = ScriptDeclarations(code, imports.ranges).names(among: imported)
        for name in redeclared { names[name]?.doubt = .redeclared }
    }

    /// The modules of `require("…")` and `import("…")` outside of declarations.
    private var inline: [Int: Binding] = [:]
    private var imported: Set<String> = []

    // MARK: Names

    private mutating func read() {
        reportAliases()
        var ranges = imports.ranges[...]
        var token = 0
        while token < code.count {
            if let range = ranges.first, range.lowerBound <= token {
                token = max(token, range.upperBound)
                ranges.removeFirst()
            } else {
                token = code.isWord(token) ? readWord(token) : token + 1
            }
        }
    }

    /// Reports names that are exported under other names: modules that are not found import them.
    private mutating func reportAliases() {
        for export in imports.exports {
            guard let member = export.member, export.specifier == nil, let name = export.name, name != member,
                let binding = names[member]
            else { continue }
            for event in events(of: binding.target) { sites.add(event, at: export.token, doubt: .alias, ([], .alias)) }
        }
    }

    private func isMember(_ token: Int) -> Bool { code.isMark(token - 1, ".") && !code.isMark(token - 2, ".") }

    /// Returns the index after `.`, `?.` or `!.`, or nil if the next token is not a member's name.
    private func member(after token: Int) -> (name: String, end: Int)? {
        var next = token
        if code.isMark(next, "!") { next += 1 }
        if code.isPair(next, "?", ".") { next += 1 }
        if code.isMark(next, "."), let name = code.name(next + 1) { return (name, next + 2) }
        if code.isMark(next, "."), code.isMark(next + 1, "[") { next += 1 }
        guard code.isMark(next, "["), let name = code.string(next + 1), code.isMark(next + 2, "]"),
            !isTemplate(next + 1)
        else { return nil }
        return (name, next + 3)
    }

    /// Reads a word, and returns the index of the next token.
    private mutating func readWord(_ token: Int) -> Int {
        if isMember(token) {
            readMember(token)
            return token + 1
        }
        if let binding = inline[token] {
            return readInline(binding, token)
        }
        guard let name = code.name(token), !isLabel(token) else { return token + 1 }
        if let binding = names[name] { return follow(binding, token, token + 1) }
        if let member = unknownMembers[name] {
            readUnknown(member, token, token + 1, .otherSource)
        } else if let target = index.categories[name], case .module(let module) = target, !imported.contains(name),
            let (member, end) = member(after: token + 1), case .event(let event)? = index.modules[module][member],
            code.isMark(end, "(")
        {
            // A global, or a name of another scope.
            sites.add(event, at: token, doubt: .unknownOrigin, arguments(of: event, in: end))
        }
        return token + 1
    }

    /// Returns true for the key of a property, the label of a parameter, or a method that is declared.
    private func isLabel(_ token: Int) -> Bool {
        let isFirst = code.isMark(token - 1, "{") || code.isMark(token - 1, ",") || code.isMark(token - 1, ";")
        if isFirst, code.isMark(token + 1, ":") { return true }
        guard code.isMark(token + 1, "("), isFirst || code.isMark(token - 1, "}") || isModifier(token - 1) else {
            return false
        }
        // `name() {` and `name(): Type {` in a class or an object.
        let end = code.closer(token + 1) + 1
        let opener = Int(code.openers[token])
        return opener >= 0 && code.isMark(opener, "{") && (code.isMark(end, "{") || code.isMark(end, ":"))
    }

    private func isModifier(_ token: Int) -> Bool {
        ["async", "static", "get", "set", "public", "private", "protected", "override", "readonly"].contains {
            code.isWord(token, $0)
        }
    }

    /// Follows members from a name, and reads the call or the reference at the end.
    private mutating func follow(_ binding: Binding, _ start: Int, _ end: Int) -> Int {
        var (target, end) = (binding.target, end)
        while case .module(let module) = target, let (name, next) = member(after: end) {
            guard let found = members[module][name] else { return next }
            (target, end) = (found, next)
        }
        // `typeof` does not call.
        if code.isWord(start - 1, "typeof") { return end }
        switch target {
        case .event(let event): readEvent(event, binding.doubt, start, end)
        case .module:
            let doubt: CallSite.Doubt = code.isMark(end, "[") ? .computedMember : .module
            for event in events(of: target) {
                sites.add(event, at: start, doubt: binding.doubt ?? doubt, ([], doubt))
            }
        }
        return end
    }

    private mutating func readEvent(_ event: Int, _ doubt: CallSite.Doubt?, _ start: Int, _ end: Int) {
        var next = end
        if code.isMark(next, "!") { next += 1 }
        if code.isPair(next, "?", "."), code.isMark(next + 2, "(") { next += 2 }
        if code.isMark(next, "(") {
            sites.add(event, at: start, doubt: doubt, arguments(of: event, in: next))
        } else if !isDeclared(start) {
            sites.add(event, at: start, doubt: doubt ?? .reference, ([], .reference))
        }
    }

    /// Returns true if a declaration or a parameter has the name.
    private func isDeclared(_ token: Int) -> Bool {
        ["const", "let", "var", "function", "class"].contains { code.isWord(token - 1, $0) }
            || code.isPair(token + 1, "=", ">")
    }

    private func events(of target: CallIndex.Target) -> [Int] {
        var (waiting, seen, result): ([CallIndex.Target], Set<CallIndex.Target>, Set<Int>) = ([target], [], [])
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            switch next {
            case .event(let event): result.insert(event)
            case .module(let module): waiting += members[module].values
            }
        }
        return result.sorted()
    }

    /// Reads `require("…").name(…)` and `(await import("…")).name(…)`.
    private mutating func readInline(_ binding: Binding, _ token: Int) -> Int {
        if code.isWord(token - 1, "typeof") { return token + 1 }
        var end = min(code.closer(token + 1) + 1, code.count)
        if code.isWord(token - 1, "await"), code.isMark(token - 2, "("), code.isMark(end, ")") { end += 1 }
        return follow(binding, token, end)
    }

    // MARK: Unknown receivers

    /// Reads a name after a point whose receiver is not a generated module.
    private mutating func readMember(_ token: Int) {
        guard let name = code.name(token) else { return }
        if case .module(let module)? = index.categories[name], let (member, end) = member(after: token + 1),
            case .event(let event)? = index.modules[module][member], code.isMark(end, "(")
        {
            return sites.add(event, at: token, doubt: .member, arguments(of: event, in: end))
        }
        // `logs.RecipeSearch.showRecipe()` has been read with its category.
        if index.eventsByIdentifier[name] != nil, !isCategory(token - 2) {
            readUnknown(name, token, token + 1, .member)
        }
    }

    private func isCategory(_ token: Int) -> Bool {
        code.name(token).map { index.categories[$0] != nil } ?? false
    }

    /// Reads a call of a function that has the name of an event. Its object literal has to fit the event's columns.
    private mutating func readUnknown(_ name: String, _ start: Int, _ end: Int, _ doubt: CallSite.Doubt) {
        guard code.isMark(end, "("), let literal = literal(in: end) else { return }
        for event in index.eventsByIdentifier[name] ?? [] {
            let columns = index.events[event].columns
            guard !literal.keys.isEmpty, literal.keys.allSatisfy({ columns[$0] != nil }),
                literal.rest != nil || index.events[event].required.isSubset(of: literal.keys)
            else { continue }
            sites.add(event, at: start, doubt: doubt, arguments(of: event, in: end))
        }
    }

    // MARK: Arguments

    private func arguments(of event: Int, in opener: Int) -> (passed: Set<String>, rest: CallSite.Doubt?) {
        guard opener + 1 < min(code.closer(opener), code.count) else { return ([], nil) }
        guard let literal = literal(in: opener) else { return ([], .variable) }
        let columns = index.events[event].columns
        return (Set(literal.keys.compactMap { columns[$0] }), literal.rest)
    }

    /// Returns the keys of the object literal that is the first argument.
    private func literal(in opener: Int) -> (keys: Set<String>, rest: CallSite.Doubt?)? {
        guard code.isMark(opener + 1, "{") else { return nil }
        let end = code.closer(opener + 1) + 1
        // The literal is a part of a larger expression.
        guard
            end >= code.count || code.isMark(end, ")") || code.isMark(end, ",") || code.isWord(end, "as")
                || code.isWord(end, "satisfies")
        else { return nil }
        var (keys, rest): (Set<String>, CallSite.Doubt?) = ([], nil)
        for entry in code.entries(in: opener + 1) {
            switch key(entry) {
            case .name(let name): keys.insert(name)
            case .spread: rest = .spread
            case .computed: rest = .computedKey
            }
        }
        return (keys, rest)
    }

    private enum Key { case name(String), spread, computed }

    private func key(_ entry: Range<Int>) -> Key {
        var start = entry.lowerBound
        if code.isMark(start, ".") { return .spread }
        if code.isMark(start, "[") {
            guard let name = code.string(start + 1), code.isMark(start + 2, "]"), !isTemplate(start + 1) else {
                return .computed
            }
            return .name(name)
        }
        // `async name()`, `get name()`, `*name()`.
        while start + 1 < entry.upperBound, code.isWord(start) || code.isMark(start, "*"),
            code.isWord(start + 1) || code.isString(start + 1)
        {
            start += 1
        }
        return (code.name(start) ?? code.string(start)).map(Key.name) ?? .computed
    }

    private func isTemplate(_ token: Int) -> Bool { code.bytes[Int(code.tokens[token].start)] == UInt8(ascii: "`") }
}
