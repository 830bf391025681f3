import Foundation

/// Python's `jsonschema`, run once for many cases.
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
        /// Whether the instance is accepted, case by case.
        package var verdicts: [Bool]
        /// What is wrong with the schemas themselves.
        package var problems: [String]
        /// The Python module that is not there.
        package var missing: String?
    }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Log records, each judged by the schema of the version that it names, as Python reads it. One that is no JSON is refused.
    /// - Parameters:
    ///   - versions: the schema's address by `category.event VERSION`. Another version of such an event is refused.
    ///   - otherwise: the schema for records of other events.
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
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Python/validate.py")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try JSONEncoder().encode(request).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        switch process.terminationStatus {
        case 0: break
        case 127:
            throw Failure(description: "python3 is missing: apt-get install python3-pip, then pip install jsonschema.")
        default: throw Failure(description: "\(script.path) failed; its message is on stderr.")
        }
        let outcome = try JSONDecoder().decode(Outcome.self, from: answer)
        if let missing = outcome.missing {
            throw Failure(description: "A Python module is missing (\(missing)): pip install 'jsonschema>=4.18'.")
        }
        guard outcome.verdicts.count == request.cases.count else {
            throw Failure(description: "Some cases were not judged.")
        }
        return outcome
    }
}
