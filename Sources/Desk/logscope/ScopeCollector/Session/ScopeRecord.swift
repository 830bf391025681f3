#if Scope
    /// A violation of a record, as it is stored and shown.
    struct ScopeViolation: Codable, Sendable {
        var column: String?
        var rule: String
        var message: String
        var value: String?
        var place: String?
    }

    /// A record as received, with its fields and violations.
    struct ScopeRecord: Sendable {
        /// The time of arrival in milliseconds since 1970.
        var at: Int64
        var category: String?
        var event: String?
        var identifier: String?
        var session: String?
        var device: String?
        var version: String?
        /// A Boolean value that indicates whether the definitions contain the event.
        var isKnown = false
        var violations: [ScopeViolation] = []
        var raw: [UInt8]

        var isBad: Bool { !violations.isEmpty }
        /// The full name such as `recipe_search.show_recipe`; nil if the record does not name an event.
        var name: String? { category.flatMap { category in event.map { "\(category).\($0)" } } }
    }

    /// A row of the list.
    struct ScopeSummary: Encodable, Sendable {
        enum Verdict: String, Encodable, Sendable { case good, bad }

        var seq: Int64
        var at: Int64
        var category: String?
        var event: String?
        var id: String?
        var session: String?
        var device: String?
        var version: String?
        var verdict: Verdict
        /// A Boolean value that indicates a redelivery: an earlier record has the same `event_id` and bytes.
        var again: Bool
        /// The first three violations as short strings.
        var first: [String]
        /// The number of stored violations.
        var violationCount: Int
        /// A Boolean value that indicates whether the definitions contain the event.
        var known: Bool

        var name: String? { category.flatMap { category in event.map { "\(category).\($0)" } } }

        init(_ record: ScopeRecord, seq: Int64, again: Bool) {
            self.seq = seq
            self.again = again
            at = record.at
            category = record.category
            event = record.event
            id = record.identifier
            session = record.session
            device = record.device
            version = record.version
            verdict = record.isBad ? .bad : .good
            first = record.violations.prefix(3).map {
                [$0.column, $0.message].compactMap { $0 }.joined(separator: ": ")
            }
            violationCount = record.violations.count
            known = record.isKnown
        }
    }
#endif
