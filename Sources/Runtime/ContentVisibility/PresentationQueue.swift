/// Items that wait to be presented, first come, first served. Both ends are quick, however many items wait.
struct PresentationQueue<Item> {
    /// The items that come first, in reverse.
    private var front: [Item] = []
    private var back: [Item] = []

    var isEmpty: Bool { front.isEmpty && back.isEmpty }

    var count: Int { front.count + back.count }

    mutating func append(_ item: Item) { back.append(item) }

    /// Puts back an item that was taken, before all others.
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
