import Foundation
import LogTypes

/// The state of an encoding: the bytes of a record, and the definition that describes it.
///
/// Encoding a record takes well under a microsecond. The checks and reference counts of arrays would be half of that.
/// Therefore the buffer begins on the stack and grows by hand, and definitions are accessed through pointers. The state
/// is valid during the call of `LogEncoder.withState`, and its pointers into a definition during the call of `encode`.
struct EncoderState: ~Copyable {
    struct Violation: Equatable {
        /// The column's index in its event; -1 if the event does not have the column.
        var column: Int
        var rule: LogViolation.Rule
        /// The name for messages if `column` is -1.
        var place = "?"

        static func == (left: Violation, right: Violation) -> Bool {
            left.column == right.column && left.rule == right.rule
        }
    }

    private(set) var violations: [Violation] = []
    private(set) var event: Int?

    private var start: UnsafeMutablePointer<UInt8>
    private var count = 0
    private var capacity: Int
    private var isOnHeap: Bool

    private var definition: DefinitionPointers?
    private var nextRule: UnsafePointer<EncoderLayout.Rule>?
    private var endRule: UnsafePointer<EncoderLayout.Rule>?
    private var rule: UnsafePointer<EncoderLayout.Rule>?

    /// Indicates whether a value of the record is replaced. Its type may differ from the column's.
    private var isReplacing = false

    private var occurredAt: Date?
    /// The bytes of the common columns at the start of the buffer, which are copied into a record after its header.
    private var commonCount = 0

    private struct DefinitionPointers {
        var rules: UnsafeBufferPointer<EncoderLayout.Rule>
        var events: UnsafeBufferPointer<EncoderLayout.Event>
        var bytes: UnsafeBufferPointer<UInt8>
        var values: UnsafeBufferPointer<Set<ExactString>>
        var writesHeaders: Bool
    }

    init(buffer: UnsafeMutableBufferPointer<UInt8>) {
        start = buffer.baseAddress ?? .allocate(capacity: 1)
        capacity = max(buffer.count, 1)
        isOnHeap = buffer.baseAddress == nil
    }

    deinit {
        if isOnHeap { start.deallocate() }
    }
}

// MARK: Records and columns

extension EncoderState {
    /// - Returns: The number of the event; nil if `body` has begun none.
    @discardableResult
    mutating func encode(_ definition: LogDefinition, writesHeaders: Bool, _ body: (LogEncoder) -> Void) -> Int? {
        encode(definition.layout, writesHeaders: writesHeaders, rule: nil, body)
        return event
    }

    private mutating func encode(
        _ layout: EncoderLayout, writesHeaders: Bool, rule number: Int?, _ body: (LogEncoder) -> Void
    ) {
        layout.rules.withUnsafeBufferPointer { rules in
            layout.events.withUnsafeBufferPointer { events in
                layout.bytes.withUnsafeBufferPointer { bytes in
                    layout.values.withUnsafeBufferPointer { values in
                        definition = DefinitionPointers(
                            rules: rules, events: events, bytes: bytes, values: values, writesHeaders: writesHeaders)
                        (nextRule, endRule) = (nil, nil)
                        rule = number.flatMap { number in rules.baseAddress.map { $0 + number } }
                        withUnsafeMutablePointer(to: &self) { body(LogEncoder(state: $0)) }
                        (definition, rule) = (nil, nil)
                    }
                }
            }
        }
    }

    /// The bytes before a record's identifier.
    static let recordStart = Array("{\"\(RecordEnvelope.eventID.name)\":".utf8)

    /// Begins a record. The bytes written so far are its common columns.
    /// - Returns: The violations in the common columns.
    mutating func beginRecord(id: UUID, occurredAt: Date) -> [Violation] {
        self.occurredAt = occurredAt
        commonCount = count
        event = nil
        Self.recordStart.withUnsafeBufferPointer { append($0) }
        write(id)
        defer { violations = [] }
        return violations
    }

    mutating func endRecord(violations: [LogViolation]) {
        if !violations.isEmpty {
            append(",\"\(RecordEnvelope.violations.name)\":[")
            for (index, violation) in violations.enumerated() {
                if index > 0 { write(byte: UInt8(ascii: ",")) }
                appendQuoted(violation.entry)
            }
            write(byte: UInt8(ascii: "]"))
        }
        write(byte: UInt8(ascii: "}"))
    }

    /// Encodes a single value and checks it against one rule of a definition. `violations` contains the result.
    mutating func encodeValue(of layout: EncoderLayout, rule number: Int, _ body: (LogEncoder) -> Void) {
        isReplacing = true
        encode(layout, writesHeaders: false, rule: number, body)
        isReplacing = false
    }

    func output() -> [UInt8] { Array(UnsafeBufferPointer(start: start + commonCount, count: count - commonCount)) }

