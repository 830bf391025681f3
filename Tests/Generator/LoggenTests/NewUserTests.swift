import Foundation
import Testing
import TestSupport

/// Tests of mistakes that new users make, each with a fix that works at once.
@Suite struct NewUserTests {
    @Test(
        "A single file is read with its folder, for any spelling of the folder's headings",
        arguments: [
            "# types\n", "\u{FEFF}# types\n", "#\ttypes\n", "   # types\n", "types\n=====\n", "# 型 `types`\n",
            "# Types `types` #\n",
        ])
    func markersAreReadAsHeadings(_ heading: String) throws {
        let scratch = try Scratch([
            "D/types.md": heading + "\n## Order\n\n| value |\n| --- |\n| a |\n| b |\n",
            "D/screens/home.md": "# home\n\n## show\n\n| column | type |\n| --- | --- |\n| order | Order |\n",
        ])
        for path in ["D", "D/screens/home.md"] {
            let result = try Tool.run("lint", path, in: scratch.url)
            #expect(result.code == 0, "\(path): \(result.error)")
        }
    }

    @Test("`lint` notes that a target of a package has no Swift file")
    func lintNamesTheMissingSwiftFile() throws {
        let home = "# home\n\n## show\n"
        let manifest = "let package = Package(name: \"App\", targets: [.target(name: \"AppLogs\")])\n"
        let note =
            "note: the target `AppLogs` has no Swift file, so SwiftPM ignores it, its plugins and its definitions. Add `Sources/AppLogs/AppLogs.swift`; it may be empty.\n"
        let all = "loggen: no problems in 1 file\n"
        let scratch = try Scratch(["Package.swift": manifest, "Sources/AppLogs/Documents/home.md": home])
        for path in ["Sources/AppLogs", "Sources/AppLogs/Documents"] {
            let result = try Tool.run("lint", path, "--strict", in: scratch.url)
            #expect(result.error == note + all)
            #expect(result.code == 0)
            #expect(try Tool.run("lint", path, "--quiet", in: scratch.url).error == "")
        }
        // No note is printed for a target with Swift files, or a folder that is not a target.
        try scratch.write("", to: "Sources/AppLogs/Any.swift")
        #expect(try scratch.loggen("lint Sources/AppLogs").error == all)
        for files in [
            ["Package.swift": manifest, "Definitions/home.md": home, "Sources/Other/home.md": home],
            ["Package.swift": "// \(manifest)", "Sources/AppLogs/home.md": home], ["Sources/AppLogs/home.md": home],
        ] {
            let scratch = try Scratch(files)
            for path in files.keys where path.hasSuffix("home.md") {
                let folder = path.replacingOccurrences(of: "/home.md", with: "")
                #expect(try Tool.run("lint", folder, in: scratch.url).error == all, "\(path)")
            }
        }
    }

    @Test("`Money` is a name like any other", arguments: ["Money", "money"])
    func moneyIsAName(_ name: String) throws {
        let scratch = try Scratch([
            "D/types.md": "# types\n\n## \(name): decimal(10, 2)\n",
            "D/home.md": "# home\n\n## buy\n\n| column | type |\n| --- | --- |\n| price | \(name) |\n",
        ])
        #expect(try scratch.loggen("lint D").error == "loggen: no problems in 2 files\n")
        try scratch.remove("D/types.md")
        try scratch.expect("lint D", code: 1, error: "`\(name)` is not defined")
    }

