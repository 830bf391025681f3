/// A queue of items to present. Operations at both ends take amortized constant time.
struct PresentationQueue<Item> {
    /// The first items, in reverse order.
    private var front: [Item] = []
    private var back: [Item] = []

    var isEmpty: Bool { front.isEmpty && back.isEmpty }

    var count: Int { front.count + back.count }

    mutating func append(_ item: Item) { back.append(item) }

    /// Puts an item back at the front of the queue.
    mutating func putBack(_ item: Item) { front.append(item) }

    mutating func removeFirst() -> Item? {
        if front.isEmpty {
            front = back.reversed()
            back = []
        }
        return front.popLast()
    }
}

extension PresentationQueue: Sendable where Item: Sendable {}
