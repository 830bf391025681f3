import Foundation
import Testing
import TestSupport

/// Tests of `--only privacy-manifest`, which lists the data that an app collects, in Apple's terms.
struct PrivacyManifestTests {
    static let documents = [
        "D/common.md":
            "# common\n\n| column | type | privacy |\n| --- | --- | --- |\n| user_id | UserID? | personal |\n| model | string(9) | none |\n",
        "D/types.md": "# types\n\n## UserID: int64\n",
        "D/search.md":
            "# search\n\n## search\n\n| column | type | privacy |\n| --- | --- | --- |\n| keyword | string(9) | personal |\n| friends | [UserID] | sensitive |\n",
    ]
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

    static func plist(_ file: URL) throws -> NSDictionary {
        let script = "import json, plistlib, sys; print(json.dumps(plistlib.load(open(sys.argv[1], 'rb'))))"
        let result = try Tool.command(["python3", "-c", script, file.path], in: Tool.repository)
        #expect(result.code == 0, "\(result.error)")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? NSDictionary)
    }

    @Test("Python reads the manifest") func pythonReadsIt() throws {
        let scratch = try scratch()
        try scratch.expect("D")
        let file = scratch.url.appendingPathComponent("Generated/PrivacyManifest/PrivacyInfo.xcprivacy")
        func entry(_ type: String, _ purposes: [String]) -> [String: Any] {
            [
                "NSPrivacyCollectedDataType": "NSPrivacyCollectedDataType\(type)",
                "NSPrivacyCollectedDataTypeLinked": true,
                "NSPrivacyCollectedDataTypeTracking": false,
                "NSPrivacyCollectedDataTypePurposes": purposes.map { "NSPrivacyCollectedDataTypePurpose\($0)" },
            ]
        }
        let expected: [String: Any] = [
            "NSPrivacyCollectedDataTypes": [
                entry("SearchHistory", ["Analytics"]), entry("UserID", ["Analytics", "AppFunctionality"]),
            ]
        ]
        #expect(try Self.plist(file) == expected as NSDictionary)
        try scratch.expect("check D")
        #expect(try scratch.loggen("D").out.contains("1 unchanged)"))
    }

