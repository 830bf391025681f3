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
        let check = try Tool.run("check", "D", in: scratch.url)
        #expect(check.code == 1)
        #expect(
            check.error.contains(
                "`search.show` \(what); breaks the warehouse; revision (1-0-0 → 1-1-0) [breaking-change]"),
            "\(check.error)")
        #expect(!check.error.contains("search.hide"))
        #expect(try Tool.run("lock", "D", in: scratch.url).code == 1)
        #expect(try Tool.run("lock", "--accept", "D", in: scratch.url).code == 0)
        #expect(try Tool.run("check", "D", in: scratch.url).code == 0)
    }

    @Test("A review names the previous sampling key")
    func reviewNamesTheSamplingKey() throws {
        let scratch = try Scratch(Self.documents("user_id"))
        try CheckTests.settle(scratch)
        try scratch.commit()
        try scratch.write(Self.documents("session_id")["D/loggen.yml"] ?? "", to: "D/loggen.yml")
        let review = try Tool.run("review", "D", "--base", "HEAD", "--format", "text", in: scratch.url)
        #expect(review.code == 1)
        #expect(review.out.contains("changes its sampling key: `user_id` → `session_id`"), "\(review.out)")
    }

    @Test("A deleted column that returns with another type takes a reserved name")
    func returningColumnOfAnotherTypeIsRefused() throws {
        let settings = "outputs: {}\n"
        let scratch = try Scratch([
            "D/search.md": CheckTests.search("size | int64", "a | bool"), "D/loggen.yml": settings,
        ])
        try CheckTests.settle(scratch)
        try scratch.write(CheckTests.search("a | bool"), to: "D/search.md")
        #expect(try Tool.run("lock", "--accept", "D", in: scratch.url).code == 0)
        try scratch.write(CheckTests.search("a | bool", "size | string?"), to: "D/search.md")
        let check = try Tool.run("check", "D", in: scratch.url)
        #expect(check.code == 1)
        #expect(check.error.contains("[reserved-name]"), "\(check.error)")
        #expect(check.error.contains("the column `size` of `search.show` was `int64` until 1-0-0"), "\(check.error)")
        #expect(try Tool.run("lock", "--accept", "D", in: scratch.url).code == 1)
        // With the original type, the records keep their meaning.
        try scratch.write(CheckTests.search("a | bool", "size | int64?"), to: "D/search.md")
        #expect(try Tool.run("lock", "D", in: scratch.url).code == 0)
    }
}
