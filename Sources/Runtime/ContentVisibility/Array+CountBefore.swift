extension Array {
    /// How many elements come before a place, found by bisection. The array is in order: elements that come before
    /// stand first.
    ///
    /// swift-algorithms has this as `partitioningIndex`. An app that tracks contents does not fetch two packages for
    /// it.
    package func count(before isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
