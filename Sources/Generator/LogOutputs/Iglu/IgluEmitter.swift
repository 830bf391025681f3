import JSONSyntax
import LogDefinitions
import LogTypes
import MarkdownSyntax

/// Writes the schema of one version of an event's records in the dialect that Iglu reads: draft-04.
///
/// A schema does not refer to other files: types of `types.md` are written out where columns use them.
final class IgluEmitter: Sendable {
    private let model: Model
    private let vendor: String
    private let violations: IgluViolations
    private let schema = ColumnSchema(isForIglu: true)
    private let key: JSONMembers
    private let envelope: JSONMembers
    private let anyEnvelope: JSONMembers
    private let common: JSONMembers
    private let commonRequired: [String]

    init(_ model: Model, vendor: String, violations: IgluViolations) {
        self.model = model
        self.vendor = vendor
        self.violations = violations
        let schema = self.schema
        let columns = model.definitions.common?.columns.filter { $0.status != .retired } ?? []
        key = JSONWriter.members(depth: 2) { json in
            json.object(named: Field.eventID.name) { schema.write(.eventID, to: &$0) }
        }
        envelope = JSONWriter.members(depth: 2) { json in
            for field in Field.allCases where ![.eventID, .category, .event].contains(field) {
                if field == .violations, violations != .accepted { continue }
                json.object(named: field.name) { schema.write(field, to: &$0) }
            }
        }
        anyEnvelope = JSONWriter.members(depth: 4) { json in
            for field in Field.allCases where field != .violations {
                json.object(named: field.name, inline: true) { _ in }
            }
        }
        common = JSONWriter.members(depth: violations == .accepted ? 4 : 2) { json in
            for column in columns { JSONSchemaEmitter.write(column, schema, to: &json) }
        }
        commonRequired = columns.filter(\.isRequired).map(\.name)
    }

    private typealias Field = RecordEnvelope

    /// The name of an event's schemas. Neither part contains `-`, so names are unique.
    func name(_ category: String, _ event: String) -> String { "\(category)-\(event)" }

    func schema(_ categoryIndex: Int, _ eventIndex: Int) -> [UInt8] {
        let category = model.definitions.categories[categoryIndex]
        let event = category.events[eventIndex]
        let columns = event.activeColumns
        return document(
            (category.name, event.name, model.versions[category.name, event.name]),
            from: model.definitions.files[category.file].relativePath,
            required: commonRequired + columns.indices.filter { columns[$0].isRequired }.map { columns[$0].name },
            about: { JSONSchemaEmitter.write(event, to: &$0) },
            properties: { json in
                json.add(common)
                for index in columns.indices { JSONSchemaEmitter.write(columns[index], schema, to: &json) }
            })
    }

    /// The schema of a version in the lock file, which does not store descriptions.
    func schema(_ old: LockFile.LockedShape, from source: String) -> [UInt8] {
        let columns = old.shape.common + old.shape.columns
        return document(
            (old.category, old.name, old.version), from: source, required: columns.filter(\.isRequired).map(\.name),
            about: { _ in },
            properties: { json in
                for column in columns {
                    json.object(named: column.name) { json in
                        schema.write(column.type, nullable: !column.isRequired, to: &json)
                        if let privacy = column.privacy { json.member("x-privacy", privacy.rawValue) }
                    }
                }
            })
    }

    private func document(
        _ event: (category: String, name: String, version: SchemaVersion), from source: String, required: [String],
        about: (inout JSONWriter) -> Void, properties: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(capacity: 4_096)
        json.object { json in
            json.member(
                "$schema", "http://iglucentral.com/schemas/com.snowplowanalytics.self-desc/schema/jsonschema/1-0-0#")
            json.member("$comment", GeneratedHeader.text(from: source))
            json.object("self", inline: true) { json in
                json.member("vendor", vendor)
                json.member("name", name(event.category, event.name))
                json.member("format", "jsonschema")
                json.member("version", event.version.description)
            }
            about(&json)
            json.member("type", "object")
            func writeEnvelope(to json: inout JSONWriter) {
                json.add(key)
                for (field, name) in [(Field.category, event.category), (.event, event.name)] {
                    json.object(named: field.name) { $0.array("enum", of: [name], inline: true) }
                }
                json.add(envelope)
            }
            guard violations == .accepted else {
                json.object("properties") { json in
                    writeEnvelope(to: &json)
                    properties(&json)
                }
                json.array("required", of: JSONSchemaEmitter.requiredFields + required, inline: true)
                return json.member("additionalProperties", false)
            }
            json.object("properties", writeEnvelope)
            json.array("required", of: JSONSchemaEmitter.requiredFields, inline: true)
            json.array("anyOf") { json in
                json.object { json in
                    json.object("properties") { json in
                        json.add(anyEnvelope)
                        properties(&json)
                    }
                    json.array("required", of: JSONSchemaEmitter.requiredFields + required, inline: true)
                    json.member("additionalProperties", false)
                }
                json.object(inline: true) { $0.array("required", of: [Field.violations.name]) }
            }
        }
        return json.document()
    }
}
