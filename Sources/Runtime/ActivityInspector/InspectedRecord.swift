package import ActivityTracking
package import Foundation

/// A kept record, with the verdict of the validator.
package struct InspectedRecord: Sendable {
    /// The number of the record among those that the inspector has kept.
    package let number: Int
    package let record: LogRecord
    /// The verdict of the validator; nil until the record is validated.
    package var verdict: RecordVerdict?
    /// The size of the record and its violations, in bytes, which counts towards `InspectorDestination.Limits.bytes`.
    var bytes: Int

    /// The approximate size of a record without its JSON, in bytes.
    static let overhead = 256

    package var name: InspectorState.EventName { .init(category: record.category, event: record.event) }

    package var fullName: String { "\(record.category).\(record.event)" }

    package var owner: String? { record.definition?.owner ?? record.definitions.owner }

    /// The time of the event on the device's clock: `09:41:07.250`.
    package func time(in zone: TimeZone = .current) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.hour, .minute, .second, .nanosecond], from: record.occurredAt)
        func digits(_ value: Int?, _ count: Int) -> String {
            let text = "\(max(0, value ?? 0))"
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(parts.hour, 2)):\(digits(parts.minute, 2)):\(digits(parts.second, 2))."
            + digits((parts.nanosecond ?? 0) / 1_000_000, 3)
    }

    /// The violations in words; empty for an accepted record, and before the validation.
    package var violations: [String] { verdict?.violations.map(\.description) ?? [] }

    /// The verdict in words.
    package var verdictText: String {
        switch verdict {
        case nil: "not validated yet"
        case .accepted?: "accepted"
        case .rejected(let violations)?: violations.count == 1 ? "1 violation" : "\(violations.count) violations"
        }
    }

    /// The columns with their values as `name: value`, without the envelope. Long strings are cut.
    package var valueText: String {
        let text = columns.compactMap { column in column.value.map { "\(column.name): \($0)" } }.joined(separator: ", ")
        return ShortText.cut(text)
    }
}

// MARK: Definition

extension InspectedRecord {
    /// A column of the definition with the record's value.
    package struct Column: Sendable {
        package var name: String
        /// The type in the notation of definition files, such as `int(0...)?`; nil for an undeclared column.
        package var type: String?
        package var isRequired = false
        package var privacy: LogPrivacy?
        /// The value; nil if the record does not have the column. Strings have no quotation marks.
        package var value: String?
        package var violations: [String] = []

        /// A summary such as `string(256), required, personal`.
        package var summary: String {
            [type, type == nil ? nil : isRequired ? "required" : "optional", privacy?.rawValue].compactMap { $0 }
                .joined(separator: ", ")
        }
    }

    /// The event's columns, then the common ones, then others.
    package var columns: [Column] {
        let values = Dictionary(record.members.map { ($0.name, $0.json) }, uniquingKeysWith: { _, last in last })
        let violations = Dictionary(grouping: verdict?.violations ?? [], by: \.column)
        let declared = (record.definition?.columns ?? []) + (record.commonDefinition.events.first?.columns ?? [])
        var columns = declared.map { column in
            Column(
                name: column.name, type: column.notation, isRequired: column.isRequired, privacy: column.privacy,
                value: values[column.name].map(ShortText.value),
                violations: violations[column.name]?.map(\.message) ?? [])
        }
        let names = Set(declared.map(\.name)).union(RecordEnvelope.names)
        for (name, json) in record.members where !names.contains(name) {
            columns.append(
                Column(name: name, value: ShortText.value(json), violations: violations[name]?.map(\.message) ?? []))
        }
        return columns
    }

    /// The members of the envelope.
    package var envelope: [Column] {
        record.members.filter { RecordEnvelope.names.contains($0.name) }
            .map { Column(name: $0.name, value: ShortText.value($0.json)) }
    }

    /// The properties of the event's definition, as labels and values.
    package var properties: [(label: String, value: String)] {
        var properties = [("Event", fullName)]
        if let owner { properties.append(("Owner", owner)) }
        properties.append(("Document", record.definitions.document))
        guard let event = record.definition else { return properties }
        properties.append(("Version", event.schemaVersion))
        if event.status != .active { properties.append(("Status", event.status.rawValue)) }
        properties.append(("Trigger", event.trigger?.summary ?? "The app decides."))
        return properties
    }
}

extension LogDefinition.Column {
    /// The type with `?` if the column is optional, and with the base type of a shared type: `RecipeID = int64`.
    fileprivate var notation: String {
        func text(_ type: LogValueType) -> String {
            var text: [UInt8] = []
            TypeNotation.write(type, .written, to: &text)
            return String(decoding: text, as: UTF8.self)
        }
        let resolved = type.resolved { $0.base ?? .named($0) }
        return text(type) + (isRequired ? "" : "?") + (resolved == type ? "" : " = \(text(resolved))")
    }
}

/// Strings of records for display: bounded, because a view lays out every character.
enum ShortText {
    /// The maximum number of scalars.
    static let longest = 2000

    static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// Returns a JSON value for display. Strings lose their quotation marks and escapes.
    static func value(_ json: String) -> String { cut(string(json) ?? json) }

    /// Returns the string that is encoded as JSON; nil for other values.
    static func string(_ json: String) -> String? {
        guard json.utf8.first == UInt8(ascii: "\"") else { return nil }
        guard json.utf8.contains(UInt8(ascii: "\\")) else { return String(json.dropFirst().dropLast()) }
        return try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed) as? String
    }
}