    @Test("A personal column without a data type is an error at the column")
    func personalColumnWithoutADataTypeIsAnError() throws {
        let scratch = try scratch(
            Self.settings.replacingOccurrences(of: "columns: [keyword]", with: "columns: [model]"))
        for arguments in [["lint", "D"], ["D"], ["check", "D"]] {
            let result = try Tool.run(arguments, in: scratch.url)
            #expect(result.code == 1)
            #expect(
                result.error.contains("D/search.md:7:3: error: the column `keyword` is personal"), "\(result.error)")
            #expect(!result.error.contains("friends") && !result.error.contains("`user_id`"), "\(result.error)")
        }
        // The manifest is not requested.
        try scratch.write("outputs: {swift: {}}\n", to: "D/loggen.yml")
        try scratch.expect("lint D")
        // `rules` sets the severity, wherever it is in the file.
        let lowered =
            "rules: {privacy-manifest: warning}\n"
            + Self.settings.replacingOccurrences(of: "columns: [keyword]", with: "columns: [model]")
        try scratch.write(lowered, to: "D/loggen.yml")
        try scratch.expect("lint D", error: "warning: the column `keyword`")
    }

    @Test("A column of a single event may be named") func oneColumnOfOneEventMayBeNamed() throws {
        let settings = Self.settings.replacingOccurrences(of: "[keyword]", with: "[search.search.keyword]")
        let one = try scratch(settings)
        try one.expect("lint D")
        let other = try scratch(
            settings,
            [
                "D/home.md":
                    "# home\n\n## search\n\n| column | type | privacy |\n| --- | --- | --- |\n| keyword | string(9) | personal |\n"
            ])
        #expect(try other.loggen("lint D").error.hasPrefix("D/home.md:7:3: error: the column `keyword`"))
    }

    /// Events of other platforms and retired columns do not count.
    @Test("Only columns that apps for Apple platforms log count") func onlyWhatAnAppForAppleLogsCounts() throws {
        let table = "| column | type | privacy | platforms |\n| --- | --- | --- | --- |\n"
        let scratch = try scratch(
            Self.settings,
            [
                "D/search.md":
                    "# search\n\n## search\n\n\(table)| keyword | string(9)? | personal | android, web |\n\n## ~~look~~\n\n\(table)| name | string | personal | |\n"
            ])
        try scratch.expect("D")
        let manifest = try scratch.read("Generated/PrivacyManifest/PrivacyInfo.xcprivacy")
        #expect(manifest.contains("DataTypeUserID") && !manifest.contains("SearchHistory"))
    }

    @Test(
        "A mistake in the settings is reported at its location",
        arguments: [
            (
                "SearchHistory:", "SearchHistry:", "`SearchHistry` is not an Apple data type",
                "did you mean `SearchHistory`?"
            ),
            ("[Analytics]", "[Analitics]", "`Analitics` is not an Apple purpose", "did you mean `Analytics`?"),
            ("[Analytics]", "[Analytics, Analytics]", "`Analytics` is listed twice", "error: "),
            ("[Analytics]", "{a: b}", "`purposes` takes a name or a list of names", "error: "),
            ("linked: true}", "linkd: true}", "`linkd` is not a key of `SearchHistory`", "did you mean `linked`?"),
            ("linked: true}", "linked: maybe}", "`linked` must be `true` or `false`", "error: "),
            (", linked: true}", "}", "`SearchHistory` needs `linked`", "`true` if the data is linked"),
            ("columns: [keyword], ", "", "`SearchHistory` has neither `columns` nor `types`", "error: "),
            (
                "{columns: [keyword], purposes: [Analytics], linked: true}", "keyword", "`SearchHistory` has neither",
                "error: "
            ),
            (
                "columns: [keyword]", "columns: [keyword, keywrd]", "unknown column `keywrd`",
                "did you mean `keyword`?"
            ),
            ("[UserID]", "[UserId]", "unknown type `UserId`", "did you mean `UserID`?"),
        ]) func mistakeInTheSettingsHasItsLocation(_ old: String, _ new: String, _ message: String, _ help: String)
        throws
    {
        var settings = Self.settings
        if let range = settings.range(of: old) { settings.replaceSubrange(range, with: new) }
        let scratch = try scratch(settings)
        try scratch.expect("lint D", code: 1, error: "D/loggen.yml:", message, help)
    }

    /// [Apple's list](https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api)
    /// of interfaces that need a reason, with the reasons for each category.
    static let interfaces: [(category: String, names: [String], reasons: [String])] = [
        (
            "FileTimestamp",
            [
                "creationDate", "modificationDate", "fileModificationDate", "contentModificationDateKey",
                "contentModificationDate",
                "creationDateKey",
                "getattrlist", "getattrlistbulk", "fgetattrlist", "getattrlistat", "stat", "fstat", "fstatat", "lstat",
            ], ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]
        ), ("SystemBootTime", ["systemUptime", "mach_absolute_time"], ["35F9.1", "8FFB.1", "3D61.1"]),
        (
            "DiskSpace",
            [
                "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
                "volumeAvailableCapacityForOpportunisticUsageKey",
                "volumeTotalCapacityKey", "volumeAvailableCapacity", "volumeTotalCapacity", "systemFreeSize",
                "systemSize", "statfs", "statvfs",
                "fstatfs", "fstatvfs", "getattrlist", "fgetattrlist", "getattrlistat",
            ], ["85F4.1", "E174.1", "7D9E.1", "B728.1"]
        ), ("ActiveKeyboards", ["activeInputModes"], ["3EC4.1", "54BD.1"]),
        (
            "UserDefaults", ["UserDefaults", "NSUserDefaults", "AppStorage", "SceneStorage"],
            ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]
        ),
    ]

    /// The targets that apps link.
    static let runtime = [
        "LogTypes", "ActivityTracking", "ActivityOutbox", "ActivityTrackingTesting", "ContentVisibility",
        "ActivityTrackingUIKit",
        "ActivityTrackingSwiftUI",
    ]

    /// Returns the categories of the interfaces that Swift code names outside comments.
    static func categories(in text: String) throws -> Set<String> {
        let code = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
        }.joined(separator: "\n")
        let words = Set(code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        return Set(interfaces.filter { !words.isDisjoint(with: $0.names) }.map(\.category))
    }

    @Test("The search finds interfaces in code") func searchFindsInterfacesInCode() throws {
        #expect(
            try Self.categories(in: "var status = stat()\nlet defaults = UserDefaults.standard // systemUptime") == [
                "FileTimestamp", "UserDefaults",
            ])
        #expect(
            try Self.categories(in: "let statistics = status(), start = mach_absolute_time()") == ["SystemBootTime"])
        #expect(try Self.categories(in: "/// stat(2), UserDefaults\nfstatus()") == [])
    }

    @Test("The libraries declare the interfaces that they use") func ourLibrariesDeclareWhatTheyUse() throws {
        var found: Set<String> = []
        for target in Self.runtime {
            let folder = Tool.repository.appendingPathComponent(
                "Sources/\(target == "LogTypes" ? "Shared" : "Runtime")/\(target)")
            let files = (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).filter
            { $0.hasSuffix(".swift") }
            #expect(!files.isEmpty, "\(target)")
            var used: Set<String> = []
            for file in files {
                used.formUnion(
                    try Self.categories(in: String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)))
            }
            let manifest = folder.appendingPathComponent("PrivacyInfo.xcprivacy")
            guard FileManager.default.fileExists(atPath: manifest.path) else {
                #expect(used == [], "\(target) has no privacy manifest")
                continue
            }
            found.insert(target)
            let plist = try Self.plist(manifest)
            #expect(plist["NSPrivacyTracking"] as? Bool == false)
            #expect((plist["NSPrivacyTrackingDomains"] as? [String]) == [])
            let accessed = try #require(plist["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
            let declared = accessed.compactMap {
                ($0["NSPrivacyAccessedAPIType"] as? String)?.replacingOccurrences(
                    of: "NSPrivacyAccessedAPICategory", with: "")
            }
            #expect(declared.sorted() == used.sorted(), "\(target)")
            for (category, entry) in zip(declared, accessed) {
                let reasons = try #require(entry["NSPrivacyAccessedAPITypeReasons"] as? [String])
                let known = Self.interfaces.first { $0.category == category }?.reasons ?? []
                #expect(!reasons.isEmpty && Set(reasons).isSubset(of: known), "\(target)")
            }
            // The manifest is a resource of the target, and the build has copied it.
            let products = Tool.executable.deletingLastPathComponent()
            let copies = ["loggen_\(target).resources", "loggen_\(target).bundle"].map {
                products.appendingPathComponent("\($0)/PrivacyInfo.xcprivacy").path
            }
            #expect(
                copies.contains { FileManager.default.contentsEqual(atPath: $0, andPath: manifest.path) },
                "\(target) in \(products.path)")
        }
        #expect(found == ["ActivityTracking", "ActivityOutbox"])
    }
}
