extension DocumentCasesTests {
    private static func event(_ body: String, _ name: String = "`job_done`") -> String {
        "### \(name)\n\n\(body)\n\n"
    }

    private static func cells(_ header: String, _ cells: [String]) -> String {
        "| Event | \(header) |\n|---|---|\n"
            + cells.enumerated().map { "| `cart_\($0.offset)` | \($0.element) |\n" }.joined()
    }

    private static let columns = "| column | notes |\n|---|---|\n| `id` | uuid |\n"

    /// Habits of documents that were not used to write the reader.
    static let heldOut: [Case] = [
        Case(
            name: "Below an unknown label, names in code with a text are properties, and a name alone is not",
            document: event("**Egenskaper**:\n\n- `size`: storlek (cm)\n- `kind` (string)\n- `Home Page`\n"),
            events: ["job_done(size: string, kind: string)"]),
        Case(
            name: "A column of lists in code, or of members in braces, has properties below any header",
            document: cells("함께 보낼 정보", ["`a`: 이번 달, `b`: 여부", "—", "`a`"]).replacing("Event", with: "이벤트 이름") + "\n"
                + cells("Sample metadata", ["`{ c, d }`", "`{ c: int }`", "—"]).replacing("cart", with: "shop") + "\n"
                + cells("Required context", ["`m: email`, page path", "`n`", "post id"]).replacing("cart", with: "post"),
            events: [
                "cart_0(a: string, b: string)", "cart_1()", "cart_2(a: string)", "shop_0(c: int, d: string)",
                "shop_1(c: int)", "shop_2()", "post_0(m: string)", "post_1(n: string)", "post_2(post_id: string)",
            ], messages: ["`page path` is left out"]),
        Case(
            name: "Code in parentheses, after a dash, or with the name of a file is about the events of a cell",
            document: """
                | 위치 | 이벤트 |
                |---|---|
                | a | `clip_made` (쓴 `rejected` 것), `clip_lost` (`use-clip.ts`) |
                | b | `clip_seen` — 기준은 `SLOW_LIMITS` |
                | c | `export.csv` |
                | d | `sync.job.started/ended` |
                | e | *(reset)* |
                | f | `clip_saved_*` |
                """,
            events: [
                "clip_made()", "clip_lost()", "clip_seen()", "export_csv()", "sync_job_started()", "sync_job_ended()",
                "clip_saved()",
            ], messages: ["the variable `*`"]),
        Case(
            name: "A line of names below a label, or of names in code, has the events of its chapter",
            document: """
                ## Event Catalog

                **Community** (via `ActivityLogService`):
                `game.created`, `game.ended`, `campaign.*`.

                ### Event vocabulary

                ```text
                app_opened
                cat_opened   source, size
                ```

                ### Consent mode

                ```text
                ad_storage   granted
                ```
                """,
            events: [
                "app_opened()", "cat_opened(source: string, size: string)", "game_created()", "game_ended()",
                "campaign()",
            ]
        ),
        Case(
            name: "In a language that is not known, names in code in the first column are events",
            document: "| الحدث | الوصف |\n|---|---|\n| `cart_opened` | x |\n| `cart.closed` | y |\n\n"
                + "| 構成 | 値 |\n|---|---|\n| `app_color` | 1 |\n| Font | 2 |\n",
            events: ["cart_opened()", "cart_closed()"], messages: ["`app_color`"]),
        Case(
            name: "In JavaScript, values are examples, and an object without a label is a loss",
            document: event("**屬性：**\n\n```javascript\n{\n  platform: 'ios', // here\n  size: task.size\n}\n```\n")
                + event("**Later:**\n\n```js\n{\n  color: 'red'\n}\n```\n", "`job_lost`"),
            events: ["job_done(platform: string, size: string)", "job_lost()"],
            messages: ["properties in code are left out"]),
        Case(
            name: "Every event is named in other languages, too, and an action is an event",
            document: "# Plan\n\nВсе события автоматически обогащаются:\n- `build` - Номер\n\n"
                + "| Category | Action | Label |\n|---|---|---|\n| `cart` | `cart_opened` | — |\n",
            events: ["cart_opened()"], common: ["build: string"]),
        Case(
            name: "A header begins or ends with the word of an event, and a cell has several names with capitals",
            document: """
                | Evento lógico | Descripción del evento | Payload mínimo |
                |---|---|---|
                | AppOpened, SessionStarted | x | `{ a, b? }` |
                """,
            events: ["app_opened(a: string, b: string?)", "session_started(a: string, b: string?)"]),
        Case(
            name: "Items of names in braces, bold names before words, and steps with parameters are events",
            document: """
                ### シミュレーション

                - `sim_started` { guests }
                - `sim_saved` (旧互換)

                ### Список

                * **order\\_sent -** отмена
                * **order\\_seen** переход

                1. **`login`** - Se envía
                   - Parámetros: `method` (String)
                """,
            events: [
                "order_sent()", "order_seen()", "login(method: string)", "sim_started(guests: string)", "sim_saved()",
            ]),
        Case(
            name: "A line about data introduces properties, and a line with a label and properties is not lost",
            document:
                "## 1. Application Click\n\n**Données personnalisées**:\n\n- `app`: le nom\n- `kind`: la sorte\n\n"
                + "Propiedades comunes: `locale:string`, `build:int`\n",
            events: ["application_click(app: string, kind: string, locale: string, build: int)"]),
        Case(
            name: "A line with the name of an event introduces the table of its properties",
            document: "# 计划\n\n| 事件名称 | 参数 |\n|---|---|\n| `session_start` | 见下表 |\n| `session_end` | 无 |\n\n"
                + "`session_start` 参数：\n\n| 参数名 | 类型 |\n|---|---|\n| `is_new` | boolean |\n",
            events: ["session_start(is_new: bool)", "session_end()"]),
        Case(
            name: "An object of JSON may be in one line, and a JSON Schema is a loss",
            document: event("```json\n{\"count\": \"int\", \"site\": \"https://a.example\"}\n```\n")
                + event(
                    "```json\n{\n  \"type\": \"object\",\n  \"properties\": {\n    \"a\": {}\n  }\n}\n```\n",
                    "`job_lost`"),
            events: ["job_done(count: int, site: string)", "job_lost()"], messages: ["code is left out"]),
        Case(
            name: "A dictionary of properties, a question, a sentence and a value are no event",
            document: """
                ## Decisions

                ### Parameter vocabularies

                - `size`: `small`, `big`

                ## What is stored

                \(columns)
                ## Prepared, nullable and unused

                \(columns)
                ## Initialization

                - `host: 'x'`

                ## Names in `snake_case`

                ## 파라미터 정의 (Parameters)

                \(columns)
                ## 사용자 속성

                \(columns)
                """ + event("- `size`"),
            events: ["job_done(size: enum(small, big))"]),
        Case(
            name: "Parameters that are sent belong to their event, and an event has one name",
            document: event(
                "- **Canonical event name:** `page_seen` / `PageView`\n- **Parameters sent:**\n  - `size`\n",
                "`trackPage`"),
            events: ["page_seen(size: string)"], messages: ["`PageView`"]),
        Case(
            name: "A contract in common, and a line about what events are sent with, have common columns",
            document: "## Contrato comum\n\nCampos permitidos:\n\n- `route`\n\n## Sending\n\n"
                + "Events are sent to `POST /api` with:\n- `url`: of the page\n\n" + event("- `size` (int)"),
            events: ["job_done(size: int)"], common: ["route: string", "url: string"]),
        Case(
            name: "Properties may have the names of facts about an event",
            document: event(
                """
                | Parameter | Description |
                |---|---|
                | status | ok or error |
                | action | what was done |
                | `platform` | where |
                """) + event("- `action`: string\n- `version` (string): of the app\n", "`job_seen`")
                + event("- platform: string\n- owner: string\n", "`job_lost`"),
            events: [
                "job_done(status: string, action: string, platform: string)",
                "job_seen(action: string, version: string)",
                "job_lost(platform: string, owner: string)",
            ]),
        Case(
            name: "Names in code that follow each other are a property each",
            document: cells(
                "Properties",
                [
                    "`a` / `b`", "`a` `b` `c`", "`a` · `b` · `c` (optional)", "`a` + `b`", "`a` and `b`", "`a` \\| `b`",
                    "`n`: `integer`", "`n` `integer`", "`o: 'x'` · `b`",
                ])
                + "\n"
                + event("| Field | Type | Required |\n|---|---|---|\n| `x` / `y` / `z` | int | yes |"),
            events: [
                "cart_0(a: string, b: string)", "cart_1(a: string, b: string, c: string)",
                "cart_2(a: string, b: string, c: string?)", "cart_3(a: string, b: string)",
                "cart_4(a: string, b: string)",
                "cart_5(a: string, b: string)", "cart_6(n: int32)", "cart_7(n: int32)", "cart_8(o: enum(x), b: string)",
                "job_done(x: int, y: int, z: int)",
            ]),
        Case(
            name: "An object in code lists properties",
            document: cells("Parameters", ["`{ a: string, n?: int }`", "`{ \"a\": string }` (from the app)", "`{}`"])
                + event("Server said no.\n**Props**: `{ reason: string, code?: int }`.")
                + event("Shown.\n**Props**: `a`, `b`", "`job_seen`"),
            events: [
                "cart_0(a: string, n: int?)", "cart_1(a: string)", "cart_2()", "job_done(reason: string, code: int?)",
                "job_seen(a: string, b: string)",
            ],
            messages: ["left out: `(from the app)`"]),
        Case(
            name: "Code below `Properties:` has properties, also behind facts and in a list",
            document: event(
                "**When:** done\n**Properties:**\n```ts\n{\n  kind: 'a' | 'b',\n  count?: number, // how many\n}\n```")
                + event("- When: seen\n- Payload:\n```ts\ninterface Seen {\n  source: string;\n}\n```", "`job_seen`"),
            events: ["job_done(kind: enum(a, b), count: double?)", "job_seen(source: string)"]),
        Case(
            name: "A table of metrics or questions names its events in code or as identifiers",
            document: cells("Properties", ["`a`"])
                + "\n| Business question | Primary events | Target |\n|---|---|---|\n| Often? | `cart_9` | 40% |\n"
                + "\n| Stage | Event(s) |\n|---|---|\n| Opened | `cart_8` |\n| Rate | All visits |\n"
                + "\n| Shortcut | Action |\n|---|---|\n| g h | Go home |\n",
            events: ["cart_0(a: string)", "cart_8()"],
            messages: ["`All visits` is left out", "looks like an event, and is left out: `cart_9`"]),
        Case(
            name: "A table that begins with a goal may define its events, and prose is no list of properties",
            document: """
                | Goal | Event | Properties |
                |---|---|---|
                | Growth | `cart_a` | `{x,y}_count` |
                | Sales | `cart_b` | `n` |

                | Event | Context |
                |---|---|
                | `cart_c` | Home |
                """,
            events: ["cart_a(x_count: string, y_count: string)", "cart_b(n: string)", "cart_c()"]),
        Case(
            name: "An empty cell among marks of required properties means optional",
            document: event("| Field | Type | Required |\n|---|---|---|\n| a | int | ✔️ |\n| b | int | |"),
            events: ["job_done(a: int, b: int?)"]),
        Case(
            name: "A type's cell may say whether the property is required",
            document: event(
                """
                | Field | Type |
                |---|---|
                | a | string (optional) |
                | b | string *(optional)* |
                | c | number, optional |
                | d | number, required |
                """),
            events: ["job_done(a: string?, b: string?, c: double?, d: double)"]),
        Case(
            name: "A list may name several events, each with its facts",
            document: """
                # Checkout

                - **Event**: `checkout_started`
                  - **Trigger**: opens
                  - **Properties**:
                    - `size` (integer): items
                - **Event**: `checkout_done`
                  - **Trigger**: paid
                """,
            events: ["checkout_started(size: int32)", "checkout_done()"]),
        Case(
            name: "Headers have other forms, with a remark or another word",
            document: """
                | GA4 event | Payload (typical) |
                |---|---|
                | `cart_a` | `a` |

                | Event(s) | Props |
                |---|---|
                | `cart_b` | `a` |

                | イベント名（英語） | パラメータ（必須） |
                |---|---|
                | `cart_c` | `a` |

                | Event | Required | Recommended optional |
                |---|---|---|
                | `cart_d` | `a`, `b` | `c`, `d` |
                """,
            events: [
                "cart_a(a: string)", "cart_b(a: string)", "cart_c(a: string)",
                "cart_d(a: string, b: string, c: string?, d: string?)",
            ]),
        Case(
            name: "Cells say in many words that there are no properties",
            document: cells(
                "Properties", ["none — a restart", "Record<string, never>", "なし（共通のみ）", "None.", "`x`", "{}"]),
            events: ["cart_0()", "cart_1()", "cart_2()", "cart_3()", "cart_4(x: string)", "cart_5()"],
            messages: ["left out, because it says that there are no properties: `none — a restart`"]),
        Case(
            name: "The name of an event with another list has no columns, next to events with properties",
            document: event("Opened.\n\n**Fired in:**\n\n- `src/a.ts:26`\n- `src/b.ts:42`")
                + event("| Param | Type |\n|---|---|\n| a | string |", "`job_seen`"),
            events: ["job_done()", "job_seen(a: string)"]),
        Case(
            name: "Lists below a name have numbers, boxes or bold names",
            document: event("1. a (int): first\n2. b (string)") + event("- [ ] a (int)\n- [x] b (string)", "`job_b`")
                + event("- **a** (int, required): first\n- **price** (number)", "`job_c`")
                + event("- **Props:**\n  - `a` (int)", "`job_d`")
                + event("Properties:\n\n- **price (USD)**", "`job_e`"),
            events: [
                "job_done(a: int, b: string)", "job_b(a: int, b: string)", "job_c(a: int, price: double)",
                "job_d(a: int)", "job_e(price: double)",
            ]),
        Case(
            name: "Below an event of a table, a list of names has its properties",
            document: cells("When", ["opened"]) + event("- `a`, `b`\n- `c` (optional)", "`cart_0`"),
            events: ["cart_0(a: string, b: string, c: string?)"]),
        Case(
            name: "In a document that names its events, other headings with properties are none",
            document: (0..<5).map { event("| Property | Type |\n|---|---|\n| a | int |", "`job_\($0)`") }.joined()
                + event("| Property | Type |\n|---|---|\n| b | int |", "Item object")
                + cells("When", ["always"]) + "\n" + event("| Property | Type |\n|---|---|\n| c | int |", "Cart 0"),
            events: (0..<5).map { "job_\($0)(a: int)" } + ["cart_0(c: int)"],
            messages: ["`b` is left out: no event has it"]),
        Case(
            name: "The title of a document is no event by way of its first chapter",
            document: """
                # GA4

                ## 基本情報

                - 測定ID: `G-M0`

                ## イベント

                | イベント名 | パラメータ |
                |---|---|
                | `view_section` | `section_name` |
                """,
            events: ["view_section(section_name: string)"]),
        Case(
            name: "Headings name several events, or an event and its title",
            document: event("- a (int)", "`job_a` / `job_b`")
                + event("| Field | Type |\n|---|---|\n| a | int |", "job_c, job_d")
                + event("| Field | Type |\n|---|---|\n| a | int |", "job_e — paid"),
            events: ["job_a(a: int)", "job_b(a: int)", "job_c(a: int)", "job_d(a: int)", "job_e(a: int)"]),
        Case(
            name: "Words after a name are no type",
            document: event("Properties:\n\n- `a` number of files\n- `c`* (string)"),
            events: ["job_done(a: string, c: string)"]),
        Case(
            name: "Most headings about context describe no event",
            document: event("- `a` (int)") + "\n## Event envelope\n\nEvery event has:\n\n- `session` (string)\n"
                + "\n## User context\n\n| Field | Type |\n|---|---|\n| b | int |\n",
            events: ["job_done(a: int)"], common: ["session: string"]),
        Case(
            name: "An event in a remark after a dash is not a second name",
            document: event("- `b` (int)", "`cart_paid` — the end of `cart_opened`")
                + event("- `a` (int)", "`cart_opened`"),
            events: ["cart_paid(b: int)", "cart_opened(a: int)"]),
        Case(
            name: "A slash without blanks separates events, in headings and in cells",
            document: event("- a (int)", "cart_a/cart_b")
                + cells("When", ["opened"]).replacing("`cart_0`", with: "cart_c/cart_d"),
            events: ["cart_a(a: int)", "cart_b(a: int)", "cart_c()", "cart_d()"]),
        Case(
            name: "A line of bold words above a table of properties is an event",
            document: "## Checkout\n\n**Cart Opened**\n\n| Property | Type |\n|---|---|\n| a | int |\n\n"
                + "**Cart Closed**\n\n| Property | Type |\n|---|---|\n| b | int |\n",
            events: ["cart_opened(a: int)", "cart_closed(b: int)"]),
        Case(
            name: "A list of properties in parentheses, and words before a name, keep the properties",
            document: "# Events\n\n- `cart_opened` (props: `a`, `b`)\n\n"
                + event("- optional `x` (int)\n- plus error `message` (string)\n- `y` (int)"),
            events: ["cart_opened(a: string, b: string)", "job_done(x: int?, message: string, y: int)"]),
        Case(
            name: "What events carry is common to them",
            document: "# Plan\n\nEvents carry:\n\n- `user_key` (string)\n\n" + event("- `a` (int)"),
            events: ["job_done(a: int)"], common: ["user_key: string"]),
        Case(
            name: "Commas in quotation marks and between angle brackets separate nothing",
            document: cells("Properties", ["`size` (\"a, b\"), `total`", "`map: Map<string, int>`, `n`"]),
            events: ["cart_0(size: Size, total: string)", "cart_1(map: string, n: string)"]),
        Case(
            name: "A property with the name of its event is left out",
            document: event(
                "| Property | Type | Description |\n|---|---|---|\n| event | string | job_done |\n| a | int | sum |"),
            events: ["job_done(a: int)"], messages: ["it is the event's name"]),
    ]
}
