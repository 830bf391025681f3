import LogDefinitions

/// The readers of an event or of one of its columns.
package struct Impact: Sendable {
    /// An event, and perhaps one of its columns.
    package struct Subject: Sendable, Hashable {
        /// The event, as `category.event`.
        package var event: String
        /// The record's member; nil for the event.
        package var column: String?

        package init(event: String, column: String? = nil) {
            (self.event, self.column) = (event, column)
        }
    }

    /// A place that reads the subject.
    package struct Read: Sendable, Hashable {
        package var table: String?
        /// The column in the table; nil for all columns.
        package var column: String?
        package var certainty: Certainty
        package var place: SourcePlace
        /// The former name (`category.event`) by which the statement selects the event.
        package var formerName: String?
    }

    package struct Reader: Sendable {
        /// The index of the consumer.
        package var consumer: Int
        /// The places in the consumer's own statements; empty if it only reads other readers.
        package var reads: [Read]
        /// The indices of the readers that this one reads.
        package var through: [Int]

        /// Indicates whether a statement certainly reads the subject.
        package var isCertain: Bool { reads.contains { $0.certainty == .certain } }
    }

    /// A call that passes the subject.
    package struct Call: Sendable {
        /// The index of the consumer.
        package var consumer: Int
        package var site: CallSite
        /// The reason why the call might not pass the subject; nil if it certainly does.
        package var doubt: CallSite.Doubt?
    }

    package var subject: Subject
    /// The coverage of the subject, by file.
    package var coverage: [RecordCoverage.Finding] = []
    /// The calls, in the order of consumers.
    package var calls: [Call]
    /// The readers: first those with own reads, then those that read them, each group in the order of consumers.
    package var readers: [Reader]
}

