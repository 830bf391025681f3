/// Shows the strings of JSON that look like SQL.
///
/// Adjacent strings of an array are the lines of one text, as in the cells of a notebook.
struct JSONStringScanner {
    private var mask: SQLMask
    private let source: [UInt8]
    /// The adjacent strings that are not shown yet.
    private var parts: [Range<Int>] = []
    /// Whether each open bracket is an array's.
    private var arrays: [Bool] = []

    static func scan(_ mask: inout SQLMask) {
        var scanner = JSONStringScanner(mask: mask, source: mask.source)
        scanner.scan()
        mask = scanner.mask
    }

    private init(mask: SQLMask, source: [UInt8]) {
        self.mask = mask
        self.source = source
    }

    private mutating func scan() {
        var index = 0
        while index < source.count {
            switch source[index] {
            case 0x22:
                let start = index + 1
                index = start
                while index < source.count, source[index] != 0x22 { index += source[index] == 0x5C ? 2 : 1 }
                add(start..<min(index, source.count))
            case 0x2C, 0x20, 0x09, 0x0A, 0x0D: break
            case 0x5B, 0x7B:
                showParts()
                arrays.append(source[index] == 0x5B)
            case 0x5D, 0x7D:
                showParts()
                _ = arrays.popLast()
            default: showParts()
            }
            index += 1
        }
        showParts()
    }

    private mutating func add(_ string: Range<Int>) {
        // A query after a string without `\n` at its end is a text of its own.
        let isLine = parts.last.map { endsLine($0) } ?? true
        if !(arrays.last ?? false) || !isLine && startsQuery(string) { showParts() }
        // The content of a triple-quoted string in a cell's code is a text of its own, too.
        var start = string.lowerBound
        var index = start
        while arrays.last ?? false, index < string.upperBound {
            let length = tripleQuote(index, string.upperBound)
            if length > 0 {
                parts.append(start..<index)
                showParts()
                start = index + length
            }
            index += length > 0 ? length : source[index] == 0x5C ? 2 : 1
        }
        parts.append(min(start, string.upperBound)..<string.upperBound)
    }

    /// Returns the length of `\"\"\"` or `'''`; 0 for others.
    private func tripleQuote(_ index: Int, _ end: Int) -> Int {
        let length = source[index] == 0x5C ? 6 : 3
        guard source[index] == 0x5C || source[index] == 0x27, index + length <= end else { return 0 }
        let isQuote =
            length == 3
            ? source[index + 1] == 0x27 && source[index + 2] == 0x27
            : (0..<6).allSatisfy { source[index + $0] == ($0 % 2 == 0 ? 0x5C : 0x22) }
        return isQuote ? length : 0
    }

    private func endsLine(_ string: Range<Int>) -> Bool {
        string.count >= 2 && source[string.upperBound - 2] == 0x5C && source[string.upperBound - 1] == 0x6E
    }

    private func startsQuery(_ string: Range<Int>) -> Bool {
        guard let start = string.first(where: { SQLMask.isLetter(source[$0]) }) else { return false }
        return (SQLMask.matches(source, start, "select") || SQLMask.matches(source, start, "with"))
            && mask.looksLikeSQL(string)
    }

    private mutating func showParts() {
        if !parts.isEmpty, mask.looksLikeSQL(parts) { mask.show(escaped: parts) }
        parts.removeAll(keepingCapacity: true)
    }
}
