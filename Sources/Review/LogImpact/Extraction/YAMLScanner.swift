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
        let value = startsFlow(position) ? position : valueStart(position, end)
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
            if startsFlow(value) {
                flow(value + 1, stop)
            } else if mask.looksLikeSQL(value..<stop) {
                mask.show(value..<stop)
            }
        }
    }

    /// Returns whether `{` or `[` begins a collection. `{{` and `{%` begin a template.
    private func startsFlow(_ start: Int) -> Bool {
        guard start + 1 < source.count, source[start] == 0x7B || source[start] == 0x5B else { return false }
        return source[start] == 0x5B || source[start + 1] != 0x7B && source[start + 1] != 0x25
    }

    /// Shows the quoted scalars of a flow collection, and the plain ones between them.
    private mutating func flow(_ start: Int, _ end: Int) {
        var plain = start
        var position = start
        var isScalarStart = true
        while position < end {
            let byte = source[position]
            if isScalarStart, byte == 0x22 || byte == 0x27 {
                showPlain(plain, position)
                guard let close = closingQuote(position) else { return unclosed(position) }
                show(quoted: position, close)
                position = close + 1
                plain = position
                isScalarStart = false
                continue
            }
            switch byte {
            case 0x2C, 0x3A, 0x5B, 0x7B: isScalarStart = true
            case 0x20, 0x09, 0x0A, 0x0D: break
            default: isScalarStart = false
            }
            position += 1
        }
        showPlain(plain, end)
        // A quoted scalar can end below the lines of the collection.
        if position > end { index = max(index, lineEnd(position) + 1) }
    }

    private mutating func showPlain(_ start: Int, _ end: Int) {
        if start < end, mask.looksLikeSQL(start..<end) { mask.show(start..<end) }
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
        // A quote that is not closed is a character of a plain scalar.
        guard let close = closingQuote(start) else { return unclosed(start) }
        show(quoted: start, close)
        let end = lineEnd(close)
        index = end + 1
        // The rest of the line is part of a flow collection.
        flow(close + 1, end)
    }

    private mutating func show(quoted start: Int, _ close: Int) {
        let range = start + 1..<max(start + 1, close)
        guard mask.looksLikeSQL(range) else { return }
        if source[start] == 0x22 { mask.show(escaped: range) } else { mask.show(singleQuoted: range) }
    }

    /// Returns the index of the quote that ends the scalar; nil if it is not closed.
    private func closingQuote(_ start: Int) -> Int? {
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
        return position < source.count ? position : nil
    }

    private mutating func unclosed(_ start: Int) {
        // The rest has no other closing quote of this kind, so the search is not repeated for it.
        let range = start + 1..<source.count
        if mask.looksLikeSQL(range) { mask.show(range) }
        index = source.count
    }
}
