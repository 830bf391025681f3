package import JSONSyntax
package import LogDefinitions
import MarkdownSyntax

/// The intermediate model as JSON, as `loggen dump` prints it.
package enum ModelDump {
    /// The document's bytes: UTF-8 with one newline at the end. The same definitions always give the same bytes.
    package static func json(of model: Model) -> [UInt8] {
        let definitions = model.definitions
        let files = definitions.files
        var json = JSONWriter()
        json.object { json in
            json.member("loggen", 1)
            json.object("common") { json in
                json.array("columns") { json in
                    for column in definitions.common?.columns ?? [] { write(column, to: &json, files) }
                }
            }
            json.array("types") { json in
                for type in definitions.types { write(type, to: &json, files) }
            }
            json.array("categories") { json in
                for category in definitions.categories { write(category, model.versions, to: &json, files) }
            }
        }
        return json.document()
    }

    private static func write(
        _ category: Category, _ versions: Versions, to json: inout JSONWriter, _ files: [SourceFile]
    ) {
        json.object { json in
            json.member("name", category.name)
            json.member("title", category.title)
            json.member("description", category.description)
            json.member("notes", category.notes)
            write(category.details, to: &json)
            write(category.place, to: &json, files)
            json.array("events") { json in
                for event in category.events { write(event, versions[category.name, event.name], to: &json, files) }
            }
        }
    }

    private static func write(
        _ event: Event, _ version: SchemaVersion, to json: inout JSONWriter, _ files: [SourceFile]
    ) {
        json.object { json in
            json.member("name", event.name)
            json.member("title", event.title)
            json.member("description", event.description)
            json.member("notes", event.notes)
            write(event.details, to: &json)
            json.member("version", version.description)
            json.member("status", event.status.rawValue)
            json.key("trigger")
            write(event.trigger, to: &json)
            write(event.formerNames, to: &json)
            write(event.place, to: &json, files)
            json.array("columns") { json in
                for column in event.columns { write(column, to: &json, files) }
            }
        }
    }

    private static func write(_ details: Details, to json: inout JSONWriter) {
        json.object("details") { json in
            for (key, text) in details.texts { json.member(named: key.rawValue, text) }
        }
    }

    private static func write(_ trigger: LogTrigger?, to json: inout JSONWriter) {
        guard let trigger else { return json.null() }
        json.object(inline: true) { json in
            json.member("kind", trigger.kind.rawValue)
            for (name, argument) in trigger.arguments {
                switch argument {
                case .number(let number)?: json.member(named: name, number)
                case .text(let text)?: json.member(named: name, text)
                case nil: json.member(named: name, String?.none)
                }
            }
        }
    }

    private static func write(_ formerNames: [FormerName], to json: inout JSONWriter) {
        guard !formerNames.isEmpty else { return }
        json.array("formerNames", of: formerNames.map(\.name), inline: true)
    }

    private static func write(_ column: Column, to json: inout JSONWriter, _ files: [SourceFile]) {
        json.object { json in
            json.member("name", column.name)
            json.key("type")
            write(column.type, to: &json)
            json.member("required", column.isRequired)
            json.member("description", column.description)
            json.member("example", column.example)
            json.member("privacy", column.privacy?.rawValue)
            if column.platforms != .all { json.array("platforms", of: column.platforms.names, inline: true) }
            json.member("since", column.since)
            json.member("deprecated", column.deprecated)
            json.member("status", column.status.rawValue)
            write(column.formerNames, to: &json)
            json.object("annotations") { json in
                for annotation in column.annotationsByHeader { json.member(named: annotation.header, annotation.value) }
            }
            write(column.place, to: &json, files)
        }
    }

    /// Writes a type as an object with its kind and its limits.
    package static func write(_ type: LogValueType, to json: inout JSONWriter) {
        let facts = TypeFacts(type)
        json.object(inline: true) { json in
            json.member("kind", facts.kind.name)
            if facts.kind == .enumeration { json.array("values", of: facts.values) }
            if let items = facts.items {
                json.key("items")
                write(items.type, to: &json)
            }
            if let name = facts.name { json.member("name", name) }
            for case (let name, let value?) in facts.limits { json.member(name, value) }
        }
    }

    private static func write(_ type: NamedType, to json: inout JSONWriter, _ files: [SourceFile]) {
        json.object { json in
            json.member("name", type.name)
            switch type.kind {
            case .enumeration(let values):
                json.member("kind", "enum")
                json.array("values") { json in
                    for value in values {
                        json.object(inline: true) { json in
                            json.member("value", value.value)
                            json.member("description", value.description)
                        }
                    }
                }
            case .scalar(let scalar):
                json.member("kind", "scalar")
                json.key("type")
                write(scalar, to: &json)
            case .external:
                json.member("kind", "external")
            }
            json.member("swift", type.swift)
            json.member("description", type.description)
            write(type.place, to: &json, files)
        }
    }

    private static func write(_ place: Place, to json: inout JSONWriter, _ files: [SourceFile]) {
        let file = files[place.file]
        let position = file.source.position(at: place.range.lowerBound)
        json.object("at", inline: true) { json in
            json.member("file", file.relativePath)
            json.member("line", position.line)
            json.member("column", position.column)
        }
    }
}
