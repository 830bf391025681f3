import MarkdownSyntax
import Testing

@testable import LogDefinitions

/// Tests of the edits that write a former name into a document.
struct FormerNameEditTests {
    private func applied(_ edit: SourceText.Replacement?, to text: String) throws -> String {
        let edit = try #require(edit)
        var bytes = Array(text.utf8)
        bytes.replaceSubrange(edit.range, with: edit.text.utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func event(_ text: String) async throws -> (event: Event, source: SourceText) {
        let source = SourceText(Array(text.utf8))
        let file = SourceFile(path: "shop.md", relativePath: "shop.md", source: source)
        let analysis = await Analysis.run([file])
        #expect(analysis.diagnostics.isEmpty, "\(analysis.diagnostics.map(\.message))\n\(text)")
        return (try #require(analysis.definitions.categories.first?.events.first), source)
    }

    @Test(
        "The former name of a column is written into its row",
        arguments: [
            "| column | type |\n| --- | --- |\n| a | int |\n| b | int64? |\n| c | bool |",
            "| column | type | renamed from |\n| --- | --- | --- |\n| a | int | x |\n| b | int64? |\n| c | bool | |",
            "| column | type | was | description |\n|---|---|---|---|\n| a | int |\n| b | int64? | `old` | with \\| pipe |",
            "column | type\n--- | ---\na | int\nb | int64?",
            "| カラム | 型 |\n| --- | --- |\n| a | int |\n| b | int64? |",
            "| renamed from | column | type |\r\n| --- | --- | --- |\r\n| | a | int |\r\n| | b | int64? |",
        ])
    func columns(table: String) async throws {
        let text = "# shop\n\n## buy\n\n\(table)\n"
        let (before, source) = try await event(text)
        let column = try #require(before.columns.first { $0.name == "b" })
        let edited = try applied(
            source.adding(formerName: "b", toRowAt: column.place.range, newName: "better"), to: text)
        let (after, _) = try await event(edited)
        let renamed = try #require(after.columns.first { $0.name == "better" })
        #expect(renamed.formerNames.map(\.name) == ["b"] + column.formerNames.map(\.name), "\(edited)")
        #expect(renamed.type == column.type && renamed.description == column.description)
        func others(_ event: Event, _ name: String) -> [String] {
            event.columns.filter { $0.name != name }.map { "\($0.name): \($0.type) \($0.isRequired)" }
        }
        #expect(others(after, "better") == others(before, "b"))
    }

    @Test(
        "The former name of an event is written into its details",
        arguments: [
            "# shop\n\n## purchase\n", "# shop\n\n## purchase\nA description.\n",
            "# shop\n\n## purchase\n\nA description.\n\n| key | value |\n| --- | --- |\n| owner | @shop |\n",
            "# shop\n\n## purchase\n\n| key | value |\n| --- | --- |\n| renamed from | `bought` |\n",
            "# shop\n\n| key | value |\n| --- | --- |\n| owner | @shop |\n\n## 購入 `purchase`\n\n| カラム | 型 |\n| --- | --- |\n| a | int |\n",
        ])
    func events(text: String) async throws {
        let (before, source) = try await event(text)
        let (after, _) = try await event(try applied(source.adding(formerName: "buy", to: before), to: text))
        #expect(after.formerNames.map(\.name) == ["shop.buy"] + before.formerNames.map(\.name))
        #expect(after.description == before.description && after.details.owner?.value == before.details.owner?.value)
        #expect(after.columns.map(\.name) == before.columns.map(\.name))
    }
}
