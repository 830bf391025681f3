public import Foundation

/// An event as it is stored and sent: one flat JSON object.
///
/// Its members are, in this order: `event_id`, `event_category`, `event_name`, `schema_version`, `occurred_at`,
/// `sampling_rate` if the record is sampled, the common columns, the event's columns, and `violations`, if any.
public struct LogRecord: Sendable {
    /// The value of `event_id`.
    public let id: UUID
    /// The value of `occurred_at`.
    public let occurredAt: Date
    /// The object in UTF-8, on one line.
    public private(set) var json: [UInt8]
    /// The values that violate their definitions.
    public private(set) var violations: [LogViolation]
    /// The value of `sampling_rate`: the fraction of such records that is kept, above 0 and below 1. The record
    /// represents `1 / samplingRate` records. Nil if all records are kept.
    public private(set) var samplingRate: Double?

    /// The definition of the category.
    package let definitions: LogDefinition
    package let commonDefinition: LogDefinition
    /// The value of `samplingPlace` before the first change of a column; nil for an unchanged record.
    private var encodedPlace: Double?
    /// The index of the event in its category; nil if the event's code does not match the definition.
    private let number: Int?

    /// Encodes an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - common: The columns that every event carries.
    ///   - occurredAt: The time of the event. A time outside the years 0 to 9999 is written as 1970-01-01T00:00:00.000Z
    ///     and recorded as a violation.
    ///   - id: The identifier by which receivers deduplicate records. By default, a version 7 UUID for `occurredAt`.
    public init<Event: LogCategory, Common: LogColumns>(
        _ event: Event, common: Common, occurredAt: Date = Date(), id: UUID? = nil
    ) {
        self.init(
            Event.definition, { event.encode(into: $0) }, common: Common.definition, { common.encode(into: $0) },
            occurredAt: occurredAt,
            id: id ?? UUID(version7At: occurredAt))
    }

    /// Encodes an event whose definitions have no common columns.
    public init(_ event: some LogCategory, occurredAt: Date = Date(), id: UUID? = nil) {
        self.init(event, common: NoCommonColumns(), occurredAt: occurredAt, id: id)
    }

    init(
        _ definition: LogDefinition, _ encode: (LogEncoder) -> Void, common: LogDefinition,
        _ encodeCommon: (LogEncoder) -> Void, occurredAt: Date,
        id: UUID
    ) {
        self.id = id
        self.occurredAt = occurredAt
        self.definitions = definition
        self.commonDefinition = common
        var violations: [LogViolation] = []
        var number: Int?
        json = LogEncoder.withState(capacity: 1024) { state in
            state.encode(common, writesHeaders: false, encodeCommon)
            let inCommon = state.beginRecord(id: id, occurredAt: occurredAt)
            let event = state.encode(definition, writesHeaders: true, encode)
            number = event.flatMap { definition.events.indices.contains($0) ? $0 : nil }
            if !(inCommon.isEmpty && state.violations.isEmpty) {
                let name = number.map { definition.events[$0].name } ?? "?"
                let columns = common.events.first?.columns ?? []
                let own = number.map { definition.events[$0].columns } ?? []
                for (noted, columns) in [(inCommon, columns), (state.violations, own)] {
                    for violation in noted {
                        let column =
                            columns.indices.contains(violation.column)
                            ? columns[violation.column].name : violation.place
                        violations.append(
                            LogViolation(category: definition.name, event: name, column: column, rule: violation.rule))
                    }
                }
            }
            state.endRecord(violations: violations)
            return state.output()
        }
        self.violations = violations
        self.number = number
    }

    /// The value of `event_category`.
    public var category: String { definitions.name }

    /// The value of `event_name`.
    public var event: String { definition?.name ?? "?" }

    /// The definition of the event; nil if generated code does not match the definition.
    public var definition: LogDefinition.Event? { number.map { definitions.events[$0] } }

    /// The columns that the record may have, common columns first.
    public var columns: [LogDefinition.Column] {
        (commonDefinition.events.first?.columns ?? []) + (definition?.columns ?? [])
    }

    /// The fraction in the definition's `sampling`. Reading it does not copy the definition.
    package var sampling: Double? { number.flatMap { definitions.events[$0].sampling } }

    /// The record's position between 0 and 1. Every sampling fraction above the position keeps the record. It is the
    /// position of the record as it was encoded, because ``Redaction`` may remove the column of the sampling key.
    package var samplingPlace: Double {
        encodedPlace ?? Self.place(ofKey: commonDefinition.samplingKey.flatMap { json(of: $0) } ?? id.uuidString)
    }

    /// Returns the position of a sampling key between 0 and 1.
    static func place(ofKey key: String) -> Double {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key.utf8 where byte != UInt8(ascii: "\"") { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        return Double(hash >> 11) * 0x1p-53
    }
}

/// Compares records by their bytes.
extension LogRecord: Equatable {
    public static func == (left: LogRecord, right: LogRecord) -> Bool { left.json == right.json }
}

// MARK: Members

extension LogRecord {
    /// Returns the record with a sampling rate, which is written after the time. Returns the record unchanged if its
    /// rate is already lower, because smaller samples are subsets of larger ones.
    package consuming func sampled(at share: Double) -> LogRecord {
        guard share > 0, share < samplingRate ?? 1 else { return self }
        func member(_ share: Double) -> [UInt8] { Array(",\"\(RecordEnvelope.samplingRate.name)\":\(share)".utf8) }
        // The insertion point is after `{"event_id":"…"`, the header, and `2026-04-01T12:00:00.000Z"`.
        var place = EncoderState.recordStart.count + 38
        if let number { place += definitions.layout.events[number].header.count + 25 }
        let old = samplingRate.map { member($0).count } ?? 0
        json.replaceSubrange(place..<(place + old), with: member(share))
        samplingRate = share
        return self
    }

