import LogDefinitions
import MarkdownSyntax
import Testing
import TestSupport

@testable import LogInference

/// Tests that any string of a source survives a round trip through the inferred documents.
struct HostileTextTests {
    private static let pieces = [
        "|", "\\", "`", "``", "*", "**", "_", "__", "[", "]", "(", ")", "<", ">", "<br>", "<script>alert(1)</script>",
        "<!--", "-->", "&", "&amp;",
        "&#35;", "~~", "~~~", "```", "#", "## ", "## show", "# common", "\n", "\n\n", "\r\n", "\t", "---", "===",
        "| a | b |\n| - | - |\n", "- ",
        "+ ",
        "* ", "1. ", "2) ", "> ", ": ", "- recipe_id: !integer", "[obsolete] ", "![x](y)", "[x]: http://e",
        "item: int64", "size int64\n", "refund:", "■ refund", "**Order**", "privacy: personal",
        "http://example.com", "@team", "\u{202E}",
        "\u{200F}", "\u{200B}", "\u{2028}", "\u{FEFF}", "\u{7}", "\u{1B}[31m", "\u{FF03}\u{FF03} ", "\u{FF5C}",
        "\u{3042}", "e\u{301}",
        "\u{1F468}\u{200D}\u{1F469}",
        "<<<<<<< HEAD\n", ">>>>>>> x\n", "recipe_id", "a", " ", "  ", "    code", "\0", "{{x}}", "$x$", "\"", "'", "=",
    ]

    private func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    private func place() -> SourcePlace { SourcePlace("x", line: 1) }

    private func draft(_ random: inout SeededGenerator) -> Draft {
        var draft = Draft()
        var category = DraftCategory(name: "search", place: place())
        category.title = text(&random)
        category.description = DraftText(text(&random), isMarkdown: Bool.random(using: &random))
        for name in ["show", "hide"] {
            var event = DraftEvent(name: name, place: place())
            event.title = text(&random)
            event.description = DraftText(text(&random), isMarkdown: Bool.random(using: &random))
            for column in ["first", "second", "third"] {
                var made = DraftColumn(
                    name: column, type: .string(.init()), isRequired: Bool.random(using: &random), place: place())
                made.description = text(&random)
                made.example = text(&random)
                for header in ["memo", "\u{5099}\u{8003}"] {
                    if let annotation = SchemaReader.annotation(header + text(&random), text(&random)) {
                        made.annotations.append(annotation)
                    }
                }
                if Bool.random(using: &random) { made.since = nonEmpty(text(&random)) }
                event.columns.append(made)
            }
            draft.categories.append(category)
            draft.categories.removeLast()
            category.events.append(event)
        }
        draft.categories.append(category)
        var type = DraftType(
            name: "Order", kind: .enumeration([.init("newest", description: text(&random)), .init("popular")]),
            place: place())
        type.description = DraftText(text(&random))
        draft.types.append(type)
        return draft
    }

    private func nonEmpty(_ text: String) -> String? {
        let text = PlainText.normalized(text, isOneLine: true)
        return text.isEmpty ? nil : text
    }

    private func plain(_ markdown: String) -> String { InlineMarkdown.plainText(markdown) }

