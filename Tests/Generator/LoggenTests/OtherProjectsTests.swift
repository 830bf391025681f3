import Foundation
import TestSupport
import Testing
import Yams

/// Tests of the samples in the article OtherProjects. The stage `bundle` builds the rule for Bazel.
struct OtherProjectsTests {
    private static func blocks(_ path: String) throws -> [String] {
        try ReadmeTests.blocks(of: ReadmeTests.article("OtherProjects")).filter { $0.path == path }
            .map { $0.lines.joined(separator: "\n") + "\n" }
    }

    /// A project of `loggen init --without-plugin`.
    private static func project() throws -> Scratch {
        let scratch = try Scratch()
        let result = try scratch.loggen("init --without-plugin")
        try #require(result.code == 0, "\(result.error)")
        return scratch
    }

    /// Runs a script of a project as Xcode does, with the built tool in `PATH`.
    private static func run(_ script: String, in folder: URL) throws -> Tool.Result {
        let path = Tool.executable.deletingLastPathComponent().path + ":/usr/bin:/bin"
        return try Tool.shell(
            script, in: FileManager.default.temporaryDirectory, environment: ["PATH": path, "SRCROOT": folder.path])
    }

    // MARK: XcodeGen

    /// The keys of XcodeGen's reference, Docs/ProjectSpec.md of yonaskolb/XcodeGen in November 2026, as far as a
    /// project with packages and scripts needs them. Other keys are errors here.
    private enum XcodeGen {
        static let project: Set = ["name", "packages", "targets", "options", "settings"]
        static let package: Set = ["path", "url", "from", "exactVersion", "branch", "revision"]
        static let target: Set = [
            "type", "platform", "deploymentTarget", "sources", "settings", "dependencies", "buildToolPlugins",
            "preBuildScripts",
        ]
        static let file: Set = ["path", "excludes", "includes", "buildPhase", "type"]
        static let phases: Set = ["sources", "resources", "headers", "none"]
        static let dependency: Set = ["package", "product", "products", "target"]
        static let plugin: Set = ["plugin", "package"]
        static let script: Set = [
            "path", "script", "name", "inputFiles", "outputFiles", "shell", "basedOnDependencyAnalysis",
        ]

        static func mistakes(in yaml: String) throws -> [String] {
            var mistakes: [String] = []
            func mapping(_ value: Any?, _ known: Set<String>, _ place: String) -> [String: Any] {
                guard let mapping = value as? [String: Any] else {
                    mistakes.append("\(place) is not a mapping")
                    return [:]
                }
                mistakes += mapping.keys.filter { !known.contains($0) }.map { "\(place) has the key \($0)" }
                return mapping
            }
            func list(_ value: Any?) -> [Any] { value as? [Any] ?? [] }
            let root = mapping(try Yams.load(yaml: yaml), project, "the project")
            let packages = root["packages"] as? [String: Any] ?? [:]
            for (name, value) in packages {
                let count = mapping(value, package, name).keys.count { ["path", "url"].contains($0) }
                if count != 1 { mistakes.append("\(name) has \(count) places") }
            }
            for (name, value) in root["targets"] as? [String: Any] ?? [:] {
                let target = mapping(value, target, name)
                if target["type"] as? String != "application" || target["platform"] as? String != "iOS"
                    || !(target["deploymentTarget"] is String)
                {
                    mistakes.append("\(name) is not an application for iOS with a deployment target")
                }
                for source in list(target["sources"]) where !(source is String) {
                    let source = mapping(source, file, name)
                    if let phase = source["buildPhase"] as? String, !phases.contains(phase) { mistakes.append(phase) }
                }
                for dependency in list(target["dependencies"]) {
                    let dependency = mapping(dependency, Self.dependency, name)
                    if packages[dependency["package"] as? String ?? ""] == nil { mistakes.append("\(dependency)") }
                }
                for used in list(target["buildToolPlugins"]) {
                    let used = mapping(used, plugin, name)
                    if used.count != 2 || packages[used["package"] as? String ?? ""] == nil {
                        mistakes.append("\(used)")
                    }
                }
                for script in list(target["preBuildScripts"]) {
                    let script = mapping(script, Self.script, name)
                    if (script["path"] == nil) == (script["script"] == nil) { mistakes.append("\(script)") }
                }
            }
            return mistakes
        }
    }

