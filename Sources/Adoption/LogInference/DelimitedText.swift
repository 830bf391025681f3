import MarkdownSyntax
import TextEncoding

/// A spreadsheet in CSV (RFC 4180), with commas, semicolons or tabs between cells.
struct DelimitedText {
    struct Row {
        /// The first line of the row, counted from 1.
        var line: Int
        var cells: [String]
    }

    var rows: [Row] = []
    /// The line of a quotation mark that is not closed; nil if all are closed.
    private(set) var openQuote: Int?

    init(_ text: String) {
        // Bytes instead of characters: CRLF is one `Character`, and so is a quotation mark with a combining mark.
        let bytes = Array(text.utf8)
        let delimiter = Self.mostFrequentDelimiter(of: bytes)
        var cells: [String] = []
        var cell: [UInt8] = []
        var line = 1
        var start = 1
        var index = 0
        func flush() {
            cells.append(String(decoding: cell, as: UTF8.self))
            cell = []
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\""), cell.isEmpty {
                let opened = line
                index += 1
                var isClosed = false
                while index < bytes.count {
                    if bytes[index] == UInt8(ascii: "\"") {
                        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\"") else {
                            isClosed = true
                            break
                        }
                        index += 1
                    } else if bytes[index] == 0x0A {
                        line += 1
                    }
                    cell.append(bytes[index])
                    index += 1
                }
                if !isClosed { openQuote = openQuote ?? opened }
                index += 1
                continue
            }
            switch byte {
            case delimiter: flush()
            case 0x0A, 0x0D:
                if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
                flush()
                rows.append(Row(line: start, cells: cells))
                cells = []
                line += 1
                start = line
            default: cell.append(byte)
            }
            index += 1
        }
        if !cell.isEmpty || !cells.isEmpty {
            flush()
            rows.append(Row(line: start, cells: cells))
        }
    }

    private static func mostFrequentDelimiter(of bytes: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [0x09: 0, UInt8(ascii: ","): 0, UInt8(ascii: ";"): 0]
        var isQuoted = false
        for byte in bytes.prefix(1 << 16) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, counts[byte] != nil { counts[byte, default: 0] += 1 }
        }
        let tabs = counts[0x09] ?? 0
        let commas = counts[UInt8(ascii: ",")] ?? 0
        let semicolons = counts[UInt8(ascii: ";")] ?? 0
        if tabs > 0, tabs >= commas, tabs >= semicolons { return 0x09 }
        return semicolons > commas ? UInt8(ascii: ";") : UInt8(ascii: ",")
    }

    /// Decodes UTF-8, or UTF-16 with a byte-order mark, as spreadsheet programs write. Nil for other encodings.
    static func decoded(_ bytes: [UInt8]) -> String? {
        if let text = decodedUTF16(bytes) { return bytes.count % 2 == 0 ? text : nil }
        guard firstInvalidUTF8(in: bytes) == nil else { return nil }
        return String(decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], as: UTF8.self)
    }
}
