/// What waits, first come, first served: neither end costs more with what waits in between.
struct Queue<Element> {
    /// What comes first, the first last.
    private var front: [Element] = []
    private var back: [Element] = []

    var isEmpty: Bool { front.isEmpty && back.isEmpty }

    var count: Int { front.count + back.count }

    mutating func append(_ element: Element) { back.append(element) }

    /// Puts back what was taken, before all others.
    mutating func putBack(_ element: Element) { front.append(element) }

    mutating func removeFirst() -> Element? {
        if front.isEmpty {
            front = back.reversed()
            back = []
        }
        return front.popLast()
    }
}

extension Queue: Sendable where Element: Sendable {}
