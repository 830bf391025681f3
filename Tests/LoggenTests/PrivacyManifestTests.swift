import Foundation
import TestSupport
import Testing

/// `--only privacy-manifest`: what an app collects, by Apple's words.
struct PrivacyManifestTests {
    static let documents = [
        "D/common.md":
            "# common\n\n| column | type | privacy |\n| --- | --- | --- |\n| user_id | UserID? | personal |\n| model | string(9) | none |\n",
        "D/types.md": "# types\n\n## UserID: int64\n",
        "D/search.md":
            "# search\n\n## search\n\n| column | type | privacy |\n| --- | --- | --- |\n| keyword | string(9) | personal |\n| friends | [UserID] | sensitive |\n",
    ]
    /// The example of the documentation.
    static let settings = """
        outputs:
          privacy-manifest:
            data:
              SearchHistory: {columns: [keyword], purposes: [Analytics], linked: true}
              UserID: {types: [UserID], purposes: [Analytics, AppFunctionality], linked: true}

        """

    private func scratch(_ settings: String = settings, _ more: [String: String] = [:]) throws -> Scratch {
        try Scratch(Self.documents.merging(["D/loggen.yml": settings]) { $1 }.merging(more) { $1 })
    }

    /// What Python's `plistlib` makes of a file, as JSON.
    static func plist(_ file: URL) throws -> NSDictionary {
        let script = "import json, plistlib, sys; print(json.dumps(plistlib.load(open(sys.argv[1], 'rb'))))"
        let result = try Tool.launch(URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script, file.path], in: Tool.repository)
        #expect(result.code == 0, "\(result.error)")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? NSDictionary)
    }

    @Test func pythonReadsIt() throws {
        let scratch = try scratch()
        let result = try Tool.run("D", in: scratch.url)
        #expect(result.code == 0, "\(result.error)")
        let file = scratch.url.appendingPathComponent("Generated/PrivacyManifest/PrivacyInfo.xcprivacy")
        func entry(_ type: String, _ purposes: [String]) -> [String: Any] {
            [
                "NSPrivacyCollectedDataType": "NSPrivacyCollectedDataType\(type)", "NSPrivacyCollectedDataTypeLinked": true,
                "NSPrivacyCollectedDataTypeTracking": false,
                "NSPrivacyCollectedDataTypePurposes": purposes.map { "NSPrivacyCollectedDataTypePurpose\($0)" },
            ]
        }
        let expected: [String: Any] = [
            "NSPrivacyCollectedDataTypes": [entry("SearchHistory", ["Analytics"]), entry("UserID", ["Analytics", "AppFunctionality"])]
        ]
        #expect(try Self.plist(file) == expected as NSDictionary)
        #expect(try Tool.run("check", "D", in: scratch.url).code == 0)
        #expect(try Tool.run("D", in: scratch.url).out.contains("1 unchanged)"))
    }

    @Test func whatNothingMapsIsAnErrorAtTheColumn() throws {
        let scratch = try scratch(Self.settings.replacingOccurrences(of: "columns: [keyword]", with: "columns: [model]"))
        for arguments in [["lint", "D"], ["D"], ["check", "D"]] {
            let result = try Tool.run(arguments, in: scratch.url)
            #expect(result.code == 1)
            #expect(result.error.contains("D/search.md:7:3: error: the column `keyword` is personal"), "\(result.error)")
            #expect(!result.error.contains("friends") && !result.error.contains("`user_id`"), "\(result.error)")
        }
        // Nobody asks for the manifest.
        try scratch.write("outputs: {swift: {}}\n", to: "D/loggen.yml")
        #expect(try Tool.run("lint", "D", in: scratch.url).code == 0)
        // `rules` has the last word, wherever it stands.
        let lowered = "rules: {privacy-manifest: warning}\n" + Self.settings.replacingOccurrences(of: "columns: [keyword]", with: "columns: [model]")
        try scratch.write(lowered, to: "D/loggen.yml")
        let result = try Tool.run("lint", "D", in: scratch.url)
        #expect(result.code == 0 && result.error.contains("warning: the column `keyword`"), "\(result.error)")
    }

    @Test func oneColumnOfOneEventMayBeNamed() throws {
        let settings = Self.settings.replacingOccurrences(of: "[keyword]", with: "[search.search.keyword]")
        #expect(try Tool.run("lint", "D", in: scratch(settings).url).code == 0)
        let other = try scratch(
            settings, ["D/home.md": "# home\n\n## search\n\n| column | type | privacy |\n| --- | --- | --- |\n| keyword | string(9) | personal |\n"])
        #expect(try Tool.run("lint", "D", in: other.url).error.hasPrefix("D/home.md:7:3: error: the column `keyword`"))
    }

    /// Apps for other systems, and retired columns, have no part in it.
    @Test func onlyWhatAnAppForAppleLogsCounts() throws {
        let table = "| column | type | privacy | platforms |\n| --- | --- | --- | --- |\n"
        let scratch = try scratch(
            Self.settings,
            [
                "D/search.md":
                    "# search\n\n## search\n\n\(table)| keyword | string(9) | personal | android, web |\n\n## ~~look~~\n\n\(table)| name | string | personal | |\n"
            ])
        let result = try Tool.run("D", in: scratch.url)
        #expect(result.code == 0, "\(result.error)")
        let manifest = try scratch.read("Generated/PrivacyManifest/PrivacyInfo.xcprivacy")
        #expect(manifest.contains("DataTypeUserID") && !manifest.contains("SearchHistory"))
    }

    @Test(arguments: [
        ("SearchHistory:", "SearchHistry:", "`SearchHistry` is no type of data of Apple's", "did you mean `SearchHistory`?"),
        ("[Analytics]", "[Analitics]", "`Analitics` is no purpose of Apple's", "did you mean `Analytics`?"),
        ("[Analytics]", "[Analytics, Analytics]", "`Analytics` stands twice", ""),
        ("[Analytics]", "{a: b}", "`purposes` takes a name or a list of names", ""),
        ("linked: true}", "linkd: true}", "`linkd` is no key of `SearchHistory`", "did you mean `linked`?"),
        ("linked: true}", "linked: maybe}", "`linked` is `true` or `false`", ""),
        (", linked: true}", "}", "`SearchHistory` needs `linked`", "`true` if the data is linked"),
        ("columns: [keyword], ", "", "`SearchHistory` names neither `columns` nor `types`", ""),
        ("{columns: [keyword], purposes: [Analytics], linked: true}", "keyword", "`SearchHistory` names neither", ""),
        ("columns: [keyword]", "columns: [keyword, keywrd]", "no document has a column `keywrd`", "did you mean `keyword`?"),
        ("[UserID]", "[UserId]", "no document has a type `UserId`", "did you mean `UserID`?"),
    ]) func aMistakeIsSaidAtItsPlace(_ old: String, _ new: String, _ message: String, _ help: String) throws {
        var settings = Self.settings
        if let range = settings.range(of: old) { settings.replaceSubrange(range, with: new) }
        let scratch = try scratch(settings)
        let result = try Tool.run("D", in: scratch.url)
        #expect(result.code == 1)
        #expect(result.error.contains("D/loggen.yml:") && result.error.contains(message), "\(result.error)")
        #expect(result.error.contains(help), "\(result.error)")
    }

    @Test func dataIsNeeded() throws {
        let scratch = try scratch("outputs:\n  privacy-manifest:\n")
        let result = try Tool.run("D", in: scratch.url)
        #expect(result.code == 1)
        #expect(result.error.hasPrefix("D/loggen.yml:2:3: error: the output `privacy-manifest` needs `data`"), "\(result.error)")
    }
}
