struct BatchSize: Sendable {
    private(set) var records: Int
    private(set) var bytes: Int
    private let most: (records: Int, bytes: Int)
    /// The search, by halving, for a record that the collector refuses; nil unless a search is in progress. It contains
    /// the limits before the search, and the number of records of the refused batch that have not been judged yet.
    private var search: (records: Int, bytes: Int, left: Int)?
    /// The number of batches accepted since `bytes` changed.
    private var accepted = 0

    init(records: Int, bytes: Int) {
        (self.records, self.bytes) = (records, bytes)
        most = (records, bytes)
    }

    /// Halves the size of batches after a refusal.
    /// - Parameter isSize: True if the collector refused the batch for its size. Then the limit of bytes is halved,
    ///   too. The lower limit stays if the batch passes in parts.
    mutating func halve(_ batch: OutboxBatch, isSize: Bool) {
        if search == nil { search = (records, bytes, batch.count) }
        records = max(1, batch.count / 2)
        if isSize {
            bytes = max(1, min(bytes, batch.bytes / 2))
            accepted = 0
        }
    }

    /// Ends the search, because the refused record was alone in its batch. Batches stay small, because the next record
    /// may be invalid, too. Each accepted batch doubles the number of records.
    mutating func found() {
        guard let search else { return }
        bytes = search.bytes
        self.search = nil
    }

    /// Updates the size after the collector has accepted a batch, or part of it.
    /// - Parameter count: The number of records that the collector has judged.
    mutating func accept(_ count: Int) {
        accepted += 1
        if let search {
            // If the collector has judged all parts of the refused batch, its number of records was not the problem.
            let left = search.left - count
            self.search = left > 0 ? (search.records, search.bytes, left) : nil
            if left <= 0 { records = search.records }
            return
        }
        records = records > most.records / 2 ? most.records : records * 2
        if accepted >= 100 {
            // After 100 accepted batches, a larger one is tried, because the collector's limit may have risen.
            bytes = bytes > most.bytes / 2 ? most.bytes : bytes * 2
            accepted = 0
        }
    }
}
