import MarkdownSyntax

struct DocumentText {
    let document: MarkdownDocument

    init(_ text: String) { document = MarkdownDocument(SourceText(Array(text.utf8))) }

    var kinds: [String] {
        document.blocks.map { block in
            switch block.content {
            case .heading(let heading): "h\(heading.level)"
            case .table: "table"
            case .list: "list"
            case .other(let kind): "\(kind)"
            }
        }
    }

    var blockTexts: [String] { document.blocks.map { document.source.string($0.range) } }

    var headings: [Heading] {
        document.blocks.compactMap { if case .heading(let heading) = $0.content { heading } else { nil } }
    }
    var tables: [Table] { document.blocks.compactMap { if case .table(let table) = $0.content { table } else { nil } } }

    var cells: [[String]] {
        guard let table = tables.first else { return [] }
        return ([table.header] + table.rows).map { row in row.cells.map { $0.text(in: document.source) } }
    }

    func text(_ range: Range<Int>?) -> String? { range.map { document.source.string($0) } }
}
