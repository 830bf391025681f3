/// Returns the candidate that is nearest to a misspelt word by edit distance; nil if none is near enough.
///
/// The distance is the optimal string alignment distance: Damerau (1964), restricted to adjacent transpositions. The
/// limit is one edit per three letters, and at least one edit. Words longer than 64 scalars have no suggestion.
package func nearestSpelling(of word: String, among candidates: some Sequence<String>) -> String? {
    let target = Array(word.lowercased().unicodeScalars)
    guard !target.isEmpty, target.count <= 64 else { return nil }
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
        // Fast path: most candidates differ too much in length. Skip them before allocating an array.
        let count = candidate.unicodeScalars.count
        let limit = max(1, max(target.count, count) / 3)
        guard abs(count - target.count) <= limit, count <= 64, !candidate.isExactly(word) else { continue }
        let distance = editDistance(target, Array(candidate.lowercased().unicodeScalars))
        guard distance <= limit, distance < max(target.count, count) else { continue }
        if let known = best, (known.distance, known.candidate) <= (distance, candidate) { continue }
        best = (distance, candidate)
    }
    return best?.candidate
}

private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: b.count + 1)
    var previous = Array(0...b.count)
    var current = beforePrevious
    for i in 0..<a.count {
        current[0] = i + 1
        for j in 0..<b.count {
            current[j + 1] = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                current[j + 1] = min(current[j + 1], beforePrevious[j - 1] + 1)
            }
        }
        swap(&beforePrevious, &previous)
        swap(&previous, &current)
    }
    return previous[b.count]
}
