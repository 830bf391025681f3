/// The difference between two files in the unified format, which `git apply` and `patch` read.
///
/// Lines that occur once in each file, in the same order in both, are anchors. The parts between anchors are split
/// again in the same way, up to a fixed depth. The remaining lines are removed and added. The result is nearly minimal
/// for files that a person has edited. The worst-case time is O(n log n).
package struct UnifiedDiff: Sendable {
    package private(set) var added = 0
    package private(set) var removed = 0
    /// The first changed line of the old file, from 1: the diff removes it or inserts lines before it.
    package private(set) var firstLine = 1

    private enum Step {
        case same, removed, added
    }

    private let old: [ArraySlice<UInt8>]
    private let new: [ArraySlice<UInt8>]
    /// The lines of the old file as numbers. Equal lines have equal numbers.
    private let oldLines: [Int]
    private let newLines: [Int]
    private var steps: [Step] = []

    private static let contextLines = 3
    private static let maximumDepth = 16

    package init(from old: [UInt8], to new: [UInt8]) {
        self.old = Self.lines(old)
        self.new = Self.lines(new)
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        func number(_ line: ArraySlice<UInt8>) -> Int {
            if let known = numbers[line] { return known }
            numbers[line] = numbers.count
            return numbers.count - 1
        }
        oldLines = self.old.map { number($0) }
        newLines = self.new.map { number($0) }
        compare(oldLines.indices, newLines.indices, depth: 0)
        if let first = steps.firstIndex(where: { $0 != .same }) { firstLine = first + 1 }
        added = steps.count { $0 == .added }
        removed = steps.count { $0 == .removed }
    }

    private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        text.withUnsafeBufferPointer { buffer in
            for index in buffer.indices where buffer[index] == 0x0A {
                lines.append(text[start...index])
                start = index + 1
            }
        }
        if start < text.count { lines.append(text[start...]) }
        return lines
    }

    // MARK: Comparing

    private mutating func compare(_ oldRange: Range<Int>, _ newRange: Range<Int>, depth: Int) {
        var oldRange = oldRange
        var newRange = newRange
        var before = 0
        while !oldRange.isEmpty, !newRange.isEmpty, oldLines[oldRange.lowerBound] == newLines[newRange.lowerBound] {
            oldRange = (oldRange.lowerBound + 1)..<oldRange.upperBound
            newRange = (newRange.lowerBound + 1)..<newRange.upperBound
            before += 1
        }
        var after = 0
        while !oldRange.isEmpty, !newRange.isEmpty,
            oldLines[oldRange.upperBound - 1] == newLines[newRange.upperBound - 1]
        {
            oldRange = oldRange.lowerBound..<(oldRange.upperBound - 1)
            newRange = newRange.lowerBound..<(newRange.upperBound - 1)
            after += 1
        }
        steps += repeatElement(.same, count: before)
        let anchors =
            oldRange.isEmpty || newRange.isEmpty || depth == Self.maximumDepth ? [] : anchors(oldRange, newRange)
        if anchors.isEmpty {
            steps += repeatElement(.removed, count: oldRange.count)
            steps += repeatElement(.added, count: newRange.count)
        } else {
            for anchor in anchors {
                compare(oldRange.lowerBound..<anchor.old, newRange.lowerBound..<anchor.new, depth: depth + 1)
                steps.append(.same)
                oldRange = (anchor.old + 1)..<oldRange.upperBound
                newRange = (anchor.new + 1)..<newRange.upperBound
            }
            compare(oldRange, newRange, depth: depth + 1)
        }
        steps += repeatElement(.same, count: after)
    }

    /// The longest sequence of lines that occur once in each range, in the same order in both (patience sorting).
    private func anchors(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> [(old: Int, new: Int)] {
        // The number of occurrences of a line in each range, and its last index.
        var places: [Int: (oldCount: Int, old: Int, newCount: Int, new: Int)] = [:]
        for index in oldRange {
            let known = places[oldLines[index], default: (0, 0, 0, 0)]
            places[oldLines[index]] = (known.oldCount + 1, index, known.newCount, known.new)
        }
        for index in newRange {
            guard let known = places[newLines[index]] else { continue }
            places[newLines[index]] = (known.oldCount, known.old, known.newCount + 1, index)
        }
        var piles: [Int] = []
        var candidates: [(old: Int, new: Int, previous: Int?)] = []
        for index in oldRange {
            guard let place = places[oldLines[index]], place.oldCount == 1, place.newCount == 1 else { continue }
            var low = 0
            var high = piles.count
            while low < high {
                let middle = (low + high) / 2
                if candidates[piles[middle]].new < place.new { low = middle + 1 } else { high = middle }
            }
            candidates.append((index, place.new, low > 0 ? piles[low - 1] : nil))
            if low == piles.count { piles.append(candidates.count - 1) } else { piles[low] = candidates.count - 1 }
        }
        var run: [(old: Int, new: Int)] = []
        var next = piles.last
        while let index = next {
            run.append((candidates[index].old, candidates[index].new))
            next = candidates[index].previous
        }
        return run.reversed()
    }

    // MARK: Writing

    /// Returns the diff. The names follow `---` and `+++`.
    package func text(from oldName: String, to newName: String) -> [UInt8] {
        guard added + removed > 0 || old.isEmpty != new.isEmpty else { return [] }
        var text = Array("--- \(oldName)\n+++ \(newName)\n".utf8)
        var index = 0
        var oldLine = 0
        var newLine = 0
        while index < steps.count {
            guard steps[index...].prefix(Self.contextLines + 1).contains(where: { $0 != .same }) else {
                index += 1
                oldLine += 1
                newLine += 1
                continue
            }
            let end = hunkEnd(from: index)
            writeHunk(index..<end, &oldLine, &newLine, to: &text)
            index = end
        }
        return text
    }

    /// Returns the end of a hunk. A change joins it if at most twice the context is between it and the previous one.
    private func hunkEnd(from start: Int) -> Int {
        var end = start
        var same = 0
        var hasChange = false
        for index in start..<steps.count {
            if steps[index] == .same {
                same += 1
                if hasChange, same > 2 * Self.contextLines { break }
            } else {
                hasChange = true
                same = 0
                end = index + 1
            }
        }
        return min(steps.count, end + Self.contextLines)
    }

    private func writeHunk(_ range: Range<Int>, _ oldLine: inout Int, _ newLine: inout Int, to text: inout [UInt8]) {
        let oldCount = steps[range].count { $0 != .added }
        let newCount = steps[range].count { $0 != .removed }
        // An empty range has the number of the line before it.
        func place(_ line: Int, _ count: Int) -> String {
            "\(count == 0 ? line : line + 1)" + (count == 1 ? "" : ",\(count)")
        }
        text += "@@ -\(place(oldLine, oldCount)) +\(place(newLine, newCount)) @@\n".utf8
        for step in steps[range] {
            let line: ArraySlice<UInt8>
            switch step {
            case .same: line = old[oldLine]
            case .removed: line = old[oldLine]
            case .added: line = new[newLine]
            }
            text.append(UInt8(ascii: step == .same ? " " : step == .removed ? "-" : "+"))
            if step != .added { oldLine += 1 }
            if step != .removed { newLine += 1 }
            text += line
            if line.last != 0x0A { text += "\n\\ No newline at end of file\n".utf8 }
        }
    }
}
