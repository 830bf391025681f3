package import LogTypes

/// Counts of events, columns and values. The totals do not depend on how evaluators share the records.
package struct RecordObservations: Sendable {
    /// The common column by which coverage is broken down.
    package static let appVersionColumn = "app_version"
    /// The maximum number of app versions of an event, which limits memory. The lowest ones in byte order are kept, so
    /// the order of records does not matter.
    package static let mostAppVersions = 200
    /// The maximum number of distinct values that are counted per column, to limit memory (`isBeyondCount`).
    package static let mostDistinct = 1_000

    /// The smallest or the largest value of a column.
    package struct Extreme: Sendable {
        var number: Double
        /// The number, if it is an integer: a double has only 53 of its bits.
        var integer: Int64?
        /// The value as JSON without needless escapes, truncated.
        package var text: [UInt8]
    }

    package struct Column: Sendable {
        /// The number of valid records in which the column has a value.
        package var filled = 0
        package var smallest: Extreme?
        package var largest: Extreme?
        /// 64-bit hashes of the values, up to `mostDistinct`. Empty without statistics and beyond the limit.
        private var hashes: Set<UInt64> = []
        /// Indicates whether the column has more distinct values than are counted.
        package private(set) var isBeyondCount = false

        /// The number of distinct values; 0 without statistics and beyond the limit.
        package var distinct: Int { hashes.count }

        mutating func count(_ hash: UInt64) {
            guard !isBeyondCount, hashes.insert(hash).inserted, hashes.count > RecordObservations.mostDistinct else {
                return
            }
            isBeyondCount = true
            hashes = []
        }

        mutating func countValues(of other: Column) {
            if other.isBeyondCount {
                isBeyondCount = true
                hashes = []
            }
            for hash in other.hashes { count(hash) }
        }
    }

    /// The number of records of each event in a known version, including invalid ones.
    package internal(set) var records: [Int]
    /// The number of valid records of each event. Only these contribute to columns and values.
    package internal(set) var validRecords: [Int]
    package internal(set) var appVersions: [[ExactString: Int]]
    /// The counts of each column slot.
    package internal(set) var columns: [Column]
    /// The counts of each value slot.
    package internal(set) var values: [Int]
    let hasStatistics: Bool

    init(_ rules: RecordRules, hasStatistics: Bool) {
        records = Array(repeating: 0, count: rules.descriptions.count)
        validRecords = records
        appVersions = Array(repeating: [:], count: rules.descriptions.count)
        columns = Array(repeating: Column(), count: rules.slots.count)
        values = Array(repeating: 0, count: rules.valueSlots.count)
        self.hasStatistics = hasStatistics
    }

    package mutating func merge(_ other: RecordObservations) {
        for index in records.indices {
            records[index] += other.records[index]
            validRecords[index] += other.validRecords[index]
            appVersions[index].merge(other.appVersions[index], uniquingKeysWith: +)
            keepLowestVersions(of: index, most: Self.mostAppVersions)
        }
        for index in columns.indices {
            columns[index].filled += other.columns[index].filled
            if let smallest = other.columns[index].smallest { keep(smallest, of: index) }
            if let largest = other.columns[index].largest { keep(largest, of: index) }
            columns[index].countValues(of: other.columns[index])
        }
        for index in values.indices { values[index] += other.values[index] }
    }

    mutating func keepLowestVersions(of event: Int, most: Int) {
        guard appVersions[event].count > most else { return }
        let kept = appVersions[event].sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }.prefix(
            Self.mostAppVersions)
        appVersions[event] = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// Compares a value with the extremes of a column. Bytes decide between equal numbers, not the order of records.
    mutating func keep(_ value: Extreme, of column: Int) {
        func precedes(_ left: Extreme, _ right: Extreme) -> Bool {
            if let one = left.integer, let other = right.integer, one != other { return one < other }
            return left.number != right.number
                ? left.number < right.number : left.text.lexicographicallyPrecedes(right.text)
        }
        if columns[column].smallest.map({ precedes(value, $0) }) ?? true { columns[column].smallest = value }
        if columns[column].largest.map({ precedes($0, value) }) ?? true { columns[column].largest = value }
    }
}

