/// Shows the scalars of YAML that look like SQL.
///
/// The scanner reads lines and no structure, so that it accepts templates and damaged files.
struct YAMLScanner {
    private var mask: SQLMask
    private let source: [UInt8]
    private var index = 0

    static func scan(_ mask: inout SQLMask) {
        var scanner = YAMLScanner(mask: mask, source: mask.source)
        while scanner.index < scanner.source.count { scanner.line() }
        mask = scanner.mask
    }

    private init(mask: SQLMask, source: [UInt8]) {
        self.mask = mask
        self.source = source
    }

    private func lineEnd(_ start: Int) -> Int {
        var end = start
        while end < source.count, source[end] != 0x0A { end += 1 }
        return end
    }

    /// Reads `key: value` or `- value` and the lines that belong to the value.
    private mutating func line() {
        let start = index
        let end = lineEnd(start)
        var position = start
        while position < end, source[position] == 0x20 { position += 1 }
        var indentation = position - start
        while position + 1 < end, source[position] == 0x2D, source[position + 1] == 0x20 {
            indentation = position - start
            position += 2
            while position < end, source[position] == 0x20 { position += 1 }
        }
        let value = valueStart(position, end)
        index = end + 1
        guard value < end, source[value] != 0x23 else { return }
        switch source[value] {
        case 0x7C, 0x3E:
            let block = nestedLines(end + 1, indentation: indentation)
            if mask.looksLikeSQL(block) { mask.show(block) }
            index = max(index, block.upperBound)
        case 0x22, 0x27:
            quoted(value)
        default:
            // A scalar of one line, or of all lines below it: each line is searched once.
            var stop = end
            if !startsKey(end + 1) {
                let nested = nestedLines(end + 1, indentation: indentation)
                stop = max(value, min(nested.upperBound, source.count))
                index = max(index, nested.upperBound)
            }
            if mask.looksLikeSQL(value..<stop) { mask.show(value..<stop) }
        }
    }

    /// Returns the index after `key: `; `start` if the line has no key.
    private func valueStart(_ start: Int, _ end: Int) -> Int {
        var position = start
        while position < end, source[position] != 0x3A, source[position] != 0x27, source[position] != 0x22 {
            position += 1
        }
        guard position < end, source[position] == 0x3A, position + 1 == end || source[position + 1] == 0x20 else {
            return start
        }
        position += 1
        while position < end, source[position] == 0x20 { position += 1 }
        return position
    }

    /// Returns whether a line below a value is a key, so that the value is not a scalar of several lines.
    private func startsKey(_ start: Int) -> Bool {
        guard start < source.count else { return false }
        var position = start
        while position < source.count, source[position] == 0x20 { position += 1 }
        return valueStart(position, lineEnd(position)) != position
    }

    /// Returns the lines that are indented more than `indentation`, with blank ones.
    private func nestedLines(_ start: Int, indentation: Int) -> Range<Int> {
        var position = min(start, source.count)
        let first = position
        while position < source.count {
            let end = lineEnd(position)
            var column = position
            while column < end, source[column] == 0x20 || source[column] == 0x09 { column += 1 }
            let isBlank = column == end || column + 1 == end && source[column] == 0x0D
            if !isBlank, column - position <= indentation { break }
            position = min(end + 1, source.count)
        }
        return first..<position
    }

    private mutating func quoted(_ start: Int) {
        let quote = source[start]
        var position = start + 1
        while position < source.count {
            if quote == 0x22, source[position] == 0x5C {
                position += 2
                continue
            }
            if source[position] == quote {
                guard quote == 0x27, position + 1 < source.count, source[position + 1] == quote else { break }
                position += 1
            }
            position += 1
        }
        // A quote that is not closed is a character of a plain scalar.
        guard position < source.count else { return unclosed(start) }
        let range = start + 1..<max(start + 1, position)
        if mask.looksLikeSQL(range) {
            if quote == 0x22 { mask.show(escaped: range) } else { mask.show(singleQuoted: range) }
        }
        index = lineEnd(position) + 1
    }

    private mutating func unclosed(_ start: Int) {
        // The rest has no other closing quote of this kind, so the search is not repeated for it.
        let range = start + 1..<source.count
        if mask.looksLikeSQL(range) { mask.show(range) }
        index = source.count
    }
}
