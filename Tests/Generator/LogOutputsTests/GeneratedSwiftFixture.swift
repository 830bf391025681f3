import Foundation
import LogDefinitions
import MarkdownSyntax
import Testing
import TestSupport

struct GeneratedSwiftFixture: CustomTestStringConvertible, Sendable {
    /// The path relative to `Tests/Generator/Fixtures`.
    let folder: String
    let module: String
    let access: String
    /// The app's other modules, each a file with its name in the folder.
    var appModules: [String] = []
    var appValues: [String: [ColumnSample]] = [:]
    var options: [String] = []
    /// The folder with committed outputs, which are compiled unchanged.
    var committed: String?

    var testDescription: String { "\(folder), \(access)" }

    static let nasty = GeneratedSwiftFixture(
        folder: "Nasty", module: "NastyLogs", access: "public", appModules: ["Kitchen"],
        appValues: [
            "Mood": [ColumnSample(swift: "NastyLogs.App.Mood.unheardOf", json: "\"unheard of\"", rule: "enum")],
            "DeviceKind": [ColumnSample(swift: ".tablet", json: "2")],
            "Opaque": [ColumnSample(swift: "NastyLogs.App.`default`(rawValue: 0.5)", json: "0.5")],
        ], options: SwiftCompiler.strictness)

    static let keywords = GeneratedSwiftFixture(
        folder: "Keywords", module: "KeywordLogs", access: "package",
        options: SwiftCompiler.strictness + ["-package-name", "app"])

    static let snapshot = GeneratedSwiftFixture(
        folder: "Snapshot/Definitions", module: "SnapshotLogs", access: "public", committed: "Snapshot/Outputs")

    static let sample = GeneratedSwiftFixture(
        folder: "../../../Definitions", module: "RecipeLogs", access: "public", options: SwiftCompiler.strictness)

    private static let fixtures = Tool.repository.appendingPathComponent("Tests/Generator/Fixtures")

    var path: URL { Self.fixtures.appendingPathComponent(folder).standardizedFileURL }

    // MARK: Documents

    /// A string that must not escape from the comment, literal or page that contains it. A cell accepts it unchanged.
    private static let injection =
        "*/ /* \"\"\" \"# #\" \\(fatalError()) ${x} `{{name}}` ``` {{{ }}} {{#category}} </script> # <br> <!-- --> \u{202E}\u{2066} \u{2028}\u{2029}\u{85} "
        + "\u{0}\u{1}\u{1B}\u{7F} \t %0A \\| \\u{202E} /// @available ''' \u{200B}\u{FEFF} &quot;&#10; ]]> \\"

    /// The same for a value of an enumeration, which cannot contain control characters.
    private static let injectedValue =
        "*/ /* \"\"\" \"# #\" \\(fatalError()) {{name}} {{{ </script> # <br> \u{202E} \u{2028} %0A \\| \\u{202E} 値 \\"

    private static let replacements = [
        // In a title, a code span would be the identifier.
        ("@TITLE@", injection.replacingOccurrences(of: "`", with: "")),
        ("@EVIL@", injection),
        ("@VALUES@", injectedValue + ", b;c, d]e)f(, x...y, q=r?"),
        ("@VALUE@", injectedValue),
        ("@LONG@", String(repeating: "very long text */ ", count: 5000)),
    ]

    func documents() throws -> [String: String] {
        var documents: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path.path)
        where name.hasSuffix(".md") && name != "README.md" {
            let text = try String(contentsOf: path.appendingPathComponent(name), encoding: .utf8)
            documents[name] = Self.replacements.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        return documents
    }

    func definitions() async throws -> Definitions {
        let files = try documents().map { name, text in
            SourceFile(path: name, relativePath: name, source: SourceText(Array(text.utf8)))
        }
        let analysis = await Analysis.run(files)
        #expect(analysis.diagnostics.filter { $0.severity == .error }.isEmpty)
        return analysis.definitions
    }

    func generate(access: String, into name: String, in compiler: borrowing SwiftCompiler) throws -> URL {
        let input = compiler.folder.appendingPathComponent("Documents")
        if !FileManager.default.fileExists(atPath: input.path) {
            try FileManager.default.createDirectory(at: input, withIntermediateDirectories: true)
            for (name, text) in try documents() { try Data(text.utf8).write(to: input.appendingPathComponent(name)) }
        }
        let configuration = "outputs:\n  swift:\n    access: \(access)\n  json-schema:\n"
        try Data(configuration.utf8).write(to: input.appendingPathComponent("loggen.yml"))
        let result = try Tool.run("generate", "Documents", "--output", name, "--quiet", in: compiler.folder)
        #expect(result.code == 0, "\(result.error)")
        return compiler.folder.appendingPathComponent(name)
    }

    // MARK: Swift

    func program(of definitions: Definitions) -> GeneratedSwiftProgram {
        let types = Dictionary(uniqueKeysWithValues: definitions.types.map { ($0.name, $0) })
        return GeneratedSwiftProgram(
            definitions,
            samples: ColumnSamples(types: types, module: module, appModules: appModules, appValues: appValues))
    }

    func sources(in generated: URL) throws -> [URL] {
        func swift(_ folder: URL) throws -> [URL] {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
        }
        let own = try swift(path).filter { !appModules.contains($0.deletingPathExtension().lastPathComponent) }
        return try swift(generated.appendingPathComponent("Swift")) + own
    }

    func compileAppModules(with compiler: borrowing SwiftCompiler, isLinked: Bool = false) throws {
        for module in appModules {
            let source = path.appendingPathComponent(module + ".swift")
            let result = try compiler.module(module, sources: [source], isLinked: isLinked)
            #expect(result.code == 0, "\(result.error)")
        }
    }

    /// Generates and compiles the Swift. The test fails if there is any diagnostic.
    func compile(with compiler: borrowing SwiftCompiler, isLinked: Bool) throws -> URL {
        let generated =
            try committed.map { Self.fixtures.appendingPathComponent($0) }
            ?? generate(access: access, into: "Generated", in: compiler)
        try compileAppModules(with: compiler, isLinked: isLinked)
        let result = try compiler.module(
            module, sources: sources(in: generated), options: options + ["-warnings-as-errors"], isLinked: isLinked)
        #expect(result.code == 0, "\(result.error)")
        #expect(result.error == "")
        return generated
    }
}
