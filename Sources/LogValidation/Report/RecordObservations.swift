package import LogTypes

/// What judges have seen of events, columns and values. Those of several judges add up to the same, whoever judged what.
package struct RecordObservations: Sendable {
    /// The common column by which coverage is broken down.
    package static let appVersionColumn = "app_version"
    /// How many app versions of an event are kept: the lowest ones, bytewise, so that the order of records does not matter.
    package static let mostAppVersions = 200
    /// Registers of a column's sketch.
    static let sketchSize = 256

    /// The smallest or the largest value of a column.
    package struct Extreme: Sendable {
        var number: Double
        /// As JSON, cut.
        package var text: [UInt8]
    }

    package struct Column: Sendable {
        /// Valid records in which it has a value.
        package var filled = 0
        package var smallest: Extreme?
        package var largest: Extreme?
    }

    /// By the number of the event: records that name it in a version that is known, bad ones included.
    package internal(set) var records: [Int]
    /// By the number of the event: valid records. Columns and values are those of these alone.
    package internal(set) var validRecords: [Int]
    package internal(set) var appVersions: [[ExactText: Int]]
    /// By the number of the slot.
    package internal(set) var columns: [Column]
    /// By the number of the value's slot.
    package internal(set) var values: [Int]
    /// HyperLogLog (Flajolet, Fusy, Gandouet and Meunier, 2007), `sketchSize` registers for each column; empty if nobody
    /// asked for statistics.
    var sketches: [UInt8]

    init(_ rules: RecordRules, hasStatistics: Bool) {
        records = Array(repeating: 0, count: rules.descriptions.count)
        validRecords = records
        appVersions = Array(repeating: [:], count: rules.descriptions.count)
        columns = Array(repeating: Column(), count: rules.slots.count)
        values = Array(repeating: 0, count: rules.valueSlots.count)
        sketches = hasStatistics ? Array(repeating: 0, count: rules.slots.count * Self.sketchSize) : []
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
        }
        for index in values.indices { values[index] += other.values[index] }
        for index in sketches.indices { sketches[index] = max(sketches[index], other.sketches[index]) }
    }

    mutating func keepLowestVersions(of event: Int, most: Int) {
        guard appVersions[event].count > most else { return }
        let kept = appVersions[event].sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }.prefix(Self.mostAppVersions)
        appVersions[event] = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// Counts with an extreme value. Of equal numbers, the bytes decide, so that the order of records does not matter.
    mutating func keep(_ value: Extreme, of column: Int) {
        func precedes(_ left: Extreme, _ right: Extreme) -> Bool {
            left.number != right.number ? left.number < right.number : left.text.lexicographicallyPrecedes(right.text)
        }
        if columns[column].smallest.map({ precedes(value, $0) }) ?? true { columns[column].smallest = value }
        if columns[column].largest.map({ precedes($0, value) }) ?? true { columns[column].largest = value }
    }

    mutating func count(_ hash: UInt64, in column: Int) {
        guard !sketches.isEmpty else { return }
        let register = column * Self.sketchSize + Int(hash >> 56)
        let rank = UInt8((hash << 8 | 0x80).leadingZeroBitCount + 1)
        if sketches[register] < rank { sketches[register] = rank }
    }

    /// How many different values a column has had, within some 7 percent.
    package func distinctEstimate(of column: Int) -> Int {
        guard !sketches.isEmpty else { return 0 }
        let registers = sketches[(column * Self.sketchSize)..<((column + 1) * Self.sketchSize)]
        let size = Double(Self.sketchSize)
        let sum = registers.reduce(0.0) { $0 + 1 / Double(UInt64(1) << UInt64($1)) }
        let estimate = 0.7213 / (1 + 1.079 / size) * size * size / sum
        let empty = registers.count { $0 == 0 }
        // Few values are counted by the registers that they leave empty.
        guard estimate <= 2.5 * size, empty > 0 else { return Int(estimate.rounded()) }
        return Int((size * Self.logarithm(size / Double(empty))).rounded())
    }

    /// The natural logarithm of a number from 1 to 256, without a C library: Σ 2/(2k+1) · ((x-1)/(x+1))^(2k+1), halved
    /// until it converges soon.
    private static func logarithm(_ number: Double) -> Double {
        var (rest, sum) = (number, 0.0)
        while rest > 1.5 {
            rest /= 2
            sum += 0.693_147_180_559_945_3
        }
        let ratio = (rest - 1) / (rest + 1)
        var power = ratio
        for term in 0..<12 {
            sum += 2 * power / Double(2 * term + 1)
            power *= ratio * ratio
        }
        return sum
    }
}

