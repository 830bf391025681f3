#if Scope
    /// A violation of a record, as it is stored and shown.
    struct ScopeViolation: Codable, Sendable {
        var column: String?
        var rule: String
        var message: String
        var value: String?
        var place: String?

        var text: String { [column, message].compactMap { $0 }.joined(separator: ": ") }
    }

    /// A record, as the list shows it.
    struct ScopeRecord: Encodable, Sendable {
        enum Verdict: String, Encodable, Sendable { case good, bad }

        /// The number in the session, from 1; 0 before the record is stored.
        var seq: Int64 = 0
        /// The time of arrival in milliseconds since 1970.
        var at: Int64
        var category: String?
        var event: String?
        var id: String?
        var session: String?
        var device: String?
        var version: String?
        var verdict = Verdict.good
        /// A Boolean value that indicates a redelivery: an earlier record has the same `event_id` and bytes.
        var again = false
        /// The first three violations as short strings.
        private(set) var first: [String] = []
        /// The number of stored violations.
        private(set) var violationCount = 0
        /// A Boolean value that indicates whether the definitions contain the event.
        var known = false

        init(at: Int64) { self.at = at }

        /// The full name such as `recipe_search.show_recipe`; nil if the record does not name an event.
        var name: String? { category.flatMap { category in event.map { "\(category).\($0)" } } }

        mutating func summarize(_ violations: [ScopeViolation]) {
            verdict = violations.isEmpty ? .good : .bad
            first = violations.prefix(3).map(\.text)
            violationCount = violations.count
        }
    }

    /// A record as received, with its violations.
    struct ReceivedRecord: Sendable {
        var record: ScopeRecord
        var violations: [ScopeViolation]
        var raw: [UInt8]
    }
#endif
