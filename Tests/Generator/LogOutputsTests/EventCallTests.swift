import Foundation
import LogDefinitions
import Testing
import TestSupport

@testable import LogOutputs
@testable import LogCatalogue

/// Tests of the calls that the catalogue shows.
struct EventCallTests {
    /// Compiles each Swift call together with the generated Swift.
    @Test(
        "The Swift calls compile",
        arguments: Depth.some(1, of: [GeneratedSwiftFixture.keywords, .snapshot, .nasty, .sample]))
    func swiftCallsCompile(
        _ fixture: GeneratedSwiftFixture
    )
        async throws
    {
        let definitions = try await fixture.definitions()
        let call = try #require(EventCall.all.first { $0.language == "Swift" })
        var functions: [String] = []
        for category in definitions.categories {
            for event in category.events {
                guard let text = call.text(event, of: category) else { continue }
                // A variable with the column's name replaces a value that has no literal.
                let variables = event.activeColumns.map { column in
                    "    let \(SwiftNames.escaped(SwiftNames.memberName(column.name))): \(SwiftColumns.type(column, of: category)) = any()\n"
                }
                functions.append(
                    "func call\(functions.count)(_ activityLogger: Logger) {\n\(variables.joined())    \(text)\n}\n")
            }
        }
        #expect(functions.count > 2)

        let compiler = try SwiftCompiler()
        try fixture.compileAppModules(with: compiler)
        let generated = try fixture.generate(access: "internal", into: "Calls", in: compiler)
        let use = compiler.folder.appendingPathComponent("Calls.swift")
        let head = """
            import ActivityTracking
            import Foundation
            struct Logger { func post(_ event: some LogCategory) {} }
            func any<Value>() -> Value { fatalError() }

            """
        let imports = fixture.appModules.map { "import \($0)\n" }.joined()
        try Data((imports + head + functions.joined(separator: "\n")).utf8).write(to: use)
        let result = try compiler.check(
            "App", sources: try fixture.sources(in: generated) + [use], options: ["-parse-as-library"])
        let said = result.error.split(separator: "\n").filter { $0.contains("Calls.swift:") && $0.contains("error:") }
        #expect(result.code == 0 && said.isEmpty, "\(said.prefix(5)) \(said.isEmpty ? result.error : "")")
    }

    @Test(
        "An example is a valid value of its type",
        arguments: [
            "string", "string(2)", "string(3 bytes)", "int", "int8(5...9)", "int(...-3)", "uint32", "float(2.5...)",
            "double(...0.1)", "decimal(5, 2)",
            "decimal(2, 2)",
            "bool", "date", "timestamp", "uuid", "url", "enum(a b, c)", "[int(3...4); 2...5]", "[[enum(x, y)]; 3...]",
            "[string; ...0]",
        ])
    func madeValuesKeepTheirType(_ type: String) throws {
        let written = try TypeNotation.parse(type).type
        let value = try #require(ExampleRecord.made(of: written))
        #expect(Self.isValue(value, of: written), "\(value)")
    }

    private static func isValue(_ value: ExampleValue, of type: LogValueType) -> Bool {
        switch (value, type) {
        case (.array(let values), .array(let list)):
            return values.count >= list.minItems ?? 0 && values.count <= list.maxItems ?? .max
                && values.allSatisfy { isValue($0, of: list.items) }
        case (.array, _), (_, .array): return false
        case (.string(let text), _): return (try? ExampleValue.read(text, as: type)) != nil
        case (.integer(let number), _): return (try? ExampleValue.read(String(number), as: type)) != nil
        case (.number(let number), _): return (try? ExampleValue.read(String(number), as: type)) != nil
        case (.boolean(let flag), _): return (try? ExampleValue.read(String(flag), as: type)) != nil
        }
    }
}
