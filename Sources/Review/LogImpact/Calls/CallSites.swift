/// Collects the call sites of a file.
struct CallSites {
    private let tokens: CodeTokens
    private let index: CallIndex
    private var found: [(start: UInt32, site: CallSite)] = []

    init(_ tokens: CodeTokens, _ index: CallIndex) {
        (self.tokens, self.index) = (tokens, index)
    }

    /// Adds a site at a token.
    mutating func add(
        _ event: Int, at token: Int, doubt: CallSite.Doubt?, _ arguments: (passed: Set<String>, rest: CallSite.Doubt?)
    ) {
        let possible =
            arguments.rest == nil ? [] : Set(index.events[event].columns.values).subtracting(arguments.passed)
        let site = CallSite(
            event: index.events[event].name, line: 0, column: 0, doubt: doubt, passed: arguments.passed,
            possible: possible, rest: arguments.rest)
        found.append((tokens.tokens[token].start, site))
    }

    /// The sites in the order of the file.
    func sites() -> [CallSite] {
        var cursor = PlaceCursor(tokens.bytes)
        var result: [CallSite] = []
        for entry in found.sorted(by: { $0.start < $1.start }) {
            let place = cursor.place(Int(entry.start))
            var site = entry.site
            (site.line, site.column) = (place.line, place.column)
            if result.last != site { result.append(site) }
        }
        return result
    }
}
