/// The input for libcmark: the source, with a replacement for each table. The replacement has the same lines as the
/// table and ends at the same place.
///
/// Outside of containers, the replacement is an empty fenced code block: a single node, so libcmark does not parse the
/// cells. In a container, the delimiter row and each row become a heading, after the line's own prefix. The header row
/// remains the last line of its paragraph.
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