/// Consumers and the dependencies among them.
package struct ConsumerGraph: Sendable {
    package let consumers: [Consumer]
    /// The consumers that depend on each one.
    let dependents: [[Int]]
    /// The consumers that certainly depend on each one.
    let certainDependents: [Set<Int>]
    private let tables: LoggedTables
    /// The consumers with a use of each table; nil for those that compute a name of a table.
    private let users: [String?: [Int]]
    private let callersByEvent: [String: [Int]]
    private let coverage: [RecordCoverage]

    package init(_ consumers: [Consumer], _ tables: LoggedTables, coverage: [RecordCoverage] = []) {
        self.consumers = consumers
        self.coverage = coverage
        self.tables = tables
        var dependents = [[Int]](repeating: [], count: consumers.count)
        var certainDependents = [Set<Int>](repeating: [], count: consumers.count)
        var users: [String?: [Int]] = [:]
        for (number, consumer) in consumers.enumerated() {
            for other in consumer.dependencies + consumer.possibleDependencies { dependents[other].append(number) }
            for other in consumer.dependencies { certainDependents[other].insert(number) }
            for name in Set(consumer.uses.lazy.map(\.table)) { users[name, default: []].append(number) }
        }
        (self.dependents, self.certainDependents, self.users) = (dependents, certainDependents, users)
        var callersByEvent: [String: [Int]] = [:]
        for (number, consumer) in consumers.enumerated() {
            for event in Set(consumer.calls.map(\.event)) { callersByEvent[event, default: []].append(number) }
        }
        self.callersByEvent = callersByEvent
    }

    /// Returns the consumers that use a table with one of the events, or any table.
    func users(of events: Set<String>) -> [Int] {
        let names = events.reduce(into: Set<String>()) { $0.formUnion(tables.names(of: $1)) }
        return names.reduce(into: Set(users[nil] ?? [])) { $0.formUnion(users[$1] ?? []) }.sorted()
    }

    /// Returns the readers of a subject.
    package func impact(on subject: Impact.Subject) -> Impact {
        var reads: [Int: [Impact.Read]] = [:]
        for number in users(of: [subject.event]) {
            let own = self.reads(of: subject.column, in: [subject.event], by: number)
            if !own.isEmpty { reads[number] = own }
        }
        var through: [Int: [Int]] = [:]
        var (waiting, seen) = (reads.keys.sorted(), Set(reads.keys))
        var next = 0
        while next < waiting.count {
            let reader = waiting[next]
            next += 1
            for dependent in dependents[reader] {
                through[dependent, default: []].append(reader)
                if seen.insert(dependent).inserted { waiting.append(dependent) }
            }
        }
        let order = reads.keys.sorted() + seen.subtracting(reads.keys).sorted()
        return Impact(
            subject: subject, coverage: coverage.map { $0.finding(subject) }, calls: calls(of: subject),
            readers: order.map { number in
                Impact.Reader(
                    consumer: number, reads: reads[number] ?? [], through: (through[number] ?? []).sorted())
            })
    }

    /// The reads of the consumer's own statements, sorted by name. A nil name comes last and means all columns.
    func columns(of event: String, readBy consumer: Int) -> [(name: String?, isCertain: Bool)] {
        var columns: [String?: Bool] = [:]
        for use in consumers[consumer].uses {
            guard let table = use.table.flatMap({ tables.tables[$0] }), table.events.contains(event),
                table.selects(event, use.filters)
            else { continue }
            for read in use.reads {
                let field = read.column.flatMap { table.fields[$0.lowercased()] }
                if let field, let owners = table.owners[field], !owners.contains(event) { continue }
                if read.column != nil, field == nil { continue }
                columns[field, default: false] = columns[field] ?? false || read.certainty == .certain
            }
        }
        return columns.map { (name: $0.key, isCertain: $0.value) }.sorted { one, other in
            guard let first = one.name, let second = other.name else { return one.name != nil }
            return first < second
        }
    }

    func calls(of subject: Impact.Subject) -> [Impact.Call] {
        (callersByEvent[subject.event] ?? []).flatMap { number in
            consumers[number].calls.compactMap { site in
                guard site.event == subject.event else { return nil }
                guard let column = subject.column, !site.passed.contains(column) else {
                    return Impact.Call(consumer: number, site: site, doubt: site.doubt)
                }
                guard site.possible.contains(column) else { return nil }
                return Impact.Call(consumer: number, site: site, doubt: site.doubt ?? .unlisted)
            }
        }
    }

    /// Returns whether no event has had a member in a table.
    func isNew(_ column: String, in table: String?) -> Bool {
        guard let table = table.flatMap({ tables.tables[$0] }) else { return true }
        return table.fields.allSatisfy { $0.value != column || table.differences[$0.key] == .adds }
    }

    private static func precedes(_ one: Impact.Read, _ other: Impact.Read) -> Bool {
        one.place == other.place ? (one.column ?? "") < (other.column ?? "") : one.place < other.place
    }

    /// Returns the reads of a column of events by a consumer, in the order of their places.
    /// - Parameter column: The column; nil for the events.
    func reads(of column: String?, in events: Set<String>, by consumer: Int) -> [Impact.Read] {
        struct Key: Hashable {
            var table: String?
            var column: String?
            var place: SourcePlace
        }
        // Of several reads at one place, the most certain one counts.
        var best: [Key: Impact.Read] = [:]
        for read in consumers[consumer].uses.flatMap({ self.reads(of: column, in: events, $0) }) {
            let key = Key(table: read.table, column: read.column, place: read.place)
            if let known = best[key], known.certainty.rank >= read.certainty.rank { continue }
            best[key] = read
        }
        return best.values.sorted(by: Self.precedes)
    }

    /// Returns the reads of columns of shared tables that differ because of events that the consumer does not select.
    func readsOfOtherEvents(_ effect: Change.Effect, by consumer: Int) -> [QueryEffect: [Impact.Read]] {
        var found: [QueryEffect: Set<Impact.Read>] = [:]
        for use in consumers[consumer].uses {
            guard let table = use.table.flatMap({ tables.tables[$0] }), !table.differences.isEmpty,
                !effect.events.isDisjoint(with: table.events), !table.selects(anyOf: effect.events, use.filters)
            else { continue }
            for read in use.reads {
                guard let difference = table.difference(read.column, of: effect.column) else { continue }
                found[difference, default: []].formUnion(Impact.Read.all(read, of: use))
            }
        }
        return found.mapValues { $0.sorted(by: Self.precedes) }
    }

    private func reads(of column: String?, in events: Set<String>, _ use: TableUse) -> [Impact.Read] {
        var own = Impact.Read(table: use.table, column: nil, certainty: use.certainty, place: use.place)
        guard let name = use.table else { return [own] }
        guard let table = tables.tables[name] else { return [] }
        let owners = column.flatMap { table.owners[$0] } ?? table.events
        let concerned = owners.count == table.events.count ? events : owners.intersection(events)
        let isSelected = table.selects(anyOf: concerned, use.filters)
        // Without the column, a statement that names it fails, even if it selects other events.
        guard isSelected || owners.isSubset(of: events) else { return [] }
        let renamed = table.formerNames.isEmpty ? [] : concerned.filter { table.formerNames[$0] != nil }
        let names = renamed.compactMap { table.name(of: $0, in: use.filters) }
        own.formerName = names.first { !renamed.contains($0) }
        guard let column else { return isSelected ? [own] : [] }
        return use.reads.filter { read in
            read.column.map { table.fields[$0.lowercased()] == column } ?? isSelected
        }.flatMap { Impact.Read.all($0, of: use, own.formerName) }
    }
}

extension Impact.Read {
    fileprivate static func all(_ read: ColumnRead, of use: TableUse, _ formerName: String? = nil) -> [Self] {
        read.places.map {
            Self(table: use.table, column: read.column, certainty: read.certainty, place: $0, formerName: formerName)
        }
    }
}
