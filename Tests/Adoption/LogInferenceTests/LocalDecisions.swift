extension DocumentCasesTests {
    private static let table = "| Property | Type |\n|---|---|\n| a | int |\n"

    /// Documents of which each heading, row, line and item is decided alone.
    static let alone: [Case] = [
        Case(
            name:
                "A line that begins with a bold name is an event, and the next list has the properties of the last one",
            document: """
                ## Menu

                **`Menu Shown`** — `week`, `dish_count`
                **`Dish Added`** — `dish_id`, `source`

                ## Forms

                **`Form Sent`** — any form
                - `form_name` (zip, contact)
                - `success` (boolean)
                """,
            events: [
                "form_sent(form_name: string, success: bool)", "menu_shown(week: string, dish_count: string)",
                "dish_added(dish_id: string, source: string)",
            ]),
        Case(
            name: "Names in parentheses after an event are its properties, and a remark is not",
            document: """
                # Plan

                ## Events

                - `step_done` (step_number, kind: string)
                - `plan_bought` (plan, price, currency)
                - `logged_in` (method)
                - `card_hidden` (tap / click)
                - `card_moved` (tap, swipe)
                - `card_owned` (owner: growth)
                - `card_bought` (required: sku, price)
                - `card_new` (v2)
                - `card_sent` (card_id, screen, error, optional)
                - `card_shown` (mode enum only)
                - `old_seen` (deprecated)
                """,
            events: [
                "step_done(step_number: string, kind: string)",
                "plan_bought(plan: string, price: string, currency: string)", "logged_in(method: string)",
                "card_hidden()", "card_moved()", "card_owned()", "card_bought(sku: string, price: string)",
                "card_new()",
                "card_sent(card_id: string, screen: string, error: string?)",
                "card_shown()", "old_seen()",
            ]),
        Case(
            name: "Names parted by a slash in a cell are a property each",
            document:
                "# Plan\n\n| Event | Properties |\n|---|---|\n| `came_back` | status/product, item_list_id/name |\n",
            events: [
                "came_back(status: string, product: string, item_list_id: string, item_list_name: string)"
            ]),
        Case(
            name: "Several names in one item of common properties are a property each",
            document:
                "# Plan\n\nRequired in every event:\n\n- route, section\n- user_id, required\n\n## cart_opened\n\n\(table)",
            events: ["cart_opened(a: int)"], common: ["route: string", "section: string", "user_id: string"]),
        Case(
            name: "Items are events below the title of a funnel, and steps are not",
            document: """
                # Plan

                ## Naming conventions

                - `object_action`: How to call it
                  - Properties: `source`

                ## Sign-up funnel

                - `trip_started` — when it begins
                  - `event_data`: `{ source: string, size?: int }`

                ## Purchase funnel

                1. `price_viewed`
                """,
            events: ["trip_started(source: string, size: int?)"],
            messages: ["a name in line 15 looks like an event, and is left out: `price_viewed`"]),
        Case(
            name: "Two names with titles in a heading are two events, and a label in Chinese has their properties",
            document: "# Plan\n\n### 3.1 `cart_full` 满 / `cart_new` 新\n\n- 位置：`open()`\n- 字段：`size`（格数）、`kind`\n",
            events: ["cart_full(size: string, kind: string)", "cart_new(size: string, kind: string)"]),
        Case(
            name: "A heading with an open code span has one name",
            document: "# Plan\n\n### `cart_open` fires on `tap\n\n\(table)", events: ["cart_open(a: int)"]),
        Case(
            name: "Names in code below a heading about events are a loss",
            document:
                "# Plan\n\n## Events\n\n```\nCART_OPENED: 'Cart Opened',\n  properties: {}\n```\n\n## cart_closed\n\n\(table)",
            events: ["cart_closed(a: int)"], messages: ["`CART_OPENED`"]),
        Case(
            name: "An item of names in braces is an event with these properties",
            document: "# Plan\n\n- `quest_made` { `guild_id`, `gold` }\n- `quest_done` { `guild_id`, `hero_id` }\n",
            events: ["quest_made(guild_id: string, gold: string)", "quest_done(guild_id: string, hero_id: string)"]),
        Case(
            name: "A word in code in a sentence is no event",
            document:
                "# Plan\n\n## Where to call `track`\n\n- `track` never throws\n- Set `url` first\n\n## Opened\n\n\(table)",
            events: ["opened(a: int)"]),
        Case(
            name: "A line about all events introduces common columns, in a list or a table",
            document: """
                # Events

                ## Envelope

                All events must include:
                - event_key (uuid)

                **Standard params on every event:**

                | Param | Type |
                | --- | --- |
                | `build` | string |

                ## Cart

                ### cart_opened

                \(table)
                """,
            events: ["cart_opened(a: int)"], common: ["event_key: uuid", "build: string"]),
        Case(
            name: "Settings and environment variables are no events, and their names are a loss",
            document: """
                # Plan

                ## Broker settings

                | Property | Value |
                | --- | --- |
                | Servers | `broker:9092` |

                ## Environment

                1. Add:
                   - `API_KEY` = `abc`

                ## cart.opened

                **Producer:** Shop
                """,
            events: ["cart_opened()"],
            messages: ["`Servers` is left out", "a name in line 12 looks like an event, and is left out: `API_KEY`"]),
        Case(
            name: "The properties of a listed event may be in an item with its name",
            document: """
                | Event | Purpose |
                | --- | --- |
                | order_made | Start |

                ## Payload fields

                - order_made: order_id, status (success|failure)
                """,
            events: ["order_made(order_id: string, status: enum(success, failure))"]),
        Case(
            name: "An item may have several names, and a nested item with a type is a property of its own",
            document: """
                ## `run_started`

                - `hero`, `level`, `seed`
                - `extra`, which may include:
                  - `added` (number)
                  - `none`: nothing

                ## `run_ended`
                """,
            events: [
                "run_started(hero: string, level: string, seed: string, extra: string, added: double)", "run_ended()",
            ]),
        Case(
            name: "Names in a list below words are events",
            document: "# Plan\n\n### Voice log\n- `voice_opened`\n- `voice_stopped`\n",
            events: ["voice_opened()", "voice_stopped()"]),
        Case(
            name: "A labelled line has the properties of a heading in words, and may end with a period",
            document: """
                # Plan

                ### Form Sent
                **When**: the form is sent
                **Properties**: `method`, `ref`.

                ### Checkout Opened

                The sheet opens.

                Params: total (number), currency.
                """,
            events: ["form_sent(method: string, ref: string)", "checkout_opened(total: double, currency: string)"]),
        Case(
            name: "A row with properties names an event in words, also next to names in code",
            document: """
                | Screen | Event | Properties |
                | --- | --- | --- |
                | Home | `home_viewed` | tab |
                | Cart | Item Added | sku (int), qty (int) |
                """,
            events: ["home_viewed(tab: string)", "item_added(sku: int, qty: int)"]),
        Case(
            name: "A name may be a link to its explanation",
            document: """
                | Event | Properties |
                | --- | --- |
                | [`cart_opened`](#cart) | [`sku`](#sku), `qty` |

                ## [`cart_closed`](#closed)

                - [`reason`](#reason): why
                - [count](#count) (int)
                """,
            events: ["cart_opened(sku: string, qty: string)", "cart_closed(reason: string, count: int)"]),
        Case(
            name: "A heading may be two headings above its properties",
            document: "# Plan\n\n## Cart Opened\n\n### Details\n\n#### Properties\n\n\(table)",
            events: ["cart_opened(a: int)"]),
        Case(
            name: "Headings between `<details>` and `</details>` belong to the summary",
            document: """
                <details>
                  <summary>CART.OPENED</summary>

                ## Properties

                - count: number

                </details>
                <details>
                  <summary>CART.CLOSED</summary>

                ## Properties

                - reason: string

                </details>
                """,
            events: ["cart_opened(count: double)", "cart_closed(reason: string)"]),
        Case(
            name: "The next list has the facts about the event of a numbered item",
            document: """
                # Shop events (web)

                1. cart_opened
                - Description: when shown
                - Parameters:
                  - item_count (number)

                2. cart_closed
                - Description: when hidden
                """,
            events: ["cart_opened(item_count: double)", "cart_closed()"]),
        Case(
            name: "Headers in one word are read as words, and excess cells are a loss",
            document: """
                | eventName | properties |
                | --- | --- |
                | `visit_started` | `isDemo` (bool) | why |
                """,
            events: ["visit_started(is_demo: bool)"], messages: ["`why` is left out"]),
        Case(
            name: "Long names that differ only at the end stay different events",
            document: ["opened", "closed"].map {
                "### app_search_results_of_the_first_page_with_suggestions_and_filters_\($0)\n\nTracks it.\n\n"
            }.joined(),
            events: [
                "app_search_results_of_the_first_page_with_suggestions_and_filter()",
                "app_search_results_of_the_first_page_with_suggestions_an_2()",
            ]),
        Case(
            name: "Words about a type and a format in code are no values",
            document: """
                ## `cart_closed`

                | Property | Type |
                | --- | --- |
                | reason | enum string |
                | counts | non-negative integer |

                - `day`: `YYYY-MM-DD`
                - `host`: `window.location.host`
                - `state`: `OrderState`
                - `found`: `{ length: number; type: 'a' | 'b' }`
                """,
            events: [
                "cart_closed(reason: string, counts: int64(0...), day: date, host: string, state: string, "
                    + "found: string)"
            ]),
        Case(
            name: "A line or an item of names in code after a label has events, common properties, or a loss",
            document: """
                # Shop tracking plan

                Common properties: `user_id`, `locale`.

                Cart funnel: `cart_opened`, `404_viewed`.

                Product funnels:

                - Books: `book_opened`, `book_closed`.
                  - `book_id` (int)

                Hosts: `app_web`, `app_mobile`
                """,
            events: ["cart_opened()", "n404_viewed()", "book_opened(book_id: int)", "book_closed(book_id: int)"],
            common: ["user_id: string", "locale: string"],
            messages: ["2 names in line 12 look like events, and are left out: `app_web`, `app_mobile`"]),
        Case(
            name: "The last line of a paragraph or an item may introduce properties",
            document: """
                ### `upload_started`
                **Description**: The upload starts
                **Properties**:
                - `file_size`: In bytes

                ### `upload_done`
                **Placement**:
                - After the upload
                **Properties**:
                - `file_type`: Of the file
                """,
            events: ["upload_started(file_size: string)", "upload_done(file_type: string)"]),
        Case(
            name: "A setting, a sentence and the items of a step are no events",
            document: """
                # Plan

                ## Cart

                - `ANALYTICS_DISABLED=true`.
                - `oddsBand`, not `targetOddsBand`
                - `cart_shown`

                1. Add to the console:
                   - `StartTrial`
                2. `Validation`
                   - Compare
                """,
            events: ["cart_shown()"], messages: ["`oddsBand`", "`StartTrial`"]),
        Case(
            name: "A table that uses events names them in code, with conditions",
            document: """
                # Plan

                | Conversion | Event | Count |
                |---|---|---|
                | Lead | `lead_sent`, `lead_called` where `by=phone` | 1 |
                """,
            events: ["lead_sent()", "lead_called()"]),
        Case(
            name: "A column of lists of typed names in code has properties, and a few foreign headers are read",
            document: """
                | Événement | Paramètres |
                |---|---|
                | `scan_done` | `score: Double` |

                | Event | 附加 |
                |---|---|
                | `login` | `method: string`（如 `Email`）, `language?: string` |
                """,
            events: ["scan_done(score: double)", "login(method: string, language: string?)"]),
        Case(
            name: "Events of a chapter of removed events are retired",
            document: "# Plan\n\n## Removed events\n\n| Event | Reason |\n|---|---|\n| `page.viewed` | Too many |\n",
            events: ["page_viewed()"], retired: ["page_viewed"]),
        Case(
            name: "TypeScript below the name of an event has its properties, with quoted and computed names",
            document: """
                # Telemetry

                ## Global Attributes

                > Sent with every event

                ```typescript
                {
                  'global.id': string
                }
                ```

                ### ai/feedback

                > Sent with a rating

                ```typescript
                {
                  'model.id': string,
                  // How it went
                  'sentiment': 'helpful' | 'unhelpful',
                  [`day.${number}.started`]: string
                }
                ```

                ### ai/enabled

                ```typescript
                void
                ```

                ### Usage example

                ```typescript
                {
                  'key': string
                }
                ```
                """,
            events: [
                "ai_feedback(model_id: string, sentiment: enum(helpful, unhelpful), day_started: string)",
                "ai_enabled()",
            ],
            common: ["global_id: string"]),
        Case(
            name: "A bold word of a sentence is no property, and values are no events",
            document: """
                ### `install_done`

                Properties:

                - **Not** the name
                - **kind** int

                ## Cart

                `outcome` values:

                - `success`
                - `failure`
                """,
            events: ["install_done(kind: int)"],
            messages: ["3 names in lines 10–13 look like events, and are left out: `outcome`, `success`, `failure`"]),
        Case(
            name: "A list is of events or properties only by its own line and items",
            document: """
                # Plan

                ## Privacy guarantees

                - Buckets only
                - `environment` (`testing` or `production`)

                ## Matching

                Confirm that every event lands in the view with all names.

                Send these in the payload:

                - `external_id` of the user
                - `city`

                ### `total` of paid events

                ## About the ID

                Properties:
                - **Not** the name

                ## Ads

                - `Gebucht` → `Auftrag`
                - `Заказан` → `Auftrag`
                """,
            events: ["gebucht()"],
            messages: ["2 names in lines 14–15 look like events, and are left out: `external_id`, `city`"]),
        Case(
            name: "A table of events may have Spanish or Portuguese headers",
            document:
                "| Evento | Propiedades |\n|---|---|\n| `a_b` | `c` |\n\n| Evento | Propriedades |\n|---|---|\n| `d_e` | `f` |\n",
            events: ["a_b(c: string)", "d_e(f: string)"]),
        Case(
            name: "An event in two chapters of one category is one event",
            document: "# Plan\n\n## 開く\n\n### `a_shown`\n\n- `x` (int)\n\n## 閉じる\n\n### `a_shown`\n\n- `y` (int)\n",
            events: ["a_shown(x: int, y: int)"]),
        Case(
            name: "A heading in words is an event if a list gives its key",
            document: "# Plan\n\n## CART SHOWN\n\n- Key: ```cart_shown```\n- Platforms: web\n",
            events: ["cart_shown()"]),
        Case(
            name: "The list form of definitions has types after `!`, and nested descriptions",
            document: "## show\n\n- recipe_id: !int64\n    - The recipe\n- keyword: !string? 256\n",
            events: ["show(recipe_id: int64, keyword: string(256 bytes)?)"]),
        Case(
            name: "The facts of a paragraph above a list of properties are read, also below a heading in words",
            document: """
                # Plan

                #### CTA Click
                **Event Name:** `cta_tapped`
                **When:** on tap
                **Parameters:**
                - `place`: string

                #### Closed
                **Event Name:** `sheet_closed`
                **Parameters:** None
                """,
            events: ["cta_tapped(place: string)", "sheet_closed()"]),
        Case(
            name: "The label of an event may have a number or more words, or be a heading",
            document: """
                # Plan

                - **Event 1: item_opened**
                  - Properties: item_id (int)

                ## Landing

                - PostHog event name: `"review_tapped"`
                - PostHog event properties: `{ platform: "a" | "b" }`

                ## Concept

                ### Event Name

                `path_chosen`

                ### Recommended parameters

                - `page`, if available
                """,
            events: ["item_opened(item_id: int)", "review_tapped(platform: enum(a, b))", "path_chosen(page: string)"]),
        Case(
            name: "A row with words alone is the title of a group, and words next to names in code are no property",
            document: """
                | イベント名 | 発火元 | データ |
                |---|---|---|
                | **Game flow** | | |
                | `game:start` | Title | `{ is_new: boolean }` |
                | `game:save` | Main | `slot`, etc. |
                | `game:view` | Main | GA4 が自動付与 |
                | _None yet_ | | |
                """,
            events: ["game_start(is_new: bool)", "game_save(slot: string)", "game_view()"],
            messages: ["`etc` is left out", "`GA4 が自動付与` is left out"]),
        Case(
            name: "An item in words with a list of properties is an event, and a sentence about an event no label",
            document: """
                # Plan

                ## Onboarding

                - Sign Up Started
                  - Trigger: the page is shown
                  - Properties:
                    - Source: String - from where

                ## Events emitted

                - **checkout.done** fires at the end. Properties: `total` (number)
                - `cart.seen` (props: `size`, `from`)
                """,
            events: ["cart_seen(size: string, from: string)", "sign_up_started(source: string)"],
            messages: ["`checkout.done`"]),
        Case(
            name: "A name alone in its row is an event, and a row without one gives its properties to no event",
            document: """
                | Event | Properties |
                |---|---|
                | `cart_opened` | `size` |
                | cart_closed | |
                | none | `total` |
                | Payment | |
                | `paid` | `sum` |
                | `refunded` | `sum` |
                """,
            events: ["paid(sum: string)", "refunded(sum: string)", "cart_opened(size: string)", "cart_closed()"],
            messages: ["the row does not belong to an event", "`Payment` is read as the title of the rows below it"]),
        Case(
            name: "Values with remarks, and a verb without code, are no properties",
            document: """
                ## `user_joined`

                - `kind`: `a` (first), `b` (second)
                - Includes: the total of the order
                - Includes: `size`
                """,
            events: ["user_joined(kind: string, size: string)"]),
        Case(
            name: "A label names events, unless they are excluded or only the place of the names",
            document: """
                # Plan

                - opt-in events: `optin_shown`, `optin_done`
                - Sign-up events: `signup_started`, `signup_done`
                - Do not send these events: `old_shown`, `old_done`
                - Used in events: `user_kind`, `user_plan`

                1. **cart.opened** - the cart
                """,
            events: ["optin_shown()", "optin_done()", "signup_started()", "signup_done()", "cart_opened()"],
            messages: ["`old_shown`", "`user_kind`"]),
        Case(
            name: "A sentence with properties below it is no event, and their names are a loss",
            document: """
                # Plan

                - Each of the screens sends what it knows
                  - Properties: size, color
                - Cart Opened
                  - Properties: total
                """,
            events: ["cart_opened(total: string)"], messages: ["`size`", "`color`"]),
        Case(
            name: "A chapter of common properties may be in Korean, Chinese, Spanish and Russian",
            document: ["공통 속성", "公共属性", "Propiedades comunes", "Общие свойства"].enumerated()
                .map { "## \($1)\n\n| Property | Type |\n|---|---|\n| c\($0) | int |\n\n" }.joined()
                + "## cart_opened\n\n\(table)",
            events: ["cart_opened(a: int)"], common: ["c0: int", "c1: int", "c2: int", "c3: int"]),
        Case(
            name: "A value in JSON is the name of a type, or an example",
            document: """
                ## `course_created`

                **Payload:**

                ```json
                {
                  "count": 1,
                  "title": "New Course",
                  "is_free": "boolean"
                }
                ```
                """,
            events: ["course_created(count: string, title: string, is_free: bool)"]),
        Case(
            name: "A step with a type's name, a letter, a variable, a path and users' properties are no events",
            document: """
                # Plan

                ## Where

                1. **HomePage (`app/page.tsx`)**
                   - start
                2. **cart_opened** - the cart

                ## Sending

                - `NEXT_PUBLIC_KEY`: if there is one
                - `H` (story): was read
                - **Typed payload**: `src/types.ts`
                - **Sent user properties**:
                  - `email`

                ## Which methods?

                - **Events tracked:** `cart_closed`
                """,
            events: ["cart_opened()", "cart_closed()"]),
        Case(
            name:
                "Headers and chapters of properties may be in five more languages, and items have remarks between names",
            document: """
                | 이벤트 | 발화 트리거 | 핵심 속성 |
                |---|---|---|
                | `app_opened` | start | `type`(cold/warm), `is_first` |

                ## События

                Мы отправляем эти события:

                - `quiz_started`

                ### Свойства событий

                - `session_id`

                ## `api_called`

                - `method`, `endpoint` (a path), `status`

                ## `post_created` (optional)

                | Campo | Tipo |
                |---|---|
                | userId | number |

                ## `price_viewed` (optional)

                A helper exists.

                ## Core events

                - `letter_sent`
                  - Includes: `label`
                """,
            events: [
                "letter_sent(label: string)", "app_opened(type: string, is_first: string)", "quiz_started()",
                "api_called(method: string, endpoint: string, status: string)", "post_created(user_id: double)",
                "price_viewed()",
            ],
            messages: ["`session_id` is left out"]),
    ]
}
