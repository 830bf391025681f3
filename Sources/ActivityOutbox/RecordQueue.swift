import ActivityTracking

/// Records that have been posted and not been written yet. It is bounded: past its bounds the oldest go.
final class RecordQueue: Sendable {
    private struct State: Sendable {
        var waiting: [[UInt8]] = []
        /// Before it, `waiting` is empty.
        var head = 0
        var bytes = 0
        /// Taken, and neither written nor given back.
        var writing: [[UInt8]] = []
        var writingBytes = 0
        /// Not yet counted by the store.
        var dropped = 0
        /// Those of them that have been reported.
        var reported = 0
        var isScheduled = false

        var count: Int { waiting.count - head + writing.count }

        mutating func drop(beyond records: Int, _ limit: Int) {
            while head < waiting.count, count > records || bytes + writingBytes > limit, waiting.count - head > 1 || count > records {
                bytes -= waiting[head].count
                waiting[head] = []
                head += 1
                dropped += 1
            }
            if head > 1024, head > waiting.count / 2 {
                waiting.removeFirst(head)
                head = 0
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
            state.bytes += record.count
            if state.count > maxRecords || state.bytes + state.writingBytes > maxBytes { state.drop(beyond: maxRecords, maxBytes) }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    /// Everything that waits, to be written or given back; how many have been dropped and not been counted, and how many of these are news.
    func take() -> (records: [[UInt8]], dropped: Int, new: Int) {
        state.withLock { state in
            state.isScheduled = false
            state.writing = state.head == 0 ? state.waiting : Array(state.waiting[state.head...])
            state.writingBytes = state.bytes
            state.waiting = []
            state.head = 0
            state.bytes = 0
            defer { state.reported = state.dropped }
            return (state.writing, state.dropped, state.dropped - state.reported)
        }
    }

    /// What was taken is written, and so many dropped ones are counted.
    func finish(dropped: Int) {
        state.withLock { state in
            state.dropped -= dropped
            state.reported -= dropped
            state.writing = []
            state.writingBytes = 0
        }
    }

    /// What was taken could not be written: it waits again, before what has come since.
    func giveBack() {
        state.withLock { state in
            state.waiting = state.writing + state.waiting[state.head...]
            state.head = 0
            state.bytes += state.writingBytes
            state.writing = []
            state.writingBytes = 0
            state.drop(beyond: maxRecords, maxBytes)
        }
    }

    /// Forgets everything; the number of records.
    func clear() -> Int {
        state.withLock { state in
            let count = state.waiting.count - state.head
            state.waiting = []
            state.head = 0
            state.bytes = 0
            return count
        }
    }

    var count: Int { state.withLock { $0.count } }
    var dropped: Int { state.withLock { $0.dropped } }
}
