/// The maximum size of the next batch.
struct BatchSize: Sendable {
    private(set) var records: Int
    private(set) var bytes: Int
    private let most: (records: Int, bytes: Int)
    /// The search for a record that does not pass: the limits before it, and the number of records of the refused batch
    /// that are left.
    private var search: (records: Int, bytes: Int, left: Int)?
    /// The number of batches accepted since `bytes` changed.
    private var accepted = 0

    init(records: Int, bytes: Int) {
        (self.records, self.bytes) = (records, bytes)
        most = (records, bytes)
    }

    /// - Parameter isSize: True if the batch was too large. That limit stays after the batch has passed in parts.
    mutating func halve(_ batch: OutboxBatch, isSize: Bool) {
        if search == nil { search = (records, bytes, batch.count) }
        records = max(1, batch.count / 2)
        if isSize {
            bytes = max(1, min(bytes, batch.bytes / 2))
            accepted = 0
        }
    }

    /// Ends the search: the record that does not pass is alone. The limits from before the search return.
    mutating func found() {
        guard let search else { return }
        (records, bytes) = (search.records, search.bytes)
        self.search = nil
    }

    /// Notes that the collector has taken a batch, or part of it.
    /// - Parameter count: The number of records that it has judged.
    mutating func accept(_ count: Int) {
        accepted += 1
        if let search {
            // If the whole refused batch passes in parts, only its size was wrong.
            let left = search.left - count
            self.search = left > 0 ? (search.records, search.bytes, left) : nil
            if left <= 0 { records = search.records }
        } else if accepted >= 100 {
            // The collector's limit may have risen since.
            bytes = bytes > most.bytes / 2 ? most.bytes : bytes * 2
            accepted = 0
        }
    }
}
