import Foundation
import Testing
import TestSupport

/// Tests of the plugins in a separate package that depends on this one by path. `swift build` builds it, at a path with
/// a blank and Japanese letters.
///
/// One package for each of SwiftPM's build systems goes through all steps, because its first build takes long: it
/// compiles the tool, unless `PackageBuilds` names a built one.
struct PluginTests {
    static let manifest = """
        // swift-tools-version: 6.1
        import PackageDescription

        let package = Package(
            name: "Kitchen",
            platforms: [.macOS(.v12), .iOS(.v15)],
            dependencies: [
                .package(name: "loggen", path: "\(Tool.repository.path)"), .package(path: "\(Tool.repository.path)/Examples/Recipes/RecipeLogs"),
            ],
            targets: [
                .target(
                    name: "AppLogs", dependencies: [.product(name: "ActivityTracking", package: "loggen")],
                    exclude: ["README.md", "CHANGELOG.md", "loggen.lock"], plugins: [.plugin(name: "LogGenPlugin", package: "loggen")]),
                .target(
                    name: "PushLogs", dependencies: [.product(name: "ActivityTracking", package: "loggen")], exclude: ["notes.md"],
                    plugins: [.plugin(name: "LogGenPlugin", package: "loggen")]),
                // Markdown that is nobody's definition, in a target that knows the runtime alone.
                .target(name: "Screens", dependencies: [.product(name: "ActivityTracking", package: "loggen")], exclude: ["Notes.md"],
                    resources: [.copy("todo.md")]),
                .executableTarget(name: "App", dependencies: ["AppLogs", "PushLogs", "RecipeLogs", "Screens"]),
            ]
        )

        """

    static let search = "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| recipe_id | int64 |\n"

    static func build(
        _ folder: URL, _ system: String, _ arguments: [String] = [],
        environment: [String: String] = PackageBuilds.environment
    ) throws -> Tool.Result {
        func build() throws -> Tool.Result {
            try Tool.command(
                ["swift", "build", "--build-system", system, "--scratch-path", ".build-\(system)"] + arguments,
                in: folder, environment: environment)
        }
        var result = try build()
        // Swift 6.3's `swiftbuild` sometimes ends by a signal while it asks the compiler for its version (in
        // libdispatch's `_dispatch_event_loop_drain`), whatever the package. A failed build is not repeated.
        for _ in 0..<2 where result.code < 0 && system == "swiftbuild" { result = try build() }
        return result
    }

    private static func app(_ events: String) -> String { "import AppLogs\nimport PushLogs\n\nprint(\(events))\n" }

