/// Shows the strings of JSON that look like SQL.
enum JSONStringScanner {
    static func scan(_ mask: inout SQLMask) {
        let source = mask.source
        var index = 0
        while index < source.count {
            guard source[index] == 0x22 else {
                index += 1
                continue
            }
            let start = index + 1
            index = start
            while index < source.count, source[index] != 0x22 { index += source[index] == 0x5C ? 2 : 1 }
            let end = min(index, source.count)
            if mask.looksLikeSQL(start..<end) { mask.show(escaped: start..<end) }
            index = end + 1
        }
    }
}
