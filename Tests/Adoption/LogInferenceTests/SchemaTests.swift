import Foundation
import LogDefinitions
import Testing
import TestSupport

@testable import LogInference

/// Tests of JSON Schemas that loggen or other tools have written.
struct SchemaTests {
    @Test("The sample's schemas imply definitions with the same schemas")
    func schemasOfTheSampleImplyItsDefinitions() throws {
        let scratch = try Scratch(copying: Tool.repository.appendingPathComponent("Generated/JSONSchema"))
        let schemas = try scratch.files()
        let inferred = try Tool.run("infer", "--from", "json-schema", ".", "--output", "E", in: scratch.url)
        #expect(inferred.code == 0 && inferred.error.isEmpty, "\(inferred.error)")
        try scratch.write(
            Data(contentsOf: Tool.repository.appendingPathComponent("Definitions/loggen.yml")), to: "E/loggen.yml")
        #expect(try Tool.run("generate", "E", "--only", "json-schema", "--output", "T", in: scratch.url).code == 0)
        #expect(schemas.count > 10)
        #expect(try scratch.files(under: "T/JSONSchema") == schemas)
    }

    @Test(
        "A reference names a pointer, an anchor, a file or an identifier, beginning with its own file",
        arguments: [
            "#/definitions/kind", "#kind", "#/properties/b", "#/definitions/a~1b", "#/definitions/c%20d",
            "base.json#/definitions/ids", "./base.json#/definitions/ids", "../b/base.json#/definitions/ids",
            "s.json#/$defs/loc", "https://e.com/s.json#/$defs/loc", "sub%20dir/whole.json", "other.json",
        ])
    func references(_ text: String) async {
        let own = #"{"type": "array", "items": {"type": "string"}}"#
        let other = #"{"definitions": {"ids": {"type": "boolean"}, "kind": {"type": "boolean"}}}"#
        let files = [
            "x/a/base.json": other, "x/b/base.json": #"{"definitions": {"ids": \#(own)}}"#,
            "x/b/sub dir/whole.json": own, "x/c/other.json": own,
            "x/c/named.json": #"{"$id": "https://e.com/s.json", "$defs": {"loc": \#(own)}}"#,
            "x/b/event.json": """
            {"properties": {"b": \(own), "z": {"$ref": "\(text)"}}, "definitions": {"kind": \(own), "a/b": \(own),
            "c d": \(own), "other": {"$anchor": "kind", "type": "array", "items": {"type": "string"}}}}
            """,
        ]
        let inference = await Inference.ofSchemas(
            files.sorted { $0.key < $1.key }.map { InferenceSource(path: $0.key, bytes: Array($0.value.utf8)) },
            category: nil)
        let text = inference.documents.map(\.text).joined()
        #expect(text.contains("| z      | [string]? |"), "\(text)\(inference.findings)")
    }

    @Test("Of two types with one name, columns of the second file contain its own one")
    func typesWithOneName() async {
        let inference = await Inference.ofSchemas(
            [("a", "packed"), ("b", "online")].map { name, value in
                let text = """
                    {"title": "\(name)", "properties": {"s\(name)": {"$ref": "#/definitions/status"}},
                    "definitions": {"status": {"enum": ["\(value)", "other"]}}}
                    """
                return InferenceSource(path: "\(name).json", bytes: Array(text.utf8))
            }, category: nil)
        let text = inference.documents.map(\.text).joined()
        #expect(text.contains("| sa     | status? ") && text.contains("| sb     | enum(online, other)? |"), "\(text)")
        #expect(inference.hasLosses)
    }

    private func infer(_ schema: String) async -> Inference {
        await Inference.ofSchemas([InferenceSource(path: "order.json", bytes: Array(schema.utf8))], category: nil)
    }

    /// Returns the inferred type of a property, in the notation of documents, and the findings.
    private func property(_ schema: String) async -> (type: String?, said: [String]) {
        let inference = await infer(
            "{\"properties\": {\"a\": \(schema)}, \"required\": [\"a\"], \"definitions\": {\"Size\": {\"enum\": [\"s\", \"m\"]}, \"t\": {\"type\": \"object\"}}}"
        )
        let row = inference.documents.last?.text.split(separator: "\n").first { $0.hasPrefix("| a ") }
        return (
            row?.split(separator: "|").dropFirst().first.map { String(trimmed($0)) }, inference.findings.map(\.message)
        )
    }

