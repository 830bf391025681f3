/// Which of many numbers is due next: a binary heap. It knows where each number is, so that any of them can be removed.
package struct DueQueue: Sendable {
    private var heap: [(due: Double, number: Int32)] = []
    /// The place of each number in the heap; -1 if it is not there.
    private var places: [Int32] = []

    package init() {}

    package var first: (due: Double, number: Int32)? { heap.first }

    /// When a number is due; nil if it is not.
    package func due(_ number: Int32) -> Double? {
        guard Int(number) < places.count, places[Int(number)] >= 0 else { return nil }
        return heap[Int(places[Int(number)])].due
    }

    /// Enters a number, or gives it another time; nil removes it.
    package mutating func set(_ number: Int32, due: Double?) {
        if Int(number) >= places.count {
            places.append(contentsOf: repeatElement(-1, count: Int(number) + 1 - places.count))
        }
        let place = Int(places[Int(number)])
        guard let due else {
            guard place >= 0 else { return }
            let last = heap.removeLast()
            places[Int(number)] = -1
            if last.number != number { settle(last, at: place) }
            return
        }
        if place >= 0 { return settle((due, number), at: place) }
        heap.append((due, number))
        settle((due, number), at: heap.count - 1)
    }

    /// Puts an entry at a free place, or above or below it, as the heap's order demands.
    private mutating func settle(_ entry: (due: Double, number: Int32), at start: Int) {
        var place = start
        while place > 0, entry.due < heap[(place - 1) / 2].due {
            put(heap[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].due < heap[child].due { child += 1 }
            guard heap[child].due < entry.due else { break }
            put(heap[child], at: place)
            place = child
        }
        put(entry, at: place)
    }

    private mutating func put(_ entry: (due: Double, number: Int32), at place: Int) {
        heap[place] = entry
        places[Int(entry.number)] = Int32(place)
    }
}