    @Test("The fix for a deleted column is to retire it, and a retired column is reported as such")
    func deletedColumnCanBeRetired() throws {
        let scratch = try Scratch([
            "D/search.md": CheckTests.search("size | int64", "a | bool"), "D/loggen.yml": "outputs: {}\n",
        ])
        try CheckTests.settle(scratch)
        try scratch.write(CheckTests.search("a | bool"), to: "D/search.md")
        let gone = try scratch.loggen("check D").error
        #expect(gone.contains("the column `size` of `search.show` was required and is deleted"))
        #expect(
            gone.contains(
                "help: bring the row back as `~~size~~` to reserve its name; the change still has to be accepted\n"),
            "\(gone)")
        try scratch.write(CheckTests.search("~~size~~ | int64", "a | bool"), to: "D/search.md")
        let retired = try scratch.loggen("check D").error
        #expect(retired.contains("the column `size` of `search.show` was required and is retired"))
        #expect(!retired.contains("bring the row back"))
    }

    @Test("The advice for a renamed event in a table of events is a section")
    func renamedEventOfATableNeedsASection() throws {
        let table = "| event | column | type |\n| --- | --- | --- |\n"
        let scratch = try Scratch([
            "D/search.md": "# search\n\n\(table)| show | size | int64 |\n", "D/loggen.yml": "outputs: {}\n",
        ])
        try CheckTests.settle(scratch)
        try scratch.write("# search\n\n\(table)| shown | size | int64 |\n", to: "D/search.md")
        let said = try scratch.loggen("check D").error
        #expect(
            said.contains(
                "move its rows into a section `## shown`, and write `| renamed from | show |` into the section's details; "
                    + "then accept"), "\(said)")
        let section = "## shown\n\n| key | value |\n| --- | --- |\n| renamed from | show |\n\n"
        try scratch.write(
            "# search\n\n\(section)| column | type |\n| --- | --- |\n| size | int64 |\n", to: "D/search.md")
        try scratch.expect("lock --accept D")
    }

    @Test("The fix for a new required column is `?`")
    func newRequiredColumnCanBeOptional() throws {
        let scratch = try Scratch(["D/search.md": CheckTests.search("a | bool"), "D/loggen.yml": "outputs: {}\n"])
        try CheckTests.settle(scratch)
        try scratch.write(CheckTests.search("a | bool", "size | int64"), to: "D/search.md")
        #expect(
            try scratch.loggen("check D").error.contains(
                "help: to avoid the break, end the type of `size` with `?`\n"))
        try scratch.write(CheckTests.search("a | bool", "size | int64?"), to: "D/search.md")
        try scratch.expect("lock D")
    }

    @Test("A file `type.md` is one error, which names the file", arguments: ["# types\n", "# type\n"])
    func wrongFileNameIsOneError(_ heading: String) throws {
        let scratch = try Scratch([
            "D/type.md": heading
                + "\n## ListOrder\n\n| value |\n| --- |\n| a |\n| b |\n\n## Kind\n\n| value |\n| --- |\n| a |\n| b |\n\n## ID: int64\n",
            "D/home.md":
                "# home\n\n## buy\n\n| column | type |\n| --- | --- |\n| order | ListOrder |\n| kind | Kind |\n| item_id | ID |\n",
        ])
        let result = try scratch.loggen("lint D --diagnostics json")
        #expect(result.out.split(separator: "\n").count == 1, "\(result.out)")
        #expect(result.out.contains("rename the file to `types.md`"))
    }

    @Test("`check` shows diagnostics first, and one line for each missing file")
    func problemsComeFirst() throws {
        let scratch = try Scratch(["D/search.md": CheckTests.search("a | bool")])
        _ = try scratch.loggen("lock D")
        try scratch.write(CheckTests.search("a | int64"), to: "D/search.md")
        let both = try Tool.shell("\"$0\" check D 2>&1", in: scratch.url).out.split(separator: "\n").map(String.init)
        let problem = try #require(both.firstIndex { $0.contains("changes its type") })
        let missing = both.indices.filter { both[$0].contains(" | missing, +") }
        #expect(missing.count == 3 && missing.allSatisfy { $0 > problem }, "\(both)")
        #expect(!both.contains { $0.hasPrefix("+") })
        #expect(both.contains { $0.contains("once the changes above are accepted or undone, run `loggen generate D`") })
    }

    @Test("Prose and `format` do not change generated Swift")
    func proseChangesNoSwift() throws {
        let scratch = try Scratch(["D/search.md": CheckTests.search("a | bool", more: "## hide\n")])
        _ = try scratch.loggen("D")
        let before = try scratch.files(under: "Generated/Swift")
        try scratch.write(
            CheckTests.search("a | bool", more: "### Notes\n\nText.\n\nMore text.\n\n## hide\n"), to: "D/search.md")
        _ = try scratch.loggen("format D")
        _ = try scratch.loggen("D")
        #expect(try scratch.files(under: "Generated/Swift") == before)
    }

    @Test("Words that only `infer` accepts get a fix")
    func wordsThatOnlyInferAcceptsHaveAFix() throws {
        let scratch = try Scratch([
            "D/search.md": """
            # search

            ## show

            | カラム | 型 |
            | --- | --- |
            | a | 文字列 |
            | b | 整数 |
            | c | unsigned |

            """
        ])
        let said = try scratch.loggen("lint D").error
        for fix in ["write `string`", "write `int`", "did you mean `uint32`?"] {
            #expect(said.contains("help: \(fix)\n"), "\(fix): \(said)")
        }
    }
}
