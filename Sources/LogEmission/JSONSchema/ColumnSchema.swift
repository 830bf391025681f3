import LogDefinitions

/// What a column's value must be, as members of a schema.
struct ColumnSchema: Sendable {
    /// The run's types by name.
    let types: [String: NamedType]

    /// Writes the keywords that accept the values of a type, and `null` where a column may be left out.
    func write(_ type: ColumnType, nullable: Bool = false, to json: inout JSONWriter) {
        switch type {
        case .string(let maxLength, let maxBytes):
            writeType("string", nullable, to: &json)
            // A scalar takes at least one byte.
            if let length = [maxLength, maxBytes].compactMap({ $0 }).min() { json.member("maxLength", length) }
            if let maxBytes { json.member("x-maxBytes", maxBytes) }
        case .integer(let bits, let signed, let minimum, let maximum, _):
            let width = ColumnType.bounds(bits: bits, signed: signed)
            writeType("integer", nullable, to: &json)
            json.member("minimum", minimum ?? width.minimum)
            json.member("maximum", maximum ?? width.maximum)
        case .number(_, let minimum, let maximum):
            writeType("number", nullable, to: &json)
            if let minimum { json.member("minimum", minimum) }
            if let maximum { json.member("maximum", maximum) }
        case .boolean:
            writeType("boolean", nullable, to: &json)
        case .date:
            writeText("date", SchemaPattern.date, length: 10, nullable, to: &json)
        case .timestamp:
            writeText("date-time", SchemaPattern.timestamp, length: 24, nullable, to: &json)
        case .uuid:
            writeText("uuid", SchemaPattern.uuid, length: 36, nullable, to: &json)
        case .url:
            writeText("uri", SchemaPattern.url, length: nil, nullable, to: &json)
        case .enumeration(let values):
            writeType("string", nullable, to: &json)
            writeEnumeration(values, nullable, to: &json)
        case .array(let items, let minItems, let maxItems):
            writeType("array", nullable, to: &json)
            json.object("items", inline: true) { write(items, to: &$0) }
            if let minItems { json.member("minItems", minItems) }
            if let maxItems { json.member("maxItems", maxItems) }
        case .named(let name):
            writeNamed(name, nullable, to: &json)
        }
    }

    private func writeType(_ type: String, _ nullable: Bool, to json: inout JSONWriter) {
        guard nullable else { return json.member("type", type) }
        json.array("type", inline: true) { json in
            json.value(type)
            json.value("null")
        }
    }

    private func writeText(_ format: String, _ pattern: String, length: Int?, _ nullable: Bool, to json: inout JSONWriter) {
        writeType("string", nullable, to: &json)
        json.member("format", format)
        json.member("pattern", pattern)
        if let length {
            json.member("maxLength", length)
        } else {
            Self.refuseBlanks(to: &json)
        }
    }

    /// No text with a blank, a control or anything beyond ASCII: what a pattern's `$` lets pass in Python.
    static func refuseBlanks(to json: inout JSONWriter) {
        json.object("not", inline: true) { json in
            json.member("type", "string")
            json.member("pattern", "[^!-~]")
        }
    }

    private func writeEnumeration(_ values: [String], _ nullable: Bool, to json: inout JSONWriter) {
        json.array("enum", inline: true) { json in
            for value in values { json.value(value) }
            if nullable { json.null() }
        }
    }

    private func writeNamed(_ name: String, _ nullable: Bool, to json: inout JSONWriter) {
        guard let type = types[name], type.isDeclared else {
            return Self.writeExternal(swift: types[name]?.swift ?? name, nullable: nullable, to: &json)
        }
        let reference = "\(JSONSchemaEmitter.typesFileName)#/$defs/\(name)"
        guard nullable else { return json.member("$ref", reference) }
        json.array("anyOf", inline: true) { json in
            json.object { $0.member("$ref", reference) }
            json.object { $0.member("type", "null") }
        }
    }

    /// A type of the app of which the documents know the name alone: any scalar, since a record is flat.
    static func writeExternal(swift: String, nullable: Bool = false, to json: inout JSONWriter) {
        json.array("type", inline: true) { json in
            for type in ["boolean", "number", "string"] { json.value(type) }
            if nullable { json.value("null") }
        }
        json.member("x-swift", swift)
    }
}