extension RecordJudge {
    /// Counts the record at hand.
    mutating func observe(_ verdict: Verdict) {
        guard event >= 0, version >= 0 else { return }
        observations.records[event] += 1
        guard observes, verdict == .valid else { return }
        observations.validRecords[event] += 1
        for column in recordColumns where hasColumn(column) {
            let value = recordStart + starts[column]
            if value.pointee == UInt8(ascii: "n") { continue }
            let (slot, number) = (columns[column].slot, columns[column].rule)
            observations.columns[slot].filled += 1
            guard let end = observe(value, number) else { continue }
            let bytes = UnsafeBufferPointer(start: value, count: end - value)
            if appVersionSlots[event] == slot, bytes.count > 2, bytes.count < 256 {
                let text = ExactText(String(decoding: UnsafeBufferPointer(rebasing: bytes[1..<(bytes.count - 1)]), as: UTF8.self))
                observations.appVersions[event][text, default: 0] += 1
                observations.keepLowestVersions(of: event, most: 2 * RecordObservations.mostAppVersions)
            }
            if !observations.sketches.isEmpty { measure(bytes, slot, rule(number).kind) }
        }
    }

    /// Counts the enumeration's values in a value that is valid; returns its end.
    private mutating func observe(_ value: Position, _ number: Int) -> Position? {
        let rule = rule(number)
        switch rule.kind {
        case .enumeration:
            guard let end = scanner.text(value + 1) else { return nil }
            var text = UnsafeBufferPointer(start: value + 1, count: end - value - 2)
            if scanner.hasEscapes { text = scanner.unescaped(value + 1, end - 1) }
            if let found = valueNumber(text, rule.values), values[found].slot >= 0 { observations.values[values[found].slot] += 1 }
            return end
        case .list:
            var position = scanner.blanks(value + 1)
            while position.pointee != UInt8(ascii: "]") {
                guard let end = observe(position, rule.items) else { return nil }
                position = scanner.blanks(end)
                if position.pointee == UInt8(ascii: ",") { position = scanner.blanks(position + 1) }
            }
            return position + 1
        default: return scanner.skipValue(value, depth: 1)
        }
    }

    private mutating func measure(_ bytes: UnsafeBufferPointer<UInt8>, _ slot: Int, _ kind: RecordRules.Kind) {
        // The high bits of FNV are poor; mixed after SplitMix64 (Steele, Lea and Flood, 2014).
        var hash = RecordRules.fnv(bytes)
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        observations.count(hash ^ hash >> 31, in: slot)
        if kind == .list { return }
        // A decimal is a text with the digits of a number.
        let isNumber = kind == .integer || kind == .number || kind == .decimal
        let start = (bytes.baseAddress ?? recordStart) + (kind == .decimal ? 1 : 0)
        let number = isNumber && scanner.number(start) != nil ? scanner.double : 0
        let known = observations.columns[slot]
        if let smallest = known.smallest, let largest = known.largest {
            let isInside =
                isNumber
                ? number > smallest.number && number < largest.number
                : smallest.text.withUnsafeBufferPointer { Self.order($0, bytes) } <= 0
                    && largest.text.withUnsafeBufferPointer { Self.order($0, bytes) } >= 0
            if isInside { return }
        }
        observations.keep(.init(number: number, text: Array(bytes.prefix(64))), of: slot)
    }

    private static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        if left.lexicographicallyPrecedes(right) { return -1 }
        return right.lexicographicallyPrecedes(left) ? 1 : 0
    }
}
