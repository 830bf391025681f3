/// A copy of an array that is accessed by pointer. The bounds checks and reference counts of arrays would take a third
/// of an evaluator's time. The copy lives as long as its evaluator.
struct Table<Element>: ~Copyable {
    let base: UnsafeMutablePointer<Element>
    let count: Int

    init(_ elements: [Element]) {
        count = elements.count
        base = .allocate(capacity: max(count, 1))
        for (index, element) in elements.enumerated() { (base + index).initialize(to: element) }
    }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { base[index] }
        nonmutating set { base[index] = newValue }
    }
}
