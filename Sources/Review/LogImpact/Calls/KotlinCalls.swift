/// Finds the calls of generated Kotlin in a file.
///
/// Names are resolved by the file's package and imports. Kotlin's own scopes are not: a name that the file declares
/// again makes its calls possible ones.
struct KotlinCalls {
    private let code: CodeTokens
    private let index: CallIndex
    private let packages: [[String]]
    private var sites: CallSites
    private var names: [String: Binding] = [:]
    /// The imported names that are not generated ones.
    private var others: Set<String> = []
    private var declared: Set<String> = []
    /// Indicates whether the file can have values of generated types without naming them.
    private var reachesPackage = false

    private struct Binding {
        var target: CallIndex.Target
        var doubt: CallSite.Doubt?
    }

    static func sites(in bytes: [UInt8], _ index: CallIndex, packages: [[String]]) -> [CallSite] {
        guard bytes.count < Int32.max else { return [] }
        var calls = KotlinCalls(KotlinLexer.tokens(of: bytes), index, packages)
        calls.read()
        return calls.sites.sites()
    }

    private init(_ code: CodeTokens, _ index: CallIndex, _ packages: [[String]]) {
        (self.code, self.index, self.packages) = (code, index, packages)
        sites = CallSites(code, index)
    }

    private mutating func read() {
        let start = readHead()
        readDeclarations(from: start)
        var token = start
        while token < code.count { token = readToken(token) }
    }

    // MARK: Names

    /// Reads the package and the imports, and returns the index after them.
    private mutating func readHead() -> Int {
        var (token, isExplicit): (Int, Set<String>) = (0, [])
        while token < code.count {
            if code.isMark(token, ";") {
                token += 1
            } else if code.isMark(token, "@") {
                token = endOfAnnotation(token)
            } else if code.isWord(token, "package") {
                let (path, end) = self.path(token + 1)
                if packages.contains(path) { bindPackage() }
                token = max(end, token + 1)
            } else if code.isWord(token, "import") {
                token = readImport(token, &isExplicit)
            } else {
                break
            }
        }
        return token
    }

    private func endOfAnnotation(_ start: Int) -> Int {
        var token = start + 1
        while code.isWord(token) || code.isMark(token, ":") || code.isMark(token, "."), !code.startsLine(token) {
            token += 1
        }
        if code.isMark(token, "(") || code.isMark(token, "["), !code.startsLine(token) {
            token = code.closer(token) + 1
        }
        return max(token, start + 1)
    }

    /// Returns the names that points join, and the index after them.
    private func path(_ start: Int) -> (path: [String], end: Int) {
        guard let first = code.name(start) else { return ([], start) }
        var (path, token) = ([first], start + 1)
        while code.isMark(token, "."), let name = code.name(token + 1) {
            path.append(name)
            token += 2
        }
        return (path, token)
    }

    private mutating func readImport(_ start: Int, _ isExplicit: inout Set<String>) -> Int {
        var (path, token) = self.path(start + 1)
        guard !path.isEmpty else { return start + 1 }
        if code.isMark(token, "."), code.isMark(token + 1, "*") {
            token += 2
            bindStar(path, isExplicit)
            return token
        }
        var name = path.last ?? ""
        if code.isWord(token, "as"), let alias = code.name(token + 1) {
            name = alias
            token += 2
        }
        isExplicit.insert(name)
        names[name] = binding(path)
        if let binding = names[name] {
            reachesPackage = reachesPackage || binding.doubt == nil
        } else {
            others.insert(name)
        }
        return token
    }

    /// Returns the meaning of an imported path.
    private func binding(_ path: [String]) -> Binding? {
        for package in packages where path.count > package.count && path.starts(with: package) {
            guard let target = target(path.dropFirst(package.count)) else { continue }
            return Binding(target: target)
        }
        // The generated code can be in another package than the definitions say.
        for count in [2, 1] where path.count > count {
            if let target = target(path.suffix(count)) { return Binding(target: target, doubt: .otherSource) }
        }
        return nil
    }

    private func target(_ path: some Collection<String>) -> CallIndex.Target? {
        guard let first = path.first, var target = index.categories[first] else { return nil }
        for name in path.dropFirst() {
            guard case .module(let module) = target, let member = index.modules[module][name] else { return nil }
            target = member
        }
        return target
    }

