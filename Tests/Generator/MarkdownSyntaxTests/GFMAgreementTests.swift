import Foundation
import MarkdownSyntax
import Testing
import TestSupport

/// Compares the tables, their cells and the blocks around them with those of cmark-gfm.
///
/// A comparison ends at the first line that libcmark cannot read as GFM does: a line that ends a table, a table
/// in a container, whose lines below it belong to the container, or a title of a link reference definition with a
/// row of hyphens in it. Each of them is an error in a definition.
@Suite struct GFMAgreement {
    static let documentsPerSeed = Depth.cases(38, deep: 500)

    @Test("Random documents have the blocks that cmark-gfm finds", arguments: UInt64(1)...12)
    func holdsOnRandomDocuments(seed: UInt64) throws {
        var source = RandomDocuments(seed: seed)
        let documents = (0..<Self.documentsPerSeed).map { _ in source.next() }
        let theirs = try GFMPeer.shared.get().facts(of: documents)
        try #require(theirs.count == documents.count)
        var differences = 0
        var whole = 0
        for (index, document) in documents.enumerated() where differences < 3 {
            let ours = Facts(MarkdownDocument(SourceText(document)))
            whole += ours.isPartial ? 0 : 1
            let difference = Facts.difference(ours: ours, theirs: theirs[index])
            if let difference {
                differences += 1
                Issue.record(
                    "seed \(seed), document \(index): \(String(decoding: document, as: UTF8.self).debugDescription)\n\(difference)"
                )
            }
        }
        #expect(whole > documents.count / 4, "\(whole) of \(documents.count) documents are compared to their end")
    }

    @Test("The collected documents have the blocks that cmark-gfm finds", arguments: GFMCases.all)
    func holdsOn(document: String) throws {
        let bytes = Array(document.utf8)
        let theirs = try GFMPeer.shared.get().facts(of: [bytes])
        try #require(theirs.count == 1)
        #expect(Facts.difference(ours: Facts(MarkdownDocument(SourceText(bytes))), theirs: theirs[0]) == nil)
    }

    @Test("Random documents contain tables") func randomDocumentsHoldTables() {
        var source = RandomDocuments(seed: 1)
        var tables = 0
        var rows = 0
        for _ in 0..<1_000 {
            for case .table(let table) in MarkdownDocument(SourceText(source.next())).blocks.map(\.content) {
                tables += 1
                rows += table.rows.count
            }
        }
        #expect(tables > 300)
        #expect(rows > 300)
    }
}

/// The compared facts: a line of tab-separated fields for each block and row, as `Peer/gfm_blocks.c` prints them.
struct Facts {
    var lines: [[String]]
    /// Indicates whether the facts end at a line that libcmark cannot read as GFM does.
    var isPartial = false
    /// The indices in `lines` of paragraphs right before a table that may be link reference definitions. cmark-gfm may
    /// count their lines as part of the table.
    var optional: Set<Int> = []

