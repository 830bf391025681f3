import LogDefinitions
import MarkdownSyntax
import Testing

@testable import LogOutputs

struct OutputTemplateTests {
    final class Leaf: TemplateView {
        let name: String
        let note: String?
        let isOn: Bool
        let leaves: [Leaf]

        init(name: String, note: String? = nil, isOn: Bool = false, leaves: [Leaf] = []) {
            self.name = name
            self.note = note
            self.isOn = isOn
            self.leaves = leaves
        }

        static let fields = TemplateFields<Leaf>()
            .text("name", "") { $0.name }
            .text("name(upper)", "") { $0.name.uppercased() }
            .optionalText("note", "") { $0.note }
            .flag("on", "") { $0.isOn }
            .list("leaves", of: "leaf", "", Leaf.self) { $0.leaves }
            .view("first-leaf", "", Leaf.self) { $0.leaves.first }
    }

    static let root = Leaf(
        name: "root", note: "n",
        leaves: [Leaf(name: "a", isOn: true), Leaf(name: "b", note: "m", leaves: [Leaf(name: "c")]), Leaf(name: "d")])

    private func render(_ text: String) -> (String?, [Diagnostic]) {
        let file = SourceFile(path: "t", relativePath: "t", source: SourceText(Array(text.utf8)))
        let (template, problems) = OutputTemplate.read(file, fields: Leaf.fields.descriptions, needsHeader: false)
        return (template?.text(Self.root), problems)
    }

    @Test(
        "Templates are rendered",
        arguments: [
            ("{{name}} {{{name}}} {{&name}} {{ name }}", "root root root root"), ("{{name(upper)}}", "ROOT"),
            ("{{#leaves}}{{name}}{{^last()}}, {{/last()}}{{/leaves}}", "a, b, d"),
            ("{{#leaves}}{{#first()}}[{{/first()}}{{index()}}{{#last()}}]{{/last()}}{{/leaves}}", "[012]"),
            ("{{#leaves}}{{#even()}}e{{/even()}}{{#odd()}}o{{/odd()}}{{/leaves}}", "eoe"),
            ("{{#leaves}}{{#on}}{{name}}{{/on}}{{^on}}-{{/on}}{{/leaves}}", "a--"),
            // An empty field does not fall back to the field of the enclosing view.
            ("{{#leaves}}({{note}}){{/leaves}}", "()(m)()"),
            ("{{#leaves}}{{#note}}{{note}}{{/note}}{{^note}}none {{/note}}{{/leaves}}", "none mnone "),
            // Names before a dot
            ("{{#leaves}}{{#leaves}}{{name}} in {{leaf.name}}{{/leaves}}{{/leaves}}", "c in c"),
            ("{{first-leaf.name}}", "a"),
            ("{{#first-leaf.on}}on{{/first-leaf.on}}", "on"),
            ("{{#first-leaf}}{{#first-leaf.on}}x{{/first-leaf.on}}{{name}}{{/first-leaf}}", "xa"),
            ("{{#leaves}}{{^leaves}}{{name}}{{/leaves}}{{/leaves}}", "ad"),
            // A line with only a section's tag or a comment is removed.
            ("a\n{{#leaves}}\n{{name}}\n{{/leaves}}\nb", "a\na\nb\nd\nb"), ("a\n  {{! note }}  \nb", "a\nb"),
            ("a\r\n{{#on}}\r\nx\r\n{{/on}}\r\nb", "a\r\nb"),
            (" {{#leaves}} {{/leaves}} \n", "     \n"), ("{{#leaves}}\n{{/leaves}}", ""), ("x {{! note }}\ny", "x \ny"),
            ("{{#on}}{{/on}}\n", "\n"),
            ("{{! a }}", ""),
            ("  {{name}}\n", "  root\n"), ("{ {{name}} }", "{ root }"),
            ("{{#leaves}}{{name}}\n{{/leaves}}\n", "a\nb\nd\n"),
        ]) func rendered(template: String, expected: String)
    {
        let (text, problems) = render(template)
        #expect(text == expected, "\(problems.map(\.message))")
    }

    @Test(
        "A mistake in a template is reported with help",
        arguments: [
            ("{{nme}}", 0, "unknown field `nme`", "did you mean `name`?"),
            ("{{leaf.name}}", 0, "unknown field `leaf.name`", nil),
            ("{{#leaves}}{{leaf.nam}}{{/leaves}}", 11, "unknown field `leaf.nam`", nil),
            ("{{name(kebab)}}", 0, "unknown field `name(kebab)`", nil),
            ("{{leaves}}", 0, "`leaves` does not print: it is a section", nil),
            ("{{#name}}{{/name}}", 0, "`name` is not a section: it always prints", nil),
            ("{{first()}}", 0, "unknown field `first()`", nil), ("{{name", 0, "the tag is not closed", nil),
            ("{{name}}{{#leaves}}", 8, "the section `leaves` is not closed", nil),
            ("{{name}}{{/leaves}}", 8, "`{{/leaves}}` closes a section that is not open", nil),
            ("{{name}}{{$block}}{{/block}}", 8, "loggen's templates have no `{{$…}}` tags", nil),
            ("{{name}}{{> other}}", 8, "loggen's templates have no `{{>…}}` tags", nil),
            (
                String(repeating: "{{#leaves}}", count: 1000) + String(repeating: "{{/leaves}}", count: 1000),
                693, "sections are nested deeper than 64 levels", nil
            ),
        ] as [(String, Int, String, String?)])
    func mistaken(template: String, offset: Int, message: String, help: String?) {
        let (text, problems) = render(template)
        #expect(text == nil)
        #expect(problems.first?.message == message)
        #expect(problems.first?.place.range.lowerBound == offset)
        if let help { #expect(problems.first?.notes.last?.message == help) }
    }
}
