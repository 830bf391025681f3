import MarkdownSyntax

/// A change in all events that have it, or the deletion of an event that was not retired.
package struct DriftFinding: Sendable {
    /// The change; nil for a deletion.
    package var change: Change?
    /// The events (`category.event`), in the order of the drift.
    package var events: [String]
    package var diagnostic: Diagnostic

    package var breaks: Readers { change?.breaks ?? .all }
}

/// The report on a drift: one finding per change, with advice.
package struct DriftReport: Sendable {
    /// The definitions' files, then the baseline's files. Places are relative to this list.
    package let files: [SourceFile]
    private let definitions: Definitions
    private let baseline: Baseline
    private let hasVersions: Bool
    /// The places of types by name. Dictionaries keep reports with thousands of changes fast.
    private let typePlaces: [String: Place]
    private let commonColumnIndices: [String: Int]
    private let categoryIndices: [String: Int]

    /// Creates a report.
    /// - Parameter hasVersions: whether the baseline is a lock file.
    package init(definitions: Definitions, baseline: Baseline, hasVersions: Bool) {
        files = definitions.files + baseline.files
        self.definitions = definitions
        self.baseline = baseline
        self.hasVersions = hasVersions
        typePlaces = Dictionary(definitions.types.map { ($0.name, $0.place) }, uniquingKeysWith: { first, _ in first })
        commonColumnIndices = Self.indices(of: definitions.common?.columns ?? [])
        categoryIndices = Dictionary(
            definitions.categories.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func indices(of columns: [Column]) -> [String: Int] {
        Dictionary(columns.indices.map { (columns[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns a diagnostic per breaking change and per deleted event, in source order.
    package func diagnostics(of drift: Drift) -> [Diagnostic] {
        findings(of: drift) { !$0.breaks.isEmpty || $0.takesReservedName }.map(\.diagnostic)
    }

    /// Returns the findings on changes that satisfy a condition and on deleted events, in source order. A change of a
    /// common column or a type is one finding for all its events.
    package func findings(of drift: Drift, where isWanted: (Change) -> Bool = { _ in true }) -> [DriftFinding] {
        var findings: [DriftFinding] = []
        var shared: [Change: [EventDrift]] = [:]
        for event in drift.events {
            let changes = event.changes.filter(isWanted)
            guard !changes.isEmpty else { continue }
            let columns = Self.indices(of: definitions.categories[event.category].events[event.event].columns)
            for change in changes {
                if change.isShared {
                    shared[change, default: []].append(event)
                } else {
                    findings.append(finding(change, of: [event], columns))
                }
            }
        }
        for (change, events) in shared { findings.append(finding(change, of: events, [:])) }
        let heirs = drift.deleted.isEmpty ? [:] : baseline.heirs()
        for name in drift.deleted {
            let deletion = deletion(name, renamedTo: drift.renames[name], becoming: heirs[name])
            findings.append(DriftFinding(change: nil, events: [name], diagnostic: deletion))
        }
        return findings.sorted { Diagnostic.isInSourceOrder($0.diagnostic, $1.diagnostic) }
    }

    /// Returns a note for each change that breaks nothing but may change query results, such as an added value.
    package func notes(of drift: Drift) -> [Diagnostic.Note] {
        var seen: Set<String> = []
        return drift.events.flatMap { event in
            event.changes.filter { $0.breaks.isEmpty && $0.effect == .shifts }.map {
                sentenceStart(of: $0, event) + $0.what
            }
        }.filter { seen.insert($0).inserted }.map {
            .note("\($0); query results may change")
        }
    }

    private func sentenceStart(of change: Change, _ event: EventDrift) -> String {
        switch change.subject {
        case .event: "`\(event.name)` "
        case .column(let name): "the column `\(name)` of `\(event.name)` "
        case .commonColumns, .commonColumn, .type: (change.sharedName ?? "") + " "
        }
    }

    private func finding(_ change: Change, of events: [EventDrift], _ columns: [String: Int]) -> DriftFinding {
        let event = events[0]
        var message = sentenceStart(of: change, event) + change.what
        if change.isShared { message += events.count == 1 ? ", in `\(event.name)`" : ", in \(events.count) events" }
        message += "; breaks \(change.breaks.list)"
        let arrow =
            event.oldVersion.map { $0 == event.newVersion ? " (stays \($0))" : " (\($0) → \(event.newVersion))" } ?? ""
        message +=
            change.bump == .none
            ? "; no new version" : "; \(change.bump.rawValue)" + (hasVersions && events.count == 1 ? arrow : "")
        let place = place(of: change, in: event, columns)
        let diagnostic = Diagnostic(
            change.takesReservedName ? .reservedName : .breakingChange, message, at: place,
            remedy(of: change, event))
        return DriftFinding(change: change, events: events.map(\.name), diagnostic: diagnostic)
    }

    /// Returns the advice for an edit that avoids the break; nil if no edit of the document does.
    private func remedy(of change: Change, _ drift: EventDrift) -> Diagnostic.Note? {
        if change.takesReservedName {
            let event = definitions.categories[drift.category].events[drift.event]
            if change.subject == .event, event.status == .retired { return .help("delete the section") }
            return .help(change.aspect == .name ? "write the former name where it was" : "choose another name")
        }
        switch (change.remedy, change.subject) {
        case (.name(let heir, let former)?, let subject):
            // A value in a list of values has no row. A column of its name is another thing.
            if case .column(let name) = subject, name != heir, name != former { return nil }
            if case .commonColumn(let name) = subject, name != heir, name != former { return nil }
            guard let place = rowPlace(of: heir, in: subject, drift) else { return nil }
            let edit = self.edit(place) { $0.adding(formerName: former, toRowAt: place.range) }
            if case .type = subject, edit == nil { return nil }
            return .help(
                "if `\(heir)` continues `\(former)`, write `\(former)` into a column `renamed from` of its row", edit)
        case (.retire?, .column(let name)), (.retire?, .commonColumn(let name)):
            // A column that moved between an event and `common.md` has a row.
            let isElsewhere =
                commonColumnIndices[name] != nil
                || change.isShared
                    && definitions.categories.contains { category in
                        category.events.contains { $0.columns.contains { $0.name == name } }
                    }
            guard !isElsewhere else { return nil }
            return .help("bring the row back as `~~\(name)~~` to reserve its name; the change still has to be accepted")
        case (.makeOptional?, .column(let name)), (.makeOptional?, .commonColumn(let name)):
            return .help("to avoid the break, end the type of `\(name)` with `?`")
        default: return nil
        }
    }

    private func rowPlace(of name: String, in subject: Change.Subject, _ drift: EventDrift) -> Place? {
        switch subject {
        case .column:
            definitions.categories[drift.category].events[drift.event].columns.first { $0.name == name }?.place
        case .commonColumn: definitions.common?.columns.first { $0.name == name }?.place
        case .type(let type):
            if case .enumeration(let values)? = definitions.types.first(where: { $0.name == type })?.kind {
                values.first { $0.value.isExactly(name) }?.place
            } else {
                nil
            }
        case .event, .commonColumns: nil
        }
    }

    /// - Parameter current: the event that continues it in the baseline, if any.
    private func deletion(_ name: String, renamedTo heir: String?, becoming current: String?) -> Diagnostic {
        let parts = name.eventNameParts
        var old = baseline.entries[name]?.place ?? Place(file: 0, range: 0..<0)
        old.file += definitions.files.count
        let category = categoryIndices[parts.category].map { definitions.categories[$0] }
        let recorded = category.map { _ in Diagnostic.Note.note("it is recorded here", at: old) }
        let section = "`## ~~\(parts.event)~~`"
        if let heir, let event = event(heir) {
            let (advice, edit) = formerNameAdvice(parts, of: event, in: heir.eventNameParts.category)
            return Diagnostic(
                .deletedEvent,
                "`\(heir)` looks renamed from `\(name)`, which is deleted but not retired; breaks \(Readers.all.list)",
                at: event.place, recorded,
                .help("\(advice); then accept the change with `loggen lock --accept`", edit),
                .help(
                    "if it does not, bring the deleted event back as \(section)"
                        + (category?.file == event.place.file ? "" : " in `\(parts.category).md`")))
        }
        if let current {
            return Diagnostic(
                .deletedEvent,
                "`\(name)` is deleted but not retired: it became `\(current)`, and no event has the former name any "
                    + "more; breaks \(Readers.all.list)",
                at: category?.place ?? old, recorded,
                .help("write `\(name)` into `renamed from` of the event that continues it"))
        }
        return Diagnostic(
            .deletedEvent,
            "`\(name)` is deleted but not retired: bring it back as \(section); breaks \(Readers.all.list)",
            at: category?.place ?? old,
            recorded
                ?? (hasVersions ? .note("a new file `\(parts.category).md` begins with `# \(parts.category)`") : nil))
    }

    /// Returns the advice for a former name of an event. If its category is gone and the event has the same name, the
    /// heir's category continues that category.
    private func formerNameAdvice(
        _ former: (category: String, event: String), of event: Event, in category: String
    ) -> (advice: String, edit: Diagnostic.Edit?) {
        let source = definitions.files[event.place.file].source
        var (heading, old, subject) = (event, former.event, "it continues `\(former.category).\(former.event)`")
        if former.category != category {
            old = "\(former.category).\(former.event)"
            if former.event == event.name, categoryIndices[former.category] == nil,
                let heir = categoryIndices[category].map({ definitions.categories[$0] })
            {
                (old, subject) = (former.category, "`\(category)` continues the category `\(former.category)`")
                (heading.name, heading.details, heading.place, heading.columns) = (
                    category, heir.details, heir.place, []
                )
            }
        }
        return (
            "if \(subject), \(source.advice(formerName: old, of: heading))",
            edit(heading.place) { $0.adding(formerName: old, to: heading) }
        )
    }

    private func edit(_ place: Place, _ replacement: (SourceText) -> SourceText.Replacement?) -> Diagnostic.Edit? {
        replacement(definitions.files[place.file].source).map {
            .replacePlace(Place(file: place.file, range: $0.range), with: $0.text)
        }
    }

    private func event(_ name: String) -> Event? {
        let (category, event) = name.eventNameParts
        return categoryIndices[category].flatMap { index in
            definitions.categories[index].events.first { $0.name == event }
        }
    }

    private func place(of change: Change, in drift: EventDrift, _ ownColumnIndices: [String: Int]) -> Place {
        let event = definitions.categories[drift.category].events[drift.event]
        func place(_ name: String, in columns: [Column], _ indices: [String: Int], otherwise: Place) -> Place {
            guard let column = indices[name].map({ columns[$0] }) else { return otherwise }
            return change.aspect == .type && column.status != .retired ? column.typePlace : column.place
        }
        let common = definitions.common.map { Place(file: $0.file, range: 0..<0) }
        switch change.subject {
        case .event:
            switch change.aspect {
            case .trigger: return event.details.trigger?.place ?? event.place
            case .sampling, .samplingKey: return event.details.sampling?.place ?? event.place
            case .platforms: return event.details.platforms?.place ?? event.place
            default: return event.place
            }
        case .column(let name): return place(name, in: event.columns, ownColumnIndices, otherwise: event.place)
        case .commonColumns: return definitions.common?.columns.first?.place ?? common ?? event.place
        case .commonColumn(let name):
            return place(
                name, in: definitions.common?.columns ?? [], commonColumnIndices, otherwise: common ?? event.place)
        case .type(let name): return typePlaces[name] ?? event.place
        }
    }
}
