import Foundation
import Testing
import TestSupport

/// Tests of the structure of the package, and of the parts that apps depend on.
struct PackageTests {
    struct Target {
        var folder: String
        var needs: [String]
    }

    /// The targets by name, the targets of each product, and the identities of the package's dependencies.
    static let manifest = Result {
        () throws -> (targets: [String: Target], products: [String: [String]], packages: Set<String>) in
        let scratch = try Scratch()
        let dump = try Tool.command(
            ["swift", "package", "--package-path", Tool.repository.path, "--scratch-path", ".build", "dump-package"],
            in: scratch.url)
        try #require(dump.code == 0, "\(dump.error)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(dump.out.utf8)) as? [String: Any])
        var targets: [String: Target] = [:]
        for target in try #require(json["targets"] as? [[String: Any]]) {
            let name = try #require(target["name"] as? String)
            let folder =
                (target["type"] as? String).flatMap { ["test": "Tests/", "plugin": "Plugins/"][$0] } ?? "Sources/"
            let needs = ["dependencies", "pluginUsages"].flatMap { target[$0] as? [[String: [Any]]] ?? [] }.compactMap {
                $0.values.first?.first as? String
            }
            targets[name] = Target(folder: target["path"] as? String ?? folder + name, needs: needs)
        }
        var products: [String: [String]] = [:]
        for product in try #require(json["products"] as? [[String: Any]]) {
            products[try #require(product["name"] as? String)] = product["targets"] as? [String]
        }
        let packages = try #require(json["dependencies"] as? [[String: [[String: Any]]]]).compactMap {
            $0.values.first?.first?["identity"] as? String
        }
        return (targets, products, Set(packages))
    }

    /// Returns the targets that only tests use. Dependents of the package do not build them.
    static func testsOwn() throws -> Set<String> {
        Set(try manifest.get().targets.filter { !Self.isForApps($0.value) }.keys)
    }

    private static func isForApps(_ target: Target) -> Bool {
        ["Sources/", "Plugins/"].contains { target.folder.hasPrefix($0) }
    }

    @Test("Targets in Sources do not depend on test targets") func sourcesDoNotDependOnTestTargets() throws {
        let targets = try Self.manifest.get().targets
        #expect(targets.count > 20 && targets.values.contains { !Self.isForApps($0) })
        for (name, target) in targets where Self.isForApps(target) {
            for need in target.needs {
                guard let needed = targets[need] else { continue }
                #expect(Self.isForApps(needed), "\(name) in \(target.folder) needs \(need) in \(needed.folder)")
            }
        }
    }

    @Test("A target in Sources depends only on the folders that the architecture allows")
    func targetDependsOnlyOnAllowedFolders() throws {
        let arrows = [
            "Shared": [], "Generator": ["Shared"], "Outputs": ["Generator", "Shared"],
            "Review": ["Generator", "Outputs", "Shared"], "Adoption": ["Generator", "Shared"],
            "Editor": ["Generator", "Shared"], "Runtime": ["Shared"],
            "Desk": ["Adoption", "Generator", "Runtime", "Shared"],
        ]
        func room(_ target: Target) -> String? {
            let parts = target.folder.split(separator: "/")
            return parts.first == "Sources" && parts.count > 2 ? String(parts[1]) : nil
        }
        let targets = try Self.manifest.get().targets
        #expect(Set(targets.values.compactMap(room)) == Set(arrows.keys))
        // The command joins the folders beside the generator.
        for (name, target) in targets where name != "loggen" {
            guard let own = room(target) else { continue }
            for need in target.needs {
                guard let other = targets[need].flatMap(room) else { continue }
                #expect(
                    other == own || arrows[own]?.contains(other) == true, "\(name) in \(own) needs \(need) in \(other)")
            }
        }
    }

    @Test("A plugin runs exactly the tools that it depends on")
    func pluginsRunTheirTools() throws {
        let plugins = try Self.manifest.get().targets.filter { $0.value.folder.hasPrefix("Plugins/") }
        #expect(plugins.count == 4)
        for (name, plugin) in plugins {
            let folder = Tool.repository.appendingPathComponent(plugin.folder)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let code = try files.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
                .joined()
            let tools = Set(code.matches(of: /tool\(named: "([^"]+)"\)/).map { String($0.1) })
            #expect(tools == Set(plugin.needs), "\(name)")
        }
    }

    @Test("The products contain only targets for apps") func productsContainOnlyTargetsForApps() throws {
        let (targets, products, _) = try Self.manifest.get()
        #expect(
            products.keys.sorted() == [
                "ActivityInspector", "ActivityOutbox", "ActivityScope", "ActivityTracking", "ActivityTrackingSwiftUI",
                "ActivityTrackingTesting", "ActivityTrackingUIKit",
                "ContentVisibility",
                "LogGenCommands", "LogGenPlugin", "TapGenPlugin", "loggen", "logscope", "tapgen", "trackscope",
            ])
        for (product, names) in products {
            for name in names { #expect(Self.isForApps(try #require(targets[name])), "\(product) has \(name)") }
        }
    }

    /// Apps link neither libcmark nor other parts of the generator. Both sides share `LogTypes`, and `LogValidation`
    /// depends only on it.
    @Test("Products for apps do not read documents") func productsForAppsDoNotReadDocuments() throws {
        let (targets, products, _) = try Self.manifest.get()
        for product in [
            "ActivityInspector", "ActivityOutbox", "ActivityScope", "ActivityTracking", "ActivityTrackingSwiftUI",
            "ActivityTrackingTesting",
            "ActivityTrackingUIKit",
            "ContentVisibility",
        ] {
            var linked: Set<String> = []
            var waiting = try #require(products[product])
            while let name = waiting.popLast() {
                if linked.insert(name).inserted { waiting += targets[name]?.needs ?? [] }
            }
            #expect(linked.contains("LogTypes"))
            #expect(
                linked.isDisjoint(with: [
                    "CCMark", "MarkdownSyntax", "LogDefinitions", "LogOutputs", "LogProject", "Yams",
                ]), "\(product)")
        }
        #expect(targets["LogValidation"]?.needs == ["LogTypes"])
    }

    static let parts: [String] = {
        let sources = Tool.repository.appendingPathComponent("Sources").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }()

    static let pages =
        ["ARCHITECTURE.md", "CONTRIBUTING.md", ".ci/README.md", "Releases/README.md", "Tests/README.md"]
        + parts.map { "Sources/\($0)/README.md" }

    @Test("Paths in the pages for contributors exist", arguments: pages)
    func pathsExist(page: String) throws {
        let text = try Tool.text(of: page)
        let git = try Tool.command(
            ["git", "-C", Tool.repository.path, "ls-files", "--cached", "--others", "--exclude-standard"],
            in: Tool.repository)
        try #require(git.code == 0, "\(git.error)")
        let files = git.out.split(separator: "\n").map { "/\($0)" }
        let rooms = [
            "Sources/", "Templates/", "Tests/", "Plugins/", "Examples/", "Releases/", "Hooks/", "Integrations/", ".ci/",
        ]
        // The README of a folder in Sources also names paths relative to the folder.
        let isOfPart = page.hasPrefix("Sources/")
        let parents = isOfPart ? ["/", "/\(page.dropLast("README.md".count))"] : ["/"]
        var count = 0
        for match in text.matches(of: /`([A-Za-z.~+_\/-]+)`/) {
            let path = String(match.1)
            let isPath = isOfPart ? path.contains("/") : rooms.contains(where: path.hasPrefix)
            guard isPath || path.hasSuffix(".swift") else { continue }
            count += 1
            let folder = path.hasSuffix("/") ? path : path + "/"
            let found = files.contains { file in
                file.hasSuffix("/" + path) || parents.contains { file.hasPrefix($0 + folder) }
            }
            #expect(found, "\(page) names \(path)")
        }
        #expect(count > 0, "\(page)")
    }

    @Test("The first pages for contributors are short", arguments: ["ARCHITECTURE.md", "CONTRIBUTING.md"])
    func firstPagesAreShort(page: String) throws {
        let size = try Data(contentsOf: Tool.repository.appendingPathComponent(page)).count
        #expect(size <= 9_000, "\(page) has \(size) bytes")
    }

    @Test("Each folder directly below Sources has a README of at most 25 lines") func partsHaveAShortReadme() throws {
        #expect(Self.parts.count > 3)
        for part in Self.parts {
            let readme = Tool.repository.appendingPathComponent("Sources/\(part)/README.md")
            let lines = try String(contentsOf: readme, encoding: .utf8).count(where: { $0 == "\n" })
            #expect((1...25).contains(lines), "\(part) has \(lines) lines")
        }
    }
}
