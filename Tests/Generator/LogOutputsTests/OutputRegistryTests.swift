@testable import loggen
import Foundation
import LogDefinitions
import Testing
import TestSupport

@testable import LogOutputs
import LogProject

struct OutputRegistryTests {
    @Test("Each built-in output has a noun for the content of its files") func contents() {
        for name in OutputRegistry.all.names {
            let contents = OutputRegistry.all.output(named: name)?.contents ?? ""
            let article = contents.prefix { $0 != " " }
            #expect(["a", "an", "the", "Apple's"].contains(article) && !contents.hasSuffix("."), "\(name)")
        }
    }

    @Test("Tools with some of the outputs have the names and folders of all, in the order of loggen")
    func toolsNameTheSameOutputs() throws {
        let (some, all) = (OutputRegistry(), OutputRegistry.all)
        #expect(some.names == all.names && some.unaskedNames == all.unaskedNames)
        for name in all.names {
            #expect(some.output(named: name)?.folderName == all.output(named: name)?.folderName, "\(name)")
        }
    }

    @Test("The built-in outputs have these names") func ours() {
        let registry = OutputRegistry.all
        #expect(
            registry.names == [
                "swift", "json-schema", "catalogue", "sql", "iglu", "dbt", "privacy-manifest", "index", "kotlin",
                "typescript",
            ])
        #expect(registry.unaskedNames == ["swift", "json-schema"])
        // Outputs that are loaded on demand can be loaded.
        #expect(registry.names.allSatisfy { registry.output(named: $0)?.name == $0 })
    }

    private func settings(_ output: any Output) -> OutputSettings {
        var settings = OutputSettings()
        func set(_ key: String, _ content: Setting.Content) {
            settings.set(key, to: Setting(content: content, range: 0..<0))
        }
        if output.options.contains(where: { $0.key == "vendor" }) { set("vendor", .text("com.example")) }
        if output.options.contains(where: { $0.key == "dialect" }) { set("dialect", .text("duckdb")) }
        if output.options.contains(where: { $0.key == "data" }) { set("data", .mapping([])) }
        return settings
    }

    @Test("Outputs accept the fixtures", arguments: [GeneratedSwiftFixture.nasty, .keywords, .snapshot, .sample])
    func outputsAcceptTheFixtures(
        _ fixture: GeneratedSwiftFixture
    )
        async throws
    {
        let definitions = try await fixture.definitions()
        let registry = OutputRegistry.all
        for output in registry.names.compactMap({ registry.output(named: $0) }) {
            #expect(
                output.problems(of: Model(definitions), settings: settings(output)).diagnostics.map(\.message) == [],
                "\(output.name)")
            let parts = output.files(of: Model(definitions), settings: settings(output))
            #expect(!parts.isEmpty, "\(output.name)")
            #expect(Set(parts.map(\.path)).count == parts.count)
            for part in parts {
                guard let bytes = part.make() else { continue }
                #expect(bytes.last == 0x0A && GeneratedHeader.find(in: bytes) != nil, "\(part.path)")
            }
        }
    }

    /// Compares the tables of the documentation with the code.
    @Test("The documentation lists the keys and the outputs") func theDocumentationHasTheKeysAndTheOutputs() throws {
        let article = try Tool.text(of: "Sources/Generator/loggen/Documentation.docc/Outputs.md")
        let keys = OutputManifest.keys.map { "| `\($0.name)` | \($0.meaning) |\n" }.joined()
        #expect(article.contains("### Keys of output.yml\n\n| key | value |\n| --- | --- |\n" + keys))
        let registry = OutputRegistry.all
        for output in registry.names.compactMap({ registry.output(named: $0) }) {
            #expect(article.contains("\n| `\(output.name)` | "), "\(output.name)")
            #expect(article.contains(" | `\(output.folderName)/` |\n"), "\(output.name)")
        }
        for language in TextLanguage.all { #expect(article.contains("`\(language.name)`"), "\(language.name)") }
        let configuration = try Tool.text(of: "Sources/Generator/loggen/Documentation.docc/Configuration.md")
        for output in registry.names.compactMap({ registry.output(named: $0) }) {
            for option in output.options {
                #expect(configuration.contains("| `outputs.\(output.name).\(option.key)` |"), "\(option.key)")
            }
        }
    }
}
