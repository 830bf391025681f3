import Foundation
import LogDefinitions
import MarkdownSyntax
import Testing
import TestSupport

@testable import LogInference

/// Tests of tracking plans in Markdown.
struct DocumentTests {
    private func infer(_ text: String) async -> Inference {
        await Inference.ofMarkdown([InferenceSource(path: "plan.md", bytes: Array(text.utf8))], category: nil)
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
