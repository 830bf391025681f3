package import LogDefinitions
import MarkdownSyntax
import Mustache

/// A template that is known to name only what there is.
package struct OutputTemplate: Sendable {
    private let template: MustacheTemplate

    /// Checks and reads a template.
    /// - Parameters:
    ///   - file: the template's text; diagnostics speak of it as file 0.
    ///   - fields: what the template may name at its top.
    /// - Returns: the template, nil where something is wrong, and what.
    package static func read(_ file: SourceFile, fields: [TemplateField]) -> (OutputTemplate?, [Diagnostic]) {
        let text = file.source.string(0..<file.source.bytes.count)
        var check = TemplateCheck(source: file.source)
        check.run(fields: fields)
        guard check.diagnostics.isEmpty else { return (nil, check.diagnostics) }
        do {
            return (OutputTemplate(template: try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}\n" + text)), [])
        } catch {
            let diagnostic = Diagnostic(.template, "the template cannot be read", at: Place(file: 0, range: 0..<0))
            return (nil, [diagnostic])
        }
    }

    /// The text for a view; it ends with one newline, or is empty.
    package func render(_ view: some TemplateView) -> [UInt8] {
        var bytes = Array(template.render(view).utf8)
        while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
        if !bytes.isEmpty { bytes.append(0x0A) }
        return bytes
    }
}
