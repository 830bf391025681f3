package import LogDefinitions

/// The consumers that a change of definitions affects.
package struct ChangeImpact: Sendable {
    package struct Reader: Sendable {
        /// The index of the consumer.
        package var consumer: Int
        /// The worst effect; not `none`.
        package var effect: QueryEffect
        /// Indicates whether the consumer certainly reads a changed part, or a consumer that the change breaks.
        package var isCertain: Bool
        /// The places of the worst effect in the consumer's own statements; empty if it only reads other consumers.
        package var reads: [Impact.Read]
        /// The indices of the affected consumers that this one reads.
        package var through: [Int]

        /// Returns whether a reader precedes another in reports. The worst effect is first. Within an effect, certain
        /// readers precede uncertain ones, and then direct readers precede those that only read other consumers.
        static func precedes(_ one: Reader, _ other: Reader) -> Bool {
            if one.effect != other.effect { return one.effect > other.effect }
            if one.isCertain != other.isCertain { return one.isCertain }
            if one.reads.isEmpty != other.reads.isEmpty { return other.reads.isEmpty }
            return one.consumer < other.consumer
        }
    }

    /// The affected consumers, the worst effect first.
    package var readers: [Reader] = []
    /// The calls in app code that have to be edited, in the order of consumers. A call with a doubt may have to.
    package var calls: [Impact.Call] = []
    /// The indices of the consumers that read the events and none of the changed parts.
    package var unaffected: [Int] = []
}

extension ConsumerGraph {
    /// Returns the consumers that effects of a change reach.
    package func impact(of effects: [Change.Effect]) -> ChangeImpact {
        var readers: [Int: ChangeImpact.Reader] = [:]
        for effect in Self.joined(effects) where effect.kind > .none { addReaders(of: effect, to: &readers) }
        // Names of columns are compared case-insensitively.
        let new = effects.filter { $0.kind == .adds }.compactMap { $0.column?.lowercased() }
        propagate(&readers, adding: Set(new))
        let events = effects.reduce(into: Set<String>()) { $0.formUnion($1.events) }
        let unaffected = users(of: events).filter {
            readers[$0] == nil && !reads(of: nil, in: events, by: $0).isEmpty
        }
        return ChangeImpact(
            readers: readers.values.sorted(by: ChangeImpact.Reader.precedes), calls: brokenCalls(effects),
            unaffected: unaffected)
    }

    private func brokenCalls(_ effects: [Change.Effect]) -> [Impact.Call] {
        struct Key: Hashable {
            var consumer: Int
            var line: Int
            var column: Int?
        }
        var calls: [Key: Impact.Call] = [:]
        for effect in effects where effect.breaksCode {
            // No call passes a new column yet, and each call of the event has to.
            let column = effect.kind == .adds ? nil : effect.column
            for call in effect.events.flatMap({ self.calls(of: Impact.Subject(event: $0, column: column)) }) {
                let key = Key(consumer: call.consumer, line: call.site.line, column: call.site.column)
                if calls[key]?.doubt != nil || calls[key] == nil { calls[key] = call }
            }
        }
        return calls.sorted {
            ($0.key.consumer, $0.key.line, $0.key.column ?? 0) < ($1.key.consumer, $1.key.line, $1.key.column ?? 0)
        }.map(\.value)
    }

    /// Joins the events of effects of the same kind on columns of the same name, so that each consumer is read once.
    private static func joined(_ effects: [Change.Effect]) -> [Change.Effect] {
        var result: [Change.Effect] = []
        var indices: [Change.Effect: Int] = [:]
        for effect in effects {
            let key = Change.Effect(kind: effect.kind, events: [], column: effect.column)
            if let index = indices[key] {
                result[index].events.formUnion(effect.events)
            } else {
                indices[key] = result.count
                result.append(effect)
            }
        }
        return result
    }