    mutating func beginEvent(_ number: Int) {
        event = number
        guard let definition, definition.events.indices.contains(number) else {
            violations.append(Violation(column: -1, rule: .event))
            return
        }
        let event = definition.events[number]
        nextRule = definition.rules.baseAddress.map { $0 + event.rules.lowerBound }
        endRule = definition.rules.baseAddress.map { $0 + event.rules.upperBound }
        guard definition.writesHeaders else { return }
        append(UnsafeBufferPointer(rebasing: definition.bytes[event.header]))
        if let occurredAt, !appendTimestamp(occurredAt) {
            append("1970-01-01T00:00:00.000Z")
            violations.append(Violation(column: -1, rule: .format, place: RecordEnvelope.occurredAt.name))
        }
        reserve(1 + commonCount)
        write(byte: UInt8(ascii: "\""))
        (start + count).initialize(from: start, count: commonCount)
        count += commonCount
    }

    /// Writes the name of the next column. Returns false if the event has no more columns.
    mutating func beginColumn() -> Bool {
        guard let rule = nextRule, rule != endRule, let definition else {
            violations.append(Violation(column: -1, rule: .column))
            return false
        }
        nextRule = rule + 1
        self.rule = rule
        append(UnsafeBufferPointer(rebasing: definition.bytes[rule.pointee.key]))
        return true
    }

    mutating func skipColumn() {
        if let rule = nextRule, rule != endRule { nextRule = rule + 1 }
    }

    private mutating func note(_ broken: LogViolation.Rule) {
        let violation = Violation(column: rule?.pointee.column ?? -1, rule: broken)
        if !violations.contains(violation) { violations.append(violation) }
    }

    @inline(__always)
    private mutating func expectTypeOfReplacement(_ kind: EncoderLayout.Kind) {
        if isReplacing { compare(kind) }
    }

    /// Compares the type of a value. Inlined, it would add registers to save to each method that writes a value.
    @inline(never)
    private mutating func compare(_ kind: EncoderLayout.Kind) {
        guard let expected = rule?.pointee.kind, expected != .any, expected != kind else { return }
        // JSON has only one number type, so an integer is a valid number.
        if kind != .integer || expected != .number { note(.type) }
    }

    /// Records contain decimal numbers, dates, times, UUIDs and URLs as strings, too.
    private mutating func checkText(_ value: String) {
        guard isReplacing, let rule else { return }
        switch rule.pointee.kind {
        case .string, .any: break
        case .format(.decimal):
            // Only the encoder's notation is valid: digits, a sign and a decimal point.
            let isPlain = value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }
            guard isPlain, let decimal = Decimal(string: value), text(of: decimal) == (value, true) else {
                return note(.pattern)
            }
        case .format(let format): if !format.accepts(value) { note(.format) }
        case .boolean, .integer, .number, .array: note(.type)
        }
    }

    private mutating func writeNull() {
        append("null")
        note(.type)
    }
}

// MARK: Values

extension EncoderState {
    mutating func write(_ value: Bool) {
        append(value ? "true" : "false")
        expectTypeOfReplacement(.boolean)
    }

    mutating func write(_ value: Int64) {
        appendInteger(value)
        expectTypeOfReplacement(.integer)
        guard let rule else { return }
        if rule.pointee.kind == .number {
            // A whole number in a column of floating-point numbers has a fraction, too. Readers without the definition,
            // such as those of OTLP, infer the type of the column from its values.
            append(".0")
            check(Double(value))
        }
        if value < rule.pointee.limits.low { note(.minimum) }
        if value > rule.pointee.limits.high { note(.maximum) }
    }

    mutating func write(_ value: Double) {
        guard value.isFinite else { return writeNull() }
        append(value.description)
        expectTypeOfReplacement(.number)
        check(value)
    }

    mutating func write(_ value: Float) {
        guard value.isFinite else { return writeNull() }
        append(value.description)
        expectTypeOfReplacement(.number)
        // Check the decimal number that is written: the float nearest to 0.1 is above 0.1.
        guard let rule, rule.pointee.limits.lowNumber > -.infinity || rule.pointee.limits.highNumber < .infinity else {
            return
        }
        check(Double(value.description) ?? Double(value))
    }

    private mutating func check(_ value: Double) {
        guard let rule else { return }
        if value < rule.pointee.limits.lowNumber { note(.minimum) }
        if value > rule.pointee.limits.highNumber { note(.maximum) }
    }

    mutating func write(_ value: String) {
        appendQuoted(value)
        checkText(value)
        guard let rule else { return }
        let bytes = value.utf8.count
        // Fast path: a scalar has at least one byte.
        if bytes > rule.pointee.limits.maxLength, value.unicodeScalars.count > rule.pointee.limits.maxLength {
            note(.maxLength)
        }
        if bytes > rule.pointee.limits.maxBytes { note(.maxBytes) }
        if let set = rule.pointee.values, let definition, !definition.values[set].contains(ExactString(value)) {
            note(.enum)
        }
    }

