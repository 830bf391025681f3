extension Analysis {
    /// Reports violations of `column-type` at the columns that differ from the lock file.
    ///
    /// Without a lock file, the first column of a name has the right type. With one, the changed columns are at fault.
    /// A column that the lock file does not contain keeps its diagnostics.
    package mutating func blameChangedColumns(since lock: Baseline) {
        let reported = diagnostics.filter { $0.rule == .columnType }
        guard let severity = reported.first?.severity else { return }
        let places = Set(reported.map(\.place))
        var columns: [String: [Column]] = [:]
        var names: Set<String> = []
        var accepted: [String: LogValueType] = [:]
        definitions.forEachColumns { all, areCommon in
            guard !areCommon else { return }
            for column in all where places.contains(column.typePlace) { names.insert(column.name) }
        }
        for category in definitions.categories {
            for event in category.events where event.columns.contains(where: { names.contains($0.name) }) {
                for column in event.columns where names.contains(column.name) {
                    columns[column.name, default: []].append(column)
                }
                guard let entry = lock.entries["\(category.name).\(event.name)"], let shape = try? lock.shape(entry)
                else { continue }
                for column in shape.columns where names.contains(column.name) && accepted[column.name] == nil {
                    accepted[column.name] = column.type
                }
            }
        }
        for (name, type) in accepted {
            let all = columns[name] ?? []
            let changed = all.filter { !isSame($0.type.shape, type) }
            guard let kept = all.first(where: { isSame($0.type.shape, type) }) else { continue }
            let own = Set(all.map(\.typePlace))
            diagnostics.removeAll { $0.rule == .columnType && own.contains($0.place) }
            for column in changed {
                var diagnostic = Diagnostic(
                    .columnType,
                    "`\(name)` has another type than in loggen.lock: a column name has one type in all events",
                    at: column.typePlace, .note("the accepted type is here", at: kept.typePlace),
                    definitions.writing(kept.type, insteadOf: column.typePlace))
                diagnostic.severity = severity
                diagnostics.append(diagnostic)
            }
        }
        diagnostics.sort(by: Diagnostic.isInSourceOrder)
    }
}

extension Analysis {
    /// Reports former names that the lock file does not contain, and columns that cannot continue their former ones.
    /// - Parameter lock: the lock file; nil before the first one. Then former names cannot be checked.
    package mutating func checkFormerNames(since lock: Baseline?) {
        var check = FormerNameCheck(definitions: definitions, lock: lock)
        check.run()
        diagnostics = (diagnostics + check.diagnostics).sorted(by: Diagnostic.isInSourceOrder)
    }
}

private struct FormerNameCheck {
    let definitions: Definitions
    let lock: Baseline?
    var diagnostics: [Diagnostic] = []
    private lazy var reserved = Dictionary(
        grouping: definitions.reservedValues.values.joined(), by: \.scope)

    init(definitions: Definitions, lock: Baseline?) {
        self.definitions = definitions
        self.lock = lock
    }

    private struct RecordedNames {
        let columns: [String: ColumnShape]
        let reserved: Set<String>
        let heirs: [String: String]

        init(_ shape: EventShape) {
            columns = Dictionary(
                (shape.columns + shape.common).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            reserved = Set(shape.reserved.map(\.name))
            heirs = shape.reserved.heirs
        }
    }

    mutating func run() {
        let locked = Set((lock?.entries.keys).map { $0.map { $0.eventNameParts.category } } ?? [])
        for category in definitions.categories {
            let ofCategory = Set(category.formerNames.map(\.place))
            // A first lock file records former names that it cannot check.
            var recorded: Set<String> = []
            for event in category.events {
                guard event.hasFormerNames else { continue }
                let name = "\(category.name).\(event.name)"
                let known = Set(lock?.shapesOldestFirst(of: [name]).flatMap(\.formerNames) ?? [])
                recorded.formUnion(known.map(\.eventNameParts.category))
                let own = Dictionary(grouping: event.formerNames.filter { !ofCategory.contains($0.place) }, by: \.place)
                for names in own.values
                where names.allSatisfy({ lock?.entries[$0.name] == nil && !known.contains($0.name) }) {
                    reportUnknown(names[0], "event")
                }
                let shapes = lock?.shapesOldestFirst(of: [name] + event.formerNames.map(\.name)) ?? []
                let all = shapes.map(RecordedNames.init)
                for column in event.columns { check(column, all) }
            }
            for former in category.formerNames
            where !locked.contains(former.name) && !recorded.contains(former.name) {
                reportUnknown(former, "category")
            }
        }
        var shapes: [EventShape]?
        func all() -> [EventShape] {
            if shapes == nil {
                shapes = lock.map { lock in lock.shapesOldestFirst(of: lock.entries.keys.sorted()) } ?? []
            }
            return shapes ?? []
        }
        let common = (definitions.common?.columns ?? []).filter { !$0.formerNames.isEmpty }
        let recorded = common.isEmpty ? [] : all().map(RecordedNames.init)
        for column in common { check(column, recorded) }
        let known = definitions.formerValues.isEmpty ? [:] : knownValues(all())
        for (type, values) in definitions.formerValues {
            for (former, _) in values where !(known[type]?.containsExactly(former.name) ?? false) {
                reportUnknown(former, "value")
            }
        }
    }

