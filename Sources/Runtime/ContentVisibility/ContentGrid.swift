/// An index of contents by position. It finds the contents near a rectangle without a scan of all contents.
///
/// It is a loose hierarchical hash grid (Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, 1996, §2.4).
/// A content is in the level with the smallest cells that are larger than the content, in the cell that contains its
/// upper left corner. The content extends at most into the adjacent cells. Each content is in one cell only, at a known
/// index, so its removal needs no search. Up to 32 contents are in a list instead, whose scan needs no hashing.
struct ContentGrid: Sendable {
    private struct Cell: Hashable {
        var x, y: Int64
    }

    private struct Level {
        var exponent: Int
        var cells: [Cell: [Int32]] = [:]

        var side: Double { Double(sign: .plus, exponent: exponent, significand: 1) }

        func cell(_ x: Double, _ y: Double) -> Cell {
            Cell(x: Int64((x / side).rounded(.down)), y: Int64((y / side).rounded(.down)))
        }
    }

    private var list: [Int32] = []
    private var boxes: [EdgeRect] = []
    private var levels: [Level] = []
    /// The index of each content in its cell.
    private var places: [Int32: Int] = [:]

    private static let listLimit = 32
    /// The exponent of the smallest cells: 256 points. With smaller ones, a screen covers more cells than contents.
    private static let smallest = 8

    mutating func insert(_ item: Int32, _ box: EdgeRect) {
        if levels.isEmpty, list.count < Self.listLimit {
            list.append(item)
            boxes.append(box)
            return
        }
        for (item, box) in zip(list, boxes) { insertInLevel(item, box) }
        list = []
        boxes = []
        insertInLevel(item, box)
    }

    private mutating func insertInLevel(_ item: Int32, _ box: EdgeRect) {
        let exponent = Self.exponent(box)
        let level: Int
        if let known = levels.firstIndex(where: { $0.exponent == exponent }) {
            level = known
        } else {
            level = levels.count
            levels.append(Level(exponent: exponent))
        }
        let cell = levels[level].cell(box.minX, box.minY)
        places[item] = levels[level].cells[cell]?.count ?? 0
        levels[level].cells[cell, default: []].append(item)
    }

    /// Removes a content that was inserted with this box.
    mutating func remove(_ item: Int32, _ box: EdgeRect) {
        if levels.isEmpty {
            guard let index = list.firstIndex(of: item) else { return }
            list.remove(at: index)
            boxes.remove(at: index)
            return
        }
        let exponent = Self.exponent(box)
        guard let level = levels.firstIndex(where: { $0.exponent == exponent }) else { return }
        let cell = levels[level].cell(box.minX, box.minY)
        guard let place = places.removeValue(forKey: item), let last = levels[level].cells[cell]?.popLast() else {
            return
        }
        if last != item {
            levels[level].cells[cell]?[place] = last
            places[last] = place
        }
        if levels[level].cells[cell]?.isEmpty == true { levels[level].cells[cell] = nil }
    }

    /// Appends the contents that intersect the rectangle `window`, and some contents near it.
    func collect(_ window: EdgeRect, into items: inout [Int32]) {
        if levels.isEmpty {
            items.append(contentsOf: list)
            return
        }
        for level in levels {
            let (from, to) = (
                level.cell(window.minX - level.side, window.minY - level.side), level.cell(window.maxX, window.maxY)
            )
            // Fast path: the rectangle covers more cells than exist.
            if Double(to.x - from.x + 1) * Double(to.y - from.y + 1) > Double(level.cells.count) {
                for cell in level.cells.values { items.append(contentsOf: cell) }
                continue
            }
            for y in from.y...to.y {
                for x in from.x...to.x {
                    if let cell = level.cells[Cell(x: x, y: y)] { items.append(contentsOf: cell) }
                }
            }
        }
    }

    private static func exponent(_ box: EdgeRect) -> Int {
        let length = max(box.width, box.height)
        return length > 0 ? max(Int(length.exponent) + 1, smallest) : smallest
    }
}
