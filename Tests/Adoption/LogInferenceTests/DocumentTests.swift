import Foundation
import LogDefinitions
import MarkdownSyntax
import Testing
import TestSupport

@testable import LogInference

/// Tests of tracking plans in Markdown.
struct DocumentTests {
    private func infer(_ text: String, path: String = "plan.md", category: String? = nil) async -> Inference {
        let source = InferenceSource(path: path, bytes: Array(text.utf8))
        return await Inference.ofMarkdown([source], category: category)
    }

    private func lines(_ inference: Inference) -> [String] {
        inference.findings.map { "\($0.place.map { "\($0): " } ?? "")\($0.kind.rawValue): \($0.message)" }
    }

    private func common(_ inference: Inference) -> [String] { inference.draft.common.map { "\($0.name): \($0.type)" } }

    @Test("A heading is an event, and its table has the columns") func headingWithTable() async {
        let inference = await infer(
            """
            # Tracking plan

            ## Session

            ### Order Completed

            When an order is placed.

            | Property | Type | Required | Description |
            |----------|------|----------|-------------|
            | `order_id` | `string` | Yes | The order |
            | `coupon` | `string \\| undefined` | No | The coupon |
            """)
        #expect(inference.signatures == ["session.order_completed(order_id: string, coupon: string?)"])
        #expect(inference.draft.categories.first?.events.first?.description.text == "When an order is placed.")
        #expect(!inference.hasLosses)
    }

    @Test("A heading that names a part is not an event") func parts() async {
        let inference = await infer(
            """
            # Plan

            ## First Event

            #### Basics

            - **Owner:** @shop

            #### Properties

            | **Name** | `Type` | Required? |
            | --- | --- | --- |
            | **a** | `array of strings` | yes |

            #### Optional properties

            | Name | Type |
            | --- | --- |
            | b | number |
            """)
        #expect(inference.signatures == ["plan.first_event(a: [string], b: double?)"])
        #expect(inference.draft.categories.first?.events.first?.details == [DraftDetail(.owner, "@shop")])
    }

    @Test("The time for a table grows with its rows") func growth() {
        let growth = Growth.ofFourTimes(60) { count in
            let columns = String(repeating: " `a`, `b` |", count: 8)
            let header = "| Event |" + (1...8).map { " Properties \($0) |" }.joined()
            let rows = (1...count).map { "| `event_\($0)` |\(columns)" }
            let text = ([header, String(repeating: "|---", count: 9) + "|"] + rows).joined(separator: "\n")
            let source = InferenceSource(path: "plan.md", bytes: Array(text.utf8))
            #expect(PlanDocument.read([source], category: nil).draft.categories.map(\.events.count) == [count])
        }
        #expect(growth < 8, "four times as many rows cost \(growth) times as much")
    }

