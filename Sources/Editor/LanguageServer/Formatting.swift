import LogDefinitions
import LogProject
import LogTypes
import MarkdownSyntax

extension LanguageServer {
    func format(_ file: OpenFile) -> [TextEdit] {
        edits(from: file.source, to: DocumentFormatter.format(file.file), file.positions)
    }

    /// Returns edits that format the table at the cursor, or the table that ends in the line above.
    func formatTable(_ cursor: CursorContext) -> [TextEdit] {
        let source = cursor.source
        let line = source.lineIndex(at: cursor.offset)
        let blocks = MarkdownDocument(source).blocks
        guard
            let block = blocks.first(where: { block in
                guard case .table = block.content else { return false }
                return block.lines.contains(line) || block.lines.contains(max(0, line - 1))
            })
        else { return [] }
        let formatted = DocumentFormatter.format(cursor.file.file, lines: block.lines)
        return edits(from: source, to: formatted, cursor.file.positions)
    }

    /// The edits contain only blanks and hyphens where possible, so that the cursor keeps its position.
    private func edits(from source: SourceText, to text: [UInt8], _ positions: TextPositions) -> [TextEdit] {
        let target = SourceText(text)
        let (old, new) = (source.bytes, target.bytes)
        guard old != new else { return [] }
        let lines = source.lineStarts.count
        guard lines == target.lineStarts.count else {
            // Only the end of the file has other lines. One edit replaces all from the first to the last difference.
            var start = 0
            while start < min(lines, target.lineStarts.count) - 1, source.wholeLine(start) == target.wholeLine(start) {
                start += 1
            }
            let (from, to) = (source.lineStarts[start], target.lineStarts[start])
            var rest = 0
            while rest < min(old.count - from, new.count - to), old[old.count - 1 - rest] == new[new.count - 1 - rest] {
                rest += 1
            }
            // The edit consists of whole lines, so that no character is split.
            while rest > 0, new[new.count - rest - 1] != 0x0A || old[old.count - rest - 1] != 0x0A { rest -= 1 }
            return [
                TextEdit(
                    range: positions.span(from..<(old.count - rest)),
                    newText: String(decoding: new[to..<(new.count - rest)], as: UTF8.self))
            ]
        }
        var edits: [TextEdit] = []
        for line in 0..<lines {
            let (before, after) = (source.wholeLine(line), target.wholeLine(line))
            guard before != after else { continue }
            let start = source.lineStarts[line]
            for change in LineChange.all(from: Array(before), to: Array(after)) {
                let range = (start + change.range.lowerBound)..<(start + change.range.upperBound)
                edits.append(
                    TextEdit(range: positions.span(range), newText: String(decoding: change.text, as: UTF8.self)))
            }
        }
        return edits
    }
}

struct LineChange {
    var range: Range<Int>
    var text: [UInt8]

    /// Returns the changes between two versions of a line if these differ only in blanks, hyphens, colons and pipes.
    /// Otherwise returns a single change of the line.
    static func all(from old: [UInt8], to new: [UInt8]) -> [LineChange] {
        var changes: [LineChange] = []
        var (i, j) = (0, 0)
        func isLayout(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x2D }
        while i < old.count || j < new.count {
            if i < old.count, j < new.count, old[i] == new[j] {
                (i, j) = (i + 1, j + 1)
                continue
            }
            let (oldStart, newStart) = (i, j)
            while i < old.count, isLayout(old[i]) { i += 1 }
            while j < new.count, isLayout(new[j]) { j += 1 }
            // A new pipe at the end of the line.
            if i < old.count, j < new.count, old[i] != new[j] || (oldStart..<i).isEmpty && (newStart..<j).isEmpty {
                if new[j] == UInt8(ascii: "|"), old[i] != UInt8(ascii: "|") {
                    j += 1
                } else {
                    return whole(old, new)
                }
            } else if i == old.count, j < new.count, new[j] == UInt8(ascii: "|") {
                j += 1
            } else if i < old.count, j == new.count {
                return whole(old, new)
            }
            changes.append(LineChange(range: oldStart..<i, text: Array(new[newStart..<j])))
        }
        return changes
    }

    private static func whole(_ old: [UInt8], _ new: [UInt8]) -> [LineChange] {
        [LineChange(range: old.indices, text: new)]
    }
}

extension SourceText {
    fileprivate func wholeLine(_ line: Int) -> ArraySlice<UInt8> { bytes[wholeLineRange(line)] }
}