    /// Returns, by type, the known values of types of the same name and of columns that have the type now.
    private func knownValues(_ shapes: [EventShape]) -> [String: Set<String>] {
        var types: [String: Set<String>] = [:]
        var columns: [String: Set<String>] = [:]
        for shape in shapes {
            for column in shape.common + shape.columns {
                guard let values = column.type.values else { continue }
                let type = column.type.typeName
                let recorded = values.union(type.map { shape.reservedNames(.values(of: $0)) } ?? [])
                columns[column.name, default: []].formUnion(recorded)
                if let type { types[type, default: []].formUnion(recorded) }
            }
        }
        definitions.forEachColumns { current, _ in
            for column in current {
                guard let type = column.type.typeName else { continue }
                for name in [column.name] + column.formerNames.map(\.name) {
                    types[type, default: []].formUnion(columns[name] ?? [])
                }
            }
        }
        return types
    }

    private mutating func check(_ column: Column, _ shapes: [RecordedNames]) {
        guard !column.formerNames.isEmpty else { return }
        let own = Set([column.name] + column.formerNames.map(\.name))
        let now = ColumnShape(name: column.name, type: column.type.shape, isRequired: column.isRequired)
        for former in column.formerNames where former.name != column.name {
            guard let old = shapes.last(where: { $0.columns[former.name] != nil })?.columns[former.name] else {
                if !shapes.contains(where: { $0.reserved.contains(former.name) }) {
                    reportUnknown(former, "column")
                }
                continue
            }
            // A change of the type of a column with this former name has been accepted.
            let isClaimed = shapes.contains { $0.heirs[former.name].map(own.contains) ?? false }
            let newest = shapes.last { $0.columns[column.name] != nil || $0.columns[former.name] != nil }
            let isRecorded = newest?.columns[column.name] != nil
            let names = [column.name] + column.formerNames.map(\.name).filter { $0 != former.name }
            let other = names.first { name in
                shapes.contains { $0.columns[name] != nil && $0.columns[former.name] != nil }
            }
            if let other {
                guard other == column.name || former == column.formerNames.first else { continue }
                report(
                    "records have both `\(former.name)` and `\(other)`, which cannot become one column", former,
                    help: "give the column that continues `\(former.name)` another name, or delete this one")
            } else if !isRecorded, !isClaimed, column.status != .retired,
                !ShapeComparison.accepts(now, old, reserved: reserved)
            {
                report(
                    "`\(column.name)` is `\(column.type)\(column.isRequired ? "" : "?")`, which does not accept all "
                        + "values of `\(former.name)`: `\(old.type)\(old.isRequired ? "" : "?")`", former,
                    help: "keep the type; or delete the former name, so that `\(column.name)` is a new column")
            }
        }
    }

    private mutating func reportUnknown(_ former: FormerName, _ what: String) {
        guard lock == nil else {
            return report(
                "loggen.lock has no \(what) `\(former.name)`", former,
                help: "write the name as it was in the last recorded version, or delete it")
        }
        report(
            "`\(former.name)` cannot be checked: there is no loggen.lock yet", former,
            help: "run `loggen lock` with the definitions before the rename, then rename")
        diagnostics[diagnostics.count - 1].severity = .warning
    }

    private mutating func report(_ message: String, _ former: FormerName, help: String) {
        diagnostics.append(Diagnostic(.formerName, message, at: former.place, .help(help)))
    }
}

extension Baseline {
    fileprivate func shapesOldestFirst(of events: [String]) -> [EventShape] { earlierShapes(of: events).map(\.shape) }
}