    private mutating func bindPackage() {
        reachesPackage = true
        for (name, target) in index.categories where names[name] == nil { names[name] = Binding(target: target) }
    }

    /// Binds the names of `import path.*`, which explicit imports precede.
    private mutating func bindStar(_ path: [String], _ isExplicit: Set<String>) {
        if packages.contains(path) { return bindStarOfPackage(isExplicit) }
        guard let binding = binding(path), case .module(let module) = binding.target else { return }
        reachesPackage = reachesPackage || binding.doubt == nil
        for (name, target) in index.modules[module] where !isExplicit.contains(name) {
            if let known = names[name], known.target != target {
                // Two imports with `*` have the name.
                names[name] = Binding(target: target, doubt: .otherSource)
            } else {
                names[name] = Binding(target: target, doubt: binding.doubt)
            }
        }
    }

    private mutating func bindStarOfPackage(_ isExplicit: Set<String>) {
        reachesPackage = true
        for (name, target) in index.categories where !isExplicit.contains(name) {
            names[name] = Binding(target: target)
        }
    }

    private static let declarations: [StaticString] = ["class", "object", "interface", "val", "var", "fun"]

    /// Reads the names that the file declares, and the aliases of generated types.
    private mutating func readDeclarations(from start: Int) {
        for token in start..<max(start, code.count) {
            if !reachesPackage, code.isWord(token), qualified(token) != nil { reachesPackage = true }
            guard let name = code.name(token + 1) else { continue }
            if Self.declarations.contains(where: { code.isWord(token, $0) }), !code.isMark(token + 2, ".") {
                declared.insert(name)
            } else if code.isWord(token, "typealias"), code.isMark(token + 2, "=") {
                readAlias(name, token + 3)
            }
        }
    }

    private mutating func readAlias(_ name: String, _ start: Int) {
        guard let (target, doubt, _) = resolve(start) else {
            declared.insert(name)
            return
        }
        names[name] = Binding(target: target, doubt: doubt)
        for event in events(of: target) { sites.add(event, at: start, doubt: .alias, ([], .alias)) }
    }

    private func events(of target: CallIndex.Target) -> [Int] {
        switch target {
        case .event(let event): return [event]
        case .module(let module):
            return index.modules[module].values.compactMap { if case .event(let event) = $0 { event } else { nil } }
                .sorted()
        }
    }

    /// Resolves the names that begin at a token, as far as the category or the event.
    /// - Returns: the meaning, a doubt, and the index after the names that have been resolved.
    private func resolve(_ start: Int) -> (target: CallIndex.Target, doubt: CallSite.Doubt?, end: Int)? {
        guard let first = code.name(start) else { return nil }
        var (target, doubt, token): (CallIndex.Target, CallSite.Doubt?, Int)
        if let binding = names[first] {
            (target, doubt, token) = (binding.target, binding.doubt, start + 1)
            if declared.contains(first) { doubt = .redeclared }
        } else if let (found, end) = qualified(start) {
            (target, doubt, token) = (found, nil, end)
        } else if let found = index.categories[first], first != CallIndex.commonName, !others.contains(first) {
            (target, doubt, token) = (found, declared.contains(first) ? .redeclared : .unknownOrigin, start + 1)
        } else {
            return nil
        }
        while case .module(let module) = target, code.isMark(token, "."), let name = code.name(token + 1) {
            guard let member = index.modules[module][name] else { return nil }
            target = member
            token += 2
        }
        return (target, doubt, token)
    }

    /// Resolves a name that begins with the package.
    private func qualified(_ start: Int) -> (CallIndex.Target, Int)? {
        for package in packages {
            var token = start
            let isPrefix = package.allSatisfy { name in
                guard code.name(token) == name, code.isMark(token + 1, ".") else { return false }
                token += 2
                return true
            }
            guard isPrefix, let name = code.name(token), let target = index.categories[name] else { continue }
            return (target, token + 1)
        }
        return nil
    }

    // MARK: Calls

