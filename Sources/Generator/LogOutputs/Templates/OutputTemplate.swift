package import LogDefinitions
import MarkdownSyntax

/// A template with every tag bound to its field. All names in it exist, so rendering does no look-up.
package struct OutputTemplate: Sendable {
    /// A part of a template. `depth` selects one of the open views.
    enum Node: Sendable {
        case literal([UInt8])
        case text(depth: Int, @Sendable (any TemplateView) -> String?)
        case position(Position)
        case section(Condition, isInverted: Bool, [Node])
    }

    /// A section is rendered for each view or if a condition holds; an inverted one in all other cases.
    enum Condition: Sendable {
        case flag(depth: Int, @Sendable (any TemplateView) -> Bool)
        case views(depth: Int, isList: Bool, @Sendable (any TemplateView) -> [any TemplateView])
        case position(Position)
    }

    /// The position of a view in the innermost list.
    enum Position: String, CaseIterable, Sendable {
        case first = "first()"
        case last = "last()"
        case index = "index()"
        case even = "even()"
        case odd = "odd()"
    }

    private let nodes: [Node]

    /// Reads a template.
    /// - Parameters:
    ///   - file: the template file.
    ///   - index: the file's index in diagnostics.
    ///   - fields: the names that the template may use at its top level.
    ///   - needsHeader: whether the template makes files. loggen recognizes such files by their header.
    /// - Returns: the template, or nil if it has problems; and the problems.
    package static func read(
        _ file: SourceFile, index: Int = 0, fields: [TemplateField], needsHeader: Bool = true
    ) -> (OutputTemplate?, [Diagnostic]) {
        var reader = TemplateReader(source: file.source, file: index)
        let nodes = reader.read(fields: fields, needsHeader: needsHeader)
        return (reader.diagnostics.isEmpty ? OutputTemplate(nodes: nodes) : nil, reader.diagnostics)
    }

    /// Renders a file for a view. The file ends with one newline, or is empty.
    package func render(_ view: some TemplateView) -> [UInt8] {
        var bytes = rendered(view, capacity: 16 << 10)
        while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
        if !bytes.isEmpty { bytes.append(0x0A) }
        return bytes
    }

    package func text(_ view: some TemplateView) -> String {
        String(decoding: rendered(view, capacity: 128), as: UTF8.self)
    }

    private func rendered(_ view: some TemplateView, capacity: Int) -> [UInt8] {
        var rendering = Rendering(views: [view])
        rendering.bytes.reserveCapacity(capacity)
        rendering.render(nodes)
        return rendering.bytes
    }
}

private struct Rendering {
    var bytes: [UInt8] = []
    var views: [any TemplateView]
    var listPositions: [(index: Int, count: Int)] = []

    mutating func render(_ nodes: [OutputTemplate.Node]) {
        for node in nodes {
            switch node {
            case .literal(let literal): bytes += literal
            case .text(let depth, let value): if let text = value(views[depth]) { write(text) }
            case .position(let position): write(printed(position))
            case .section(.position(let position), let isInverted, let nodes):
                if holds(position) != isInverted { render(nodes) }
            case .section(.flag(let depth, let value), let isInverted, let nodes):
                if value(views[depth]) != isInverted { render(nodes) }
            case .section(.views(let depth, let isList, let value), let isInverted, let nodes):
                let children = value(views[depth])
                if isInverted, children.isEmpty { render(nodes) }
                for (index, child) in children.enumerated() where !isInverted {
                    if isList { listPositions.append((index, children.count)) }
                    views.append(child)
                    render(nodes)
                    views.removeLast()
                    if isList { listPositions.removeLast() }
                }
            }
        }
    }

    private mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    private func holds(_ position: OutputTemplate.Position) -> Bool {
        guard let (index, count) = listPositions.last else { return false }
        return switch position {
        case .first: index == 0
        case .last: index == count - 1
        case .even: index % 2 == 0
        case .odd: index % 2 == 1
        case .index: true
        }
    }

    private func printed(_ position: OutputTemplate.Position) -> String {
        position == .index ? String(listPositions.last?.index ?? 0) : String(holds(position))
    }
}