    /// Writes an enumeration value. The compiler has checked it, unless it replaces another value.
    mutating func write(case value: String) {
        if isReplacing { write(value) } else { appendQuoted(value) }
    }

    /// Writes a decimal number as a string, such as `12.50` for a scale of 2, without rounding. A JSON number could
    /// lose digits, because readers parse it as floating-point.
    mutating func write(_ value: Decimal) {
        guard value.isFinite else { return writeNull() }
        let (text, fits) = text(of: value)
        write(byte: UInt8(ascii: "\""))
        append(text)
        write(byte: UInt8(ascii: "\""))
        expectTypeOfReplacement(.format(.decimal(decimalLimits ?? .init(precision: 0, scale: 0))))
        if !fits { note(.pattern) }
    }

    private var decimalLimits: LogValueType.Decimal? {
        if case .format(.decimal(let limits)) = rule?.pointee.kind { limits } else { nil }
    }

    /// Returns a number with at least as many digits after the point as the column's scale.
    private func text(of value: Decimal) -> (text: String, fits: Bool) {
        var text = value.description
        guard let limits = decimalLimits else { return (text, true) }
        let point = text.utf8.firstIndex(of: UInt8(ascii: "."))
        let whole = text.utf8[..<(point ?? text.endIndex)].drop { $0 == UInt8(ascii: "-") }
        let wholeDigits = whole.elementsEqual([UInt8(ascii: "0")]) ? 0 : whole.count
        let digits = point.map { text.utf8[$0...].count - 1 } ?? 0
        let fits = digits <= limits.scale && wholeDigits <= limits.precision - limits.scale
        if digits < limits.scale {
            text += (point == nil ? "." : "") + String(repeating: "0", count: limits.scale - digits)
        }
        return (text, fits)
    }

    mutating func write(_ value: LogDate) {
        reserve(12)
        write(byte: UInt8(ascii: "\""))
        append(value)
        write(byte: UInt8(ascii: "\""))
        expectTypeOfReplacement(.format(.date))
    }

    mutating func write(_ value: Date) {
        expectTypeOfReplacement(.format(.timestamp))
        write(byte: UInt8(ascii: "\""))
        if appendTimestamp(value) {
            write(byte: UInt8(ascii: "\""))
        } else {
            count -= 1
            writeNull()
        }
    }

    mutating func write(_ value: UUID) {
        expectTypeOfReplacement(.format(.uuid))
        reserve(38)
        let out = UnsafeMutableRawPointer(start + count)
        count += 38
        withUnsafeBytes(of: value.uuid) { bytes in
            // Each call returns eight digits. The hyphens divide the 32 digits into 8-4-4-4-12.
            func digits(_ offset: Int) -> UInt64 {
                Self.hexadecimal(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            }
            let (second, third) = (digits(4), digits(8))
            out.storeBytes(of: digits(0).bigEndian, toByteOffset: 1, as: UInt64.self)
            out.storeBytes(of: UInt32(truncatingIfNeeded: second >> 32).bigEndian, toByteOffset: 10, as: UInt32.self)
            out.storeBytes(of: UInt32(truncatingIfNeeded: second).bigEndian, toByteOffset: 15, as: UInt32.self)
            out.storeBytes(of: UInt32(truncatingIfNeeded: third >> 32).bigEndian, toByteOffset: 20, as: UInt32.self)
            out.storeBytes(of: UInt32(truncatingIfNeeded: third).bigEndian, toByteOffset: 25, as: UInt32.self)
            out.storeBytes(of: digits(12).bigEndian, toByteOffset: 29, as: UInt64.self)
        }
        for position in [0, 37] { out.storeBytes(of: UInt8(ascii: "\""), toByteOffset: position, as: UInt8.self) }
        for position in [9, 14, 19, 24] {
            out.storeBytes(of: UInt8(ascii: "-"), toByteOffset: position, as: UInt8.self)
        }
    }

    mutating func write(_ value: URL) {
        let text = value.absoluteString
        appendQuoted(text)
        expectTypeOfReplacement(.format(.url))
        if !StringFormat.url.accepts(text) { note(.format) }
    }

    mutating func beginList(count: Int) -> UnsafePointer<EncoderLayout.Rule>? {
        let list = rule
        write(byte: UInt8(ascii: "["))
        expectTypeOfReplacement(.array)
        if let list {
            if count < list.pointee.limits.minItems { note(.minItems) }
            if count > list.pointee.limits.maxItems { note(.maxItems) }
            if let items = list.pointee.items, let base = definition?.rules.baseAddress {
                rule = base + items
            } else {
                rule = nil
            }
        }
        return list
    }

    mutating func endList(_ list: UnsafePointer<EncoderLayout.Rule>?) {
        write(byte: UInt8(ascii: "]"))
        rule = list
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }

    /// Returns eight hexadecimal digits as ASCII, one per byte. The first digit is in the most significant byte.
    private static func hexadecimal(_ value: UInt32) -> UInt64 {
        var digits = UInt64(value)
        digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
        digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
        digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits + 0x3030_3030_3030_3030 + isLetter * 0x27
    }
}

// MARK: Bytes

extension EncoderState {
    @inline(__always)
    mutating func write(byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    private mutating func grow(_ more: Int) {
        let larger = max(capacity * 2, count + more)
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        copy.initialize(from: start, count: count)
        if isOnHeap { start.deallocate() }
        start = copy
        capacity = larger
        isOnHeap = true
    }

    @inline(__always)
    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let from = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + count).initialize(from: from, count: bytes.count)
        count += bytes.count
    }