    /// Reads a token, and returns the index of the next one.
    private mutating func readToken(_ token: Int) -> Int {
        guard code.isWord(token) else { return token + 1 }
        if code.isMark(token - 1, "."), !code.isMark(token - 2, ".") {
            readMember(token)
            return token + 1
        }
        // `with(event) { copy(position = 1) }`.
        if code.isWord(token, "copy"), reachesPackage, !code.isWord(token - 1, "fun") { readCopy(token) }
        guard !code.isWord(token - 1, "typealias"), !isAliasTarget(token),
            let (target, doubt, end) = resolve(token)
        else { return token + 1 }
        switch target {
        case .event(let event): readEvent(event, doubt, token, end)
        case .module(let module):
            // A reference to the constructor.
            if code.isPair(end, ":", ":"), let name = code.name(end + 2),
                case .event(let event)? = index.modules[module][name]
            {
                sites.add(event, at: token, doubt: .reference, ([], .reference))
                return end + 3
            }
        }
        return end
    }

    private func isAliasTarget(_ token: Int) -> Bool {
        code.isMark(token - 1, "=") && code.isWord(token - 3, "typealias")
    }

    private mutating func readEvent(_ event: Int, _ doubt: CallSite.Doubt?, _ start: Int, _ end: Int) {
        if code.isPair(start - 2, ":", ":") {
            sites.add(event, at: start, doubt: .reference, ([], .reference))
        } else if code.isMark(end, "("), !code.startsLine(end) {
            if !code.isWord(start - 1, "is") {
                sites.add(event, at: start, doubt: doubt, arguments(of: event, in: end))
            }
        } else if index.events[event].positions.isEmpty, isValue(start, end) {
            sites.add(event, at: start, doubt: doubt, ([], nil))
        }
    }

    /// Returns true if the name of an object is a value instead of a type or a comparison.
    private func isValue(_ start: Int, _ end: Int) -> Bool {
        if ["is", "as", "fun", "class", "object"].contains(where: { code.isWord(start - 1, $0) }) { return false }
        if code.isMark(start - 1, "?"), code.isWord(start - 2, "as") { return false }
        if code.isMark(start - 1, ":"), !code.isMark(start - 2, "?") { return false }
        if code.isMark(start - 1, "<") || code.isMark(end, ">") || code.isPair(end, ":", ":") { return false }
        if code.isPair(start - 2, "=", "=") || code.isPair(start - 2, "!", "=") { return false }
        if code.isPair(end, "=", "=") || code.isPair(end, "!", "=") || code.isPair(end, "-", ">") { return false }
        return !(code.isMark(end, ")") && code.isPair(end + 1, "-", ">"))
    }

    /// Reads a name after a point.
    private mutating func readMember(_ token: Int) {
        guard let name = code.name(token) else { return }
        if name == "copy", reachesPackage {
            readCopy(token)
        } else if case .module(let module)? = index.categories[name], code.isMark(token + 1, "."),
            let member = code.name(token + 2), case .event(let event)? = index.modules[module][member],
            code.isMark(token + 3, "(")
        {
            sites.add(event, at: token, doubt: .otherSource, arguments(of: event, in: token + 3))
        }
    }

    /// Reads `copy(position = 1)`, which creates an event from another one.
    private mutating func readCopy(_ token: Int) {
        guard code.isMark(token + 1, "("), !code.startsLine(token + 1) else { return }
        let labels = code.entries(in: token + 1).map { label(of: $0) }
        guard let first = labels.first.flatMap({ $0 }) else { return }
        for number in index.eventsByParameter[first] ?? [] {
            let event = index.events[number]
            let columns = labels.map { label in label.flatMap { event.columns[$0] } }
            guard columns.allSatisfy({ $0 != nil }) else { continue }
            sites.add(number, at: token, doubt: .copy, (Set(columns.compactMap { $0 }), nil))
        }
    }

    /// Returns the name of a named argument.
    private func label(of entry: Range<Int>) -> String? {
        let start = entry.lowerBound
        guard entry.count > 2, code.isMark(start + 1, "="), !code.isPair(start + 1, "=", "=") else { return nil }
        return code.name(start)
    }

    private func arguments(of event: Int, in opener: Int) -> (passed: Set<String>, rest: CallSite.Doubt?) {
        var (passed, rest): (Set<String>, CallSite.Doubt?) = ([], nil)
        let event = index.events[event]
        for (number, entry) in code.entries(in: opener).enumerated() {
            if let name = label(of: entry) {
                if let column = event.columns[name] { passed.insert(column) }
            } else if code.isMark(entry.lowerBound, "*") {
                rest = .spread
            } else if event.positions.indices.contains(number) {
                passed.insert(event.positions[number])
            } else {
                rest = .position
            }
        }
        return (passed, rest)
    }
}