    @Test("The samples for XcodeGen have its keys, and the products of this package")
    func xcodeGenSamplesAreValid() throws {
        let samples = try Self.blocks("project.yml")
        #expect(samples.count == 3)
        let products = try PackageTests.manifest.get().products
        for sample in samples {
            let mistakes = try XcodeGen.mistakes(in: sample)
            #expect(mistakes.isEmpty, "\(mistakes)")
            let root = try #require(try Yams.load(yaml: sample) as? [String: Any])
            let target = try #require((root["targets"] as? [String: Any])?["MyApp"] as? [String: Any])
            let used = (target["dependencies"] as? [[String: Any]] ?? []).flatMap {
                ($0["products"] as? [String] ?? []) + [$0["product"] as? String].compactMap { $0 }
            }
            let plugins = (target["buildToolPlugins"] as? [[String: Any]] ?? []).compactMap { $0["plugin"] as? String }
            #expect(
                used.contains("ActivityTracking") && (used + plugins).allSatisfy { products[$0] != nil }, "\(sample)")
            // Swift comes from the plugin or from the committed folder.
            #expect(sample.contains("- Generated/Swift\n") == plugins.isEmpty, "\(sample)")
        }
        // A former spelling, and a package that does not exist
        let first = try #require(samples.last)
        let old = first.replacingOccurrences(of: "preBuildScripts", with: "prebuildScripts")
        #expect(try XcodeGen.mistakes(in: old) == ["MyApp has the key prebuildScripts"])
        #expect(
            try !XcodeGen.mistakes(in: first.replacingOccurrences(of: "- package: loggen", with: "- package: x"))
                .isEmpty)
    }

    @Test("The script of the samples generates the declared files from the declared files")
    func scriptGeneratesTheDeclaredFiles() throws {
        let sample = try #require(try Self.blocks("project.yml").last)
        let root = try #require(try Yams.load(yaml: sample) as? [String: Any])
        let target = try #require((root["targets"] as? [String: Any])?["MyApp"] as? [String: Any])
        let script = try #require((target["preBuildScripts"] as? [[String: Any]])?.first)
        // YAML's NO is a Boolean, which XcodeGen writes as NO.
        #expect((target["settings"] as? [String: Any])?["ENABLE_USER_SCRIPT_SANDBOXING"] as? Bool == false)
        func paths(_ key: String) throws -> [String] {
            try #require(script[key] as? [String]).map { $0.replacingOccurrences(of: "$(SRCROOT)/", with: "") }.sorted()
        }
        let text = try #require(script["script"] as? String)
        let scratch = try Self.project()
        let files = try scratch.files()
        func names(_ folder: String) -> [String] {
            files.keys.filter { $0.hasPrefix(folder) && !$0.hasSuffix(".loggen-outputs") }.sorted()
        }
        #expect(try paths("inputFiles") == names("Definitions/"))
        #expect(try paths("outputFiles") == names("Generated/Swift/"))
        try scratch.remove("Generated/Swift")
        let result = try Self.run(text, in: scratch.url)
        #expect(result.code == 0, "\(result.error)")
        #expect(try scratch.files() == files)
        // A mistake fails the build at its place.
        try scratch.write(
            "# lifecycle\n\n## launch\n\n| column | type |\n| --- | --- |\n| a | itn |\n",
            to: "Definitions/lifecycle.md")
        let broken = try Self.run(text, in: scratch.url)
        #expect(broken.code == 1 && broken.error.contains("Definitions/lifecycle.md:7:7: error:"), "\(broken.error)")
        // The sample for Tuist has the same script and the same outputs.
        let tuist = try #require(try Self.blocks("Project.swift").last)
        for line in text.split(separator: "\n") { #expect(tuist.contains(line), "\(line)") }
        for path in try paths("outputFiles") { #expect(tuist.contains("\"\(path)\""), "\(path)") }
    }

    // MARK: Tuist

    @Test("The samples for Tuist compile against its declarations") func tuistSamplesCompile() throws {
        let samples = try Self.blocks("Project.swift")
        #expect(samples.count == 3)
        let compiler = try SwiftCompiler()
        let declarations = Tool.repository.appendingPathComponent(
            "Tests/Generator/LoggenTests/Projects/ProjectDescription.swift")
        let module = try compiler.module("ProjectDescription", sources: [declarations])
        try #require(module.code == 0, "\(module.error)")
        let scratch = try Scratch()
        func check(_ text: String) throws -> Tool.Result {
            try scratch.write(text, to: "Project.swift")
            return try compiler.check("Manifest", sources: [scratch.url.appendingPathComponent("Project.swift")])
        }
        for sample in samples {
            let result = try check(sample)
            #expect(result.code == 0, "\(result.error)")
        }
        let misspelled = try #require(samples.last).replacingOccurrences(of: "inputPaths", with: "inputFiles")
        #expect(try check(misspelled).code != 0)
    }

    // MARK: Bazel, and the commands

    @Test("The samples for Bazel are those of the example that is built") func bazelSamplesAreOfTheExample() throws {
        var count = 0
        for block in try ReadmeTests.blocks(of: ReadmeTests.article("OtherProjects"))
        where block.path.hasPrefix("Examples/Bazel/") {
            count += 1
            let file = try Tool.text(of: block.path)
            #expect(ReadmeTests.firstLine(of: block, missingIn: file) == nil, "\(block.path)")
        }
        #expect(count == 2)
    }

    @Test("The commands of the article work in a project without the plugin") func commandsWork() throws {
        let blocks = try ReadmeTests.blocks(of: ReadmeTests.article("OtherProjects"))
        let lines = blocks.filter { ["sh", "yaml"].contains($0.language) && $0.path.isEmpty }.flatMap(\.lines)
        let commands = lines.map { $0.replacingOccurrences(of: "- run: ", with: "") }
        #expect(commands.count == 5 && commands.allSatisfy { $0.hasPrefix("loggen ") }, "\(commands)")
        let scratch = try Scratch()
        for command in commands {
            let result = try Self.run("cd \"$SRCROOT\" && \(command)", in: scratch.url)
            #expect(result.code == 0, "\(command): \(result.error)")
        }
    }
}