    init(peerOutput: [Substring]) {
        lines = peerOutput.map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            // The lines of a list's items are not compared.
            return fields.first == "list" ? Array(fields.prefix(2)) : fields
        }
    }

    init(_ document: MarkdownDocument) {
        lines = []
        for (index, block) in document.blocks.enumerated() {
            let line = String(block.lines.lowerBound + 1)
            guard !Self.isBelowTable(index, of: document), !Self.mayHoldTable(block, of: document) else {
                isPartial = true
                return
            }
            switch block.content {
            case .heading(let heading): lines.append(["heading", line, String(heading.level)])
            case .list: lines.append(["list", line])
            case .table(let table):
                let alignments = table.alignments.map { alignment in
                    switch alignment {
                    case .none: "-"
                    case .left: "l"
                    case .center: "c"
                    case .right: "r"
                    }
                }
                lines.append(["table", line, alignments.joined()])
                for row in [table.header] + table.rows {
                    var cells = row.cells.map { Self.escaped($0.text(in: document.source)) }
                    cells += Array(repeating: "", count: table.alignments.count - cells.count)
                    lines.append(["row", String(row.line + 1)] + cells)
                }
            case .other(.linkReferences): continue
            case .other(.paragraph):
                if document.source.bytes[block.range].first == UInt8(ascii: "["), index + 1 < document.blocks.count,
                    case .table = document.blocks[index + 1].content,
                    document.blocks[index + 1].lines.lowerBound == block.lines.upperBound + 1
                {
                    optional.insert(lines.count)
                }
                lines.append(["paragraph", line])
            case .other(.code): lines.append(["code_block", line])
            case .other(.html): lines.append(["html_block", line])
            case .other(.quote): lines.append(["block_quote", line])
            case .other(.thematicBreak): lines.append(["thematic_break", line])
            }
        }
    }

    /// Returns whether a block may begin with a line that ends the table directly above it.
    private static func isBelowTable(_ index: Int, of document: MarkdownDocument) -> Bool {
        guard index > 0, case .other = document.blocks[index].content,
            case .table = document.blocks[index - 1].content
        else { return false }
        let first = document.blocks[index].lines.lowerBound
        // Fences, quotes and `___` end a table in CommonMark as well.
        let isEndForBoth = "`~>_".utf8.contains(document.source.bytes[document.source.lineRange(first)].first ?? 0)
        return !isEndForBoth && document.blocks[index - 1].lines.upperBound + 1 == first
    }

    /// Returns whether a block other than a paragraph contains a row of hyphens.
    private static func mayHoldTable(_ block: Block, of document: MarkdownDocument) -> Bool {
        switch block.content {
        case .list, .other(.quote), .other(.linkReferences): break
        default: return false
        }
        return block.lines.contains { line in
            let text = document.source.bytes[document.source.lineRange(line)].drop {
                " \t>-+*.)0123456789".utf8.contains($0)
            }
            return !text.isEmpty && text.allSatisfy { " \t\u{0B}\u{0C}|:-".utf8.contains($0) }
        }
    }

    static func difference(ours: Facts, theirs: Facts) -> String? {
        var index = 0
        for line in theirs.lines {
            if ours.isPartial, index == ours.lines.count { return nil }
            var expected = line
            if ours.optional.contains(index), line.first == "table" {
                index += 1
                expected[1] = "?"
            }
            guard index < ours.lines.count, matches(ours.lines[index], expected) else {
                return "cmark-gfm: \(line)\nours: \(index < ours.lines.count ? ours.lines[index] : [])"
            }
            index += 1
        }
        return index < ours.lines.count ? "ours goes on: \(ours.lines[index])" : nil
    }

    private static func matches(_ ours: [String], _ theirs: [String]) -> Bool {
        ours.count == theirs.count
            && zip(ours, theirs).enumerated().allSatisfy { index, pair in
                pair.0 == pair.1 || (index == 1 && pair.1 == "?")
            }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 || scalar == "\\" {
                let hex = String(scalar.value, radix: 16)
                result += "\\x" + String(repeating: "0", count: 2 - hex.count) + hex
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

struct GFMPeer {
    struct Unavailable: Error, CustomStringConvertible {
        var description: String
    }

    static let shared = Result { try GFMPeer() }

    private let program: URL
    private let directory: URL

    private init() throws {
        directory = RunFolder.url.appendingPathComponent("gfm-peer")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        program = directory.appendingPathComponent("gfm_blocks")
        let source = Tool.repository.appendingPathComponent("Tests/Generator/MarkdownSyntaxTests/Peer/gfm_blocks.c")
        let compiled = try Tool.command(
            ["cc", "-O1", "-o", program.path, source.path, "-lcmark-gfm-extensions", "-lcmark-gfm"], in: directory)
        guard compiled.code == 0 else {
            throw Unavailable(
                description: """
                    the comparison with cmark-gfm needs a C compiler and its libraries: \
                    apt-get install gcc libcmark-gfm-dev libcmark-gfm-extensions-dev (\(compiled.error))
                    """)
        }
    }

    func facts(of documents: [[UInt8]]) throws -> [Facts] {
        var input = Data()
        for document in documents {
            withUnsafeBytes(of: UInt32(document.count)) { input.append(contentsOf: $0) }
            input.append(contentsOf: document)
        }
        let result = try Tool.launch(program, [], in: directory, input: input)
        guard result.code == 0 else { throw Unavailable(description: "the cmark-gfm program failed: \(result.error)") }
        var facts: [Facts] = []
        var lines: [Substring] = []
        // As characters, a combining mark would join the line end before it.
        for scalars in result.out.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = Substring(scalars)
            if line == "." {
                facts.append(Facts(peerOutput: lines))
                lines = []
            } else {
                lines.append(line)
            }
        }
        return facts
    }
}

/// Documents that random tests have found, or that a rule suggests.
enum GFMCases {
    static let all: [String] = [
        "",
        "| a |\n|---|\n| b |\n---\nc",
        "> | a |\n> |---|\n| b |\n|---|\n",
        "- | a |\n  |---|\n| b |\n|---|\n",
        "> > |a|\n> > |-|\n> |b|\n> |-|\n|c|\n|-|",
        "|a|\n|-|\n|\n|a|\n|-|\n|\n|a|\n|-|\n",
        "|a|\n|-|\n2. x\n|a|\n|-|\n",
        "[a]: /b\n===\n|-|\n",
        "[a]: /b\n|x|\n|-|\n",
        "h\n-\n[a]: /b\n|x|\n|-|\n",
        // The header and the delimiter row have different numbers of cells, or are not rows.
        "| a | b |\n| --- |\n", "| a |\n| --- | --- |\n", "| a |\n| - a |\n", "| a |\n\n| - |\n",
        "| a |\n    | - |\n", "|\n|-|\n", "| a |\n| --- ||\n", "a\n---\n", "| - |\n",
        // Tables in other blocks
        "```\n|a|\n|-|\n```", "<div>\n|a|\n|-|\n</div>", "<!--\n\n|a|\n|-|\n-->", "    |a|\n    |-|",
    ]
}