    @Test("A row is an event, and a cell has its properties") func eventTable() async {
        let inference = await infer(
            """
            # 計測イベント

            ## イベント一覧

            ### チェックイン関連

            | イベント名 | 発火タイミング | パラメータ |
            |---|---|---|
            | `checkin_completed` | 成功時 | `spot_id`, `is_first`(Bool), `trigger`("launch" / "checkin")<br>`sort: new|old` |
            | `checkin_skipped` | 閉じた時 | なし |

            ### Settings

            | # | Status | Event | Required properties | Optional properties |
            |---|---|---|---|---|
            | 1 | deprecated | `theme_changed` | `theme, mode?: string` | — |
            | 2 | removed | `a_shown/hidden` | — | fields[] |
            """.replacingOccurrences(of: "new|old", with: "new\\|old"))
        #expect(
            inference.signatures == [
                "checkin.checkin_completed(spot_id: string, is_first: bool, trigger: enum(launch, checkin), "
                    + "sort: enum(new, old))",
                "checkin.checkin_skipped()", "settings.theme_changed(theme: string, mode: string?)",
                "settings.a_shown(fields: [string]?)", "settings.a_hidden(fields: [string]?)",
            ])
        #expect(inference.draft.categories.first?.events.first?.description.text == "発火タイミング: 成功時")
        #expect(inference.draft.categories.map(\.title) == ["チェックイン関連", "Settings"])
        #expect(inference.draft.categories.last?.events.map(\.isRetired) == [false, true, true])
        #expect(
            lines(inference).filter { $0.holds("warning") } == [
                "plan.md:9:31: warning: properties without a type become strings, such as `spot_id`: write `spot_id "
                    + "(int)`, or a column `Type`"
            ])
    }

    @Test("A row is a property of the event that it names") func propertyRows() async {
        let inference = await infer(
            """
            ## Search

            | Event | Property | Type | Required | Description |
            |---|---|---|---|---|
            | searched | keyword | 文字列 | ○ | The words |
            | | count | 数値 | × | |
            | opened | keyword | 同じ | ○ | |
            """)
        #expect(
            inference.signatures == [
                "search.searched(keyword: string, count: double?)", "search.opened(keyword: string)",
            ])
        #expect(
            lines(inference).contains {
                $0.hasPrefix("plan.md:7:22: warning: unknown type `同じ`: `keyword` becomes a string; write a type")
            })
    }

    @Test("A heading is an event, and a list has the columns") func headingWithList() async {
        let inference = await infer(
            """
            # Events

            ## `login`

            Key: `user_login`

            - `method` (string, required): How
            - `attempts`: number, optional. So many
            - `source` one of: a, b

            ## `logout`
            """)
        #expect(
            inference.signatures == [
                "plan.user_login(method: string, attempts: double?, source: enum(a, b))", "plan.logout()",
            ])
    }

    @Test("Shared properties become common columns, once") func shared() async {
        let inference = await infer(
            """
            # Plan

            ## Common properties

            | Property | Type |
            |---|---|
            | user_id | string |

            ## Cart

            ### Cart Opened

            | Property | Type |
            |---|---|
            | user_id | string |
            | count | int |

            ### Cart Closed

            | Property | Type |
            |---|---|
            | user_id | int |
            """)
        #expect(common(inference) == ["user_id: string"])
        #expect(inference.signatures == ["cart.cart_opened(count: int)", "cart.cart_closed()"])
        #expect(
            lines(inference).contains(
                "plan.md: note: written once, in common.md, and left out of the events: `user_id`"))
        #expect(lines(inference).contains { $0.holds("warning: the column `user_id` of `cart_closed` is left out") })
    }

    @Test("A table of values becomes the enumeration of the property of its name") func values() async {
        let inference = await infer(
            """
            # Plan

            ## Opened

            | Property | Type |
            |---|---|
            | sort_order | string |

            ### sort_order

            | Value | Description |
            |---|---|
            | newest | New first |
            | popular | Popular first |
            """)
        #expect(inference.signatures == ["plan.opened(sort_order: enum(newest, popular))"])
        let description = inference.draft.categories.first?.events.first?.columns.first?.description
        #expect(description == "`newest`: New first\n`popular`: Popular first")
    }

    @Test("Chapters, contents, people and prose are no events") func noEvents() async {
        let inference = await infer(
            """
            # Plan

            ## Table of contents

            - [Cart](#cart)

            ## Naming conventions

            ### Examples

            - `order_placed`

            ## Cart

            Everything about the cart.

            ### Cart Opened

            | Property | Type |
            |---|---|
            | count | int |

            ### Notes

            Some text.

            ## User properties

            | Property | Type |
            |---|---|
            | plan | string |

            ## Changelog

            | Version | Date |
            |---|---|
            | 1 | today |
            """)
        #expect(inference.signatures == ["cart.cart_opened(count: int)"])
        #expect(
            lines(inference) == [
                "plan.md: note: left out, because they contain neither events nor properties: line 35 (`Version`, "
                    + "`Date`)",
                "plan.md: note: left out, because it belongs to no event: the text of lines 1–11, 15, 23–25, 33",
                "plan.md:11: warning: a name in line 11 looks like an event, and is left out: `order_placed`: write a heading "
                    + "for each, or a table with the header Event",
                "plan.md:17: note: the category `Cart` is called `cart`",
                "plan.md:17: note: the event `Cart Opened` is called `cart_opened`",
                "plan.md:29:1: note: properties of people or groups are left out: `User properties`",
            ])
    }

    @Test("Bold names next to code, alternatives between blanks and headings with an explanation are understood")
    func lessUsualNames() async {
        let inference = await infer(
            """
            # Plan

            ## Global properties (sent with every event)

            | Property | Type |
            | --- | --- |
            | app_version | string |

            ## Events

            | Event | Description | Properties |
            | --- | --- | --- |
            | `Song Played` | a song starts | `song_id` (string) |
            | `Song Paused` | a song stops | — |
            | **Playlist Created** | a playlist | `is_public: boolean` |
            """)
        #expect(common(inference) == ["app_version: string"])
        #expect(
            inference.signatures == [
                "plan.song_played(song_id: string)", "plan.song_paused()", "plan.playlist_created(is_public: bool)",
            ])
        let names = await infer("| Event | Parameters |\n|-|-|\n| purchase / refund | amount (Double) |\n")
        #expect(names.signatures == ["plan.purchase(amount: double)", "plan.refund(amount: double)"])
    }

    @Test("A column of deprecations is read, and a level of privacy or a platform that is unknown is a warning")
    func factsOfProperties() async {
        let inference = await infer(
            """
            ### 404

            | Property | Type | PII | Platform | Deprecated |
            | --- | --- | --- | --- | --- |
            | old | int | no | iOS | use total |
            | mail | string | hashed | fridge | |
            """)
        let columns = inference.draft.categories.flatMap(\.events).flatMap(\.columns)
        #expect(columns.map(\.deprecated) == ["use total", nil] && columns.map(\.annotations.count) == [0, 0])
        #expect(
            inference.findings.filter { $0.kind == .warning }.map(\.message).filter { $0.contains("left out") } == [
                "`hashed` is not a privacy level: that of `mail` is left out",
                "`fridge` does not name platforms: the platforms of `mail` are left out",
            ])
        #expect(inference.documents.contains { $0.text.contains("## 404 `") }, "the title stays")
    }

    @Test("Definitions that use types of types.md are recognized") func definitionsWithTypes() async {
        let inference = await infer(
            """
            # Search `search`

            | key | value |
            | --- | --- |
            | owner | @search |

            ## Show `show`

            | column | type |
            | --- | --- |
            | keyword | string(256) |
            | order | ListOrder |
            """, path: "search.md")
        #expect(inference.findings.map(\.message) == ["these are definitions: check them with `loggen lint`"])
    }

    @Test(
        "The title of a document is a category, unless it names the document",
        arguments: [
            ("Shop", "shop"), ("Cart events", "cart"), ("`check_in`", "check_in"), ("Tracking plan", "plan"),
            ("Analytics events", "plan"), ("計測仕様書", "plan"), ("ショップ", "plan"), ("GA4 イベント設計", "plan"),
            ("How we measure the shop", "plan"), ("Compass Tracking Plan", "plan"),
        ])
    func title(title: String, category: String) async {
        let inference = await infer("# \(title)\n\n## Opened\n\n| Property | Type |\n|---|---|\n| a | int |\n")
        #expect(inference.signatures == ["\(category).opened(a: int)"])
    }

    @Test(
        "Several names above tables below one heading are events of their own",
        arguments: ["**%**", "`%`", "`%`:", "**%:**", "**`%`**", "%", "Event: %", "**Event name:** `%`", "イベント名：%"])
    func namesAboveTables(_ form: String) async {
        func table(_ name: String) -> String { "| Property | Type |\n|---|---|\n| \(name) | string |\n\n" }
        func line(_ name: String) -> String { form.replacing("%", with: name) + "\n\n" }
        let two = await infer(
            "# Plan\n\n## Checkout\n\n" + line("checkout_started") + "The cart is shown.\n\n" + table("cart_id")
                + line("checkout_completed") + table("order_id"))
        #expect(
            two.signatures == [
                "checkout.checkout_started(cart_id: string)", "checkout.checkout_completed(order_id: string)",
            ])
        // Another line is text.
        let text = await infer(
            "# Plan\n\n## Checkout\n\nFirst.\n\n" + table("cart_id") + "At the end:\n\n" + table("order_id"))
        #expect(text.signatures == ["plan.checkout(cart_id: string, order_id: string)"])
        // Below the name of an event, they are names of its properties.
        let one = await infer(
            "# Plan\n\n## checkout_started\n\n" + table("cart_id") + "`currency`\n\n" + table("iso") + "`state`\n\n"
                + table("name"))
        #expect(one.signatures == ["plan.checkout_started(cart_id: string, iso: string, name: string)"])
    }

    @Test("Messages that differ only in the names of events are one, with the lines of the others") func joined() async
    {
        let rows = (1...23).map { "| `cart_\($0)` | a: thing |\n" }.joined()
        let inference = await infer(
            "| Event | Properties |\n|---|---|\n\(rows)\n## `shown`\n\n| Property | Type |\n|---|---|\n"
                + "| x | thing |\n\n## `seen`\n\n| Property | Type |\n|---|---|\n| x | thing |\n")
        #expect(
            lines(inference).filter { $0.contains("unknown type") } == [
                "plan.md:31:7: warning: unknown type `thing`: `x` becomes a string; write a type such as `int`, "
                    + "`string?` or `enum(a, b)`; also in line 37"
            ])
    }

    @Test("A heading that differs from the event's name stays in the definition") func otherHeading() async {
        let inference = await infer(
            """
            ### signup

            Event name: `sign_up_done`

            | Property | Type | Owner | Trigger |
            |---|---|---|---|
            | a | int | @shop | on tap |

            ### Logged out

            Key: log_out

            | Property | Type |
            |---|---|
            | a | int |
            """)
        let events = inference.draft.categories.flatMap(\.events)
        #expect(events.map(\.name) == ["sign_up_done", "log_out"])
        #expect(events.map(\.title) == ["", "Logged out"])
        #expect(events.map(\.description.text) == ["(signup)", ""])
        #expect(events[0].columns.flatMap(\.annotations).map(\.value) == ["@shop", "on tap"])
    }

    @Test("A row's state is the property's, unless the row names the event") func states() async {
        let inference = await infer(
            """
            | Event | Property | Type | Status |
            |---|---|---|---|
            | opened | a | int | live |
            | | b | int | removed |
            | 同上 | c | int | deprecated since 2.0 |
            | closed | | | 廃止予定 |
            """)
        let events = inference.draft.categories.flatMap(\.events)
        #expect(events.map(\.isRetired) == [false, false])
        #expect(events[0].description.text == "Status: live")
        #expect(events[0].columns.map(\.isRetired) == [false, true, false])
        #expect(events[0].columns.map(\.deprecated) == [nil, nil, "deprecated since 2.0"])
        #expect(events[1].details == [DraftDetail(.deprecated, "廃止予定")])
    }

    @Test("Of several columns of names, the one with identifiers has the names") func names() async {
        let inference = await infer(
            """
            | イベント名 | イベントID | パラメータ |
            |---|---|---|
            | カート表示 | cart_opened | count (Int) |

            ### 注文 `order_placed`

            | 項目名 | キー | 型 |
            |---|---|---|
            | 注文番号 | order_id | 文字列 |
            """)
        #expect(inference.signatures == ["plan.cart_opened(count: int)", "plan.order_placed(order_id: string)"])
        #expect(inference.draft.categories.flatMap(\.events).map(\.title) == ["カート表示", "注文"])
    }

    @Test("Words next to a type are the description") func typeWithWords() async {
        let inference = await infer(
            "## Paid\n\n| Property | Type |\n|---|---|\n| total | number (minor units) |\n| at | ISO 8601 timestamp |\n"
        )
        #expect(inference.signatures == ["plan.paid(total: double, at: timestamp)"])
        let columns = inference.draft.categories.flatMap(\.events).flatMap(\.columns)
        #expect(columns.map(\.description) == ["(minor units)", ""])
    }

    /// Cells that look like definitions.
    @Test(
        "Strings of a document define nothing else",
        arguments: [
            "`x`\\n\\n## other", "<h2>evil</h2>", "| column | type |", "~~gone~~ `y`", "&#35;&#35; evil", "enum(a, b)",
            "```", "[x](javascript:y)", "\\`z", "a<br>## b", "# evil", "--- | ---", "*/ evil /*", "${evil}", "`` ` ``",
            "<!-- evil", "a<br>| b |", "\u{202E}evil", String(repeating: "evil ", count: 20_000),
        ])
    func hostile(text: String) async throws {
        let cell = text.replacingOccurrences(of: "|", with: "\\|")
        let document = """
            # Plan

            ## Cart

            ### Cart Opened

            \(["#", "```", "<!--"].contains(where: text.hasPrefix) ? "Text" : text)

            | Property | Type | Description | Example | Other |
            |---|---|---|---|---|
            | count | string | \(cell) | \(cell) | \(cell) |
            """
        let inference = await infer(document)
        #expect(inference.events <= 2 && inference.documents.count == 1, "\(inference.signatures)")
        let analysis = await inference.analysed()
        #expect(!analysis.diagnostics.contains { $0.severity == .error }, "\(inference.documents.map(\.text))")
        let found = analysis.definitions.categories.flatMap {
            $0.events.map { "\($0.name)(\($0.columns.map(\.name)))" }
        }
        #expect(found.contains("cart_opened([\"count\"])"))
        #expect(analysis.definitions.categories.count == 1 && analysis.definitions.types.isEmpty)
    }

    @Test(
        "Names of a document define nothing else",
        arguments: [
            "x`## y`", "<h2>evil</h2>", "a \\| b", "~~gone~~", "&#35; evil", "```", "[x](javascript:y)", "*/ evil",
            "${evil}",
            "`a` `b`", "a<br>## b", "\u{202E}evil", "---", "event\u{0}", "class", "self", "🙂", "none", "Type",
            String(repeating: "{a,b}", count: 40), String(repeating: "[", count: 5_000),
            String(repeating: "<", count: 5_000),
            String(repeating: "array of ", count: 150) + "ints", String(repeating: "\"", count: 20_001),
            String(repeating: "(", count: 5_000) + String(repeating: ")", count: 5_000),
            String(repeating: "evil", count: 5_000),
        ])
    func hostileNames(text: String) async {
        let document = """
            # \(text)

            ## Cart

            | Event | Properties |
            |---|---|
            | \(text) | \(text): string, b (\(text)) |
            | `cart_opened` | c |

            ### \(text)

            | Property | Type | Required |
            |---|---|---|
            | \(text) | \(text) | \(text) |
            """
        let inference = await infer(document)
        let analysis = await inference.analysed()
        let errors = analysis.diagnostics.filter { $0.severity == .error }.map(\.message)
        #expect(errors.isEmpty, "\(inference.documents.map(\.text))")
        #expect(analysis.definitions.categories.count <= 2)
        #expect(analysis.definitions.categories.reduce(0) { $0 + $1.events.count } == inference.events)
    }
}
