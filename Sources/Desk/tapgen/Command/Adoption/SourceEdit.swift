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
}

extension SourceText {
    func lineEnd(at offset: Int) -> String {
        string(wholeLineRange(lineIndex(at: offset))).hasSuffix("\r\n") ? "\r\n" : "\n"
    }
}