    private mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Appends a JSON string (RFC 8259 §7): `"`, `\` and control characters are escaped, other bytes are copied.
    private mutating func appendQuoted(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return append("\"\"") }
            reserve(bytes.count + 2)
            write(byte: UInt8(ascii: "\""))
            var written = 0
            var index = 0
            while index < bytes.count {
                if index + 8 <= bytes.count, Self.isPlain(UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
                {
                    index += 8
                    continue
                }
                let byte = bytes[index]
                index += 1
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                append(UnsafeBufferPointer(rebasing: bytes[written..<(index - 1)]))
                written = index
                appendEscape(byte)
            }
            append(UnsafeBufferPointer(rebasing: bytes[written...]))
            write(byte: UInt8(ascii: "\""))
        }
    }

    /// Returns whether no byte needs an escape (Sean Eron Anderson, Bit Twiddling Hacks, "…a byte less than n").
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        func hasByte(_ word: UInt64, below bound: UInt64) -> UInt64 { (word &- ones &* bound) & ~word & highs }
        let (quote, backslash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
        return hasByte(word, below: 0x20) | hasByte(quote, below: 1) | hasByte(backslash, below: 1) == 0
    }

    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            write(byte: Self.hexadecimal(byte >> 4))
            write(byte: Self.hexadecimal(byte & 0xF))
        }
    }

    private mutating func appendInteger(_ value: Int64) {
        reserve(20)
        var rest = value.magnitude
        if value < 0 { write(byte: UInt8(ascii: "-")) }
        var digits = 1
        var bound: UInt64 = 10
        while digits < 19, rest >= bound {
            digits += 1
            bound *= 10
        }
        var position = count + digits
        count = position
        repeat {
            position -= 1
            start[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    /// Appends two digits. The caller has reserved the capacity.
    @inline(__always)
    private mutating func append(two value: Int) {
        let tens = UInt8(truncatingIfNeeded: value / 10)
        start[count] = UInt8(ascii: "0") + tens
        start[count + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value) - 10 * tens
        count += 2
    }

    /// Appends a separator and two digits. The caller has reserved the capacity.
    @inline(__always)
    private mutating func append(_ separator: UInt8, two value: Int) {
        start[count] = separator
        count += 1
        append(two: value)
    }

    private mutating func append(_ day: LogDate) {
        reserve(10)
        let year = day.year
        append(two: year / 100)
        append(two: year % 100)
        append(UInt8(ascii: "-"), two: day.month)
        append(UInt8(ascii: "-"), two: day.day)
    }

    /// Returns a time as in records; nil if RFC 3339 cannot represent it.
    static func timestamp(_ date: Date) -> String? {
        LogEncoder.withState(capacity: 32) { state in
            state.appendTimestamp(date) ? String(decoding: state.output(), as: UTF8.self) : nil
        }
    }

    /// Appends a time. Returns false, and appends nothing, if RFC 3339 cannot represent it.
    private mutating func appendTimestamp(_ date: Date) -> Bool {
        guard let total = date.milliseconds else { return false }
        // Round down, including times before 1970.
        let days = (total >= 0 ? total : total - 86_399_999) / 86_400_000
        guard let day = LogDate(daysSince1970: Int(days)) else { return false }
        let time = Int(total - days * 86_400_000)
        reserve(24)
        append(day)
        append(UInt8(ascii: "T"), two: time / 3_600_000)
        append(UInt8(ascii: ":"), two: time / 60_000 % 60)
        append(UInt8(ascii: ":"), two: time / 1000 % 60)
        let fraction = time % 1000
        start[count] = UInt8(ascii: ".")
        start[count + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 100)
        count += 2
        append(two: fraction % 100)
        start[count] = UInt8(ascii: "Z")
        count += 1
        return true
    }
}