extension RecordEvaluator {
    mutating func observe(_ verdict: Verdict) {
        guard event >= 0, version >= 0 else { return }
        let event = rules.counting[event]
        observations.records[event] += 1
        guard observes, verdict == .valid else { return }
        observations.validRecords[event] += 1
        for column in recordColumns where hasColumn(column) {
            let value = recordStart + starts[column]
            if value.pointee == UInt8(ascii: "n") { continue }
            let (slot, number) = (columns[column].slot, columns[column].rule)
            observations.columns[slot].filled += 1
            guard let end = observeEnumerations(value, number) else { continue }
            let bytes = UnsafeBufferPointer(start: value, count: end - value)
            let isUsed = observations.hasStatistics || appVersionSlots[event] == slot
            if isUsed, bytes.first == UInt8(ascii: "\""), bytes.contains(UInt8(ascii: "\\")) {
                // Two spellings of a string are one value.
                JSONStringWriter.quoted(Array(scanner.unescaped(value + 1, end - 1))).withUnsafeBufferPointer {
                    observe($0, of: event, slot, rule(number).kind)
                }
            } else {
                observe(bytes, of: event, slot, rule(number).kind)
            }
        }
    }

    private mutating func observe(
        _ bytes: UnsafeBufferPointer<UInt8>, of event: Int, _ slot: Int, _ kind: RecordRules.Kind
    ) {
        if appVersionSlots[event] == slot, bytes.count > 2, bytes.count < 256 {
            let text = ExactString(
                String(decoding: UnsafeBufferPointer(rebasing: bytes[1..<(bytes.count - 1)]), as: UTF8.self))
            observations.appVersions[event][text, default: 0] += 1
            observations.keepLowestVersions(of: event, most: 2 * RecordObservations.mostAppVersions)
        }
        if observations.hasStatistics { measure(bytes, slot, kind) }
    }

    private mutating func observeEnumerations(_ value: Position, _ number: Int) -> Position? {
        let rule = rule(number)
        switch rule.kind {
        case .enumeration:
            guard let end = scanner.text(value + 1) else { return nil }
            var text = UnsafeBufferPointer(start: value + 1, count: end - value - 2)
            if scanner.hasEscapes { text = scanner.unescaped(value + 1, end - 1) }
            if let found = valueNumber(text, rule.values), values[found].slot >= 0 {
                observations.values[values[found].slot] += 1
            }
            return end
        case .list:
            var position = scanner.blanks(value + 1)
            while position.pointee != UInt8(ascii: "]") {
                guard let end = observeEnumerations(position, rule.items) else { return nil }
                position = scanner.blanks(end)
                if position.pointee == UInt8(ascii: ",") { position = scanner.blanks(position + 1) }
            }
            return position + 1
        default: return scanner.skipValue(value, depth: 1)
        }
    }

    private mutating func measure(_ bytes: UnsafeBufferPointer<UInt8>, _ slot: Int, _ kind: RecordRules.Kind) {
        let isQuoted = if case .format(let format) = kind { format.isNumeric } else { false }
        let isNumber = kind == .integer || kind == .number || isQuoted
        let start = (bytes.baseAddress ?? recordStart) + (isQuoted ? 1 : 0)
        let isRead = isNumber && scanner.number(start) != nil
        let number = isRead ? scanner.double : 0
        observations.columns[slot].count(isNumber ? numberHash(bytes, number) : RecordRules.fnv(bytes))
        if kind == .list { return }
        let known = observations.columns[slot]
        if let smallest = known.smallest, let largest = known.largest {
            let isInside =
                isNumber
                ? number > smallest.number && number < largest.number
                : smallest.text.withUnsafeBufferPointer { Self.order($0, bytes) } <= 0
                    && largest.text.withUnsafeBufferPointer { Self.order($0, bytes) } >= 0
            if isInside { return }
        }
        observations.keep(
            .init(number: number, integer: isRead ? scanner.integer : nil, text: Array(bytes.prefix(64))), of: slot)
    }

    /// A hash of the scanner's number, which does not depend on its spelling: `100`, `1e2` and `100.0` are one value. A
    /// decimal that a double does not represent exactly has the hash of its digits without zeros at the end.
    private func numberHash(_ bytes: UnsafeBufferPointer<UInt8>, _ number: Double) -> UInt64 {
        if let integer = scanner.integer, scanner.isWhole || integer.magnitude < 1 << 53 {
            return UInt64(bitPattern: integer)
        }
        guard bytes.first == UInt8(ascii: "\"") else { return number.bitPattern }
        let digits = bytes[1..<(bytes.count - 1)]
        guard !scanner.isWhole, let end = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else {
            return RecordRules.fnv(digits)
        }
        return RecordRules.fnv(digits[...end])
    }

    private static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        if left.lexicographicallyPrecedes(right) { return -1 }
        return right.lexicographicallyPrecedes(left) ? 1 : 0
    }
}