    private func addReaders(of effect: Change.Effect, to readers: inout [Int: ChangeImpact.Reader]) {
        for number in users(of: effect.events) {
            let own = reads(of: effect.column, in: effect.events, by: number)
            if effect.kind == .adds, let column = effect.column {
                add(own, ofNew: column, by: number, to: &readers)
            } else {
                add(own, effect.kind, isCertain: own.contains { $0.certainty == .certain }, by: number, to: &readers)
            }
            for (kind, reads) in readsOfOtherEvents(effect, by: number).sorted(by: { $0.key < $1.key }) {
                let isCertain = kind > .adds && reads.contains { $0.certainty == .certain }
                let kind = kind == .adds ? effectOnQueryOfAllColumns(on: number) : kind
                add(reads, kind, isCertain: isCertain, by: number, to: &readers)
            }
        }
    }

    /// Adds a consumer that may return a new column. In a table that has the column for other events, its values are
    /// new. A statement that names the column may fail, or read the column of another relation until now.
    private func add(
        _ reads: [Impact.Read], ofNew column: String, by number: Int, to readers: inout [Int: ChangeImpact.Reader]
    ) {
        let filled = reads.filter { !isNew(column, in: $0.table) }
        add(filled, .shifts, isCertain: filled.contains { $0.certainty == .certain }, by: number, to: &readers)
        let new = reads.filter { isNew(column, in: $0.table) }
        add(new.filter { $0.column != nil }, .shifts, isCertain: false, by: number, to: &readers)
        // A new column is only in the result of a query that returns all columns.
        let returned = new.filter { $0.column == nil && $0.certainty.rank > 0 }
        add(returned, effectOnQueryOfAllColumns(on: number), isCertain: false, by: number, to: &readers)
    }

    private func add(
        _ reads: [Impact.Read], _ effect: QueryEffect, isCertain: Bool, by number: Int,
        to readers: inout [Int: ChangeImpact.Reader]
    ) {
        guard !reads.isEmpty else { return }
        var reader = ChangeImpact.Reader(
            consumer: number, effect: effect, isCertain: isCertain, reads: reads, through: [])
        if let known = readers[number] {
            guard effect >= known.effect else { return }
            if effect == known.effect {
                reader.isCertain = isCertain || known.isCertain
                reader.reads = known.reads + reads.filter { !known.reads.contains($0) }
            }
        }
        readers[number] = reader
    }

    /// Adds the consumers of affected consumers. A consumer of a broken one breaks, too. Another one may shift: it
    /// depends on the columns that it reads. A new column reaches only queries of all columns, and those with its name.
    private func propagate(_ readers: inout [Int: ChangeImpact.Reader], adding new: Set<String>) {
        for (effect, isCertain) in [(QueryEffect.adds, false), (.breaks, true), (.breaks, false), (.shifts, false)] {
            var waiting = readers.values.filter { $0.effect == effect && ($0.isCertain || !isCertain) }
                .map(\.consumer).sorted()
            var next = 0
            while next < waiting.count {
                let number = waiting[next]
                next += 1
                for dependent in dependents[number] {
                    let isCertain = isCertain && certainDependents[number].contains(dependent)
                    guard let effect = effect == .adds ? self.effect(of: new, on: dependent) : effect else { continue }
                    guard var reader = readers[dependent] else {
                        readers[dependent] = ChangeImpact.Reader(
                            consumer: dependent, effect: effect, isCertain: isCertain, reads: [], through: [number])
                        waiting.append(dependent)
                        continue
                    }
                    if !reader.through.contains(number) { reader.through.append(number) }
                    let isWorse = effect > reader.effect || effect == reader.effect && isCertain && !reader.isCertain
                    if isWorse {
                        // Its own reads and the former ones have a lesser effect.
                        if effect > reader.effect { (reader.reads, reader.through) = ([], [number]) }
                        (reader.effect, reader.isCertain) = (effect, isCertain)
                        waiting.append(dependent)
                    }
                    readers[dependent] = reader
                }
            }
        }
    }

    /// Returns the effect of new columns. A name without a qualifier becomes ambiguous, or the name of a new column.
    private func effect(of new: Set<String>, on consumer: Int) -> QueryEffect? {
        if !consumers[consumer].unqualifiedNames.isDisjoint(with: new) { return .shifts }
        return consumers[consumer].readsUnknownColumns ? effectOnQueryOfAllColumns(on: consumer) : nil
    }

    private func effectOnQueryOfAllColumns(on consumer: Int) -> QueryEffect {
        consumers[consumer].dependsOnAllColumns ? .shifts : .adds
    }
}
