import LogDefinitions
import MarkdownSyntax

/// An item of a list, with the items inside it at any depth.
struct PlanListItem {
    /// The Markdown of the item without its marker and checkbox. Continued lines are joined by line ends.
    var text: String
    /// Indicates whether the marker is a number.
    var isOrdered: Bool
    /// The lines of the item and of the items inside it, from 0.
    var lines: ClosedRange<Int>
    var place: SourcePlace
    var children: [PlanListItem] = []

    /// Reads the lines of a list by their indentation. Lines of code are text of their item.
    static func read(_ lines: ClosedRange<Int>, in source: InferenceSource) -> [PlanListItem] {
        var open: [(indentation: Int, item: PlanListItem)] = []
        var items: [PlanListItem] = []
        func close(_ indentation: Int) {
            while let last = open.last, last.indentation >= indentation {
                open.removeLast()
                if open.isEmpty {
                    items.append(last.item)
                } else {
                    open[open.count - 1].item.children.append(last.item)
                    open[open.count - 1].item.lines =
                        open[open.count - 1].item.lines.lowerBound...last.item.lines.upperBound
                }
            }
        }
        var isCode = false
        for line in lines {
            let range = source.text.lineRange(line)
            let text = source.text.string(range)
            let rest = text.drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { continue }
            if rest.hasPrefix("```") { isCode.toggle() }
            let indentation = text[..<rest.startIndex].reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
            if !isCode, !rest.hasPrefix("```"), let marker = lengthOfMarkerAndBlank(rest) {
                close(indentation)
                var inside = trimmed(rest.dropFirst(marker))
                for box in ["[ ] ", "[x] ", "[X] "] where inside.hasPrefix(box) {
                    inside = trimmed(inside.dropFirst(4))
                }
                open.append(
                    (
                        indentation,
                        PlanListItem(
                            text: String(inside), isOrdered: rest.first?.isNumber ?? false, lines: line...line,
                            place: source.place(range.upperBound - inside.utf8.count))
                    ))
            } else if !open.isEmpty {
                open[open.count - 1].item.text += "\n" + trimmed(rest)
                open[open.count - 1].item.lines = open[open.count - 1].item.lines.lowerBound...line
            }
        }
        close(0)
        return items
    }

    private static func lengthOfMarkerAndBlank(_ text: Substring) -> Int? {
        if ["- ", "* ", "+ ", "• "].contains(where: text.hasPrefix) { return 2 }
        let digits = text.prefix { $0.isNumber && $0.isASCII }
        let rest = text.dropFirst(digits.count)
        return !digits.isEmpty && digits.count < 10 && (rest.hasPrefix(". ") || rest.hasPrefix(") "))
            ? digits.count + 2 : nil
    }

    /// The text of the item and of the items inside it, without markup.
    var prose: [String] { [PlanItem.prose(text)] + children.flatMap(\.prose) }
}
