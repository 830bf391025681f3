import Foundation
import Testing
import TestSupport

@testable import LogDefinitions

struct SwiftNamesTests {
    @Test(
        "snake_case becomes UpperCamelCase and lowerCamelCase",
        arguments: [
            ("recipe_search", "RecipeSearch", "recipeSearch"), ("a", "A", "a"), ("foo__bar", "FooBar", "fooBar"),
            ("foo_bar_", "FooBar", "fooBar"), ("step_2_done", "Step2Done", "step2Done"), ("type", "Type", "type"),
            ("x1y", "X1y", "x1y"),
        ])
    func identifiers(snake: String, type: String, member: String) {
        #expect(SwiftNames.typeName(snake) == type)
        #expect(SwiftNames.memberName(snake) == member)
    }

    @Test(
        "Any value with a usable character becomes a lowerCamelCase case",
        arguments: [
            ("newest", "newest"), ("Most popular!", "mostPopular"), ("NEW_ARRIVAL", "newArrival"), ("iOS", "iOS"),
            ("3d", "_3d"),
            ("50%", "_50"), ("新着", "新着"), ("新着 順", "新着順"), ("a\u{202E}b", "aB"), ("`*/\"", nil), ("", nil),
            ("\u{301}x", "_\u{301}x"),
            ("self", "self"), ("Émile", "émile"), ("🍣 roll", "🍣Roll"), ("a\u{0}b\n", "aB"),
            ("none", "_none"), ("NONE", "_none"), ("none of them", "noneOfThem"),
        ] as [(String, String?)])
    func values(value: String, name: String?) {
        #expect(SwiftNames.caseName(forValue: value) == name)
    }

    @Test(
        "Keywords are in backticks",
        arguments: ["self", "Self", "init", "none", "some", "Type", "default", "inout", "Any", "case"])
    func keywords(name: String) {
        #expect(SwiftNames.escaped(name) == "`\(name)`")
    }

    @Test("Other names are not escaped", arguments: ["recipeId", "async", "definition", "description", "_3d", "新着"])
    func ordinaryNames(name: String) {
        #expect(SwiftNames.escaped(name) == name)
    }

