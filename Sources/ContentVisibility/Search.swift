extension Array {
    /// How many elements come before a place, in an order in which those that do stand first: found by halving.
    package func count(before isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
