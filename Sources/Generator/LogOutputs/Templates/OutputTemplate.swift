package import LogDefinitions
import MarkdownSyntax

/// A template with every tag bound to its field. All names in it exist, so rendering does no look-up.
package struct OutputTemplate: Sendable {
    /// A part of a template. `depth` selects one of the open views.
    enum Node: Sendable {
        case literal([UInt8])
        case text(depth: Int, @Sendable (any TemplateView) -> String)
        case optionalText(depth: Int, @Sendable (any TemplateView) -> String?)
        case position(Position)
        /// The nodes of a section, rendered for each view in the list. An inverted section is rendered once if the list
        /// is empty.
        case list(depth: Int, @Sendable (any TemplateView) -> [any TemplateView], isInverted: Bool, [Node])
        case view(depth: Int, @Sendable (any TemplateView) -> (any TemplateView)?, isInverted: Bool, [Node])
        case flag(depth: Int, @Sendable (any TemplateView) -> Bool, isInverted: Bool, [Node])
        case positionFlag(Position, isInverted: Bool, [Node])
    }

    /// The position of a view in the innermost list.
    enum Position: String, CaseIterable, Sendable {
        case first = "first()"
        case last = "last()"
        case index = "index()"
        case even = "even()"
        case odd = "odd()"
    }

    private let steps: Steps

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
        return (reader.diagnostics.isEmpty ? OutputTemplate(steps: Steps(nodes)) : nil, reader.diagnostics)
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
        steps.render(steps.all.indices, of: view, into: &rendering)
        return rendering.bytes
    }
}

/// The nodes of a template in one array. Steps contain no references, so iterating over them does no reference
/// counting. This matters because a template is rendered for thousands of files.
private final class Steps: Sendable {
    struct Step: Sendable {
        enum Kind: Sendable {
            case literal, question
            case position(OutputTemplate.Position)
            case positionFlag(OutputTemplate.Position)
        }

        var kind: Kind
        var depth = 0
        /// The index of the step's query in `questions`. For a literal, the index of the first byte.
        var place = 0
        var isInverted = false
        /// The index after the last nested step or, for a literal, after its last byte.
        var end = 0
    }

    /// A query to a view. This is an enumeration, because functions in separate arrays would be called through thunks.
    enum Question: Sendable {
        case text(@Sendable (any TemplateView) -> String)
        case optionalText(@Sendable (any TemplateView) -> String?)
        case list(@Sendable (any TemplateView) -> [any TemplateView])
        case view(@Sendable (any TemplateView) -> (any TemplateView)?)
        case flag(@Sendable (any TemplateView) -> Bool)
    }

    let all: [Step]
    let literals: [UInt8]
    let questions: [Question]

    init(_ nodes: [OutputTemplate.Node]) {
        var all: [Step] = []
        var literals: [UInt8] = []
        var questions: [Question] = []
        func add(_ question: Question, _ depth: Int, isInverted: Bool = false, _ nodes: [OutputTemplate.Node] = []) {
            questions.append(question)
            add(Step(kind: .question, depth: depth, place: questions.count - 1, isInverted: isInverted), nodes)
        }
        func add(_ step: Step, _ nodes: [OutputTemplate.Node]) {
            let number = all.count
            all.append(step)
            for node in nodes { add(node) }
            all[number].end = all.count
        }
        func add(_ node: OutputTemplate.Node) {
            switch node {
            case .literal(let literal):
                all.append(Step(kind: .literal, place: literals.count, end: literals.count + literal.count))
                literals += literal
            case .text(let depth, let value): add(.text(value), depth)
            case .optionalText(let depth, let value): add(.optionalText(value), depth)
            case .position(let position): add(Step(kind: .position(position)), [])
            case .list(let depth, let value, let isInverted, let nodes):
                add(.list(value), depth, isInverted: isInverted, nodes)
            case .view(let depth, let value, let isInverted, let nodes):
                add(.view(value), depth, isInverted: isInverted, nodes)
            case .flag(let depth, let value, let isInverted, let nodes):
                add(.flag(value), depth, isInverted: isInverted, nodes)
            case .positionFlag(let position, let isInverted, let nodes):
                add(Step(kind: .positionFlag(position), isInverted: isInverted), nodes)
            }
        }
        for node in nodes { add(node) }
        (self.all, self.literals, self.questions) = (all, literals, questions)
    }

    /// Renders a range of steps. The innermost view is a separate parameter, because most steps query it.
    func render(_ range: Range<Int>, of view: any TemplateView, into page: inout Rendering) {
        var number = range.lowerBound
        while number < range.upperBound {
            let step = all[number]
            number += 1
            switch step.kind {
            case .literal:
                literals.withUnsafeBufferPointer {
                    page.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[step.place..<step.end]))
                }
            case .position(let position): page.write(page.printed(position))
            case .positionFlag(let position):
                if page.holds(position) != step.isInverted { render(number..<step.end, of: view, into: &page) }
                number = step.end
            case .question:
                let asked = step.depth == page.views.count - 1 ? view : page.views[step.depth]
                ask(
                    questions[step.place], asked, isInverted: step.isInverted, inside: number..<step.end, of: view,
                    into: &page)
                number = step.end
            }
        }
    }

    private func ask(
        _ question: Question, _ asked: any TemplateView, isInverted: Bool, inside: Range<Int>,
        of view: any TemplateView, into page: inout Rendering
    ) {
        switch question {
        case .text(let value): page.write(value(asked))
        case .optionalText(let value): if let printed = value(asked) { page.write(printed) }
        case .flag(let value): if value(asked) != isInverted { render(inside, of: view, into: &page) }
        case .list(let value):
            let children = value(asked)
            if !isInverted {
                for (index, child) in children.enumerated() {
                    page.positions.append((index, children.count))
                    render(inside, with: child, into: &page)
                    page.positions.removeLast()
                }
            } else if children.isEmpty {
                render(inside, of: view, into: &page)
            }
        case .view(let value):
            let child = value(asked)
            if !isInverted, let child {
                render(inside, with: child, into: &page)
            } else if isInverted, child == nil {
                render(inside, of: view, into: &page)
            }
        }
    }

    private func render(_ range: Range<Int>, with child: any TemplateView, into page: inout Rendering) {
        page.views.append(child)
        render(range, of: child, into: &page)
        page.views.removeLast()
    }
}

private struct Rendering {
    var bytes: [UInt8] = []
    var views: [any TemplateView]
    /// The position in each open list.
    var positions: [(index: Int, count: Int)] = []

    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    func holds(_ position: OutputTemplate.Position) -> Bool {
        guard let (index, count) = positions.last else { return false }
        return switch position {
        case .first: index == 0
        case .last: index == count - 1
        case .even: index % 2 == 0
        case .odd: index % 2 == 1
        case .index: true
        }
    }

    func printed(_ position: OutputTemplate.Position) -> String {
        position == .index ? String(positions.last?.index ?? 0) : String(holds(position))
    }
}
