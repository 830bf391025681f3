/// A check for violations of a rule in definitions.
enum Check: Sendable {
    /// Checks one definition file. The files are checked in parallel, right after they are read.
    case document(@Sendable (Document, inout Findings) -> Void)
    /// Checks all definition files of a run after their types are resolved, in parallel with other such checks.
    case run(@Sendable (ResolvedRun, inout Findings) -> Void)
}

struct Document {
    let content: FileContent
    /// The events of a category; empty for `common.md` and `types.md`.
    let events: [Event]
    /// The columns with an inline enumeration, in order.
    private(set) var enumerations: [Column] = []

    init(_ content: FileContent) {
        self.content = content
        if case .category(let category) = content { events = category.events } else { events = [] }
        forEachColumns { columns in
            for index in columns.indices where columns[index].type.isEnumeration { enumerations.append(columns[index]) }
        }
    }

    /// Calls the closure with the columns of each event, or with the common ones. Use indices to access them: a column
    /// is a large value, and copying each costs more than most rules do.
    func forEachColumns(_ look: ([Column]) -> Void) {
        for index in events.indices { look(events[index].columns) }
        if case .common(let common) = content { look(common.columns) }
    }

    /// Calls the closure with each column of current records: neither the column nor its event is retired.
    func forEachActiveColumn(_ look: (Column) -> Void) {
        for event in events where event.status != .retired { event.activeColumns.forEach(look) }
        if case .common(let common) = content { common.columns.filter { $0.status != .retired }.forEach(look) }
    }

    var valueLists: [[Confusable.SourceString]] {
        var lists: [[Confusable.SourceString]] = []
        for column in enumerations {
            if case .enumeration(let enumeration) = column.type.element {
                lists.append(enumeration.values.map { ($0, column.typePlace) })
            }
        }
        if case .types(let types) = content {
            for case .enumeration(let values) in types.lazy.map(\.kind) {
                lists.append(values.map { ($0.value, $0.place) })
            }
        }
        return lists
    }
}

/// The definitions of a run, with the types of their columns resolved.
struct ResolvedRun: Sendable {
    let definitions: Definitions
    /// The names of undefined types, which have been reported where columns use them.
    let unknownTypes: Set<String>
}

struct Findings {
    let options: AnalysisOptions
    fileprivate(set) var diagnostics: [Diagnostic] = []
    fileprivate var rule: Rule

    mutating func report(_ message: String, at place: Place, _ notes: Diagnostic.Note?...) {
        report(message, at: place, notes: notes.compactMap { $0 })
    }

    mutating func report(_ message: String, at place: Place, notes: [Diagnostic.Note]) {
        diagnostics.append(Diagnostic(rule, message, at: place, notes: notes))
    }
}

struct Checks: Sendable {
    private typealias Named<Look> = (rule: Rule, look: Look)

    private let options: AnalysisOptions
    private var ofDocuments: [Named<@Sendable (Document, inout Findings) -> Void>] = []
    private var ofRuns: [Named<@Sendable (ResolvedRun, inout Findings) -> Void>] = []

    init(of rules: [Rule] = Rule.all, options: AnalysisOptions) {
        self.options = options
        for rule in rules where options.severity(of: rule) != nil {
            for check in rule.checks {
                switch check {
                case .document(let look): ofDocuments.append((rule, look))
                case .run(let look): ofRuns.append((rule, look))
                }
            }
        }
    }

    func diagnostics(of content: FileContent) -> [Diagnostic] {
        guard !content.isNothing, var findings = ofDocuments.first.map({ Findings(options: options, rule: $0.rule) })
        else { return [] }
        let document = Document(content)
        for (rule, look) in ofDocuments {
            findings.rule = rule
            look(document, &findings)
        }
        return findings.diagnostics
    }

    func diagnostics(of run: ResolvedRun) async -> [Diagnostic] {
        // Each check takes long enough to justify a separate task.
        await inParallel(sizes: [Int](repeating: 1 << 16, count: ofRuns.count)) { index in
            var findings = Findings(options: options, rule: ofRuns[index].rule)
            ofRuns[index].look(run, &findings)
            return findings.diagnostics
        }.flatMap { $0 }
    }
}

extension Definitions {
    /// The types that `types.md` declares, without repeated declarations.
    var distinctTypes: [NamedType] {
        var names: Set<String> = []
        return types.filter { names.insert($0.name).inserted }
    }
}
