import MarkdownSyntax
import Testing

@testable import LogDefinitions

/// A behavior of cookpad/daifuku: a document in list form, and the same definitions as a table.
struct DaifukuCase: Sendable, CustomTestStringConvertible {
    var behaviour: String
    var common: String?
    var list: String
    var table: String

    var testDescription: String { behaviour }

    /// Creates a case with a category that has one event, `event1`, with these columns.
    init(_ behaviour: String, list: String, table: String) {
        self.init(
            behaviour, document: "# my_category\n\n## event1\n\n\(list)\n",
            table: "# my_category\n\n## event1\n\n| column | type | description |\n| --- | --- | --- |\n\(table)\n")
    }

    init(_ behaviour: String, common: String? = nil, document: String, table: String) {
        self.behaviour = behaviour
        self.common = common
        self.list = document
        self.table = table
    }

    static let all: [DaifukuCase] = [
        // Types
        .init("a 16-bit integer", list: "- column0: !smallint", table: "| column0 | int16 |"),
        .init("a 32-bit integer", list: "- column0: !integer", table: "| column0 | int32 |"),
        .init("a 64-bit integer", list: "- column0: !bigint", table: "| column0 | int64 |"),
        .init("a 32-bit number", list: "- column0: !real", table: "| column0 | float |"),
        .init("a 64-bit number", list: "- column0: !double", table: "| column0 | double |"),
        .init("a truth value", list: "- column0: !boolean", table: "| column0 | bool |"),
        .init("a day", list: "- column0: !date", table: "| column0 | date |"),
        .init("a time without a zone", list: "- column0: !timestamp", table: "| column0 | timestamp |"),
        .init("a time with a zone", list: "- column0: !timestamptz", table: "| column0 | timestamp |"),
        .init("a string without a length", list: "- column0: !string", table: "| column0 | string |"),
        .init(
            "a string's length counts bytes", list: "- column0: !string 128", table: "| column0 | string(128 bytes) |"),
        // Optional marks
        .init("an optional column", list: "- column0: !integer?", table: "| column0 | int32? |"),
        .init("an optional string", list: "- column0: !string?", table: "| column0 | string? |"),
        .init(
            "an optional string with a length", list: "- column0: !string? 256",
            table: "| column0 | string(256 bytes)? |"),
        // The descriptor's layout
        .init("no blank after the colon", list: "- column0:!bigint", table: "| column0 | int64 |"),
        .init("several blanks", list: "-   column0:   !string   64  ", table: "| column0 | string(64 bytes) |"),
        .init(
            "other list markers", list: "* column0: !bigint\n* column1: !bigint",
            table: "| column0 | int64 |\n| column1 | int64 |"),
        .init(
            "a loose list", list: "- column0: !bigint\n\n- column1: !bigint",
            table: "| column0 | int64 |\n| column1 | int64 |"),
        // Retired
        .init(
            "a retired column", list: "- [obsolete] column0: !bigint\n    - 2020.34.0 から廃止",
            table: "| ~~column0~~ | int64 | 2020.34.0 から廃止 |"),
        .init(
            "a retired column, no blank", list: "- [obsolete]column0:!bigint", table: "| [obsolete] column0 | int64 |"),
        .init(
            "a retired event",
            document:
                "# my_category\n\n## [obsolete] event1\n\n- column0: !string\n\n## event2\n\n- column1: !string\n",
            table:
                "# my_category\n\n## ~~event1~~\n\n| column | type |\n|-|-|\n| column0 | string |\n\n## event2\n\n| column | type |\n|-|-|\n| column1 | string |\n"
        ),
        // Descriptions
        .init("a description", list: "- column0: !string\n    - 検索キーワード", table: "| column0 | string | 検索キーワード |"),
        .init(
            "several descriptions, indented by two",
            list: "- column0: !string\n  - Description1\n  - Description2\n- column1: !string\n  - Description3",
            table: "| column0 | string | Description1<br>Description2 |\n| column1 | string | Description3 |"),
        .init(
            "a description in Markdown", list: "- column0: !string\n    - see `a|b` and *c*",
            table: "| column0 | string | see `a\\|b` and *c* |"),
        .init(
            "a description over two lines", list: "- column0: !string\n    - one\n      two",
            table: "| column0 | string | one two |"),
        .init(
            "descriptions of the category and of an event",
            document:
                "# my_category\n\nDescription of this category\n\nNext Line\n\n## event1\n\nDescription of event1\n\nMore detail\n\n- column0: !string\n",
            table:
                "# my_category\n\nDescription of this category\n\nNext Line\n\n## event1\n\nDescription of event1\n\nMore detail\n\n| column | type |\n|-|-|\n| column0 | string |\n"
        ),
        .init(
            "text right above the list", document: "# my_category\n\n## event1\n\nDescription\n- column0: !string\n",
            table: "# my_category\n\n## event1\n\nDescription\n\n| column | type |\n|-|-|\n| column0 | string |\n"),
        // Events
        .init(
            "an event without columns, which daifuku loses when it has no text either",
            document: "# my_category\n\n## event1\n\n## event2\n\nOnly text.\n\n## event3\n\n- column0: !string\n",
            table:
                "# my_category\n\n## event1\n\n## event2\n\nOnly text.\n\n## event3\n\n| column | type |\n|-|-|\n| column0 | string |\n"
        ),
        .init(
            "text after the list", document: "# my_category\n\n## event1\n\n- column0: !string\n\nAfterwards.\n",
            table: "# my_category\n\n## event1\n\n| column | type |\n|-|-|\n| column0 | string |\n\nAfterwards.\n"),
        // Common columns
        .init(
            "common columns",
            common:
                "# common\n\n- user_id: !bigint?\n    - ユーザーID\n- [obsolete] user_status: !string 32\n- os_version: !string 32\n",
            document: "# my_category\n\n## event1\n\n- column0: !string\n",
            table: "# my_category\n\n## event1\n\n| column | type |\n|-|-|\n| column0 | string |\n"),
        // Custom types
        .init(
            "the app's own type", list: "- column0: MyClass\n- column1: MyClass?",
            table: "| column0 | MyClass |\n| column1 | MyClass? |"),
        // One name, one type
        .init(
            "one name with one type, optional or not",
            document: "# my_category\n\n## event1\n\n- column0: !string 64\n\n## event2\n\n- column0: !string? 64\n",
            table:
                "# my_category\n\n## event1\n\n| column | type |\n|-|-|\n| column0 | string(64 bytes) |\n\n## event2\n\n| column | type |\n|-|-|\n| column0 | string(64 bytes)? |\n"
        ),
    ]
}

