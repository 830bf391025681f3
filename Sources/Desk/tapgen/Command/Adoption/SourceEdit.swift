import MarkdownSyntax

struct SourceEdit {
    /// The replaced bytes, without the byte-order mark.
    var range: Range<Int>
    var text: String

    /// Returns a file's bytes after edits that do not overlap and are in order.
    static func apply(_ edits: [SourceEdit], to source: SourceText) -> [UInt8] {
        var result = Array(source.withMark.prefix(source.byteOrderMarkLength))
        var place = 0
        for edit in edits {
            result += source.bytes[place..<max(place, edit.range.lowerBound)]
            result += edit.text.utf8
            place = max(place, edit.range.upperBound)
        }
        return result + source.bytes[place...]
    }

    /// Returns edits as a unified diff (POSIX `diff -u`) with three lines of context.
    static func diff(_ edits: [SourceEdit], of path: String, _ source: SourceText) -> String {
        var text = "--- a/\(path)\n+++ b/\(path)\n"
        var shift = 0
        for hunk in hunks(changes(edits, source), lines: source.lineStarts.count) {
            var body = ""
            var (old, new, place) = (0, 0, hunk.lines.lowerBound)
            func context(to end: Int) {
                for line in place..<max(place, end) where !source.wholeLineRange(line).isEmpty {
                    body += " " + shown(source.string(source.wholeLineRange(line)))
                    (old, new) = (old + 1, new + 1)
                }
            }
            for change in hunk.changes {
                context(to: change.lines.lowerBound)
                for line in change.lines where !source.wholeLineRange(line).isEmpty {
                    body += "-" + shown(source.string(source.wholeLineRange(line)))
                    old += 1
                }
                for line in change.new {
                    body += "+" + shown(line)
                    new += 1
                }
                place = change.lines.upperBound
            }
            context(to: hunk.lines.upperBound)
            let start = hunk.lines.lowerBound + 1
            text += "@@ -\(start),\(old) +\(start + shift),\(new) @@\n" + body
            shift += new - old
        }
        return text
    }

    private static func shown(_ line: String) -> String {
        line.utf8.last == 0x0A ? line : line + "\n\\ No newline at end of file\n"
    }

    private typealias Change = (lines: Range<Int>, new: [String])

    /// Groups edits into changes. Edits of the same lines are one change.
    private static func changes(_ edits: [SourceEdit], _ source: SourceText) -> [Change] {
        var groups: [(lines: Range<Int>, edits: [SourceEdit])] = []
        for edit in edits {
            let first = source.lineIndex(at: edit.range.lowerBound)
            let last = max(first, source.lineIndex(at: edit.range.upperBound))
            if let previous = groups.last, previous.lines.upperBound > first {
                groups[groups.count - 1].lines = previous.lines.lowerBound..<max(previous.lines.upperBound, last + 1)
                groups[groups.count - 1].edits.append(edit)
            } else {
                groups.append((first..<(last + 1), [edit]))
            }
        }
        return groups.map { lines, edits in
            let start = source.lineStarts[lines.lowerBound]
            let end = source.wholeLineRange(lines.upperBound - 1).upperBound
            var text = ""
            var place = start
            for edit in edits {
                text += source.string(place..<max(place, edit.range.lowerBound)) + edit.text
                place = edit.range.upperBound
            }
            text += source.string(place..<max(place, end))
            var new: [String] = []
            for piece in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
                new.append(String(Substring(piece)) + "\n")
            }
            if let last = new.popLast(), last != "\n" { new.append(String(last.dropLast())) }
            return (lines, new)
        }
    }

    private static func hunks(_ changes: [Change], lines: Int) -> [(lines: Range<Int>, changes: [Change])] {
        var hunks: [(lines: Range<Int>, changes: [Change])] = []
        for change in changes {
            let (start, end) = (max(0, change.lines.lowerBound - 3), min(lines, change.lines.upperBound + 3))
            if let last = hunks.last, last.lines.upperBound >= start {
                hunks[hunks.count - 1].lines = last.lines.lowerBound..<max(last.lines.upperBound, end)
                hunks[hunks.count - 1].changes.append(change)
            } else {
                hunks.append((start..<max(start, end), [change]))
            }
        }
        return hunks
    }
}

extension SourceText {
    func wholeLineRange(_ line: Int) -> Range<Int> {
        let start = lineStarts[line]
        return start..<(line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count)
    }

    func lineEnd(at offset: Int) -> String {
        string(wholeLineRange(lineIndex(at: offset))).hasSuffix("\r\n") ? "\r\n" : "\n"
    }
}
