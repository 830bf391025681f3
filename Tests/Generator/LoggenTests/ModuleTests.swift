import Foundation
import Testing
import TestSupport

/// Tests of one vocabulary in the folders of several modules. `PluginTests` builds such a package.
struct ModuleTests {
    static let types = "# types\n\n## UserID: int64\n\n## SortOrder\n\n| value |\n| --- |\n| newest |\n| popular |\n"
    static let common = "# common\n\n| column | type |\n| --- | --- |\n| user_id | UserID? |\n"
    static let search =
        "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| item_id | int64 |\n| order | SortOrder |\n"
    static let cart =
        "# cart\n\n## add\n\n| column | type |\n| --- | --- |\n| item_id | int64 |\n| from | SortOrder? |\n"

    static let files = [
        "loggen.yml":
            "definitions: [AppLogs, Search, Cart]\noutputs: {json-schema: {to: Schemas}, swift: {to: Swift}}\n",
        "Sources/AppLogs/common.md": common, "Sources/AppLogs/types.md": types, "Sources/Search/search.md": search,
        "Sources/Cart/cart.md": cart,
        // These are not definitions.
        "Sources/Search/Search.docc/Search.md": "# ``Search``\n", "Docs/guide.md": "# A guide\n\n## To nothing\n",
    ]

    /// Returns a shop with some files replaced.
    private static func shop(_ changes: [String: String] = [:]) throws -> Scratch {
        try Scratch(files.merging(changes) { $1 })
    }

    @Test("Modules share one vocabulary") func modulesAreOneVocabulary() throws {
        let scratch = try Self.shop()
        try scratch.expect("lint .")
        try scratch.expect("lock .", out: "2 events recorded (2 new) in loggen.lock")
        let generated = try scratch.loggen("generate .")
        #expect(generated.out.contains("4 files, 2 categories, 2 events"), "\(generated.out)\(generated.error)")
        // One module declares the types. The others import only the types that they use.
        let swift = try scratch.read("Swift/Search.swift")
        #expect(
            swift.contains("public import enum AppLogs.SortOrder\n") && !swift.contains("AppLogs.UserID"), "\(swift)")
        #expect(swift.contains("Sources/Search/search.md"))
        #expect(try !scratch.read("Swift/CommonColumns.swift").contains("import struct"))
        try scratch.expect("check .")