    @Test(
        "A property implies a type",
        arguments: [
            (#"{"type": "boolean"}"#, "bool"), (#"{"type": "integer"}"#, "int64"),
            (#"{"type": "integer", "minimum": 0, "maximum": 255}"#, "uint8"),
            (#"{"type": "integer", "minimum": 0}"#, "int(0...)"),
            (#"{"type": "integer", "exclusiveMinimum": 0}"#, "int(1...)"),
            (#"{"type": "integer", "minimum": -32768, "maximum": 32767}"#, "int16"),
            (#"{"type": "number", "minimum": 0, "maximum": 1}"#, "double(0...1)"),
            (#"{"type": ["string", "null"]}"#, "string?"), (#"{"type": "string", "maxLength": 5}"#, "string(5)"),
            (#"{"type": "string", "x-maxBytes": 5}"#, "string(5 bytes)"),
            (#"{"type": "string", "format": "date"}"#, "date"), (#"{"type": "string", "format": "uuid"}"#, "uuid"),
            (#"{"type": "string", "format": "uri"}"#, "url"),
            (#"{"enum": ["a", "b"]}"#, "enum(a, b)"), (#"{"enum": ["a", null]}"#, "enum(a)?"),
            (#"{"const": "a"}"#, "enum(a)"),
            (#"{"type": "array", "items": {"type": "string"}, "maxItems": 3}"#, "[string; ...3]"),
            (##"{"$ref": "#/definitions/Size"}"##, "Size"),
            (##"{"anyOf": [{"$ref": "#/definitions/Size"}, {"type": "null"}]}"##, "Size?"),
            (#"{"type": "string", "pattern": "^-?(?:0|[1-9][0-9]{0,7})(?:[.][0-9]{1,2})?$"}"#, "decimal(10, 2)"),
            (#"{"allOf": [{"type": "string"}, {"maxLength": 5}]}"#, "string(5)"),
            (##"{"allOf": [{"$ref": "#/definitions/Size"}]}"##, "Size"),
            (##"{"type": "integer", "allOf": [{"minimum": 0}, {"type": "integer", "maximum": 255}]}"##, "uint8"),
        ]) func propertyImpliesAType(schema: String, type: String) async
    {
        let found = await property(schema)
        #expect(found.type == type)
        // Nothing refers to the object `t`.
        let said = found.said.filter { !$0.contains("may be null") }
        #expect(said == ["`t` does not become a type: it is read where a property refers to it"], "\(said)")
    }

    @Test(
        "Unsupported parts of a property are reported",
        arguments: [
            (#"{"type": "object"}"#, nil, "is an object"), (#"{"type": ["string", "integer"]}"#, "string", "is one of"),
            (#"{}"#, "string", "its schema has no type"),
            (#"true"#, "string", "its schema has no type"),
            (#"{"type": "string", "pattern": "x"}"#, "string", "`pattern`"),
            (#"{"type": "string", "format": "email"}"#, "string", "`email`"),
            (#"{"type": "integer", "enum": [1, 5]}"#, "int(1...5)", "are numbers"),
            (#"{"type": "number", "multipleOf": 2}"#, "double", "`multipleOf`"),
            (#"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#, "string", "`oneOf`"),
            (
                #"{"type": "integer", "anyOf": [{"const": 5}, {"minimum": 0}]}"#, "int64",
                "`anyOf` of `a` is not carried over"
            ),
            (#"{"type": "boolean", "oneOf": [{"const": true}]}"#, "bool", "`oneOf`"),
            (#"{"type": "number", "if": {"minimum": 1}, "then": {"maximum": 2}}"#, "double", "`then`"),
            (
                #"{"allOf": [{"type": "integer", "minimum": 1}, {"minimum": 2}]}"#, "int(1...)",
                "`minimum` of `a` is not carried over: `allOf` has it twice"
            ),
            (#"{"type": "string", "allOf": [{"maxLength": 5}, {"not": {"const": "a"}}]}"#, "string(5)", "`not`"),
            (##"{"$ref": "#/definitions/No"}"##, "string", "not in any of the files"),
            (##"{"$ref": "#/definitions/t"}"##, nil, "is an object"),
            (#"{"type": "array"}"#, "[string]", "does not describe them"),
            (#"{"type": "array", "items": {"type": "object"}}"#, nil, "items cannot be"),
            (#"{"type": "integer", "minimum": 5, "maximum": 1}"#, "int64", "is empty"),
            (#"{"type": "strng"}"#, "string", "`strng`"),
            (#"{"type": "string", "minLength": 1}"#, "string", "`minLength`"),
            (#"{"enum": ["!", "?"]}"#, "string", "no letter"),
        ]) func unsupportedPartsOfAPropertyAreReported(schema: String, type: String?, part: String) async
    {
        let found = await property(schema)
        #expect(found.type == type)
        #expect(found.said.contains { $0.contains(part) }, "\(found.said)")
    }
}
