extension Analysis {
    /// Reports violations of `column-type` at the columns that differ from the lock file.
    ///
    /// Without a lock file, the first column of a name has the right type. With one, the changed columns are at fault. A
    /// column that the lock file does not contain keeps its diagnostics.
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
                    at: column.typePlace,
                    notes: [
                        .note("the accepted type is here", at: kept.typePlace),
                        definitions.writing(kept.type, insteadOf: column.typePlace),
                    ])
                diagnostic.severity = severity
                diagnostics.append(diagnostic)
            }
        }
        diagnostics.sort(by: Diagnostic.isInSourceOrder)
    }
}
