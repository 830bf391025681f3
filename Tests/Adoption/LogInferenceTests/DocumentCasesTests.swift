import LogDefinitions
import MarkdownSyntax
import Testing

@testable import LogInference

/// Small tracking plans, each with one habit of real ones, and the events that they describe.
struct DocumentCasesTests {
    struct Case: CustomTestStringConvertible {
        var name: String
        var document: String
        /// The events with their columns, without the category.
        var events: [String]
        var common: [String] = []
        var messages: [String] = []
        var retired: [String] = []

        var testDescription: String { name }
    }

    @Test("A plan becomes its events", arguments: cases + habits + heldOut + alone) func events(_ plan: Case) async {
        let source = InferenceSource(path: "plan.md", bytes: Array(plan.document.utf8))
        let inference = await Inference.ofMarkdown([source], category: nil)
        let events = inference.draft.categories.flatMap { category in
            category.events.map { event in
                let columns = event.columns.map { "\($0.name): \($0.type)\($0.isRequired ? "" : "?")" }
                return "\(event.name)(\(columns.joined(separator: ", ")))"
            }
        }
        #expect(events == plan.events)
        #expect(inference.draft.common.map { "\($0.name): \($0.type)" } == plan.common)
        let retired = inference.draft.categories.flatMap(\.events).filter(\.isRetired).map(\.name)
        #expect(plan.retired.isEmpty || retired == plan.retired)
        for message in plan.messages {
            #expect(
                inference.findings.contains { $0.message.contains(message) },
                "\(inference.findings.map(\.message)) lacks `\(message)`")
        }
        let errors = await inference.analysed().diagnostics.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(inference.documents.map(\.text))")
    }

    private static let table = "| Property | Type |\n|---|---|\n| a | int |\n"

    private static let cases: [Case] = [
        Case(
            name: "A heading above deeper headings is a chapter, next to events too",
            document: """
                # Plan

                ## Opened

                \(table)
                ## Cart

                ### Closed

                \(table)
                """,
            events: ["closed(a: int)", "opened(a: int)"]),
        Case(
            name: "Facts about an event are details, and a key is its name",
            document: """
                # Plan

                ### Checkout started

                | Key | Value |
                |---|---|
                | Event name | `checkout_started_v2` |
                | Owner | @shop |
                | Platforms | iOS, Android |
                | Fires when | the button is tapped |

                \(table)
                ### Checkout closed

                - **Key**: `checkout_closed`
                - **Since**: 2.1.0
                - **Status**: deprecated

                \(table)
                """,
            events: ["checkout_started_v2(a: int)", "checkout_closed(a: int)"]),
        Case(
            name: "Properties of people and metrics are no events",
            document: """
                # Plan

                ## Opened

                \(table)
                ## User properties

                | Property | Type |
                |---|---|
                | plan | string |

                ## Super properties

                | Property | Type |
                |---|---|
                | build | string |

                ## Metrics

                | Metric | Events | Aggregation |
                |---|---|---|
                | DAU | 3 | count |
                """,
            events: ["opened(a: int)"], common: ["build: string"],
            messages: ["`User properties`", "line 23 (`Metric`, `Events`, `Aggregation`)"]),
        Case(
            name: "Properties that are sent with every event are common",
            document: """
                # Plan

                ## Context

                Sent with every event.

                | Property | Type |
                |---|---|
                | user.id | string |

                ## 全イベント共通プロパティ

                - `session_id` (string)

                ## Opened

                \(table)
                """,
            events: ["opened(a: int)"], common: ["user_id: string", "session_id: string"],
            messages: ["`user.id` is called `user_id`"]),
        Case(
            name: "A line of common properties makes no event of the heading above it",
            document: """
                # Plan

                ## First principles

                Names are in camelCase.

                Required common fields: `buildNumber:string`, `locale: string`, `sessionId`.

                ## Opened

                \(table)
                """,
            events: ["opened(a: int)"], common: ["build_number: string", "locale: string", "session_id: string"]),
        Case(
            name: "Accents do not matter, and a label with a word for properties introduces them",
            document: """
                # Eventos

                ### `screen_view`

                #### Parametros

                | Nombre | Tipo |
                |---|---|
                | `screen` | string |

                ### Room Created

                **Metadata:**
                - `room_id` - The room
                """,
            events: ["screen_view(screen: string)", "room_created(room_id: string)"]),
        Case(
            name: "A label groups the events below a heading about events, and a sentence does not",
            document: """
                # Contract

                All events fire in
                parent mode. See `src/shared/lib.ts`.

                - `guild_created` { `guild_id` }

                ## Required event names

                Gameplay and lifecycle:

                - `level_started`

                Errors are written to a table with:

                - `error_name`
                """,
            events: ["guild_created(guild_id: string)", "level_started()"],
            messages: ["a name in line 16 looks like an event, and is left out: `error_name`"]),
        Case(
            name: "Quoted values after a type are no properties, and properties without an event are named",
            document: """
                # イベント

                | イベント名 | パラメータ |
                |---|---|
                | `opened` | `from` (string): 'menu', 'deep_link' |
                | `closed` | { 'count': int, 'by': string } |
                | `moved` | 'from', 'to' |

                ## 送信するパラメータ

                固定値は次のとおりです。

                - `site_section`：固定

                ## 公共约定

                - 鉴权：Bearer
                """,
            events: ["opened(from: string)", "closed(count: int, by: string)", "moved(from: string, to: string)"],
            messages: ["`site_section` (：固定) is left out: no event has it"]),
        Case(
            name: "Several names in a cell are several events",
            document: """
                # Plan

                | Event | Properties |
                |---|---|
                | `a_open` / `a_close` | item |
                | `b_open`<br>`b_close` | item |
                | `tab_{home,search}_tapped` | item |
                | `banner_shown/hidden` | item |
                """,
            events: [
                "a_open(item: string)", "a_close(item: string)", "b_open(item: string)", "b_close(item: string)",
                "tab_home_tapped(item: string)", "tab_search_tapped(item: string)", "banner_shown(item: string)",
                "banner_hidden(item: string)",
            ]),
        Case(
            name: "One event in several tables is one event",
            document: """
                # Plan

                ## Summary

                | Event | Description |
                |---|---|
                | `cart_opened` | The cart is shown |
                | `cart_closed` | The cart is closed |

                ### cart_opened

                #### Required properties

                | Name | Type |
                |---|---|
                | count | int |

                #### Optional properties

                | Name | Type |
                |---|---|
                | coupon | string |
                """,
            events: ["cart_opened(count: int, coupon: string?)", "cart_closed()"]),
        Case(
            name: "An item of a list is an event, and its own list has the properties",
            document: """
                # Plan

                ## Cart

                - `cart_opened`: The cart is shown
                  - `count` (int): How many
                  - `source`: "menu" | "push"
                - cart_closed / cart_left
                  - When: the cart is closed
                  - Params: total (double), items[], coupon?
                """,
            events: [
                "cart_opened(count: int, source: enum(menu, push))",
                "cart_closed(total: double, items: [string], coupon: string?)",
                "cart_left(total: double, items: [string], coupon: string?)",
            ]),
        Case(
            name: "A summary of details is an event",
            document: """
                # Plan

                <details>
                <summary><code>cart_opened</code></summary>

                \(table)
                </details>

                <details>
                <summary><code>cart_closed</code></summary>

                | Property | Type |
                |---|---|
                | total | double |

                </details>
                """,
            events: ["cart_opened(a: int)", "cart_closed(total: double)"]),
        Case(
            name: "Numbers, states and merged cells of rows",
            document: """
                # 計測

                | # | ステータス | イベント名 | パラメータ名 | 型 | 必須 |
                |---|---|---|---|---|---|
                | 1 | 実装済み | search_shown | keyword | 文字列 | ○ |
                |   | | 同上 | count | 数値 | × |
                | 2 | 廃止 | search_left | | | |
                |   | | | reason | "back" / "tap" | ○ |
                """,
            events: ["search_shown(keyword: string, count: double?)", "search_left(reason: enum(back, tap))"]),
        Case(
            name: "Spellings of values, lists and nothing",
            document: """
                # Plan

                | Event | Parameters |
                |---|---|
                | `a_a` | sort ∈ {new, old}, `mode` (fixed values: fast, slow), tags[], kind: a\\|b |
                | `a_b` | （なし） |
                | `a_c` | N/A |
                | `a_d` | x, y: number |
                | `a_e` | order_id or cart_id |
                """,
            events: [
                "a_a(sort: enum(new, old), mode: enum(fast, slow), tags: [string], kind: enum(a, b))", "a_b()", "a_c()",
                "a_d(x: string, y: double)", "a_e(order_id: string?, cart_id: string?)",
            ]),
        Case(
            name: "A property that always has the event's name is left out",
            document: """
                # Plan

                ## cart_opened

                | Property | Type | Example |
                |---|---|---|
                | event | string | cart_opened |
                | count | int | 3 |
                """,
            events: ["cart_opened(count: int)"], messages: ["`event` of `cart_opened` is left out"]),
        Case(
            name: "A variable in a name is left out",
            document: "# Plan\n\n## Auth: Phone {country}\n\n\(table)\n## `Shell ${string}`\n\n\(table)",
            events: ["auth_phone(a: int)", "shell(a: int)"],
            messages: ["the variable `{country}`", "the variable `{string}`"]),
        Case(
            name: "A list of call sites repeats events",
            document: """
                # Plan

                ## Cart

                | Event | Properties |
                |---|---|
                | `cart_opened` | count: int |

                ## Call sites

                | Event | File |
                |---|---|
                | `CART_OPENED` | Cart.swift |
                """,
            events: ["cart_opened(count: int)"]),
        Case(
            name: "Counts of events are no events",
            document:
                "# Plan\n\n| Category | Events |\n|---|---|\n| Cart | 3 |\n| **Total** | **3** |\n\n## Opened\n\n\(table)",
            events: ["opened(a: int)"]),
        Case(
            name: "An event may say that it has no properties",
            document:
                "# Plan\n\n## Cart\n\n### Opened\n\n_No additional properties._\n\n### Closed\n\n**Properties:** None\n",
            events: ["opened()", "closed()"]),
        Case(
            name: "Headers with more words, and nouns of Japanese plans",
            document: """
                # 計測

                ## 検索

                | 操作 | イベント名 | 主なパラメータ | 備考 |
                |---|---|---|---|
                | 検索する | `search` | `keyword`: 文字列、`is_first`（真偽値） | 最初だけ |

                ## Cart

                | Event | When | Recommended payload keys |
                |---|---|---|
                | `cart_opened` | shown | `count?`, `mode` (`a` \\| `b`) |
                """,
            events: ["cart_opened(count: string?, mode: enum(a, b))", "search(keyword: string, is_first: bool)"]),
        Case(
            name: "Properties as a type in code",
            document: """
                # Plan

                ## `login`

                **Properties:**

                ```typescript
                {
                  method: 'email' | 'apple' // How
                  user_id?: string;
                }
                ```

                ## `logout`

                **Properties:** None
                """,
            events: ["login(method: enum(email, apple), user_id: string?)", "logout()"]),
        Case(
            name: "Code that is not a list of members is a loss",
            document: "# Plan\n\n## `login`\n\n**Properties:**\n\n```\nsend(method)\n```\n\n## `logout`\n\n\(table)",
            events: ["login()", "logout(a: int)"], messages: ["properties in code are left out"]),
        Case(
            name: "Front matter is not part of the plan",
            document: "---\ntitle: Plan\n---\n\n# Plan\n\n## Opened\n\n\(table)", events: ["opened(a: int)"]),
        Case(
            name: "Privacy, status and examples of properties",
            document: """
                # Plan

                ## Opened

                | Property | Type | PII | Status | Example |
                |---|---|---|---|---|
                | email | string | yes | | a@b.c |
                | old_id | string | no | removed | `x` |
                | new_id | UUID \\| null | | deprecated | |
                """,
            events: ["opened(email: string, old_id: string, new_id: uuid?)"]),
    ]

    /// Habits of plans in Notion, GitHub and spreadsheets.
    private static let habits: [Case] = [
        Case(
            name: "In a column of names, `x`, `no` and `na` are names",
            document:
                "# Map\n\n## `map_tapped`\n\n| Property | Type |\n|---|---|\n| x | double |\n| y | double |\n| no | int |\n| na | string |\n",
            events: ["map_tapped(x: double, y: double, no: int, na: string)"]),
        Case(
            name: "A type may be in code or in emphasis",
            document: """
                ## Signed Up

                - `method` – `string` – how, and `why`
                - `count`: `integer`
                - `tags`: `string[]`
                - `n` (`int`)
                - `a` _(string)_
                - `b` *(int, optional)*
                - `c` – **int** – the count
                - `d`（文字列・任意）
                - `m` — `string` — one of `email`, `google`, `apple`
                """,
            events: [
                "signed_up(method: string, count: int32, tags: [string], n: int, a: string, b: int?, c: int, "
                    + "d: string?, m: string)"
            ]),
        Case(
            name: "A table with a row for the event's name has facts, whatever its other rows are",
            document: """
                # ショップ

                ### カートを閉じた

                | 項目 | 内容 |
                |---|---|
                | イベント名 | `cart_closed` |
                | 説明 | カートを閉じる |
                | 画面 | カート |
                | チケット | ABC-1 |

                #### パラメータ

                | 名前 | 型 |
                |---|---|
                | reason | 文字列 |
                """,
            events: ["cart_closed(reason: string)"]),
        Case(
            name: "Next to types, a column of parameters has one in each row",
            document: "| イベント | パラメータ | 型 |\n|---|---|---|\n| search_exec | keyword | string |\n| | count | int |\n",
            events: ["search_exec(keyword: string, count: int)"]),
        Case(
            name: "A label above a table or a list says that properties are optional",
            document: """
                ## Paid

                Required:

                | Property | Type |
                |---|---|
                | total | int |

                **Optional properties**

                | Property | Type |
                |---|---|
                | coupon | string |

                Optional:

                - `code`: string
                """,
            events: ["paid(total: int, coupon: string?, code: string?)"]),
        Case(
            name: "Below a label, words are names of properties",
            document: """
                # Session

                ## App Opened

                When the app opens.

                Properties:

                - Source
                - Item Count

                ## App Closed

                Properties:

                - [ ] `duration`: int
                """,
            events: ["app_opened(source: string, item_count: string)", "app_closed(duration: int)"]),
        Case(
            name: "Phrases and placeholders are neither names nor values",
            document: """
                | Event | Properties |
                |---|---|
                | `cart_a` | TBD |
                | `cart_b` | See below |
                | `cart_c` | Same as cart_a |
                | `cart_d` | <ul><li>reason</li><li>count</li></ul> |
                | `cart_e` | [`reason`](#reason) |
                | all events | session |

                ### `cart_f`

                | Property | Type | Values |
                |---|---|---|
                | a | string | free text |
                | b | string | varies |
                | c | string | email, google and apple |
                | d | string | x (default), y |
                | e | "x", "y" or "z" | |
                | g | string | Terms and conditions, privacy |
                | No of guests | int | |
                """,
            events: [
                "cart_a()", "cart_b()", "cart_c()", "cart_d(reason: string, count: string)", "cart_e(reason: string)",
                "cart_f(a: string, b: string, c: string, d: string, e: enum(x, y, z), g: string, no_of_guests: int)",
            ],
            common: ["session: string"],
            messages: ["`See below` is left out", "`Same as cart_a` is left out"]),
        Case(
            name: "Facts of an event may have lists below them",
            document: """
                # Cart

                - **cart_add**
                  - Trigger: item is added
                    - from the list
                  - Params:
                    - item_id: string
                - **cart_drop**
                  - Trigger: item is dropped
                """,
            events: ["cart_add(item_id: string)", "cart_drop()"]),
        Case(
            name: "`None` below a label is no property, and a property may be `Event Name`",
            document: """
                # Shop

                ## `cart_add`

                Properties:

                - None

                ## `cart_drop`

                | Property | Description |
                |---|---|
                | Event Name | The name of the event |
                | Item ID | the item |
                | Price | the price |

                ## ~~cart_old~~ → `cart_new`

                \(table)
                """,
            events: [
                "cart_add()", "cart_drop(target_event_name: string, item_id: string, price: string)",
                "cart_new(a: int)",
            ]),
        Case(
            name: "`and` and `or` may be parts of a value",
            document: """
                ## Played

                | Property | Type |
                |---|---|
                | a | enum: "rock", "drum and bass" |
                | b | enum: small, black and white |
                | c | "trick", "trick or treat" |
                """,
            events: [
                "played(a: enum(rock, drum and bass), b: enum(small, black and white), "
                    + "c: enum(trick, trick or treat))"
            ]),
        Case(
            name: "An item in words may contain events",
            document:
                "# Plan\n\n## Opened\n\n\(table)\n## Search\n\n- Search\n  - `search_done`\n    - `query`: string\n",
            events: ["opened(a: int)", "search_done(query: string)"]),
    ]

    @Test("Marks of a state and footnotes are no part of a name") func states() async throws {
        let document = """
            # Shop

            ## ~~`cart_close`~~

            \(Self.table)
            ## [obsolete] `order_sent`

            \(Self.table)
            ## [DEPRECATED] order_returned[^1]

            \(Self.table)
            | Event | Properties | PII |
            |---|---|---|
            | ~~`cart_open`~~ | a | Yes |
            """
        let source = InferenceSource(path: "plan.md", bytes: Array(document.utf8))
        let inference = await Inference.ofMarkdown([source], category: nil)
        let events = inference.draft.categories.flatMap(\.events)
        #expect(events.map(\.name) == ["cart_close", "order_sent", "order_returned", "cart_open"])
        #expect(events.map(\.isRetired) == [true, true, false, true])
        #expect(
            events.map { $0.details.map { "\($0.key.rawValue): \($0.value)" } } == [
                [], [], ["deprecated: DEPRECATED"], ["privacy: personal"],
            ])
        #expect(events.allSatisfy { $0.title.isEmpty })
    }
}
