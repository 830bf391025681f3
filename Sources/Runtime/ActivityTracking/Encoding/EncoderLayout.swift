import LogTypes

/// A definition, flattened for the encoder: the bytes to copy and the bounds to check, addressed by index.
struct EncoderLayout: Sendable {
    struct Rule: Sendable {
        var kind = Kind.any
        var limits = ValueLimits()
        /// The index in `rules` of the rule for an array's items.
        var items: Int?
        /// The index in `values` of an enumeration's values.
        var values: Int?
        /// The range in `bytes` of `,"name":`.
        var key = 0..<0
        /// The index of the rule's column in its event, for violations.
        var column = 0
    }

    /// The type of a value. Only replacement values are checked: generated code always passes this type.
    enum Kind: Sendable, Equatable {
        /// A type that only the app defines.
        case any
        case boolean, integer, number, string, array
        case format(StringFormat)
    }

    struct Event: Sendable {
        /// The range in `rules` of the event's columns, in order.
        var rules: Range<Int>
        /// The range in `bytes` of `,"event_category":"…","event_name":"…","schema_version":"…","occurred_at":"`.
        var header: Range<Int>
    }

    private(set) var bytes: [UInt8] = []
    private(set) var rules: [Rule] = []
    private(set) var events: [Event] = []
    /// The values of enumerations, compared scalar by scalar, as receivers compare them.
    private(set) var values: [Set<ExactString>] = []

    init(category: String, events: [LogDefinition.Event]) {
        for event in events {
            let headerStart = bytes.count
            append(.category, "\"\(category)\"")
            append(.event, "\"\(event.name)\"")
            append(.version, "\"\(event.schemaVersion)\"")
            append(.occurredAt, "\"")
            let header = headerStart..<bytes.count
            let start = rules.count
            rules += Array(repeating: Rule(), count: event.columns.count)
            for (index, column) in event.columns.enumerated() {
                var rule = rule(column.type, column: index)
                rule.key = append(",\"\(column.name)\":")
                rules[start + index] = rule
            }
            self.events.append(Event(rules: start..<(start + event.columns.count), header: header))
        }
    }

    private mutating func append(_ text: String) -> Range<Int> {
        let start = bytes.count
        bytes += text.utf8
        return start..<bytes.count
    }

    private mutating func append(_ member: RecordEnvelope, _ value: String) {
        _ = append(",\"\(member.name)\":\(value)")
    }

    private mutating func rule(_ type: LogValueType, column: Int) -> Rule {
        var rule = Rule(limits: ValueLimits(type.form))
        switch type.form {
        case .string: rule.kind = .string
        case .integer: rule.kind = .integer
        case .number: rule.kind = .number
        case .enumeration(let enumeration):
            rule.kind = .string
            if !enumeration.values.isEmpty {
                rule.values = values.count
                values.append(Set(enumeration.values.map { ExactString($0) }))
            }
        case .array(let list):
            rule.kind = .array
            let itemRule = self.rule(list.items, column: column)
            rule.items = rules.count
            rules.append(itemRule)
        case .named(let named): if let base = named.base { rule = self.rule(base, column: column) }
        case .boolean: rule.kind = .boolean
        case .format(let format): rule.kind = .format(format)
        }
        rule.column = column
        return rule
    }
}
