import Foundation
import Testing
import TestSupport

/// Tests of changes of meaning without a change of columns: another sampling key, and a deleted name that returns.
@Suite struct MeaningChangeTests {
    private static func documents(_ key: String) -> [String: String] {
        [
            "D/loggen.yml": (key.isEmpty ? "" : "sampling-key: \(key)\n") + "outputs: {}\n",
            "D/common.md": "# common\n\n| column | type |\n| --- | --- |\n| user_id | int64 |\n| session_id | uuid |\n",
            "D/search.md": "# search\n\n## show\n\n| key | value |\n| --- | --- |\n| sampling | 10% |\n\n## hide\n",
        ]
    }

    @Test(
        "Another sampling key is a revision of each sampled event and breaks the warehouse",
        arguments: [
            ("user_id", "session_id", "changes its sampling key: `user_id` → `session_id`"),
            ("user_id", "", "changes its sampling key: `user_id` → the event's id"),
            ("", "user_id", "changes its sampling key: the event's id → `user_id`"),
        ])
    func anotherSamplingKeyIsARevision(_ old: String, _ new: String, _ what: String) throws {
        let scratch = try Scratch(Self.documents(old))
        try CheckTests.settle(scratch)
        #expect(try scratch.read("D/loggen.lock").contains("search.hide 1-0-0 active +user_id"))
        try scratch.write(Self.documents(new)["D/loggen.yml"] ?? "", to: "D/loggen.yml")
        let check = try scratch.expect(
            "check D", code: 1,
            error: "`search.show` \(what); breaks the warehouse; revision (1-0-0 → 1-1-0) [breaking-change]")
        #expect(!check.error.contains("search.hide"))
        try scratch.expect("lock D", code: 1)
        try scratch.expect("lock --accept D")
        try scratch.expect("check D")
    }

    @Test("A review names the previous sampling key")
    func reviewNamesTheSamplingKey() throws {
        let scratch = try Scratch(Self.documents("user_id"))
        try CheckTests.settle(scratch)
        try scratch.commit()
        try scratch.write(Self.documents("session_id")["D/loggen.yml"] ?? "", to: "D/loggen.yml")
        try scratch.expect(
            "review D --base HEAD --format text", code: 1, out: "changes its sampling key: `user_id` → `session_id`")
    }

    @Test("A deleted column that returns with another type takes a reserved name")
    func returningColumnOfAnotherTypeIsRefused() throws {
        let settings = "outputs: {}\n"
        let scratch = try Scratch([
            "D/search.md": CheckTests.search("size | int64", "a | bool"), "D/loggen.yml": settings,
        ])
        try CheckTests.settle(scratch)
        try scratch.write(CheckTests.search("a | bool"), to: "D/search.md")
        try scratch.expect("lock --accept D")
        try scratch.write(CheckTests.search("a | bool", "size | string?"), to: "D/search.md")
        try scratch.expect(
            "check D", code: 1, error: "[reserved-name]", "the column `size` of `search.show` was `int64` until 1-0-0")
        try scratch.expect("lock --accept D", code: 1)
        // With the original type, the records keep their meaning.
        try scratch.write(CheckTests.search("a | bool", "size | int64?"), to: "D/search.md")
        try scratch.expect("lock D")
    }
}
