import Foundation

/// Runs Python's `jsonschema` once for many cases.
package struct JSONSchemaValidation {
    package struct Case: Encodable, Sendable {
        /// The schema's address, such as `a.schema.json#/$defs/b`.
        package var schema: String
        /// JSON.
        package var instance: String

        package init(schema: String, instance: String) {
            self.schema = schema
            self.instance = instance
        }
    }

    package struct Outcome: Decodable, Sendable {
        /// A Boolean value for each case that indicates whether the instance is accepted.
        package var verdicts: [Bool]
        /// Errors in the schemas.
        package var problems: [String]
        /// The Python module that is not installed.
        package var missing: String?
    }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Validates log records with the schema of the version that each one names, as Python reads it. A record that is
    /// not JSON is rejected.
    /// - Parameters:
    /// - versions: the schema's address by `category.event VERSION`. Other versions of such an event are rejected.
    /// - otherwise: the schema for records of other events.
    package static func run(schemas: [[UInt8]], records: [String], versions: [String: String], otherwise: String) throws
        -> Outcome
    {
        try run(
            Request(
                schemas: schemas.map { String(decoding: $0, as: UTF8.self) },
                cases: records.map { Case(schema: "", instance: $0) },
                refusesUnreadable: true, versions: versions, otherwise: otherwise))
    }

    package static func run(schemas: [[UInt8]], cases: [Case]) throws -> Outcome {
        try run(Request(schemas: schemas.map { String(decoding: $0, as: UTF8.self) }, cases: cases))
    }

    private struct Request: Encodable {
        var schemas: [String]
        var cases: [Case]
        var refusesUnreadable = false
        var versions: [String: String]?
        var otherwise: String?
    }

    private static func run(_ request: Request) throws -> Outcome {
        let script = Tool.repository.appendingPathComponent("Tests/Oracles/validate.py")
        let result = try Tool.command(
            ["python3", script.path], in: Tool.repository,
            input: String(decoding: try JSONEncoder().encode(request), as: UTF8.self))
        switch result.code {
        case 0: break
        case 127:
            throw Failure(description: "python3 is missing: apt-get install python3-pip, then pip install jsonschema.")
        default: throw Failure(description: "\(script.path) failed: \(result.error)")
        }
        let outcome = try JSONDecoder().decode(Outcome.self, from: Data(result.out.utf8))
        if let missing = outcome.missing {
            throw Failure(description: "A Python module is missing (\(missing)): pip install 'jsonschema>=4.18'.")
        }
        guard outcome.verdicts.count == request.cases.count else {
            throw Failure(description: "Some cases were not judged.")
        }
        return outcome
    }
}