    /// An app's type with one of these names would hide the runtime's type. The list is a single literal,
    /// `SwiftNames.runtimeTypeNames`.
    @Test("Names of the runtime's public types are reserved") func publicTypesOfTheRuntimeAreReserved() throws {
        let modules = [
            "ActivityInspector", "ActivityOutbox", "ActivityScope", "ActivityTracking", "ActivityTrackingSwiftUI",
            "ActivityTrackingTesting",
            "ActivityTrackingUIKit",
            "ContentVisibility", "LogTypes",
        ]
        let declaration =
            /^(?:@\w+(?:\([^)]*\))? +)*public +(?:final |indirect |nonisolated )*(?:actor|class|enum|protocol|struct|typealias) +(\w+)/
        var names = Set(modules)
        for module in modules {
            let folder = Tool.repository.appendingPathComponent(
                (module == "LogTypes" ? "Sources/Shared/" : "Sources/Runtime/") + module)
            for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
            where name.hasSuffix(".swift") {
                // The adapters' declarations are in `#if`, indented by one level. The declarations of nested types are
                // indented further.
                var depth = 0
                for line in try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).split(
                    separator: "\n")
                {
                    let text = line.drop { $0 == " " }
                    if text.hasPrefix("#if") { depth += 1 }
                    if text.hasPrefix("#endif") { depth -= 1 }
                    guard line.count - text.count == 4 * depth, let match = text.prefixMatch(of: declaration) else {
                        continue
                    }
                    names.insert(String(match.1))
                }
            }
        }
        #expect(names.contains("LogCategory") && names.contains("TapRegistry") && names.count > 50)
        #expect(names.subtracting(SwiftNames.runtimeTypeNames).sorted() == [], "missing in SwiftNames.runtimeTypeNames")
        #expect(
            SwiftNames.runtimeTypeNames.subtracting(names).sorted() == [],
            "no longer public: to be removed from SwiftNames.runtimeTypeNames")
    }

    /// The list has SwiftUI's types, too, which the toolchains of Linux do not have.
    @Test(
        "An app cannot use the names of the toolchain's types",
        .enabled(if: Depth.isDeep, "the names change with the toolchain"),
        .enabled(if: Self.extractor != nil, "the toolchain has no swift-symbolgraph-extract"))
    func frameworkTypes() throws {
        struct Graph: Decodable {
            struct Symbol: Decodable {
                struct Kind: Decodable { var identifier: String }
                var kind: Kind
                var pathComponents: [String]
            }
            var symbols: [Symbol]
        }
        let extractor = try #require(Self.extractor)
        let scratch = try Scratch()
        #if arch(arm64)
            let target = "aarch64-unknown-linux-gnu"
        #else
            let target = "x86_64-unknown-linux-gnu"
        #endif
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "actor"]
        var names: Set<String> = []
        for module in [
            "Swift", "_Concurrency", "_StringProcessing", "Observation", "Foundation", "FoundationEssentials",
            "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
        ] {
            _ = try Tool.launch(
                extractor,
                [
                    "-module-name", module, "-target", target, "-output-dir", ".", "-minimum-access-level", "public",
                    "-skip-synthesized-members",
                ], in: scratch.url)
            // Types of an overlay module are in the graph of the module that they extend.
            for file in [module, "\(module)@Swift"] {
                let file = scratch.url.appendingPathComponent("\(file).symbols.json")
                guard let data = try? Data(contentsOf: file) else { continue }
                for symbol in try JSONDecoder().decode(Graph.self, from: data).symbols
                where symbol.pathComponents.count == 1 && kinds.contains(String(symbol.kind.identifier.dropFirst(6))) {
                    names.insert(symbol.pathComponents[0])
                }
            }
        }
        names = names.filter { $0.first?.isUppercase ?? false && Self.isShort($0) }
        #expect(
            names.isSuperset(of: ["SortOrder", "Locale", "Notification", "Process", "Task", "URLSession", "Result"]))
        #expect(
            names.subtracting(SwiftNames.frameworkTypeNames).sorted() == [], "missing in SwiftNames.frameworkTypeNames")
        #expect(SwiftNames.frameworkTypeNames.isSuperset(of: ["Menu", "Settings", "Tab", "View"]))
        #expect(SwiftNames.frameworkTypeNames.filter { !Self.isShort($0) } == [])
    }

    /// Returns whether a name has at most two words and no prefix of a framework.
    private static func isShort(_ name: String) -> Bool {
        let letters = Array(name)
        let words = letters.indices.filter { index in
            let isLast = index == letters.count - 1
            return letters[index].isUppercase
                && (index == 0 || !letters[index - 1].isUppercase || !isLast && letters[index + 1].isLowercase)
        }
        let hasPrefix = ["NS", "CF", "CG", "UI", "WK"].contains { name.hasPrefix($0) }
        return words.count <= 2 && !(hasPrefix && letters.dropFirst(2).first?.isUppercase ?? false)
    }

    private static let extractor: URL? = {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        let path = folders.map { $0 + "/swift-symbolgraph-extract" }.first(
            where: FileManager.default.isExecutableFile(atPath:))
        return path.map(URL.init(fileURLWithPath:))
    }()

    /// The scalars that swiftc 6.3 accepts in an identifier, found by compiling `let a… = 0` for every scalar.
    private static let identifierParts: [ClosedRange<UInt32>] = [
        0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A, 0xA8...0xA8, 0xAA...0xAA, 0xAD...0xAD, 0xAF...0xAF,
        0xB2...0xB5, 0xB7...0xBA,
        0xBC...0xBE, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x167F, 0x1681...0x180D, 0x180F...0x1FFF, 0x200B...0x200D,
        0x202A...0x202E,
        0x203F...0x2040, 0x2054...0x2054, 0x2060...0x218F, 0x2460...0x24FF, 0x2776...0x2793, 0x2C00...0x2DFF,
        0x2E80...0x2FFF,
        0x3004...0x3007, 0x3021...0x302F, 0x3031...0xD7FF, 0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE44,
        0xFE47...0xFFF8,
        0x10000...0x1FFFD, 0x20000...0x2FFFD, 0x30000...0x3FFFD, 0x40000...0x4FFFD, 0x50000...0x5FFFD,
        0x60000...0x6FFFD, 0x70000...0x7FFFD,
        0x80000...0x8FFFD, 0x90000...0x9FFFD, 0xA0000...0xAFFFD, 0xB0000...0xBFFFD, 0xC0000...0xCFFFD,
        0xD0000...0xDFFFD, 0xE0000...0xEFFFD,
    ]
    /// The scalars of `identifierParts` that cannot begin an identifier.
    private static let combining: [ClosedRange<UInt32>] = [
        0x30...0x39, 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
    ]

    @Test("Swift accepts every scalar of a derived name") func everyScalarOfADerivedNameIsOneThatSwiftTakes() {
        var wrong: [String] = []
        var accepted = 0
        // A deep run tries all scalars, another one a part of them, and all that are next to a limit.
        let step = Depth.limit(17, deep: 1)
        let limits = (Self.identifierParts + Self.combining).flatMap {
            [$0.lowerBound - 1, $0.lowerBound, $0.upperBound, $0.upperBound + 1]
        }
        for value in Array(stride(from: UInt32(0x21), through: 0x10FFFF, by: step)) + limits {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isPart = Self.identifierParts.contains { $0.contains(value) }
            let isHead = isPart && !Self.combining.contains { $0.contains(value) }
            if SwiftNames.isIdentifierPart(scalar), !isPart { wrong.append("part \(String(value, radix: 16))") }
            if SwiftNames.isIdentifierHead(scalar), !isHead { wrong.append("head \(String(value, radix: 16))") }
            if SwiftNames.isIdentifierPart(scalar) { accepted += 1 }
        }
        #expect(wrong == [])
        #expect(accepted > 900_000 / step)
        #expect(SwiftNames.caseName(forValue: "a\u{FFFD}b") == "aB")
    }
}
