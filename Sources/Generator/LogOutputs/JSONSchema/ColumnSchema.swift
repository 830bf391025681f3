import JSONSyntax
import LogDefinitions

/// Writes the schema of a column's value as members of a JSON object.
struct ColumnSchema: Sendable {
    /// Indicates whether the schema is for Iglu: in draft-04, and with named types written out where they are used. If
    /// not, they are in `types.schema.json`.
    let isForIglu: Bool

    func write(_ type: LogValueType, nullable: Bool = false, to json: inout JSONWriter) {
        switch type.form {
        case .string(let limits):
            writeType("string", nullable, to: &json)
            // A Unicode scalar takes at least one byte, so a limit in bytes also limits the number of scalars.
            if let length = [limits.maxLength, limits.maxBytes].compactMap({ $0 }).min() {
                json.member("maxLength", length)
            }
            if let maxBytes = limits.maxBytes { json.member("x-maxBytes", maxBytes) }
        case .integer(let integer):
            writeType("integer", nullable, to: &json)
            json.member("minimum", integer.range.lowerBound)
            json.member("maximum", integer.range.upperBound)
        case .number(let number):
            writeType("number", nullable, to: &json)
            switch number.minimum {
            case .leastNonzeroMagnitude? where isForIglu:
                json.member("minimum", 0)
                json.member("exclusiveMinimum", true)
            case .leastNonzeroMagnitude?: json.member("exclusiveMinimum", 0)
            case let minimum?: json.member("minimum", minimum)
            case nil: break
            }
            if let maximum = number.maximum { json.member("maximum", maximum) }
        case .boolean:
            writeType("boolean", nullable, to: &json)
        case .format(let format):
            writeType("string", nullable, to: &json)
            if let name = format.schemaFormat { json.member("format", name) }
            json.member("pattern", format.pattern)
            if let length = format.length {
                json.member("maxLength", length)
            } else {
                Self.refuseBlanks(to: &json)
            }
        case .enumeration(let enumeration):
            writeType("string", nullable, to: &json)
            json.array("enum", of: enumeration.values.map { $0 } + (nullable ? [nil] : []), inline: true)
        case .array(let list):
            writeType("array", nullable, to: &json)
            json.object("items", inline: true) { write(list.items, to: &$0) }
            if let minItems = list.minItems { json.member("minItems", minItems) }
            if let maxItems = list.maxItems { json.member("maxItems", maxItems) }
        case .named(let named):
            writeNamed(named, nullable, to: &json)
        }
    }

    private func writeType(_ type: String, _ nullable: Bool, to json: inout JSONWriter) {
        guard nullable else { return json.member("type", type) }
        json.array("type", of: [type, "null"], inline: true)
    }

    /// Rejects a string that contains a blank, a control character or a character outside ASCII. This also rejects a
    /// final newline, which a pattern's `$` accepts in Python.
    static func refuseBlanks(to json: inout JSONWriter) {
        json.object("not", inline: true) { json in
            json.member("type", "string")
            json.member("pattern", "[^!-~]")
        }
    }

    private func writeNamed(_ named: LogValueType.Named, _ nullable: Bool, to json: inout JSONWriter) {
        guard !isForIglu else {
            guard let base = named.base else {
                return Self.writeExternal(swift: named.swift ?? named.name, nullable: nullable, to: &json)
            }
            return write(base, nullable: nullable, to: &json)
        }
        let reference = "\(JSONSchemaEmitter.typesFileName)#/$defs/\(named.name)"
        guard nullable else { return json.member("$ref", reference) }
        json.array("anyOf", inline: true) { json in
            json.object { $0.member("$ref", reference) }
            json.object { $0.member("type", "null") }
        }
    }

    /// Writes a type of the app that definitions only name. It accepts any scalar, because a record is flat.
    static func writeExternal(swift: String, nullable: Bool = false, to json: inout JSONWriter) {
        json.array("type", of: ["boolean", "number", "string"] + (nullable ? ["null"] : []), inline: true)
        json.member("x-swift", swift)
    }
}
