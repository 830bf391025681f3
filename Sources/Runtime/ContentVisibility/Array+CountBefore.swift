extension Array {
    /// Returns the number of elements for which `isBefore` is true, by bisection. These elements must precede all
    /// others.
    ///
    /// swift-algorithms provides this as `partitioningIndex`. It is implemented here to spare apps the dependency.
    package func count(before isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
