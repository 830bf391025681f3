import JSONSyntax
package import LogDefinitions
import MarkdownSyntax

/// Writes definitions as JSON Schemas, draft 2020-12: one file per category, one for the types, one for all records.
///
/// The files can be made separately and from any thread. Shared parts are made once, in the initializer.
package final class JSONSchemaEmitter: Sendable {
    package static let typesFileName = "types.schema.json"
    package static let envelopeFileName = "envelope.schema.json"

    package static func fileName(ofCategory name: String) -> String { "\(name).schema.json" }

    let model: Model
    private var definitions: Definitions { model.definitions }
    private let baseURL: String
    private let schema: ColumnSchema
    private let commonProperties: JSONMembers
    private let commonRequired: [String]

    /// Creates an emitter for a model.
    /// - Parameter baseURL: the address of the published schemas, with which their `$id`s begin. If it is nil, an `$id`
    ///   is the file's name, and references between the files work in any folder that contains all of them.
    package init(_ model: Model, baseURL: String? = nil) {
        self.model = model
        let definitions = model.definitions
        self.baseURL = baseURL.map { $0.isEmpty || $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
        let schema = ColumnSchema(isForIglu: false)
        self.schema = schema
        let common = definitions.common?.columns.filter { $0.status != .retired } ?? []
        commonProperties = JSONWriter.members(depth: 4) { json in
            for field in RecordEnvelope.allCases where ![.eventID, .category, .event, .violations].contains(field) {
                Self.writeEnvelopeReference(field, to: &json)
            }
            for column in common { Self.write(column, schema, to: &json) }
        }
        commonRequired = common.filter(\.isRequired).map(\.name)
    }

    // MARK: Files

    /// Returns the schema of a category, by its index in the definitions. The schema describes the category's records;
    /// its `$defs` describe the records of each event.
    package func category(_ index: Int) -> [UInt8] {
        let category = definitions.categories[index]
        let events = category.events.filter { $0.status != .retired }
        var json = JSONWriter(capacity: 2_048 + 4_096 * events.count)
        json.object { json in
            writeHead(
                Self.fileName(ofCategory: category.name), from: definitions.files[category.file].relativePath, to: &json
            )
            Self.writeText(title: category.title, description: category.description, to: &json)
            json.member("type", "object")
            json.object("properties") { json in
                for field in RecordEnvelope.allCases {
                    switch field {
                    case .category: writeConstant(field, category.name, to: &json)
                    case .event: writeNames(field, events.map(\.name), to: &json)
                    default: Self.writeEnvelopeReference(field, to: &json)
                    }
                }
            }
            json.array("required", of: Self.requiredFields, inline: true)
            if !events.isEmpty {
                json.object("if", inline: true) { $0.array("required", of: [RecordEnvelope.violations.name]) }
                json.object("else") { json in
                    json.array("allOf") { json in
                        for event in events {
                            writeCondition(.event, is: event.name, then: "#/$defs/\(event.name)", to: &json)
                        }
                    }
                }
            }
            json.object("$defs") { json in
                for event in events { write(event, of: category, to: &json) }
            }
        }
        return json.document()
    }

    /// Returns the schema of the types that definition files declare, or nil if there are no such types.
    package func types() -> [UInt8]? {
        let types = definitions.types
        guard !types.isEmpty else { return nil }
        var json = JSONWriter()
        json.object { json in
            writeHead(
                Self.typesFileName,
                from: definitions.typesFile.map { definitions.files[$0].relativePath } ?? "types.md", to: &json)
            json.object("$defs") { json in
                for type in types {
                    json.object(named: type.name) { write(type, to: &$0) }
                }
            }
        }
        return json.document()
    }

    /// Returns the schema of all records, which selects the file of the category; that file selects the event.
    package func envelope() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            writeHead(Self.envelopeFileName, from: "all log definitions", to: &json)
            json.member("type", "object")
            json.object("properties") { json in
                for field in RecordEnvelope.allCases {
                    if field == .category {
                        writeNames(field, definitions.categories.map(\.name), to: &json)
                    } else {
                        json.object(named: field.name, inline: true) { $0.member("$ref", "#/$defs/\(field.name)") }
                    }
                }
            }
            json.array("required", of: Self.requiredFields, inline: true)
            if !definitions.categories.isEmpty {
                json.array("allOf") { json in
                    for category in definitions.categories {
                        let file = Self.fileName(ofCategory: category.name)
                        writeCondition(.category, is: category.name, then: file, to: &json)
                    }
                }
            }
            json.object("$defs") { writeEnvelopeFields(to: &$0) }
        }
        return json.document()
    }

    // MARK: Parts

    static let requiredFields = RecordEnvelope.allCases.filter(\.isRequired).map(\.name)

    private func writeHead(_ fileName: String, from source: String, to json: inout JSONWriter) {
        json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
        json.member("$id", baseURL + fileName)
        json.member("$comment", "Generated by loggen from \(source). Do not edit.")
    }

    private static func writeText(title: String, description: String, to json: inout JSONWriter) {
        if !title.isEmpty { json.member("title", title) }
        if !description.isEmpty { json.member("description", description) }
    }

    private func writeEnvelopeFields(to json: inout JSONWriter) {
        for field in RecordEnvelope.allCases where field != .category {
            json.object(named: field.name) { schema.write(field, to: &$0) }
        }
    }

    private static func writeEnvelopeReference(_ field: RecordEnvelope, to json: inout JSONWriter) {
        json.object(named: field.name, inline: true) { $0.member("$ref", "\(envelopeFileName)#/$defs/\(field.name)") }
    }

    private func writeConstant(_ field: RecordEnvelope, _ value: String, to json: inout JSONWriter) {
        json.object(named: field.name, inline: true) { json in
            json.member("type", "string")
            json.member("const", value)
        }
    }

    /// Writes the allowed names; `false` if there are none, because validators differ on an empty `enum`.
    private func writeNames(_ field: RecordEnvelope, _ names: [String], to json: inout JSONWriter) {
        guard !names.isEmpty else { return json.member(named: field.name, false) }
        json.object(named: field.name) { json in
            json.member("type", "string")
            json.array("enum", of: names)
        }
    }

    private func writeCondition(
        _ field: RecordEnvelope, is value: String, then reference: String, to json: inout JSONWriter
    ) {
        json.object(inline: true) { json in
            json.object("if") { json in
                json.object("properties") { json in
                    json.object(named: field.name) { $0.member("const", value) }
                }
                json.array("required", of: [field.name], inline: true)
            }
            json.object("then") { $0.member("$ref", reference) }
        }
    }

    private func write(_ event: Event, of category: Category, to json: inout JSONWriter) {
        let columns = event.activeColumns
        json.object(named: event.name) { json in
            json.member("type", "object")
            Self.write(event, version: model.versions[category.name, event.name].description, to: &json)
            json.object("properties") { json in
                Self.writeEnvelopeReference(.eventID, to: &json)
                writeConstant(.category, category.name, to: &json)
                writeConstant(.event, event.name, to: &json)
                json.add(commonProperties)
                for index in columns.indices { Self.write(columns[index], schema, to: &json) }
            }
            let required = columns.indices.filter { columns[$0].isRequired }.map { columns[$0].name }
            json.array("required", of: Self.requiredFields + commonRequired + required, inline: true)
            json.member("additionalProperties", false)
        }
    }

    /// Writes the facts about an event in addition to its columns. Privacy is omitted because the columns contain it.
    static func write(_ event: Event, version: String? = nil, to json: inout JSONWriter) {
        writeText(title: event.title, description: event.description, to: &json)
        if event.status == .deprecated { json.member("deprecated", true) }
        if let version { json.member("x-version", version) }
        for (key, text) in event.details.texts where key != .privacy {
            json.member(named: "x-\(key.rawValue)", text)
        }
    }

    static func write(_ column: Column, _ schema: ColumnSchema, to json: inout JSONWriter) {
        json.object(named: column.name) { json in
            schema.write(column.type, nullable: !column.isRequired, to: &json)
            if !column.description.isEmpty { json.member("description", InlineMarkdown.plainText(column.description)) }
            if column.status == .deprecated { json.member("deprecated", true) }
            if let value = column.exampleValue { json.array("examples", of: [value], inline: true) }
            if let privacy = column.privacy { json.member("x-privacy", privacy.rawValue) }
            if column.platforms != .all { json.member("x-platforms", column.platforms.names.joined(separator: ", ")) }
            if let since = column.since { json.member("x-since", since) }
            if let message = column.deprecated { json.member("x-deprecated", message) }
            for member in column.annotationMembers { json.member(named: member.key, member.value) }
        }
    }

    private func write(_ type: NamedType, to json: inout JSONWriter) {
        var description = type.description
        switch type.kind {
        case .enumeration(let values):
            schema.write(.enumeration(.init(values.map(\.value))), to: &json)
            // The standard has no other place for the descriptions of values.
            let lines = values.filter { !$0.description.isEmpty }.map {
                "- `\($0.value)`: \(InlineMarkdown.plainText($0.description))"
            }
            if !lines.isEmpty { description += (description.isEmpty ? "" : "\n\n") + lines.joined(separator: "\n") }
        case .scalar(let scalar): schema.write(scalar, to: &json)
        case .external: ColumnSchema.writeExternal(swift: type.swift ?? type.name, to: &json)
        }
        if let swift = type.swift, !type.isExternal { json.member("x-swift", swift) }
        if !description.isEmpty { json.member("description", description) }
    }
}

extension ColumnSchema {
    /// Writes the constraints that a field has in all records.
    func write(_ field: RecordEnvelope, to json: inout JSONWriter) {
        switch field {
        case .version:
            json.member("type", "string")
            json.member("pattern", "^[1-9][0-9]*-(?:0|[1-9][0-9]*)-(?:0|[1-9][0-9]*)$")
            Self.refuseBlanks(to: &json)
        case .violations:
            json.member("type", "array")
            json.object("items", inline: true) { json in
                json.member("type", "string")
                json.member("minLength", 1)
            }
            json.member("minItems", 1)
        default: write(field.type, to: &json)
        }
        json.member("description", field.summary)
    }
}

extension NamedType {
    fileprivate var isExternal: Bool {
        if case .external = kind { true } else { false }
    }
}
