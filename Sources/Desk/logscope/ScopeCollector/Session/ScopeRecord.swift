#if Scope
    /// A violation of a record, as it is stored and shown.
    package struct ScopeViolation: Codable, Sendable, Hashable {
        package var column: String?
        package var rule: String
        package var message: String
        package var value: String?
        package var place: String?

        package init(column: String? = nil, rule: String, message: String, value: String? = nil, place: String? = nil) {
            self.column = column
            self.rule = rule
            self.message = message
            self.value = value
            self.place = place
        }
    }

    /// A record as received, with its fields and violations.
    package struct ScopeRecord: Sendable {
        /// The time of arrival in milliseconds since 1970.
        package var at: Int64
        package var category: String?
        package var event: String?
        package var identifier: String?
        package var session: String?
        package var device: String?
        package var version: String?
        /// A Boolean value that indicates whether the definitions contain the event.
        package var isKnown = false
        package var violations: [ScopeViolation] = []
        package var raw: [UInt8]

        package init(at: Int64, raw: [UInt8]) {
            self.at = at
            self.raw = raw
        }

        package var isBad: Bool { !violations.isEmpty }
        /// The full name such as `recipe_search.show_recipe`; nil if the record does not name an event.
        package var name: String? { category.flatMap { category in event.map { "\(category).\($0)" } } }
    }

    /// A row of the list.
    package struct ScopeSummary: Codable, Sendable, Hashable {
        package enum Verdict: String, Codable, Sendable { case good, bad }

        package var seq: Int64
        package var at: Int64
        package var category: String?
        package var event: String?
        package var id: String?
        package var session: String?
        package var device: String?
        package var version: String?
        package var verdict: Verdict
        /// A Boolean value that indicates a redelivery: an earlier record has the same `event_id` and bytes.
        package var again: Bool
        /// The first three violations as short strings.
        package var first: [String]
        /// The number of stored violations.
        package var violationCount: Int
        /// A Boolean value that indicates whether the definitions contain the event.
        package var known: Bool

        package var name: String? { category.flatMap { category in event.map { "\(category).\($0)" } } }

        package init(_ record: ScopeRecord, seq: Int64, again: Bool) {
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
