import Foundation
import LogDefinitions
import Testing

struct SwiftNamesTests {
    @Test(
        "snake_case becomes UpperCamelCase and lowerCamelCase",
        arguments: [
            ("recipe_search", "RecipeSearch", "recipeSearch"), ("a", "A", "a"), ("foo__bar", "FooBar", "fooBar"),
            ("foo_bar_", "FooBar", "fooBar"), ("step_2_done", "Step2Done", "step2Done"), ("type", "Type", "type"), ("x1y", "X1y", "x1y"),
        ])
    func identifiers(snake: String, type: String, member: String) {
        #expect(SwiftNames.typeName(snake) == type)
        #expect(SwiftNames.memberName(snake) == member)
    }

    @Test(
        "any value with a usable character becomes a lowerCamelCase case",
        arguments: [
            ("newest", "newest"), ("Most popular!", "mostPopular"), ("NEW_ARRIVAL", "newArrival"), ("iOS", "iOS"), ("3d", "_3d"),
            ("50%", "_50"), ("新着", "新着"), ("新着 順", "新着順"), ("a\u{202E}b", "aB"), ("`*/\"", nil), ("", nil), ("\u{301}x", "_\u{301}x"),
            ("self", "self"), ("Émile", "émile"), ("🍣 roll", "🍣Roll"), ("a\u{0}b\n", "aB"),
        ] as [(String, String?)])
    func values(value: String, name: String?) {
        #expect(SwiftNames.caseName(forValue: value) == name)
    }

    @Test("keywords stand in backticks", arguments: ["self", "Self", "init", "none", "some", "Type", "default", "inout", "Any", "case"])
    func keywords(name: String) {
        #expect(SwiftNames.escaped(name) == "`\(name)`")
    }

    @Test("other names stand as they are", arguments: ["recipeId", "async", "definition", "description", "_3d", "新着"])
    func ordinaryNames(name: String) {
        #expect(SwiftNames.escaped(name) == name)
    }

    @Test("no derived type may take the name of a public type of the runtime")
    func runtimeTypes() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/ActivityTracking")
        let pattern = try Regex(#"(?m)^public (?:indirect |final )?(?:protocol|struct|enum|class|actor|typealias) (\w+)"#)
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil) {
            guard file.pathExtension == "swift" else { continue }
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: pattern) {
                names.insert(String(match.output[1].substring ?? ""))
            }
        }
        #expect(names.contains("LogCategory"))
        #expect(names.subtracting(SwiftNames.reservedTypeNames) == [])
    }
}
