import LogDefinitions

/// JSON Schemas: one per category, one for the types, one for all records.
struct JSONSchemaOutput: Output {
    let name = "json-schema"
    let folderName = "JSONSchema"
    let contents = "a JSON Schema for each category, and one for the members that all records share"

    let options = [
        OutputOption("base-url") { text in
            // The name of a schema and `#/$defs/…` are appended to the URL, so it must not contain a fragment.
            let isFine = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
            return isFine ? nil : ("`base-url` must be the beginning of a URL, without blanks and `#`", nil)
        }
    ]

    func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        let emitter = JSONSchemaEmitter(model, baseURL: settings["base-url"])
        let types = model.definitions.typesFile.map { file in
            OutputPart(path: JSONSchemaEmitter.typesFileName, document: file) { emitter.types() }
        }
        return [OutputPart(path: JSONSchemaEmitter.envelopeFileName, document: nil) { emitter.envelope() }]
            + [types].compactMap { $0 }
            + model.definitions.categories.enumerated().map { index, category in
                OutputPart(path: JSONSchemaEmitter.fileName(ofCategory: category.name), document: category.file) {
                    emitter.category(index)
                }
            }
    }
}
