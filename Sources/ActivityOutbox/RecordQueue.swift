import ActivityTracking

/// Records that have been posted and not been written yet. It is bounded: past its bounds the oldest go.
final class RecordQueue: Sendable {
    private struct State: Sendable {
        var waiting = PackedRecords()
        /// Taken, and neither written nor given back.
        var writing = PackedRecords()
        /// Not yet counted by the store.
        var dropped = 0
        /// Those of them that have been reported.
        var reported = 0
        var isScheduled = false

        var count: Int { waiting.count + writing.count }

        mutating func drop(beyond records: Int, _ limit: Int) {
            while !waiting.isEmpty, count > records || waiting.bytes + writing.bytes > limit, waiting.count > 1 || count > records {
                waiting.removeFirst()
                dropped += 1
            }
        }
    }

    private let state = Locked(State())
    private let maxRecords: Int
    private let maxBytes: Int

    init(records: Int, bytes: Int) {
        maxRecords = max(1, records)
        maxBytes = bytes
    }

    /// Adds a record; true where nobody has been asked to write yet.
    func append(_ record: [UInt8]) -> Bool {
        state.withLock { state in
            state.waiting.append(record)
            if state.count > maxRecords || state.waiting.bytes + state.writing.bytes > maxBytes { state.drop(beyond: maxRecords, maxBytes) }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    /// Everything that waits, to be written or given back; how many have been dropped and not been counted, and how many of these are news.
    func take() -> (records: PackedRecords, dropped: Int, new: Int) {
        state.withLock { state in
            state.isScheduled = false
            state.writing = state.waiting
            state.waiting = PackedRecords()
            defer { state.reported = state.dropped }
            return (state.writing, state.dropped, state.dropped - state.reported)
        }
    }

    /// What was taken is written, and so many dropped ones are counted.
    func finish(dropped: Int) {
        state.withLock { state in
            state.dropped -= dropped
            state.reported -= dropped
            state.writing = PackedRecords()
        }
    }

    /// What was taken could not be written: it waits again, before what has come since.
    func giveBack() {
        state.withLock { state in
            state.writing.append(state.waiting)
            state.waiting = state.writing
            state.writing = PackedRecords()
            state.drop(beyond: maxRecords, maxBytes)
        }
    }

    /// Forgets everything; the number of records.
    func clear() -> Int {
        state.withLock { state in
            let count = state.waiting.count
            state.waiting = PackedRecords()
            return count
        }
    }

    var count: Int { state.withLock { $0.count } }
    var dropped: Int { state.withLock { $0.dropped } }
}