    @Test(
        "Definitions in a target are its code",
        .enabled(if: PackageBuilds.areAsked, Comment(rawValue: PackageBuilds.way)), arguments: ["native", "swiftbuild"])
    func aTargetsDefinitionsAreItsCode(_ system: String) throws {
        let scratch = try Scratch([
            "Package.swift": Self.manifest, "Sources/AppLogs/search.md": Self.search,
            "Sources/AppLogs/README.md": "for analysts",
            "Sources/AppLogs/CHANGELOG.md": "# Changes\n\n## 1.0\n\n|a|b|\n|-|-|\n",
            "Sources/Screens/Notes.md": "# Notes\n\n## ToDo\n",
            "Sources/Screens/Screens.swift": "// Screens.\n", "Sources/Screens/todo.md": "# To do\n\n## Everything\n",
            "Sources/AppLogs/loggen.lock": "loggen.lock 1\n",
            "Sources/AppLogs/AppLogs.swift": "// The definitions beside this file are the code.\n",
            "Sources/PushLogs/loggen.yml": "definitions: 定義 # below\n",
            "Sources/PushLogs/定義/push.md": "# push\n\n## receive\n",
            "Sources/PushLogs/notes.md": "No definition.\n", "Sources/PushLogs/PushLogs.swift": "// As above.\n",
            "Sources/App/main.swift": Self.app("Search.show(recipeId: 42), Push.receive"),
            // The example's definitions, in a package next to the app's.
            "Sources/App/Recipes.swift": "import RecipeLogs\n\nlet cleared = RecipeSearch.clearHistory\n",
        ])
        func build() throws -> Tool.Result { try Self.build(scratch.url, system) }
        func run() throws -> String {
            let bin = try Tool.command(
                ["swift", "build", "--build-system", system, "--scratch-path", ".build-\(system)", "--show-bin-path"],
                in: scratch.url, environment: PackageBuilds.environment)
            let path = bin.out.trimmingCharacters(in: .whitespacesAndNewlines)
            return try Tool.launch(URL(fileURLWithPath: path).appendingPathComponent("App"), [], in: scratch.url).out
        }

        // A clean build.
        let clean = try Self.build(scratch.url, system, PackageBuilds.bundle == nil ? [] : ["-v"])
        try #require(clean.code == 0, "\(clean.out)\(clean.error)")
        if PackageBuilds.bundle != nil { Self.compiledNoGenerator(clean) }
        #expect(try run() == "search.show {\"recipe_id\":42} push.receive {}\n")
        #expect(!clean.out.contains("unhandled") && !clean.error.contains("unhandled"))

        // Without the trait `Taps`, swift-syntax is not fetched, and without `Scope`, FlyingFox is not.
        let checkouts = try FileManager.default.contentsOfDirectory(
            atPath: scratch.url.appendingPathComponent(".build-\(system)/checkouts").path)
        #expect(checkouts.contains("Yams") && !checkouts.contains("swift-syntax") && !checkouts.contains("FlyingFox"))
        if system == "native" { try Self.onlyWhatAnAppNeeds(scratch.url) }

        // Without changes, nothing is generated or compiled. (The first build after planning may still link the tool.)
        _ = try build()
        let generated = try Self.generatedFiles(scratch.url, system)
        let idle = try build()
        #expect(idle.code == 0)
        #expect(!idle.out.contains("Compiling App ") && !idle.out.contains("Generating Swift"), "\(idle.out)")
        #expect(try Self.generatedFiles(scratch.url, system) == generated)

        // After an edit, an app that does not match the document does not compile.
        try scratch.write(
            Self.search.replacingOccurrences(of: "int64", with: "string"), to: "Sources/AppLogs/search.md")
        let edited = try build()
        #expect(edited.code != 0)
        #expect((edited.out + edited.error).contains("main.swift:4:"), "\(edited.out)\(edited.error)")
        try scratch.write(Self.search, to: "Sources/AppLogs/search.md")

        // Add a document.
        try scratch.write("# home\n\n## open\n", to: "Sources/AppLogs/home.md")
        try scratch.write(Self.app("Search.show(recipeId: 1), Home.open"), to: "Sources/App/main.swift")
        let added = try build()
        #expect(added.code == 0, "\(added.out)\(added.error)")
        #expect(try run() == "search.show {\"recipe_id\":1} home.open {}\n")

        // Rename a document.
        try scratch.remove("Sources/AppLogs/home.md")
        try scratch.write("# feed\n\n## open\n", to: "Sources/AppLogs/feed.md")
        try scratch.write(Self.app("Feed.open"), to: "Sources/App/main.swift")
        let renamed = try build()
        #expect(renamed.code == 0, "\(renamed.out)\(renamed.error)")
        #expect(try run() == "feed.open {}\n")

        // After a deletion, code that posts the event does not compile.
        try scratch.remove("Sources/AppLogs/feed.md")
        let deleted = try build()
        #expect(deleted.code != 0)
        #expect((deleted.out + deleted.error).contains("cannot find 'Feed' in scope"))
        try scratch.write(Self.app("Search.show(recipeId: 2)"), to: "Sources/App/main.swift")
        #expect(try build().code == 0)

        // An error in a definition stops the build at its source location.
        try scratch.write(Self.search.replacingOccurrences(of: "int64", with: "itn64"), to: "Sources/AppLogs/search.md")
        let broken = try build()
        #expect(broken.code != 0)
        let said = broken.out + broken.error
        #expect(
            said.contains("/Sources/AppLogs/search.md:7:15: error: the type `itn64` is not defined [unknown-type]"),
            "\(said)")
        #expect(said.contains("help: did you mean `int64`?"))
        try scratch.write(Self.search, to: "Sources/AppLogs/search.md")
        if let bundle = PackageBuilds.bundle { try Self.bundlesThatDoNotFit(bundle, scratch.url, system) }
        if system == "native" {
            try Self.commands(scratch)
            try Self.hooks(scratch)
        }
        try Self.modules(scratch, system)
    }

    // MARK: Modules

    static func shop(_ own: String, _ dependencies: String = "") -> String {
        """
        // swift-tools-version: 6.1
        import PackageDescription

        let tracking: Target.Dependency = .product(name: "ActivityTracking", package: "loggen")
        let logs: Target.PluginUsage = .plugin(name: "LogGenPlugin", package: "loggen")

        let package = Package(
            name: "Shop",
            platforms: [.macOS(.v12), .iOS(.v15)],
            dependencies: [.package(name: "loggen", path: "\(Tool.repository.path)")\(dependencies)],
            targets: [
                \(own == "\"AppLogs\"" ? #".target(name: "AppLogs", dependencies: [tracking], plugins: [logs]),"# : "")
                .target(name: "Search", dependencies: [tracking, \(own)], plugins: [logs]),
                .target(name: "Cart", dependencies: [tracking, \(own)], plugins: [logs]),
                .executableTarget(name: "App", dependencies: [tracking, \(own), "Search", "Cart"]),
            ]
        )

        """
    }

    private static let core = """
        // swift-tools-version: 6.1
        import PackageDescription

        let package = Package(
            name: "Core", platforms: [.macOS(.v12), .iOS(.v15)], products: [.library(name: "AppLogs", targets: ["AppLogs"])],
            dependencies: [.package(name: "loggen", path: "\(Tool.repository.path)")],
            targets: [
                .target(
                    name: "AppLogs", dependencies: [.product(name: "ActivityTracking", package: "loggen")],
                    plugins: [.plugin(name: "LogGenPlugin", package: "loggen")])
            ]
        )

        """

    private static func shopApp(_ order: String) -> String {
        """
        import ActivityTracking
        import AppLogs
        import Cart
        import Foundation
        import Search

        struct Console: LogDestination {
            func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) { print(String(decoding: record.json, as: UTF8.self)) }
        }

        let logger = ActivityLogger(common: { CommonColumns(userId: UserID(rawValue: 7)) }, destinations: [Console()], collection: .enabled)
        logger.post(Search.show(itemId: 42, order: \(order)))
        logger.post(Cart.add(itemId: 42, from: \(order), price: 9.5))

        """
    }

    /// Builds three modules of one vocabulary and an app. The types and the common columns are first in a package next
    /// to the app's, and then in the app's package.
    private static func modules(_ scratch: borrowing Scratch, _ system: String) throws {
        let folder = scratch.url
        let cart = ModuleTests.cart + "| price | decimal(10, 2) |\n"
        // Delete the previous package, but keep the tool that it has built.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasPrefix(".") {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        for (path, text) in [
            "Core/Package.swift": core,
            "Core/Sources/AppLogs/AppLogs.swift": "// The definitions beside this file are the code.\n",
            "Core/Sources/AppLogs/common.md": ModuleTests.common, "Core/Sources/AppLogs/types.md": ModuleTests.types,
            "Package.swift": shop(#".product(name: "AppLogs", package: "Core")"#, #", .package(path: "Core")"#),
            "loggen.yml": "definitions: {AppLogs: Core/Sources/AppLogs, Search: Sources/Search/Logs, Cart}\n",
            "Sources/Search/Empty.swift": "// As above.\n", "Sources/Search/Logs/search.md": ModuleTests.search,
            // Markdown outside the folder that `loggen.yml` names is not a definition.
            "Sources/Search/Notes.md": "# Notes\n\n## ToDo\n",
            // A category may have the name of its module.
            "Sources/Cart/Empty.swift": "// As above.\n", "Sources/Cart/cart.md": cart,
            "Sources/App/main.swift": shopApp(".newest"),
        ] {
            try scratch.write(text, to: path)
        }
        func build(_ arguments: String...) throws -> Tool.Result { try Self.build(folder, system, arguments) }
        func records() throws -> String {
            let bin = try build("--show-bin-path").out.trimmingCharacters(in: .whitespacesAndNewlines)
            return try Tool.launch(URL(fileURLWithPath: bin).appendingPathComponent("App"), [], in: folder).out
        }
        func expectRecords(_ order: String) throws {
            let records = try records()
            #expect(
                records.split(separator: "\n").count == 2 && records.contains("\"user_id\":7")
                    && records.contains("\"order\":\"\(order)\""),
                "\(records)")
            let verdict = try Tool.run("validate", "--definitions", ".", in: folder, input: records)
            #expect(verdict.code == 0, "\(verdict.out)\(verdict.error)")
        }
        let clean = try build()
        try #require(clean.code == 0, "\(clean.out)\(clean.error)")
        try expectRecords("newest")

        // A new value in the types' module is available in the others.
        try scratch.write(ModuleTests.types + "| cheapest |\n", to: "Core/Sources/AppLogs/types.md")
        try scratch.write(shopApp(".cheapest"), to: "Sources/App/main.swift")
        let gained = try build()
        #expect(gained.code == 0, "\(gained.out)\(gained.error)")
        try expectRecords("cheapest")

        // A mistake in one module does not stop the build of another. `check` for all modules finds it.
        try scratch.write(cart.replacingOccurrences(of: "int64", with: "string"), to: "Sources/Cart/cart.md")
        let other = try build("--target", "Search")
        #expect(other.code == 0, "\(other.out)\(other.error)")
        let all = try Tool.run("check", ".", in: folder)
        #expect(
            all.code == 1
                && all.error.contains(
                    "Sources/Search/Logs/search.md:7:13: error: `item_id` has another type in another event"),
            "\(all.error)")
        #expect(all.error.contains("Sources/Cart/cart.md:7:13: note: the other type is here"), "\(all.error)")
        try scratch.write(cart, to: "Sources/Cart/cart.md")

        // Now all modules are in one package, and whole targets are definitions.
        try FileManager.default.removeItem(at: folder.appendingPathComponent("Sources/Search/Notes.md"))
        try FileManager.default.moveItem(
            at: folder.appendingPathComponent("Sources/Search/Logs/search.md"),
            to: folder.appendingPathComponent("Sources/Search/search.md"))
        try FileManager.default.moveItem(
            at: folder.appendingPathComponent("Core/Sources/AppLogs"),
            to: folder.appendingPathComponent("Sources/AppLogs"))
        try scratch.write(shop("\"AppLogs\""), to: "Package.swift")
        try scratch.write("definitions:\n  - AppLogs # the types\n  - Search\n  - Cart\n", to: "loggen.yml")
        let own = try build()
        #expect(own.code == 0, "\(own.out)\(own.error)")
        try expectRecords("cheapest")
        guard system == "native" else { return }

        // The command plugins run once for all modules.
        func package(_ arguments: String...) throws -> Tool.Result {
            try Tool.command(
                ["swift", "package", "--scratch-path", ".build-\(system)", "--allow-writing-to-package-directory"]
                    + arguments, in: folder, environment: PackageBuilds.environment)
        }
        let locked = try package("loggen", "lock")
        #expect(
            locked.code == 0 && locked.out.contains("2 events recorded (2 new) in loggen.lock"),
            "\(locked.out)\(locked.error)")
        let written = try package("loggen")
        #expect(written.code == 0 && written.out.contains("4 files, 2 categories"), "\(written.out)\(written.error)")
        #expect(
            Set(try scratch.files(under: "Generated").keys).isSuperset(of: [
                "JSONSchema/cart.schema.json", "JSONSchema/search.schema.json",
            ]))
        let checked = try package("loggen-check")
        #expect(checked.code == 0, "\(checked.out)\(checked.error)")
        try scratch.write(ModuleTests.types, to: "Sources/AppLogs/types.md")
        let broken = try package("loggen-check", "--target", "Cart")
        let said = broken.out + broken.error
        #expect(broken.code != 0 && said.contains("loses the value `cheapest`, in `cart.add`"), "\(said)")
        // Paths are relative to the package, as annotations of a pull request need them.
        #expect(
            said.split(separator: "\n").contains { $0.hasPrefix("Sources/AppLogs/types.md:5:4: error:") }, "\(said)")
        #expect(said.contains("loggen lock --accept --target Cart"), "\(said)")
        // A target that does not depend on the types' module gets an error.
        try scratch.write(
            shop("\"AppLogs\"").replacingOccurrences(
                of: #"name: "Cart", dependencies: [tracking, "AppLogs"]"#,
                with: #"name: "Cart", dependencies: [tracking]"#),
            to: "Package.swift")
        let lacking = try build()
        #expect(
            lacking.code != 0
                && (lacking.out + lacking.error).contains("if it is a type of `AppLogs`, `Search`, add that target"),
            "\(lacking.out)")
    }

    /// Checks that an app resolves the dependencies in the root manifest without those of traits, and builds nothing
    /// for tests and benchmarks.
    private static func onlyWhatAnAppNeeds(_ folder: URL) throws {
        let shown = try Tool.command(
            ["swift", "package", "--scratch-path", ".build-native", "show-dependencies", "--format", "flatlist"],
            in: folder, environment: PackageBuilds.environment)
        // The identity of a local package is the name of its folder.
        let packages = try PackageTests.manifest.get().packages.subtracting(["flyingfox", "swift-syntax"])
            .union(["recipelogs", Tool.repository.lastPathComponent.lowercased()])
        #expect(Set(shown.out.split(separator: "\n").map(String.init)) == packages, "\(shown.out)\(shown.error)")
        let modules = try FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent(".build-native/debug").path
        )
        .filter { $0.hasSuffix(".build") }.map {
            $0.dropLast(".build".count).replacingOccurrences(of: "-tool", with: "")
        }
        // The example's definitions come from their own package.
        let tests = try PackageTests.testsOwn().subtracting(["RecipeLogs"]).map {
            $0.replacingOccurrences(of: "-", with: "_")
        }
        #expect(modules.contains("ActivityTracking") && Set(modules).isDisjoint(with: tests), "\(modules)")
    }

    private static func commands(_ scratch: borrowing Scratch) throws {
        func package(_ arguments: String...) throws -> Tool.Result {
            try Tool.command(
                ["swift", "package", "--scratch-path", ".build-native"] + arguments, in: scratch.url,
                environment: PackageBuilds.environment)
        }
        let writing = "--allow-writing-to-package-directory"

        // Outputs that were never written are missing. The Swift comes from the build plugin.
        let missing = try package("loggen-check")
        #expect(missing.code != 0)
        #expect(
            missing.out.contains("Generated/AppLogs/JSONSchema/search.schema.json | missing, "),
            "\(missing.out)\(missing.error)")
        #expect(missing.out.contains("Generated/PushLogs/JSONSchema/push.schema.json | missing, "))
        #expect(!missing.error.contains("Screens"))
        #expect(!missing.out.contains(".swift"))
        #expect(missing.error.contains("loggen check found problems in AppLogs, PushLogs"))

        // Writing needs permission.
        let refused = try package("loggen")
        #expect(refused.code != 0)
        #expect(refused.error.contains("wants permission to write"))
        let exists = { [folder = scratch.url] (path: String) in
            FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
        }
        #expect(!exists("Generated"))
        // Each target has a separate folder, and runs recognize each other's files.
        let both = try package(writing, "loggen")
        #expect(both.code == 0, "\(both.out)\(both.error)")
        for schema in [
            "AppLogs/JSONSchema/search", "AppLogs/JSONSchema/envelope", "PushLogs/JSONSchema/push",
            "PushLogs/JSONSchema/envelope",
        ] {
            #expect(exists("Generated/\(schema).schema.json"))
        }
        #expect(try package(writing, "loggen", "lock").code == 0)
        let fine = try package("loggen-check")
        #expect(fine.code == 0, "\(fine.out)\(fine.error)")
        #expect(try package(writing, "loggen", "--output", "All").code == 0)
        #expect(
            exists("All/AppLogs/JSONSchema/search.schema.json") && exists("All/PushLogs/JSONSchema/push.schema.json"))
        for target in ["AppLogs", "PushLogs"] {
            let written = try package(writing, "loggen", "--target", target, "--output", "Schemas/\(target)")
            #expect(written.code == 0, "\(written.error)")
            let check = try package("loggen-check", "--target", target, "--output", "Schemas/\(target)")
            #expect(check.code == 0, "\(check.out)\(check.error)")
        }
        #expect(
            exists("Schemas/AppLogs/JSONSchema/search.schema.json")
                && !exists("Schemas/AppLogs/JSONSchema/push.schema.json"))
        #expect(exists("Sources/AppLogs/loggen.lock") && exists("Sources/PushLogs/定義/loggen.lock"))

        // A breaking change is reported at a location that a terminal can link.
        try scratch.write(
            Self.search.replacingOccurrences(of: "int64", with: "string"), to: "Sources/AppLogs/search.md")
        let broken = try package("loggen-check", "--target", "AppLogs", "--output", "Schemas/AppLogs")
        #expect(broken.code != 0)
        #expect(
            (broken.out + broken.error).contains("Sources/AppLogs/search.md:7:15: error:"),
            "\(broken.out)\(broken.error)")
        #expect(
            (broken.out + broken.error).contains(
                "`swift package --allow-writing-to-package-directory loggen lock --accept --target AppLogs`"))
        let unknown = try package("loggen-check", "--target", "Nowhere")
        #expect(unknown.code != 0)
        #expect(unknown.error.contains("no target `Nowhere` has log definitions"))
    }

    /// Checks that the build plugin, two targets and the articles' git hook accept each other's files.
    private static func hooks(_ scratch: borrowing Scratch) throws {
        let folder = scratch.url
        func run(_ command: [String], _ environment: [String: String] = [:]) throws -> Tool.Result {
            try Tool.command(
                command, in: folder,
                environment: PackageBuilds.environment.merging(Tool.author) { $1 }.merging(environment) { $1 })
        }
        func must(_ command: [String]) throws {
            let result = try run(command)
            try #require(result.code == 0, "\(command.joined(separator: " ")): \(result.out)\(result.error)")
        }
        let settings =
            try #require(try ReadmeTests.blocks(of: ReadmeTests.article("Building")).first { $0.path == "loggen.yml" })
            .lines.joined(separator: "\n") + "\n"
        try scratch.write(Self.search, to: "Sources/AppLogs/search.md")
        try FileManager.default.removeItem(at: folder.appendingPathComponent("Sources/AppLogs/CHANGELOG.md"))
        try scratch.write(settings, to: "Sources/AppLogs/loggen.yml")
        try scratch.write(
            "definitions: 定義\n" + settings.replacingOccurrences(of: "AppLogs", with: "PushLogs"),
            to: "Sources/PushLogs/loggen.yml")
        try scratch.write(".build*/\nPackage.resolved\n", to: ".gitignore")
        for path in ["Generated", "Schemas", "All"] {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(path))
        }
        let writing = [
            "swift", "package", "--scratch-path", ".build-native", "--allow-writing-to-package-directory", "loggen",
        ]
        try must(writing)
        try must(writing + ["lock"])
        try must(writing)
        #expect(
            Set(try scratch.files(under: "Schemas").keys).isSuperset(of: [
                "AppLogs/envelope.schema.json", "PushLogs/envelope.schema.json",
            ]))
        #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("Generated").path))
        #expect(try Self.build(folder, "native").code == 0)

        // The hook of the article Getting started, with the folder of this test's build
        try must(["git", "init", "--quiet"])
        let lines = try ReadmeTests.blocks(of: ReadmeTests.article("GettingStarted")).flatMap(\.lines)
        let first = try #require(lines.firstIndex { $0.hasSuffix("/pre-commit") })
        let last = try #require(lines[first...].firstIndex { $0.hasPrefix("chmod +x ") })
        try must([
            "sh", "-e", "-c",
            lines[first...last].joined(separator: "\n")
                .replacingOccurrences(of: "swift package ", with: "swift package --scratch-path .build-native ")
                .replacingOccurrences(of: ".build/plugins", with: ".build-native/plugins"),
        ])
        // The tool is built, so the hook runs it without SwiftPM, and prints a line for each target.
        try scratch.write("#!/bin/sh\necho SwiftPM >&2; exit 9\n", to: ".build-native/no/swift")
        try must(["chmod", "+x", ".build-native/no/swift"])
        let path = folder.path + "/.build-native/no:" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let withoutSwift = ["PATH": path]
        try must(["git", "add", "--all"])
        let all = try run(["git", "commit", "--quiet", "--message", "All"], withoutSwift)
        #expect(all.code == 0 && all.error.split(separator: "\n").count == 2, "\(all.out)\(all.error)")
        // SwiftPM decides about a definition that Package.swift may exclude, and about a changed manifest.
        for change in ["printf '# more\\n' >Sources/AppLogs/more.md", "touch Package.swift"] {
            try must(["sh", "-c", "sleep 0.02; \(change); git add --all"])
            let slow = try run(["git", "commit", "--quiet", "--allow-empty", "--message", "More"], withoutSwift)
            #expect(slow.code != 0 && slow.error.contains("SwiftPM"), "\(change): \(slow.error)")
            try must(["sh", "-c", "rm -f Sources/AppLogs/more.md; git add --all"])
        }
        try must(writing + ["lock"])
        try scratch.write(
            Self.search.replacingOccurrences(of: "int64", with: "string"), to: "Sources/AppLogs/search.md")
        let refused = try run(["git", "commit", "--quiet", "--all", "--message", "A break"], withoutSwift)
        #expect(refused.code != 0)
        #expect(
            (refused.out + refused.error).contains("Sources/AppLogs/search.md:7:15: error:"),
            "\(refused.out)\(refused.error)")
    }

    /// Linux has no Xcode, so this part is compiled with the interface of its module and never run.
    @Test("A plugin compiles with the interface of Xcode", arguments: ["LogGenPlugin", "TapGenPlugin"])
    func thePluginCompilesAgainstXcodesInterface(_ name: String) throws {
        let scratch = try Scratch(["XcodeProjectPlugin.swift": Self.xcodeInterface])
        func compile(_ arguments: [String]) throws -> Tool.Result {
            try Tool.command(["swiftc", "-swift-version", "6"] + arguments, in: scratch.url)
        }
        struct TargetInfo: Decodable {
            struct Paths: Decodable { var runtimeResourcePath: String }
            var paths: Paths
        }
        let info = try JSONDecoder().decode(TargetInfo.self, from: Data(compile(["-print-target-info"]).out.utf8))
        let common = [
            "-package-description-version", "6.1.0", "-parse-as-library", "-warnings-as-errors", "-I",
            info.paths.runtimeResourcePath + "/pm/PluginAPI", "-I", ".",
        ]
        let interface = try compile(
            common + ["-emit-module", "-module-name", "XcodeProjectPlugin", "XcodeProjectPlugin.swift"])
        try #require(interface.code == 0, "\(interface.error)")
        let folder = Tool.repository.appendingPathComponent("Plugins/\(name)")
        let sources = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map(
            \.path)
        let plugin = try compile(common + ["-typecheck", "-module-name", name] + sources)
        #expect(plugin.code == 0, "\(plugin.error)")
        // The compiler must have read the part for Xcode: without one of the interface's names, it fails.
        try scratch.write(
            Self.xcodeInterface.replacingOccurrences(of: "inputFiles", with: "files"), to: "XcodeProjectPlugin.swift")
        _ = try compile(common + ["-emit-module", "-module-name", "XcodeProjectPlugin", "XcodeProjectPlugin.swift"])
        #expect(try compile(common + ["-typecheck", "-module-name", name] + sources).error.contains("inputFiles"))
    }

    /// The declarations of `XcodeProjectPlugin` that the plugin uses (from developer.apple.com/documentation/xcode and
    /// Xcode's PackagePlugin reference).
    private static let xcodeInterface = """
        public import Foundation
        public import PackagePlugin

        public struct XcodePluginContext {
            public let pluginWorkDirectoryURL: URL
            public struct Tool { public let url: URL }
            public func tool(named name: String) throws -> Tool { throw CancellationError() }
        }

        public enum XcodeTargetDependency {
            case target(XcodeTarget)
            case product(Product)
        }

        public struct XcodeTarget {
            public let displayName: String
            public let dependencies: [XcodeTargetDependency]
            public let inputFiles: FileList
        }

        public protocol XcodeBuildToolPlugin: BuildToolPlugin {
            func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
        }

        """

    private static func generatedFiles(_ folder: URL, _ system: String) throws -> [String: Date] {
        let root = folder.appendingPathComponent(".build-\(system)")
        var files: [String: Date] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: root.path) ?? .init()
        where name.hasSuffix("/Swift/Search.swift") || name.hasSuffix("/Swift/Push.swift") {
            let attributes = try FileManager.default.attributesOfItem(atPath: root.appendingPathComponent(name).path)
            files[name] = attributes[.modificationDate] as? Date
        }
        #expect(!files.isEmpty)
        return files
    }
}