        // A record has the common columns of one module and the types of another.
        let record = """
            {"event_id":"0198c7a6-8f4e-7cc4-a3b5-6d3c1f0a9e21","event_category":"cart","event_name":"add","schema_version":"1-0-0",\
            "occurred_at":"2026-04-01T00:00:00.000Z","user_id":7,"item_id":42,"from":"newest"}
            """
        #expect(try Tool.run("validate", "--definitions", ".", in: scratch.url, input: record).code == 0)
        let wrong = try Tool.run(
            "validate", "--definitions", ".", in: scratch.url,
            input: record.replacingOccurrences(of: "newest", with: "cheapest"))
        #expect(wrong.code == 1 && (wrong.out + wrong.error).contains("from"), "\(wrong.out)\(wrong.error)")
    }

    /// Each case breaks a rule across two modules.
    @Test(
        "Rules apply across modules",
        arguments: [
            (
                "Sources/Cart/cart.md", cart.replacingOccurrences(of: "item_id | int64", with: "item_id | string"),
                "column-type",
                "Sources/Search/search.md:7:13"
            ),
            ("Sources/Cart/search.md", search, "duplicate-category", "Sources/Search/search.md:1:"),
            ("Sources/Cart/types.md", types, "duplicate-category", "Sources/AppLogs/types.md"),
            ("Sources/Cart/common.md", common, "duplicate-category", "Sources/AppLogs/common.md"),
            (
                "Sources/Cart/cart.md", cart.replacingOccurrences(of: "item_id", with: "user_id"), "shadowed-column",
                "Sources/AppLogs/common.md:5"
            ),
            (
                "Sources/Cart/cart.md", cart.replacingOccurrences(of: "SortOrder", with: "SortOder"), "unknown-type",
                "did you mean `SortOrder`?"
            ),
        ]) func rulesHoldAcrossModules(_ path: String, _ text: String, _ rule: String, _ other: String) throws
    {
        let scratch = try Self.shop([path: text])
        for command in ["lint", "check"] {
            let result = try Tool.run(command, ".", in: scratch.url)
            let said = result.out + result.error
            #expect(
                result.code == 1 && said.contains("[\(rule)]") && said.contains(other) && said.contains(path), "\(said)"
            )
        }
        // A module or a document is read together with the others.
        for given in [path, "Sources/Cart", "./Sources/Cart/"] {
            let result = try Tool.run("lint", given, in: scratch.url)
            #expect(
                result.code == 1 && (result.out + result.error).contains("[\(rule)]"),
                "\(given): \(result.out)\(result.error)")
        }
        let inside = try Tool.run("lint", ".", in: scratch.url.appendingPathComponent("Sources/Cart"))
        #expect(inside.code == 1 && (inside.out + inside.error).contains("[\(rule)]"), "\(inside.out)\(inside.error)")
    }

    @Test("A path in a module limits the run to that module") func aPathInAModuleIsAboutThatModule() throws {
        let scratch = try Self.shop(["Sources/Cart/cart.md": "# cart\n\n## Add\n"])
        try scratch.expect("lint Sources/Search", error: "no problems in 1 file")
        try scratch.expect("lint Sources/Search Sources/AppLogs", error: "loggen: 1 warning in 3 files")
        try scratch.expect("lint Sources", code: 1)
        // A folder outside all modules is separate.
        let docs = try scratch.loggen("lint Docs")
        #expect(docs.code == 1 && (docs.out + docs.error).contains("Docs/guide.md"), "\(docs.out)\(docs.error)")
    }

    /// The build plugin passes the modules that a target can import.
    @Test("A build reads the dependencies of its target") func aBuildReadsWhatATargetDependsOn() throws {
        let scratch = try Self.shop(["Sources/Cart/cart.md": "# cart\n\n## Add\n"])
        func generate(_ modules: String...) throws -> Tool.Result {
            try Tool.run(
                [
                    "generate", scratch.url.appendingPathComponent("Sources/Search").path, "--only", "swift",
                    "--output", "Out",
                ]
                    + modules.flatMap { ["--module", "\($0)=\(scratch.url.path)/Sources/\($0)"] }, in: scratch.url)
        }
        let fine = try generate("Search", "AppLogs")
        #expect(fine.code == 0, "\(fine.out)\(fine.error)")
        #expect(Set(try scratch.files(under: "Out").keys) == ["Swift/Search.swift"])
        let alone = try generate("Search")
        #expect(alone.code == 1 && alone.error.contains("[unknown-type]"), "\(alone.error)")
        #expect(
            alone.error.contains(
                "if it is a type of `AppLogs`, `Cart`, add that target to the `dependencies` of this one"),
            "\(alone.error)")
        #expect(!alone.error.contains("create the file `types.md`"), "\(alone.error)")
        try scratch.expect("lint . --module Search", code: 2, error: "--module Search=Sources/Search")
        for (modules, said) in [
            (["Serch=Sources/Search"], "unknown module `Serch`: it is not listed under `definitions` in loggen.yml"),
            (["Serch=Sources/Search"], "did you mean `Search`?"),
            (
                ["Search=Sources/Nowhere"],
                "the folder `Sources/Nowhere`, which `--module` names for `Search`, does not exist"
            ),
            (["Search=Sources/Search", "Search=Sources/Cart"], "`--module Search=…` is given twice"),
        ] {
            let refused = try Tool.run(["lint", "."] + modules.flatMap { ["--module", $0] }, in: scratch.url)
            #expect(refused.code != 0 && refused.error.contains(said), "\(refused.out)\(refused.error)")
        }
    }

    /// A package in a monorepo has only some of the modules. Events of the others are not deleted.
    @Test("Events of unread modules are not deleted", arguments: ["check", "lock"])
    func eventsOfUnreadModulesAreNotDeleted(_ command: String) throws {
        let scratch = try Self.shop()
        try scratch.expect("lock .")
        try scratch.expect("generate .")
        let lock = try scratch.read("loggen.lock")
        let some = [command, ".", "--module", "AppLogs=Sources/AppLogs", "--module", "Cart=Sources/Cart"]
        let arguments = some + (command == "check" ? ["--only", "swift"] : [])
        let partly = try Tool.run(arguments, in: scratch.url)
        #expect(
            !(partly.out + partly.error).contains("search.show") && partly.code == 0, "\(partly.out)\(partly.error)")
        let written = try Tool.run(["generate"] + some.dropFirst(), in: scratch.url)
        #expect(written.code == 0, "\(written.out)\(written.error)")
        #expect(try scratch.read("Swift/Search.swift").contains("enum Search"))
        // Changes in the modules that were read are reported.
        try scratch.write(Self.cart.replacingOccurrences(of: "## add", with: "## put"), to: "Sources/Cart/cart.md")
        let deleted = try Tool.run(some, in: scratch.url)
        #expect(
            deleted.code == 1 && deleted.error.contains("`cart.put` looks renamed from `cart.add`"),
            "\(deleted.out)\(deleted.error)")
        #expect(!deleted.error.contains("search.show"), "\(deleted.error)")
        // If all modules are read, a missing document is noticed.
        try scratch.write("", to: "Sources/Search/search.md")
        let all = try Tool.run(command, ".", in: scratch.url)
        #expect(all.code == 1, "\(all.out)\(all.error)")
        #expect(
            try scratch.read("loggen.lock").contains(
                lock.split(separator: "\n").last { $0.hasPrefix("search.show") } ?? "-"))
    }

    @Test(
        "`definitions` lists modules, and mistakes in it are reported",
        arguments: [
            ("[AppLogs, Search, Cart]", nil), ("\n  - AppLogs\n  - Search\n  - 'Cart'", nil),
            ("{AppLogs: Sources/AppLogs, Search, Cart: ''}", nil),
            ("[AppLogs, Search, Gone]", "the target `Gone` is neither"),
            ("{AppLogs: Sources/Nowhere, Search}", "the folder `Sources/Nowhere` does not exist"),
            ("[AppLogs, Search, Search]", "names `Search` twice"),
            ("{AppLogs: Sources/Search, Search}", "are in the same folder"),
            ("{AppLogs: /etc, Search}", "is an absolute path"),
            ("[AppLogs, Sources/Search]", "takes a folder, a list of targets"),
            ("[AppLogs, \"Search\\nimport Glibc\"]", "takes a folder, a list of targets"), ("[]", "lists no modules"),
            ("{App: ., Search}", "this file is in the folder of `App`"), ("[[AppLogs]]", "takes a folder"),
        ]) func definitionsNamesModules(_ value: String, _ problem: String?) throws
    {
        let scratch = try Self.shop(["loggen.yml": "definitions: \(value)\n"])
        let result = try scratch.loggen("lint .")
        let said = result.out + result.error
        #expect(result.code == (problem == nil ? 0 : 1), "\(said)")
        if let problem {
            #expect(said.contains("loggen.yml:") && said.contains(problem) && said.contains("help: "), "\(said)")
        }
    }

    /// A module's lock file is the history of released records, so it must not be ignored silently.
    @Test("A module's settings and lock file are not ignored silently")
    func settingsAndLockFileOfAModuleAreNotIgnored() throws {
        let scratch = try Self.shop([
            "Sources/Cart/loggen.lock": "loggen.lock 1\n", "Sources/Search/loggen.yml": "rules: {column-type: off}\n",
        ])
        try scratch.expect(
            "lint .", code: 1, error: "`Sources/Search/loggen.yml` is ignored", "`Sources/Cart/loggen.lock` is ignored")
        // Follow the suggested fix.
        try scratch.remove("Sources/Search/loggen.yml")
        try scratch.remove("Sources/Cart/loggen.lock")
        try scratch.expect("lock .")
        let lock = try scratch.read("loggen.lock").split(separator: "\n")
        try scratch.write(
            "loggen.lock 1\n" + lock.filter { $0.hasPrefix("search.") }.joined(separator: "\n") + "\n",
            to: "loggen.lock")
        let moved = lock.filter { $0.hasPrefix("cart.") }.map { $0.replacingOccurrences(of: "1-0-0", with: "3-1-4") }
        try scratch.write("loggen.lock 1\n" + moved.joined() + "\n", to: "Sources/Cart/loggen.lock")
        try scratch.expect("lock .", code: 1)
        let command = "tail -n +2 Sources/Cart/loggen.lock >> loggen.lock && rm Sources/Cart/loggen.lock"
        #expect(try Tool.shell(command, in: scratch.url).code == 0)
        try scratch.expect("lock .", out: "nothing to record")
        try scratch.expect("generate .")
        #expect(try scratch.read("Swift/Cart.swift").contains(".add|3-1-4|"))
    }

    @Test(
        "A module's settings are reported for its paths, too",
        arguments: [("lint", "Sources/Search"), ("check", "Sources/Search"), ("lint", "Sources/Search/search.md")])
    func settingsOfAModuleAreReportedForItsPaths(_ command: String, _ path: String) throws {
        let scratch = try Self.shop(["Sources/Search/loggen.yml": "rules: {column-type: off}\n"])
        let result = try Tool.run(command, path, in: scratch.url)
        #expect(result.code == 1 && result.error.contains("`Sources/Search/loggen.yml` is ignored"), "\(result.error)")
        #expect(!result.error.contains("unknown-type"), "\(result.error)")
    }

    /// The module's names are those that `swift package describe` prints as `c99name`.
    @Test(
        "Targets may have any name that SwiftPM accepts",
        arguments: [("My Logs", "My_Logs"), ("検索ログ", "検索ログ"), ("1logs", "_logs"), ("a+ｶﾅ・é🍣", "a___・é_")])
    func targetsHaveAnyName(_ target: String, _ module: String) throws {
        let scratch = try Scratch([
            "loggen.yml": "definitions: [\(target), Search]\noutputs: {swift: {to: Swift}}\n",
            "Sources/\(target)/types.md": Self.types, "Sources/Search/search.md": Self.search,
        ])
        try scratch.expect("generate .")
        #expect(try scratch.read("Swift/Search.swift").contains("public import enum \(module).SortOrder\n"))
    }

    @Test("Modules without documents are reported") func modulesWithoutDocumentsAreReported() throws {
        let scratch = try Scratch([
            "loggen.yml": "definitions: [One, Two]\n", "Sources/One/One.swift": "//\n", "Sources/Two/Two.swift": "//\n",
        ])
        try scratch.expect("lint .", code: 2, error: "no definitions in `Sources/One`, `Sources/Two`")
    }

    /// Other modules cannot import internal types.
    @Test("Internal access is rejected for modules") func internalTypesAreRefused() throws {
        let scratch = try Self.shop([
            "loggen.yml": "definitions: [AppLogs, Search, Cart]\noutputs: {swift: {access: internal}}\n"
        ])
        try scratch.expect("generate .", code: 1, error: "loggen.yml:2:27: error: internal declarations cannot be used")
    }

    @Test("Outputs are not written into modules") func outputsStayOutOfTheModules() throws {
        let scratch = try Self.shop()
        try scratch.expect(
            "generate . --output Sources/Cart/Out", code: 2, error: "is in the definition folder `Sources/Cart`")
        try scratch.expect("generate . --only swift --output .")
    }

    /// SwiftPM has checked out the module.
    @Test("A module of a dependency is found") func aFetchedModuleIsFound() throws {
        let scratch = try Self.shop(["loggen.yml": "definitions: [Search, Core-Logs]\noutputs: {swift: {to: Swift}}\n"])
        try FileManager.default.createDirectory(
            at: scratch.url.appendingPathComponent(".build/checkouts/core/Sources/Core-Logs"),
            withIntermediateDirectories: true)
        for name in ["common", "types"] {
            try scratch.move("Sources/AppLogs/\(name).md", to: ".build/checkouts/core/Sources/Core-Logs/\(name).md")
        }
        try scratch.expect("generate .")
        // The name of a target may differ from its module's name.
        #expect(try scratch.read("Swift/Search.swift").contains("import enum Core_Logs.SortOrder\n"))
        // Two packages have a target with this name.
        try scratch.write(Self.types, to: ".build/checkouts/other/Sources/Core-Logs/types.md")
        try scratch.expect("lint .", code: 1, error: "two targets are called `Core-Logs`")
    }

    /// One run has two vocabularies, one of which consists of modules. A subfolder outside all modules is separate.
    @Test("Another vocabulary in a subfolder stays separate") func anotherVocabularyBelowStaysItsOwn() throws {
        let scratch = try Self.shop([
            "Tools/Logs/loggen.yml": "outputs: {}\n", "Tools/Logs/search.md": "# search\n\n## Open\n",
        ])
        try scratch.expect("lint . Tools/Logs", code: 1, error: "Tools/Logs/search.md:3:")
        try scratch.expect("lint .")
    }

    /// The review uses the modules that `loggen.yml` lists in the revision.
    @Test("A review includes all modules") func reviewSeesAllModules() throws {
        let scratch = try Self.shop()
        try scratch.commit()
        try scratch.write(Self.types + "| cheapest |\n", to: "Sources/AppLogs/types.md")
        let types = try scratch.loggen("review . --base HEAD")
        #expect(types.out.contains("in `cart.add`, `search.show`"), "\(types.out)\(types.error)")
        // A module is renamed, and another one is removed from the list, so its event is deleted.
        try scratch.move("Sources/Search", to: "Sources/Finding")
        try scratch.write("definitions: [AppLogs, Finding]\n", to: "loggen.yml")
        try scratch.write(Self.types, to: "Sources/AppLogs/types.md")
        let moved = try scratch.loggen("review . --base HEAD")
        #expect(moved.out.contains("cart.add") && !moved.out.contains("search.show"), "\(moved.out)\(moved.error)")
    }

    /// A lock file or a `common.md` marks the folder, too, and used to hide the file that names it.
    @Test("A folder has the settings of the file above that names it", arguments: [".", "Logs", "Logs/search.md"])
    func settingsAboveAFolder(_ path: String) throws {
        let scratch = try Scratch([
            "loggen.yml": "definitions: Logs\noutputs: {}\nrules: {require-owner: error}\nsampling-key: user_id\n",
            "Logs/common.md": "# common\n\n| column | type |\n| --- | --- |\n| user_id | string |\n",
            "Logs/search.md": "# search\n\n## show\n\n| key | value |\n| --- | --- |\n| sampling | 10% |\n",
        ])
        let lint = try Tool.run("lint", path, in: scratch.url)
        #expect(lint.code == 1 && lint.error.contains("[require-owner]"), "\(lint.out)\(lint.error)")
        try scratch.write(try scratch.read("Logs/search.md") + "| owner | @a |\n", to: "Logs/search.md")
        #expect(try Tool.run("lock", path, in: scratch.url).code == 0)
        #expect(try scratch.read("Logs/loggen.lock").contains("@sampling-key=user_id"))
        for other in [".", "Logs", "Logs/search.md"] {
            let check = try Tool.run("check", other, in: scratch.url)
            #expect(check.code == 0, "\(check.out)\(check.error)")
        }
        // No output is made by default.
        #expect(try Tool.run("generate", path, in: scratch.url).code == 0)
        #expect(scratch.contains("Generated") == false)
    }

    /// A new or a renamed module has events that the revision has in another folder.
    @Test("The events of a new module are compared with those of the revision", arguments: ["Find", "Find/search.md"])
    func newModulesAreCompared(_ path: String) throws {
        let scratch = try Scratch([
            "loggen.yml": "definitions: {Shop: Shop}\noutputs: {}\n", "Shop/cart.md": "# cart\n\n## add\n",
            "Shop/search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| size | int |\n",
        ])
        func run(_ command: String) throws -> Tool.Result {
            // The scratch folder's path contains a blank.
            try Tool.run(
                command.split(separator: " ").map { $0.replacingOccurrences(of: "ROOT", with: scratch.url.path) },
                in: scratch.url)
        }
        #expect(try run("lock .").code == 0)
        try scratch.commit()
        try scratch.git("tag", "v1")
        try scratch.write("definitions: {Shop: Shop, Find: Find}\noutputs: {}\n", to: "loggen.yml")
        let text = try scratch.read("Shop/search.md").replacingOccurrences(of: "| int |", with: "| string |")
        try scratch.write(text, to: "Find/search.md")
        try scratch.remove("Shop/search.md")
        let check = try run("check \(path) --base HEAD")
        #expect(check.code == 1 && check.error.contains("`int` → `string`"), "\(check.out)\(check.error)")
        #expect(!check.error.contains("cart.add") && !check.error.contains("note:"), "\(check.error)")
        let review = try run("review \(path) --base HEAD")
        #expect(review.code == 1 && review.out.contains("`int` → `string`"), "\(review.out)\(review.error)")
        #expect(try run("sql \(path) --from HEAD --dialect duckdb").out.contains("RENAME COLUMN"))
        let forgotten = try run("lock --forget \(path) search.show")
        #expect(forgotten.code == 2 && forgotten.error.contains("in the release `v1`"), "\(forgotten.error)")
        #expect(try run("check Shop --base HEAD").code == 0)
        // The event of the other module is not the concern of this PATH, however it is spelled.
        try scratch.write("# cart\n", to: "Shop/cart.md")
        let absolute = try run("review ROOT/\(path) --base HEAD")
        #expect(absolute.out.contains("`int` → `string`") && !absolute.out.contains("cart.add"), "\(absolute.out)")
        #expect(!absolute.out.contains("note:"), "\(absolute.out)")
    }

    /// Their current definitions count, because they have no revision and no commit here.
    @Test("A review and a commit have the modules of other repositories")
    func modulesOfOtherRepositories() throws {
        let modules = "  AppLogs: ../Core/Sources/AppLogs\n  Cart:\n  Search:\n"
        let scratch = try Scratch([
            "app/loggen.yml": "outputs: {}\ndefinitions:\n\(modules)", "app/.gitignore": ".build\n",
            "app/Sources/Search/search.md": Self.search, "Core/Sources/AppLogs/types.md": Self.types,
            "Core/Sources/AppLogs/common.md": Self.common,
            "app/.build/checkouts/cart/Sources/Cart/cart.md": Self.cart,
        ])
        let app = scratch.url.appendingPathComponent("app")
        try scratch.commit(in: "app")
        let review = try Tool.run("review", ".", "--base", "HEAD", in: app)
        #expect(review.out.hasPrefix("The log definitions are the same as in `HEAD`."), "\(review.out)\(review.error)")
        let staged = try Tool.run("lint", "--staged", ".", in: app)
        #expect(staged.code == 0, "\(staged.error)")
        try scratch.write("# search\n", to: "app/Sources/Search/search.md")
        let deleted = try Tool.run("check", ".", "--base", "HEAD", in: app)
        #expect(deleted.code == 1 && deleted.error.contains("`search.show` is deleted"), "\(deleted.error)")
    }

    /// New definitions in a module's folder would be a second vocabulary.
    @Test("`format` changes the modules of the repository, and those of others only by their path")
    func formatLeavesOthersAlone() throws {
        let text = "\n\n|key|value|\n|-|-|\n|owner|@team|\n\n## open\n"
        let scratch = try Scratch([
            "app/.git/HEAD": "ref: refs/heads/main\n", "app/pkg/Sources/Search/search.md": "# search" + text,
            "app/pkg/loggen.yml":
                "definitions:\n  Search:\n  Cart: ../More/Cart\n  Core: .build/checkouts/core/Core\n  Out: ../../out\n",
            "app/More/Cart/cart.md": "# cart" + text, "out/out.md": "# out" + text,
            "app/pkg/.build/checkouts/core/Core/core.md": "# core" + text,
        ])
        let others = ["app/pkg/.build/checkouts/core/Core/core.md", "out/out.md"]
        let before = try others.map { try scratch.read($0) }
        try scratch.expect("format app/pkg --check", code: 1)
        let result = try scratch.expect("format app/pkg")
        #expect(try others.map { try scratch.read($0) } == before, "\(result.error)")
        for own in ["app/pkg/Sources/Search/search.md", "app/More/Cart/cart.md"] {
            #expect(try scratch.read(own).contains("| owner | @team |"), "\(own)")
        }
        try scratch.expect("format app/pkg --check")
    }

    @Test("`init` does not change modules") func initLeavesModulesAlone() throws {
        let scratch = try Self.shop(["Package.swift": PluginTests.shop("\"AppLogs\"")])
        let before = try scratch.files()
        try scratch.expect("init", code: 2, error: "lists modules")
        #expect(try scratch.files() == before)
    }

    @Test("The package in the article is the one that `PluginTests` builds") func theArticleIsOfABuiltPackage() throws {
        let article = try Tool.text(of: "Sources/Generator/loggen/Documentation.docc/Modules.md")
        let block = try #require(
            try ReadmeTests.blocks(of: "Sources/Generator/loggen/Documentation.docc/Modules.md").first {
                $0.path == "Package.swift"
            })
        let built = PluginTests.shop("\"AppLogs\"").replacingOccurrences(
            of: #".package(name: "loggen", path: "\#(Tool.repository.path)")"#, with: #".package(path: "../loggen")"#)
        #expect(ReadmeTests.firstLine(of: block, missingIn: built) == nil)
        #expect(block.lines.count(where: { !$0.isEmpty }) == built.split(separator: "\n").count)
        #expect(article.contains(try #require(Self.files["loggen.yml"]?.split(separator: "\n").first)))
        // Run the article's command that joins two lock files.
        let command = try #require(article.split(separator: "`").first { $0.hasPrefix("(cat ") })
        let scratch = try Self.shop([
            "Sources/AppLogs/loggen.lock": "loggen.lock 1\n", "Sources/Cart/loggen.lock": "loggen.lock 1\n",
        ])
        let moved = try Tool.shell(command + " && rm Sources/*/loggen.lock", in: scratch.url)
        #expect(moved.code == 0, "\(moved.error)")
        #expect(try scratch.read("loggen.lock") == "loggen.lock 1\n")
        try scratch.expect("lock .")
    }
}