    /// Returns the JSON of a member's value; nil if the record does not have the member.
    public func json(of name: String) -> String? {
        var text: String?
        forEachMember { member, value, _ in
            if member.elementsEqual(name.utf8) { text = String(decoding: value, as: UTF8.self) }
        }
        return text
    }

    /// The members in the order of the record, with the JSON of their values.
    package var members: [(name: String, json: String)] {
        var members: [(name: String, json: String)] = []
        forEachMember { name, value, _ in
            members.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        return members
    }

    /// Returns the record without some columns. Required ones are added to `violations` as `column: redacted`.
    public func removing(_ names: [String]) -> LogRecord {
        let removable = Set(columns.map(\.name)).intersection(names)
        guard !removable.isEmpty else { return self }
        let required = Set(columns.filter(\.isRequired).map(\.name))
        var copy = self
        copy.encodedPlace = samplingPlace
        var members: [ArraySlice<UInt8>] = []
        forEachMember { member, _, whole in
            let name = String(decoding: member, as: UTF8.self)
            if name == RecordEnvelope.violations.name { return }
            guard removable.contains(name) else { return members.append(whole) }
            if required.contains(name) {
                copy.violations.append(LogViolation(category: category, event: event, column: name, rule: .redacted))
            }
        }
        copy.json = copy.object(members)
        return copy
    }

    /// Returns the record with a different value for a column; the same record if the event does not have the column.
    ///
    /// The value is checked against the column's type, bounds, lengths, formats and enumeration values. `violations`
    /// then contains the new value's violations in place of the old value's. Dates, times, UUIDs, URLs and decimal
    /// numbers may be given as strings in the column's format.
    public func replacing(_ name: String, with value: some LogValue) -> LogRecord {
        guard let (layout, rule) = rule(of: name) else { return self }
        var copy = self
        copy.encodedPlace = samplingPlace
        copy.violations.removeAll { $0.column == name }
        var text = LogEncoder.withState(capacity: 128) { state in
            state.encodeValue(of: layout, rule: rule) { value.encodeValue(into: $0) }
            copy.violations += state.violations.map {
                LogViolation(category: category, event: event, column: name, rule: $0.rule)
            }
            return state.output()
        }
        text = Array("\"\(name)\":".utf8) + text
        var members: [ArraySlice<UInt8>] = []
        var isNew = true
        forEachMember { member, _, whole in
            if member.elementsEqual(RecordEnvelope.violations.name.utf8) { return }
            let isTheOne = member.elementsEqual(name.utf8)
            if isTheOne { isNew = false }
            members.append(isTheOne ? text[...] : whole)
        }
        if isNew { members.append(text[...]) }
        copy.json = copy.object(members)
        return copy
    }

    private func rule(of name: String) -> (EncoderLayout, Int)? {
        if let number, let column = definitions.events[number].columns.firstIndex(where: { $0.name == name }) {
            return (definitions.layout, definitions.layout.events[number].rules.lowerBound + column)
        }
        guard let common = commonDefinition.events.first,
            let column = common.columns.firstIndex(where: { $0.name == name })
        else { return nil }
        return (commonDefinition.layout, commonDefinition.layout.events[0].rules.lowerBound + column)
    }

    private func object(_ members: [ArraySlice<UInt8>]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count + 64)
        var separator = UInt8(ascii: "{")
        for member in members {
            bytes.append(separator)
            bytes += member
            separator = UInt8(ascii: ",")
        }
        guard !violations.isEmpty else { return bytes + [UInt8(ascii: "}")] }
        // Rules and names are identifiers, so they need no escaping.
        let list = violations.map { "\"\($0.entry)\"" }.joined(separator: ",")
        return bytes + Array(",\"\(RecordEnvelope.violations.name)\":[\(list)]}".utf8)
    }

    /// Calls `body` with the name, value and bytes of each member, in order. Parses only JSON of this module.
    func forEachMember(_ body: (ArraySlice<UInt8>, ArraySlice<UInt8>, ArraySlice<UInt8>) -> Void) {
        var index = 1
        while index < json.count, json[index] == UInt8(ascii: "\"") {
            let start = index
            let nameEnd = endOfString(start)
            let valueStart = nameEnd + 1
            var depth = 0
            index = valueStart
            scan: while index < json.count {
                switch json[index] {
                case UInt8(ascii: "\""): index = endOfString(index)
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    depth += 1
                    index += 1
                case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { break scan }
                    if json[index] != UInt8(ascii: ",") { depth -= 1 }
                    index += 1
                default: index += 1
                }
            }
            body(json[(start + 1)..<(nameEnd - 1)], json[valueStart..<index], json[start..<index])
            index += 1
        }
    }

    private func endOfString(_ start: Int) -> Int {
        var index = start + 1
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, json.count)
    }
}
