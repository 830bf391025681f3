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

    @Test func typesOfTheRuntimeAreReserved() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let folder = repository.appendingPathComponent("Sources/ActivityTracking/Encoding")
        let declaration = /^public (?:final |indirect )*(?:actor|class|enum|protocol|struct|typealias) (\w+)/.anchorsMatchLineEndings()
        var names: Set<String> = []
        for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            names.formUnion(text.matches(of: declaration).map { String($0.1) })
        }
        #expect(names.contains("LogCategory"))
        #expect(names.subtracting(SwiftNames.reservedTypeNames).sorted() == [])
    }
}
