/// The text for libcmark: the source, with something else in the place of each table. It takes the same lines as the
/// table, and ends where the table ends.
///
/// Outside of containers that is an empty fenced code block: one node, so libcmark parses no text of the cells. In a
/// container it is a heading for the delimiter row and one for each row, behind the line's own prefix. The header row
/// stays the last line of its paragraph.
struct TableMask {
    let text: [UInt8]

    init(
        _ bytes: UnsafePointer<UInt8>, count: Int, lineStarts: UnsafeBufferPointer<Int>,
        findings: [TableScanner.Finding]
    ) {
        var text: [UInt8] = []
        text.reserveCapacity(count + 16)
        var copied = 0
        func copy(upTo end: Int) {
            text.append(contentsOf: UnsafeBufferPointer(start: bytes + copied, count: end - copied))
            copied = end
        }
        func start(ofLine line: Int) -> Int { line < lineStarts.count ? lineStarts[line] : count }

        for finding in findings {
            switch finding {
            case .topLevel(let found):
                copy(upTo: start(ofLine: found.lines.lowerBound))
                text.append(contentsOf: [0x60, 0x60, 0x60, 0x0A])
                text.append(contentsOf: repeatElement(0x0A, count: found.lines.count - 2))
                text.append(contentsOf: [0x60, 0x60, 0x60, 0x0A])
                copied = start(ofLine: found.lines.upperBound + 1)
            case .nested(let found):
                for (index, content) in found.contents.enumerated() {
                    copy(upTo: content)
                    text.append(contentsOf: [0x23, 0x0A])
                    copied = start(ofLine: found.lines.lowerBound + 1 + index + 1)
                }
            }
        }
        copy(upTo: count)
        self.text = text
    }
}