@Suite struct DaifukuFormTests {
    @Test("Lists and tables have the same meaning", arguments: DaifukuCase.all)
    func listsAndTablesMeanTheSame(_ example: DaifukuCase) async {
        let common = example.common ?? "# common\n"
        let types = "# types\n\n## MyClass\n\n| key | value |\n|-|-|\n| swift | MyClass |\n"
        let list = await analyse(["common.md": common, "my_category.md": example.list])
        let table = await analyse(["common.md": common, "types.md": types, "my_category.md": example.table])
        #expect(list.diagnostics.filter { $0.rule != .appType }.map(\.message) == [])
        #expect(table.diagnostics.map(\.message) == [])
        #expect(summary(of: list.definitions) == summary(of: table.definitions))
        #expect(list.definitions.categories.first?.events.isEmpty == false)
    }

    @Test("An undefined type is a type of the app") func anUndefinedTypeIsTheAppsOwn() async {
        let analysis = await analyse([
            "my_category.md": "# my_category\n\n## event1\n\n- column0: MyClass\n- column1: MyClass\n"
        ])
        #expect(analysis.diagnostics.map(\.rule) == [.appType])
        #expect(!analysis.hasErrors)
        #expect(analysis.definitions.types.map(\.name) == ["MyClass"])
        #expect(analysis.definitions.types.map(\.swift) == ["MyClass"])
    }

    /// Mistakes that daifuku rejects (types), that its four rules find, and that it drops silently.
    @Test(
        "A mistake in a list is reported once, with its location",
        arguments: [
            (
                "a length only strings have", "- column0: !bigint 128", Rule.typeSyntax,
                "`!bigint` does not have a length"
            ),
            ("an unknown type", "- column0: !unknown_type", .typeSyntax, "`!unknown_type` is not a type"),
            (
                "a length of the app's type", "- column0: MyClass 12\n- column1: !date", .typeSyntax,
                "unexpected `12` after the type"
            ),
            (
                "no colon", "- column1: !date\n- XXXXXXX", .listColumn,
                "the list item does not define a column: it has no `:`"
            ),
            ("an unanchored name", "- foo-bar: !integer", .identifier, "`foo-bar` is not an identifier"),
            (
                "text after the type", "- column0: !integer and more", .typeSyntax,
                "unexpected `and more` after the type"
            ),
            ("a reserved name", "- event_name: !string", .reservedColumn, "event_name"),
            ("a shadowed common column", "- user_id: !bigint", .shadowedColumn, "`user_id` is a common column"),
            ("a long name", "- \(String(repeating: "a", count: 65)): !integer", .nameLength, "65"),
            (
                "two types", "- column0: !string\n\n## event2\n\n- column0: !string 64", .columnType,
                "`column0` has another type in another event"
            ),
            ("a column twice", "- column0: !string\n- column0: !string", .duplicateColumn, "column0"),
            ("an event twice", "- column0: !string\n\n## event1\n\n- column1: !string", .duplicateEvent, "event1"),
            ("a second list", "- column0: !string\n\n* column1: !string", .secondTable, "a second column list"),
            ("text in an item", "- column0: !string\n\n  More text.", .listColumn, "this text is ignored"),
        ])
    func mistakesAreReportedOnceWithTheirPlace(_ what: String, _ list: String, _ rule: Rule, _ message: String) async {
        let analysis = await analyse([
            "common.md": "# common\n\n- user_id: !bigint?\n",
            "my_category.md": "# my_category\n\n## event1\n\n\(list)\n",
        ])
        let problems = analysis.diagnostics.filter { $0.rule != .appType }
        #expect(problems.map(\.rule) == [rule], "\(what): \(problems.map(\.message))")
        #expect(problems.first?.message.contains(message) == true, "\(problems.map(\.message))")
        #expect(problems.first?.place.file == 1)
    }
}