    @Test("Hostile strings survive a round trip through documents", arguments: 0..<UInt64(Depth.cases(3, deep: 40)))
    func hostileStringsSurviveARoundTrip(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let draft = draft(&random)
            let inference = await Inference.finish((draft, []))
            let shown = inference.documents.map { "\($0.path)\n\($0.text)" }.joined()
            let analysis = await inference.analysed()
            // A header may look like a known one, and backticks in two cells like a code span. Those warnings are allowed.
            let diagnostics = analysis.diagnostics.filter {
                $0.severity == .error || ![.headerSpelling, .confusable, .excessCells].contains($0.rule)
            }
            #expect(diagnostics.isEmpty, "\(seed): \(diagnostics.map(\.message))\n\(shown)")
            #expect(inference.documents.count == 2)
            #expect(await DefinitionFormatter.format(analysis).isEmpty, "\(seed)\n\(shown)")
            let category = try #require(analysis.definitions.categories.first)
            #expect(analysis.definitions.categories.count == 1 && analysis.definitions.common == nil)
            #expect(
                category.title.isExactly(PlainText.normalized(draft.categories[0].title, isOneLine: true)),
                "\(seed)\n\(shown)")
            expectDescription(category.description, draft.categories[0].description, inference, shown)
            #expect(category.notes.isEmpty && category.events.map(\.name) == ["show", "hide"], "\(seed)\n\(shown)")
            for (event, meant) in zip(category.events, draft.categories[0].events) {
                // A title in the form of a name would be a second name of the heading. The description has it.
                let title = PlainText.normalized(meant.title, isOneLine: true)
                #expect(event.title.isExactly(Name.isIdentifier(title) ? "" : title), "\(seed)\n\(shown)")
                #expect(
                    event.status == .active && event.notes.isEmpty
                        && event.columns.map(\.name) == meant.columns.map(\.name), "\(seed)\n\(shown)")
                var description = meant.description
                if Name.isIdentifier(title), !title.isExactly(meant.name) {
                    description.text += (description.text.isEmpty ? "" : "\n\n") + "(\(title))"
                }
                expectDescription(event.description, description, inference, shown)
                for (column, meant) in zip(event.columns, meant.columns) { expect(column, meant, shown) }
            }
            let type = try #require(analysis.definitions.types.first)
            guard case .enumeration(let values) = type.kind else { return #expect(Bool(false)) }
            #expect(values.map(\.value) == ["newest", "popular"])
            if case .enumeration(let meant) = draft.types[0].kind {
                #expect(
                    plain(values[0].description).isExactly(PlainText.normalized(meant[0].description)),
                    "\(seed)\n\(shown)")
            }
        }
    }

    private func expect(_ column: Column, _ meant: DraftColumn, _ shown: String) {
        #expect(plain(column.description).isExactly(PlainText.normalized(meant.description)), "\(shown)")
        #expect(column.isRequired == meant.isRequired && column.status == .active && column.type == .string(.init()))
        #expect(column.since == meant.since, "\(shown)")
        // An example that a cell cannot represent is left out, and never replaced.
        if let example = column.example { #expect(example.isExactly(meant.example ?? ""), "\(shown)") }
        for annotation in column.annotations {
            let same = meant.annotations.first { $0.header.isExactly(annotation.header) }
            #expect(same.map { $0.value.isExactly(annotation.value) } ?? false, "\(annotation)\n\(shown)")
        }
        #expect(Set(column.annotations.map(\.header)).count == Set(meant.annotations.map(\.header)).count, "\(shown)")
    }

    private func expectDescription(_ markdown: String, _ meant: DraftText, _ inference: Inference, _ shown: String) {
        if meant.isMarkdown, markdown.isExactly(meant.text) { return }
        let text = PlainText.normalized(meant.text)
        let read = plain(markdown)
        if read.isExactly(text) || read.isExactly(PlainText.normalized(meant.text, isOneLine: true)) { return }
        // A string that no document can represent is reported as a loss.
        #expect(
            markdown.isEmpty && inference.hasLosses,
            "\(meant.text.debugDescription) is \(read.debugDescription)\n\(shown)")
    }

    @Test(
        "A title in the form of a name stays in a category's heading, and goes into an event's description",
        arguments: [("recipe_id", ""), ("code ", ""), ("\n a", ""), (" show", ""), ("Show", "Show"), ("a b", "a b")])
    func titlesInTheFormOfNames(title: String, written: String) async throws {
        var category = DraftCategory(name: "search", place: place())
        var event = DraftEvent(name: "show", place: place())
        event.title = title
        category.title = title
        category.events = [event]
        var draft = Draft()
        draft.categories = [category]
        let inference = await Inference.finish((draft, []))
        let analysis = await inference.analysed()
        #expect(analysis.diagnostics.isEmpty, "\(inference.documents)")
        let read = try #require(analysis.definitions.categories.first)
        let text = PlainText.normalized(title, isOneLine: true)
        #expect(read.events.map(\.title) == [written])
        #expect(read.title == text, "a category's heading may have it")
        let isMoved = written.isEmpty && text != "show"
        #expect(read.events.map(\.description) == [isMoved ? "(\(text))" : ""])
    }

    @Test(
        "A description that looks like a definition is kept",
        arguments: [
            "item: int64 the item", "item int64\nis_new bool", "refund:", "■ refund", "**refund**", "privacy: personal",
            "refund: Order",
        ])
    func descriptionsLikeDefinitions(_ text: String) async throws {
        for isType in [false, true] {
            let written = try #require(await PlainText.description(DraftText(text), isOfType: isType, types: ["Order"]))
            #expect(InlineMarkdown.plainText(written) == text, "\(written)")
        }
    }

    @Test("Plain text stays readable") func plainTextStaysReadable() async {
        #expect(PlainText.cell("\u{691C}\u{7D22}: recipe_id (1-5), a.b") == "\u{691C}\u{7D22}: recipe_id (1-5), a.b")
        #expect(PlainText.cell("a|b\n<c> _d_") == "a\\|b<br>\\<c> \\_d\\_")
        #expect(PlainText.normalized("\u{2028} \u{200F} ") == "", "only invisible characters and blanks")
        #expect(await PlainText.description(DraftText("One.\n\nTwo - three.")) == "One.\n\nTwo - three.")
        #expect(await PlainText.description(DraftText("- `a`\n- b", isMarkdown: true)) == "- `a`\n- b")
        #expect(await PlainText.description(DraftText("## b2", isMarkdown: true)) == "&#x23;&#x23; b2")
    }

    @Test(
        "Names become identifiers",
        arguments: [
            ("Order Completed", "order_completed"), ("userID", "user_id"), ("HTTPStatus", "http_status"),
            ("show-recipe", "show_recipe"),
            ("\u{FF21}\u{FF22} c", "ab_c"), ("3d_view", "n3d_view"), ("a__b", "a__b"), ("\u{6CE8}\u{6587}", nil),
            ("", nil),
            ("_a", "a"),
            ("v2Beta", "v2_beta"),
        ]) func namesBecomeIdentifiers(name: String, identifier: String?)
    {
        #expect(Names.identifier(name) == identifier)
    }
}
