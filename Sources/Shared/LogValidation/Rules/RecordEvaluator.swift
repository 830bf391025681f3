import LogTypes

/// Evaluates records one after the other. A line is parsed and checked in one pass, without allocating memory for a
/// valid record. Each thread has its own evaluator.
package struct RecordEvaluator: ~Copyable {
    typealias Position = JSONScanner.Position

    enum Verdict: UInt8 {
        case blank, valid, bad
        /// The record declares violations, and the fields that every record has are valid.
        case declared
    }

    let rules: RecordRules
    private let bytes: Table<UInt8>
    private let ruleTable: Table<RecordRules.Rule>
    let columns: Table<RecordRules.Column>
    let values: Table<RecordRules.Value>
    private let versions: Table<RecordRules.Version>
    private let events: Table<RecordRules.Event>
    private let eventTable: Table<Int32>
    private let columnTable: Table<Int32>
    var scanner = JSONScanner()

    package internal(set) var observations: RecordObservations
    let interest: RecordInterest
    let observes: Bool
    /// The slot of the column of each event that breaks down the coverage, or -1.
    let appVersionSlots: Table<Int>
    /// The rules for the rows, or nil if records are not converted.
    let rows: RowRules?
    /// The table of each version, and whether a record is copied to it.
    let rowTargets: Table<RowRules.Target>
    /// The size of each table's rows in the last chunk, in bytes, as an estimate for the next chunk.
    var rowCounts: [Int] = []

    // The current record.
    private(set) var findings: [Finding] = []
    /// The number of the event, or -1 until it is known.
    private(set) var event = -1
    private(set) var version = -1
    private var unknown: BrokenRule?
    private(set) var hasDuplicates = false
    private var hasPostponed = false
    /// The record's `event_id`. Nil if the caller does not request ids, or if the record has no UUID there.
    private(set) var id: RecordID?
    private var hasViolations = false
    /// Indicates whether a number or a name has a spelling on which JSON readers differ.
    private(set) var isOddlySpelled = false
    private(set) var hasEscapedText = false
    private var fields: UInt = 0
    private var expectedField = 0
    private var expectedColumn = 0
    private var columnsEnd = 0
    private var requiredSeen = 0
    private var undeclaredCount = 0
    private var end: Position
    private let lastSeen: Table<UInt32>
    /// The start of the value of each column that this record has.
    let starts: Table<Int>
    /// The start of the value of each field that this record has.
    let fieldStarts = Table<Int>(Array(repeating: 0, count: RecordEnvelope.allCases.count))
    private var generation: UInt32 = 0
    private var member = Member.unknown
    private(set) var recordStart: Position

    /// The unescaped strings of the fields that name the definition.
    private let names = Table<UnsafeBufferPointer<UInt8>>(
        Array(repeating: UnsafeBufferPointer(start: nil, count: 0), count: RecordEnvelope.allCases.count))
    private let nameCopies = Table<UInt8>(
        Array(repeating: 0, count: RecordEnvelope.allCases.count * RecordEvaluator.longestName))
    private let fieldNames: Table<UInt8>
    private let fieldRanges: Table<Range<Int>>
    private let envelope: Table<Int>
    // Constants of `RecordEnvelope`, stored here because reading them there takes a function call.
    private let envelopeFields = Table(RecordEnvelope.allCases)
    private let fieldOfCategory = RecordEnvelope.category.rawValue
    private let fieldOfEvent = RecordEnvelope.event.rawValue
    private let fieldOfVersion = RecordEnvelope.version.rawValue
    private let leadingFieldCount = RecordEnvelope.violations.rawValue
    private let namingFields = RecordEvaluator.bits(of: RecordEnvelope.allCases.filter(\.namesDefinition))
    private let requiredFields = RecordEvaluator.bits(of: RecordEnvelope.allCases.filter(\.isRequired))
    static let longestName = 1024
    /// A record may contain a million undeclared names, and users need only a few.
    private static let mostUndeclared = 100

    private enum Member: Equatable {
        case field(Int)
        case column(Int)
        case unknown
    }

    package init(_ rules: RecordRules, _ interest: RecordInterest = RecordInterest()) {
        self.rules = rules
        observes = interest.wantsCoverage || interest.wantsStatistics
        self.interest = interest
        observations = RecordObservations(rules, hasStatistics: interest.wantsStatistics)
        var versionSlots = rules.descriptions.map { _ in -1 }
        for (number, slot) in rules.slots.enumerated().reversed()
        where slot.column == RecordObservations.appVersionColumn && versionSlots.indices.contains(slot.event) {
            versionSlots[slot.event] = number
        }
        appVersionSlots = Table(versionSlots)
        rows = interest.routing.map { RowRules(rules, $0) }
        rowTargets = Table(rows?.targets ?? [])
        bytes = Table(rules.bytes)
        ruleTable = Table(rules.rules)
        columns = Table(rules.columns)
        values = Table(rules.values)
        versions = Table(rules.versions)
        events = Table(rules.events)
        eventTable = Table(rules.eventTable)
        columnTable = Table(rules.columnTable)
        lastSeen = Table(Array(repeating: 0, count: rules.columns.count))
        starts = Table(Array(repeating: 0, count: rules.columns.count))
        envelope = Table(rules.envelope)
        var texts: [UInt8] = []
        var ranges: [Range<Int>] = []
        for field in RecordEnvelope.allCases {
            let start = texts.count
            texts += field.name.utf8
            ranges.append(start..<texts.count)
            texts.append(UInt8(ascii: "\""))
        }
        fieldNames = Table(texts)
        fieldRanges = Table(ranges)
        end = UnsafePointer(bytes.base)
        recordStart = UnsafePointer(bytes.base)
    }

    // MARK: Records

    /// Judges the line that ends before the newline at `end`.
    mutating func judge(_ start: Position, _ end: Position) -> Verdict {
        self.end = end
        begin(start)
        let first = scanner.blanks(start)
        if first == end { return .blank }
        recordStart = first
        guard first.pointee == UInt8(ascii: "{") else {
            guard let rest = scanner.skipValue(first, depth: 0), isEnd(rest) else { return notJSON(start) }
            note(.type, .record, first, rest)
            return .bad
        }
        guard walk(first) else { return notJSON(start) }
        if hasPostponed, !hasDuplicates, namesDefinition {
            // Columns were postponed, because they precede members that name the definition. All these members have
            // been read, so the second pass checks the columns.
            begin(first)
            resolveVersion()
            _ = walk(first)
        }
        if hasDuplicates { judgeLastMembers(first) }
        judgeWholeRecord()
        if hasViolations {
            if interest.refusesDeclared { return .bad }
            findings.removeAll { !$0.subject.isOfEnvelope }
            return findings.isEmpty ? .declared : .bad
        }
        return findings.isEmpty ? .valid : .bad
    }

    private mutating func begin(_ start: Position) {
        if !findings.isEmpty { findings.removeAll(keepingCapacity: true) }
        event = -1
        version = -1
        unknown = nil
        id = nil
        hasDuplicates = false
        hasPostponed = false
        hasViolations = false
        isOddlySpelled = false
        hasEscapedText = false
        fields = 0
        expectedField = 0
        requiredSeen = 0
        undeclaredCount = 0
        expectedColumn = 0
        columnsEnd = 0
        recordStart = start
        generation &+= 1
        if generation == 0 {
            for column in 0..<lastSeen.count { lastSeen[column] = 0 }
            generation = 1
        }
    }

    private mutating func notJSON(_ start: Position) -> Verdict {
        findings.removeAll(keepingCapacity: true)
        event = -1
        version = -1
        id = nil
        let place = scanner.failurePosition ?? start
        note(.json, .record, min(place, end), end)
        return .bad
    }

    private mutating func isEnd(_ position: Position) -> Bool {
        let rest = scanner.blanks(position)
        if rest == end { return true }
        _ = scanner.fail("unexpected content after the record", rest)
        return false
    }

    /// Reads the members of a record. Returns false if it is not JSON.
    private mutating func walk(_ start: Position) -> Bool {
        var position = scanner.blanks(start + 1)
        if position.pointee == UInt8(ascii: "}") { return isEnd(position + 1) }
        while true {
            guard position.pointee == UInt8(ascii: "\"") else {
                _ = scanner.fail("expected a name in double quotation marks", position)
                return false
            }
            let key = position + 1
            guard let keyEnd = identify(key) else { return false }
            var colon = keyEnd
            if colon.pointee != UInt8(ascii: ":") { colon = scanner.blanks(colon) }
            guard colon.pointee == UInt8(ascii: ":") else {
                _ = scanner.fail("expected a colon after a name", colon)
                return false
            }
            guard let valueEnd = judgeMember(key, keyEnd, scanner.blanks(colon + 1)) else { return false }
            position = valueEnd
            if position.pointee != UInt8(ascii: ",") { position = scanner.blanks(position) }
            guard position.pointee == UInt8(ascii: ",") else {
                guard position.pointee == UInt8(ascii: "}") else {
                    _ = scanner.fail(
                        position == end
                            ? "the record is cut off" : "expected a comma or a closing bracket after a value", position)
                    return false
                }
                return isEnd(position + 1)
            }
            position = scanner.blanks(position + 1)
        }
    }

    private mutating func judgeLastMembers(_ start: Position) {
        var members: [(key: Position, keyEnd: Position, value: Position)] = []
        var numbers: [[UInt8]: Int] = [:]
        var position = scanner.blanks(start + 1)
        while position.pointee == UInt8(ascii: "\"") {
            let key = position + 1
            guard let keyEnd = scanner.text(key) else { return }
            let name = Array(scanner.unescaped(key, keyEnd - 1))
            let value = scanner.blanks(scanner.blanks(keyEnd) + 1)
            if let number = numbers[name] {
                members[number].value = value
            } else {
                numbers[name] = members.count
                members.append((key, keyEnd, value))
            }
            guard let valueEnd = scanner.skipValue(value, depth: 1) else { return }
            position = scanner.blanks(scanner.blanks(valueEnd) + 1)
        }
        begin(start)
        // The first pass reads the fields that name the definition, because the second pass needs the definition.
        for pass in 0..<2 {
            for member in members {
                guard identify(member.key) != nil else { return }
                var isField = false
                if case .field = self.member { isField = true }
                if isField == (pass == 0) { _ = judgeMember(member.key, member.keyEnd, member.value) }
            }
        }
        hasDuplicates = true
    }

    // MARK: Names

    /// Sets `member`. Returns the position after the closing quotation mark, or nil if the name is not JSON.
    @inline(__always)
    private mutating func identify(_ key: Position) -> Position? {
        // Fast path: the runtime writes the fields first, then the columns in the definition's order. The name is
        // therefore compared with the next expected column and field first.
        if version >= 0, expectedColumn < columnsEnd {
            let name = columns[expectedColumn].name
            if isQuotedName(key, bytes.base + name.lowerBound, name.count) {
                member = .column(expectedColumn)
                return key + (name.count + 1)
            }
        }
        if expectedField < leadingFieldCount {
            let name = fieldRanges[expectedField]
            if isQuotedName(key, fieldNames.base + name.lowerBound, name.count) {
                member = .field(expectedField)
                return key + (name.count + 1)
            }
        }
        return identifyAny(key)
    }

    @inline(__always)
    private func isQuotedName(_ key: Position, _ name: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        end - key > count && key.compared(to: name, count: count + 1) == 0
    }

    private mutating func identifyAny(_ key: Position) -> Position? {
        guard let keyEnd = scanner.text(key) else { return nil }
        var name = UnsafeBufferPointer(start: key, count: keyEnd - 1 - key)
        if scanner.hasEscapes {
            name = scanner.unescaped(key, keyEnd - 1)
            isOddlySpelled = true
        }
        member = .unknown
        for field in 0..<fieldRanges.count {
            let range = fieldRanges[field]
            guard isEqual(name, fieldNames.base + range.lowerBound, range.count) else { continue }
            member = .field(field)
            return keyEnd
        }
        guard version >= 0 else { return keyEnd }
        let table = versions[version].table
        let mask = table.count - 1
        var index = Int(truncatingIfNeeded: RecordRules.fnv(name) >> 20) & mask
        while true {
            let column = Int(columnTable[table.lowerBound + index]) - 1
            if column < 0 { return keyEnd }
            if isEqual(name, bytes.base + columns[column].name.lowerBound, columns[column].name.count) {
                member = .column(column)
                return keyEnd
            }
            index = (index + 1) & mask
        }
    }

    @inline(__always)
    private func isEqual(_ text: UnsafeBufferPointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard text.count == count else { return false }
        guard let base = text.baseAddress, count > 0 else { return true }
        return base.compared(to: other, count: count) == 0
    }

    private var namesDefinition: Bool { fields & namingFields == namingFields }

    private mutating func resolveVersion() {
        let (category, name) = (names[fieldOfCategory], names[fieldOfEvent])
        let mask = eventTable.count - 1
        var index = Int(truncatingIfNeeded: RecordRules.fnv(name, RecordRules.fnv(category) &* 31) >> 20) & mask
        while true {
            let number = Int(eventTable[index]) - 1
            if number < 0 {
                unknown = .event
                if rules.commonVersion >= 0 { expect(rules.commonVersion) }
                return
            }
            let event = events[number]
            if isEqual(name, bytes.base + event.name.lowerBound, event.name.count),
                isEqual(category, bytes.base + event.category.lowerBound, event.category.count)
            {
                self.event = number
                break
            }
            index = (index + 1) & mask
        }
        let text = names[fieldOfVersion]
        for number in events[event].versions {
            let candidate = versions[number]
            guard isEqual(text, bytes.base + candidate.text.lowerBound, candidate.text.count) else { continue }
            if candidate.isRetired {
                unknown = .retired
                return
            }
            expect(number)
            return
        }
        unknown = .version
    }

    private mutating func expect(_ number: Int) {
        version = number
        expectedColumn = versions[number].columns.lowerBound
        columnsEnd = versions[number].columns.upperBound
    }

    // MARK: Members

    @inline(__always)
    private mutating func judgeMember(_ key: Position, _ keyEnd: Position, _ value: Position) -> Position? {
        switch member {
        case .column(let column):
            if lastSeen[column] == generation {
                hasDuplicates = true
            } else {
                lastSeen[column] = generation
                if columns[column].isRequired { requiredSeen += 1 }
            }
            starts[column] = value - recordStart
            expectedColumn = column + 1
            return judgeValue(value, columns[column].rule, .column(column), depth: 1)
        case .field(let field): return judgeField(field, value)
        case .unknown:
            guard let valueEnd = scanner.skipValue(value, depth: 1) else { return nil }
            if event >= 0, version >= 0 {
                note(
                    .additionalProperties, .undeclared(UnsafeBufferPointer(start: key, count: keyEnd - 1 - key)), value,
                    valueEnd)
            } else {
                hasPostponed = hasPostponed || (unknown == nil && event < 0)
            }
            return valueEnd
        }
    }

    private mutating func judgeField(_ number: Int, _ value: Position) -> Position? {
        let bit = UInt(1) << UInt(number)
        if fields & bit != 0 { hasDuplicates = true }
        fields |= bit
        fieldStarts[number] = value - recordStart
        expectedField = number + 1
        let field = envelopeFields[number]
        guard let valueEnd = judgeValue(value, envelope[number], .field(field), depth: 1) else { return nil }
        switch field {
        case .violations: hasViolations = true
        case .category, .event, .version:
            let isText = value.pointee == UInt8(ascii: "\"")
            let text = isText ? name(value + 1, valueEnd - 1, number) : UnsafeBufferPointer(start: nil, count: 0)
            names[number] = text
            if number == fieldOfVersion, isText, !isSchemaVersion(text) {
                note(.pattern, .field(.version), value, valueEnd)
            }
            if event < 0, unknown == nil, namesDefinition { resolveVersion() }
        case .eventID:
            guard interest.wantsIDs, value.pointee == UInt8(ascii: "\"") else { break }
            let raw = UnsafeBufferPointer(start: value + 1, count: valueEnd - value - 2)
            id = RecordID(scanner.hasEscapes ? scanner.unescaped(value + 1, valueEnd - 1) : raw)
        default: break
        }
        return valueEnd
    }

    /// Returns the name in a string. A long string is truncated, because no definition has such a name.
    private mutating func name(_ start: Position, _ textEnd: Position, _ field: Int) -> UnsafeBufferPointer<UInt8> {
        guard scanner.hasEscapes else { return UnsafeBufferPointer(start: start, count: textEnd - start) }
        let text = scanner.unescaped(start, textEnd)
        let copy = nameCopies.base + field * Self.longestName
        let count = min(text.count, Self.longestName)
        for index in 0..<count { copy[index] = text[index] }
        return UnsafeBufferPointer(start: copy, count: count)
    }

    private mutating func judgeWholeRecord() {
        if fields & requiredFields != requiredFields {
            for field in RecordEnvelope.allCases where field.isRequired && !hasField(field.rawValue) {
                note(.required, .field(field), recordStart, recordStart)
            }
        }
        if let unknown,
            !findings.contains(where: {
                $0.subject == .field(.category) || $0.subject == .field(.event) || $0.subject == .field(.version)
            })
        {
            switch unknown {
            case .event:
                let isKnown = rules.descriptions.contains { $0.category.utf8.elementsEqual(names[fieldOfCategory]) }
                let field = isKnown ? RecordEnvelope.event : .category
                let text = names[field.rawValue]
                findings.append(Finding(rule: isKnown ? .event : .category, subject: .field(field), value: text))
            case .retired: findings.append(Finding(rule: .retired, subject: .field(.event), value: names[fieldOfEvent]))
            default: findings.append(Finding(rule: .version, subject: .field(.version), value: names[fieldOfVersion]))
            }
        }
        guard version >= 0, requiredSeen < versions[version].requiredCount else { return }
        for column in versions[version].columns where columns[column].isRequired && lastSeen[column] != generation {
            note(.required, .column(column), recordStart, recordStart)
        }
    }

    /// Returns the string of a field that names the definition, in the current record.
    func text(of field: RecordEnvelope) -> UnsafeBufferPointer<UInt8> { names[field.rawValue] }

    /// - Parameter field: the raw value of a `RecordEnvelope`.
    func hasField(_ field: Int) -> Bool { fields & (1 << UInt(field)) != 0 }

    /// - Parameter field: the raw value of a `RecordEnvelope`.
    func fieldName(_ field: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: fieldNames.base + fieldRanges[field].lowerBound, count: fieldRanges[field].count)
    }

    private static func bits(of fields: [RecordEnvelope]) -> UInt { fields.reduce(0) { $0 | 1 << UInt($1.rawValue) } }

    func hasColumn(_ column: Int) -> Bool { lastSeen[column] == generation }

    var recordColumns: Range<Int> { version < 0 ? 0..<0 : versions[version].columns }

    func rule(_ number: Int) -> RecordRules.Rule { ruleTable[number] }

    mutating func note(
        _ rule: BrokenRule, _ subject: Finding.Subject, _ start: Position, _ valueEnd: Position, _ number: Int = 0
    ) {
        if case .undeclared = subject {
            if undeclaredCount == Self.mostUndeclared { return }
            undeclaredCount += 1
        } else if findings.contains(where: { $0.rule == rule && $0.subject == subject }) {
            // The first item of a list that breaks a rule represents the others.
            return
        }
        findings.append(
            Finding(
                rule: rule, subject: subject, value: UnsafeBufferPointer(start: start, count: valueEnd - start),
                number: number))
    }

    // MARK: Values

    private mutating func judgeValue(_ value: Position, _ number: Int, _ subject: Finding.Subject, depth: Int)
        -> Position?
    {
        let rule = ruleTable.base + number
        let kind = rule.pointee.kind
        switch value.pointee {
        case UInt8(ascii: "\""):
            guard let end = scanner.text(value + 1) else { return nil }
            judgeText(value, end, rule, number, subject)
            return end
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let end = scanner.number(value) else { return nil }
            judgeNumber(value, end, rule, number, subject)
            return end
        case UInt8(ascii: "["):
            if kind == .list { return judgeList(value, rule, number, subject, depth: depth) }
            fallthrough
        case UInt8(ascii: "{"):
            guard let end = scanner.skipValue(value, depth: depth) else { return nil }
            note(.type, subject, value, end, number)
            return end
        default:
            guard let end = scanner.literal(value) else { return nil }
            let isRight =
                value.pointee == UInt8(ascii: "n") ? rule.pointee.isNullable : kind == .boolean || kind == .scalar
            if !isRight { note(.type, subject, value, end, number) }
            return end
        }
    }

    private mutating func judgeList(
        _ value: Position, _ rule: UnsafePointer<RecordRules.Rule>, _ number: Int, _ subject: Finding.Subject,
        depth: Int
    ) -> Position? {
        var position = scanner.blanks(value + 1)
        var count = 0
        if position.pointee == UInt8(ascii: "]") {
            position += 1
        } else {
            while true {
                guard let itemEnd = judgeValue(position, rule.pointee.items, subject, depth: depth + 1) else {
                    return nil
                }
                count += 1
                position = scanner.blanks(itemEnd)
                if position.pointee == UInt8(ascii: "]") {
                    position += 1
                    break
                }
                guard position.pointee == UInt8(ascii: ",") else {
                    return scanner.fail("expected a comma or a closing bracket after a value", position)
                }
                position = scanner.blanks(position + 1)
            }
        }
        if count < rule.pointee.limits.minItems { note(.minItems, subject, value, position, number) }
        if count > rule.pointee.limits.maxItems { note(.maxItems, subject, value, position, number) }
        return position
    }

    @inline(__always)
    private mutating func judgeNumber(
        _ value: Position, _ valueEnd: Position, _ rule: UnsafePointer<RecordRules.Rule>, _ number: Int,
        _ subject: Finding.Subject
    ) {
        switch rule.pointee.kind {
        case .integer:
            if scanner.isWhole, scanner.isExact, scanner.significand <= UInt64(Int64.max) {
                let whole = Int64(scanner.significand)
                let signed = scanner.isNegative ? -whole : whole
                if scanner.isNegative, whole == 0 { isOddlySpelled = true }
                if signed < rule.pointee.limits.low { note(.minimum, subject, value, valueEnd, number) }
                if signed > rule.pointee.limits.high { note(.maximum, subject, value, valueEnd, number) }
            } else {
                judgeUnusualInteger(value, valueEnd, rule, number, subject)
            }
        case .number:
            if !scanner.isPlain { isOddlySpelled = true }
            if rule.pointee.limits.lowNumber > -.infinity, scanner.compared(to: rule.pointee.limits.lowNumber) < 0 {
                note(.minimum, subject, value, valueEnd, number)
            }
            if rule.pointee.limits.highNumber < .infinity, scanner.compared(to: rule.pointee.limits.highNumber) > 0 {
                note(.maximum, subject, value, valueEnd, number)
            }
        case .scalar: break
        case .text, .boolean, .format, .enumeration, .list:
            note(.type, subject, value, valueEnd, number)
        }
    }

    /// Judges `1.0`, `1e2` and whole numbers beyond 64 bits.
    private mutating func judgeUnusualInteger(
        _ value: Position, _ valueEnd: Position, _ rule: UnsafePointer<RecordRules.Rule>, _ number: Int,
        _ subject: Finding.Subject
    ) {
        isOddlySpelled = true
        var signed = scanner.isNegative ? Int64.min : Int64.max
        var isBeyond = true
        if scanner.isWhole {
            isBeyond = !(scanner.isNegative && scanner.isExact && scanner.significand == Int64.min.magnitude)
        } else {
            let double = scanner.double
            guard double.isFinite, double.rounded() == double else {
                return note(.type, subject, value, valueEnd, number)
            }
            if let exact = Int64(exactly: double) {
                signed = exact
                isBeyond = false
            }
        }
        if signed < rule.pointee.limits.low || (isBeyond && scanner.isNegative) {
            note(.minimum, subject, value, valueEnd, number)
        }
        if signed > rule.pointee.limits.high || (isBeyond && !scanner.isNegative) {
            note(.maximum, subject, value, valueEnd, number)
        }
    }

    @inline(__always)
    private mutating func judgeText(
        _ value: Position, _ valueEnd: Position, _ rule: UnsafePointer<RecordRules.Rule>, _ number: Int,
        _ subject: Finding.Subject
    ) {
        let kind = rule.pointee.kind
        let raw = UnsafeBufferPointer(start: value + 1, count: valueEnd - value - 2)
        hasEscapedText = hasEscapedText || scanner.hasEscapes
        if kind == .text {
            // The raw string is at least as long as its content, because escapes only add bytes.
            if raw.count > rule.pointee.limits.maxLength || raw.count > rule.pointee.limits.maxBytes
                || raw.count < rule.pointee.minLength
            {
                judgeLength(value, valueEnd, rule, number, subject)
            }
            return
        }
        let text = scanner.hasEscapes ? scanner.unescaped(value + 1, valueEnd - 1) : raw
        // Not every engine reads escapes in values of these types.
        if scanner.hasEscapes, !kind.isText { isOddlySpelled = true }
        var broken = BrokenRule.format
        let isRight: Bool
        switch kind {
        case .format(let format):
            isRight = format.accepts(text)
            if !isRight, format.schemaFormat == nil { broken = .pattern }
        case .enumeration:
            isRight = valueNumber(text, rule.pointee.values) != nil
            broken = .enum
        case .scalar: isRight = true
        case .text, .integer, .number, .boolean, .list:
            isRight = false
            broken = .type
        }
        if !isRight { note(broken, subject, value, valueEnd, number) }
    }

    private mutating func judgeLength(
        _ value: Position, _ valueEnd: Position, _ rule: UnsafePointer<RecordRules.Rule>, _ number: Int,
        _ subject: Finding.Subject
    ) {
        var count = valueEnd - value - 2
        var scalars = count - scanner.continuations
        if scanner.hasEscapes {
            let text = scanner.unescaped(value + 1, valueEnd - 1)
            count = text.count
            scalars = text.count { $0 & 0xC0 != 0x80 }
        }
        if scalars < rule.pointee.minLength { note(.minLength, subject, value, valueEnd, number) }
        if scalars > rule.pointee.limits.maxLength { note(.maxLength, subject, value, valueEnd, number) }
        if count > rule.pointee.limits.maxBytes { note(.maxBytes, subject, value, valueEnd, number) }
    }

    /// Returns the number of an enumeration's value within a range of `values`; nil for another string.
    @inline(__always)
    func valueNumber(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            let candidate = values[middle].text
            var order = text.count - candidate.count
            if order == 0, let base = text.baseAddress {
                order = base.compared(to: bytes.base + candidate.lowerBound, count: candidate.count)
            }
            if order == 0 { return middle }
            if order < 0 { high = middle } else { low = middle + 1 }
        }
        return nil
    }
}
