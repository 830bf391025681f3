import TestSupport

@testable import LogDefinitions
@testable import LogOutputs

extension JSONSchemaValidation {
    static func run(_ definitions: Definitions, baseURL: String? = nil, cases: [Case] = []) throws -> Outcome {
        try run(schemas: JSONSchemaEmitter(definitions, baseURL: baseURL).all(), cases: cases)
    }
}

extension JSONSchemaEmitter {
    func all() -> [[UInt8]] {
        model.definitions.categories.indices.map(category) + [types()].compactMap { $0 } + [envelope()]
    }
}
