/// A priority queue of numbers by due time: a binary heap with the position of each number, so any can be removed.
package struct DueQueue: Sendable {
    private var heap: [(due: Double, number: Int32)] = []
    /// The index of each number in the heap; -1 if the number is not in the queue.
    private var places: [Int32] = []

    package init() {}

    package var first: (due: Double, number: Int32)? { heap.first }

    /// Returns the due time of a number; nil if the number is not in the queue.
    package func due(_ number: Int32) -> Double? {
        guard Int(number) < places.count, places[Int(number)] >= 0 else { return nil }
        return heap[Int(places[Int(number)])].due
    }

    /// Inserts a number, or changes its due time. Nil removes the number.
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

    /// Moves an entry up or down from a free index until the heap is ordered.
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
