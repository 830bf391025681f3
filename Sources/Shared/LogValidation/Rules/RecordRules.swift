package import LogTypes

/// Compiled definitions: numbered entries in flat arrays, which an evaluator reads without inspecting types.
package struct RecordRules: Sendable {
    enum Kind: Equatable {
        case text, integer, number, boolean, enumeration, list
        case format(StringFormat)
        /// A type of the app whose definition contains only its name: any string, number or Boolean value.
        case scalar

        /// Indicates whether every engine stores the values as strings, and therefore reads their escapes.
        var isText: Bool {
            switch self {
            case .text, .enumeration: true
            case .format(let format): !format.hasWarehouseType
            case .integer, .number, .boolean, .list, .scalar: false
            }
        }
    }

    struct Rule {
        var kind: Kind
        /// Indicates whether `null` is allowed for an omitted value.
        var isNullable = false
        var limits: ValueLimits
        /// The minimum number of Unicode scalars.
        var minLength = 0
        /// The index of the rule for a list's items.
        var items = 0
        /// The range of an enumeration's values in the array `values`.
        var values = 0..<0
    }

    struct Column {
        /// The range of the name in `bytes`. A quotation mark follows the name.
        var name: Range<Int>
        var rule: Int
        var isRequired: Bool
        /// The slot in which the same column of all versions of an event is counted.
        var slot: Int
    }

    struct Value {
        /// The range of the value in `bytes`.
        var text: Range<Int>
        /// The slot in which the same value of all versions of a column is counted.
        var slot: Int
    }

    struct Version {
        /// The range of the version string in `bytes`.
        var text: Range<Int>
        var columns: Range<Int>
        var requiredCount: Int
        /// The version's range in `columnTable`. The length of the range is a power of two.
        var table: Range<Int>
        var isRetired: Bool
    }

    struct Event {
        // The ranges of the names in `bytes`.
        var category: Range<Int>
        var name: Range<Int>
        var versions: Range<Int>
    }

    /// A column for statistics. The columns of this name in all versions of an event are counted together.
    package struct Slot: Sendable {
        package var event: Int
        package var column: String
        /// Indicates whether the current definitions contain the column.
        package var isCurrent: Bool
    }

    /// A value of an enumeration for statistics. The value is counted in all versions of a column together.
    package struct ValueSlot: Sendable {
        package var column: Int
        package var value: String
        package var isCurrent: Bool
    }

    package let descriptions: [EventDescription]
    /// The event that counts the records of each event: itself, or the heir of a former name.
    package private(set) var counting: [Int] = []
    private var slotsByCurrentName: [[String: Int]] = []
    private var valueNumbers: [ExactString: Int] = [:]
    private(set) var bytes: [UInt8] = []
    private(set) var rules: [Rule] = []
    private(set) var columns: [Column] = []
    private(set) var values: [Value] = []
    private(set) var versions: [Version] = []
    private(set) var events: [Event] = []
    /// A table with open addressing. An entry is the number of an event plus one, or 0.
    private(set) var eventTable: [Int32] = []
    /// Tables with open addressing, one part for each version. An entry is the number of a column plus one, or 0.
    private(set) var columnTable: [Int32] = []
    package private(set) var slots: [Slot] = []
    package private(set) var valueSlots: [ValueSlot] = []
    /// The types as definitions write them, by rule.
    private(set) var types: [LogValueType] = []
    /// The rules of the fields that every record has.
    private(set) var envelope: [Int] = []
    /// The names of columns that each version no longer has.
    private(set) var retired: [[String]] = []
    /// The version for the common columns of unknown events, or -1 if there are none.
    private(set) var commonVersion = -1
    /// The source locations of the common columns, by name.
    private(set) var commonPlaces: [String: String] = [:]

    /// - Parameter common: The columns that every event has. Their rules apply to records of unknown events, too.
    package init(_ descriptions: [EventDescription], common: [ColumnShape] = []) {
        self.descriptions = descriptions
        for field in RecordEnvelope.allCases { envelope.append(add(field.type, isNullable: false, slot: nil)) }
        rules[envelope[RecordEnvelope.violations.rawValue] - 1].minLength = 1
        let numbers = Dictionary(
            descriptions.enumerated().map { ($1.fullName, $0) }, uniquingKeysWith: { first, _ in first })
        counting = descriptions.enumerated().map { $1.heir.flatMap { numbers[$0] } ?? $0 }
        slotsByCurrentName = descriptions.map { _ in [:] }
        for (number, description) in descriptions.enumerated() { add(description, number) }
        if !common.isEmpty {
            commonVersion = versions.count
            // No event has the number -1, so nothing is counted.
            slotsByCurrentName.append([:])
            add([EventDescription.Version(text: "", columns: common)], ofEvent: -1, known: slotsByCurrentName.count - 1)
            commonPlaces = Dictionary(
                common.compactMap { column in column.place.map { (column.name, $0) } },
                uniquingKeysWith: { first, _ in first })
        }
        let size = Self.tableSize(events.count)
        eventTable = Array(repeating: 0, count: size)
        for (number, event) in events.enumerated() {
            var index = Self.hash(bytes[event.category], bytes[event.name]) & (size - 1)
            while eventTable[index] != 0 { index = (index + 1) & (size - 1) }
            eventTable[index] = Int32(number + 1)
        }
        (valueNumbers, slotsByCurrentName) = ([:], [])
    }

    // MARK: Compiling

    private mutating func add(_ description: EventDescription, _ number: Int) {
        let firstVersion = versions.count
        add(
            description.versions, ofEvent: counting[number], known: counting[number], isCurrent: description.heir == nil
        )
        events.append(
            Event(
                category: append(description.category), name: append(description.name),
                versions: firstVersion..<versions.count))
    }

    /// - Parameter known: the index of its slots in `slotsByCurrentName`.
    private mutating func add(
        _ descriptions: [EventDescription.Version], ofEvent number: Int, known: Int, isCurrent areCurrent: Bool = true
    ) {
        let firstVersion = versions.count
        var texts: Set<String> = []
        for version in descriptions where texts.insert(version.text).inserted {
            let start = columns.count
            for column in version.columns {
                let isCurrent = areCurrent && versions.count == firstVersion
                let current = version.heirs[column.name] ?? column.name
                let slot = slotsByCurrentName[known][current] ?? slots.count
                if slot == slots.count {
                    slotsByCurrentName[known][current] = slot
                    slots.append(Slot(event: number, column: current, isCurrent: isCurrent && !version.isRetired))
                }
                let rule = add(
                    column.type, isNullable: !column.isRequired, slot: slot,
                    isCurrent: slots[slot].isCurrent && isCurrent, heirs: version.valueHeirs[column.name] ?? [:])
                let name = append(column.name)
                bytes.append(UInt8(ascii: "\""))
                columns.append(Column(name: name, rule: rule, isRequired: column.isRequired, slot: slot))
            }
            let size = Self.tableSize(columns.count - start)
            let table = columnTable.count
            columnTable += Array(repeating: 0, count: size)
            for column in start..<columns.count {
                var index = Self.hash(bytes[columns[column].name]) & (size - 1)
                while columnTable[table + index] != 0 { index = (index + 1) & (size - 1) }
                columnTable[table + index] = Int32(column + 1)
            }
            versions.append(
                Version(
                    text: append(version.text), columns: start..<columns.count,
                    requiredCount: columns[start...].count(where: \.isRequired),
                    table: table..<(table + size), isRetired: version.isRetired))
            retired.append(version.retiredColumns)
        }
    }

    /// Adds the rule of a type, after the rule of a list's items.
    private mutating func add(
        _ type: LogValueType, isNullable: Bool, slot: Int?, isCurrent: Bool = false, heirs: [String: String] = [:]
    ) -> Int {
        var rule = Rule(kind: .scalar, isNullable: isNullable, limits: ValueLimits(type.form))
        switch type.form {
        case .string: rule.kind = .text
        case .integer: rule.kind = .integer
        case .number: rule.kind = .number
        case .boolean: rule.kind = .boolean
        case .format(let format): rule.kind = .format(format)
        // Only the Swift type of this enumeration contains its values.
        case .enumeration(let enumeration) where enumeration.values.isEmpty: rule.kind = .text
        case .enumeration(let enumeration):
            rule.kind = .enumeration
            rule.values = add(enumeration.values, slot: slot, isCurrent: isCurrent, heirs)
        case .array(let list):
            rule.kind = .list
            rule.items = add(list.items, isNullable: false, slot: slot, isCurrent: isCurrent, heirs: heirs)
        case .named(let named):
            if let base = named.base {
                let number = add(base, isNullable: isNullable, slot: slot, isCurrent: isCurrent, heirs: heirs)
                types[number] = type
                return number
            }
        }
        rules.append(rule)
        types.append(type)
        return rules.count - 1
    }

    /// Adds values in order of length, then of bytes, for a binary search.
    /// - Parameter heirs: the current values by former ones. A former value is counted as the current one.
    private mutating func add(_ texts: [String], slot: Int?, isCurrent: Bool, _ heirs: [String: String]) -> Range<Int> {
        let start = values.count
        for text in texts.sorted(by: Self.isBefore) {
            let range = append(text)
            var number = -1
            if let slot {
                let current = heirs[text] ?? text
                let key = ExactString("\(slot) \(current)")
                number = valueNumbers[key] ?? valueSlots.count
                if number == valueSlots.count {
                    valueNumbers[key] = number
                    valueSlots.append(ValueSlot(column: slot, value: current, isCurrent: isCurrent))
                }
            }
            values.append(Value(text: range, slot: number))
        }
        return start..<values.count
    }

    private static func isBefore(_ left: String, _ right: String) -> Bool {
        left.utf8.count != right.utf8.count
            ? left.utf8.count < right.utf8.count : left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private mutating func append(_ text: String) -> Range<Int> {
        let start = bytes.count
        bytes += text.utf8
        return start..<bytes.count
    }

    private static func tableSize(_ count: Int) -> Int {
        var size = 2
        while size < 2 * count { size *= 2 }
        return size
    }

    // MARK: Names

    /// Returns the FNV-1a hash (Fowler, Noll and Vo), which is fast for short names.
    @inline(__always)
    static func fnv(_ name: some Sequence<UInt8>, _ seed: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        var hash = seed
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    private static func hash(_ name: ArraySlice<UInt8>) -> Int { Int(truncatingIfNeeded: fnv(name) >> 20) }

    private static func hash(_ category: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Int {
        Int(truncatingIfNeeded: fnv(name, fnv(category) &* 31) >> 20)
    }
}
