#if Scope
    import Foundation

    /// An open session: stores the records of batches, and provides them to pages.
    actor Collector {
        /// The number of recent records that are kept in memory for pages. A page that is further behind skips the
        /// older records, and receives their number.
        static let recentRecords = 2000
        private static let mostBodyBytesInMemory = 128 << 20
        /// The maximum number of records in a transaction that joins several batches.
        static let commitRecords = 2000

        private struct WaitingBatch {
            var records: [ReceivedRecord]
            var answer: CheckedContinuation<Void, any Error>
        }

        let store: ScopeStore
        let reader: RecordReader
        private(set) var state: ScopeState
        /// The counters since the start. In a new session, they equal those of the session.
        private(set) var run = ScopeState()
        /// The violations since the start.
        private(set) var outcome = ScopeOutcome()
        private(set) var faults: ScopeFaults
        /// A number that increases with each change of the state or the faults. Streams then send the changes to pages.
        private(set) var revision = 0
        /// The time of the last record in seconds of a monotonic clock; nil before the first record since the start.
        private(set) var lastArrival: Double?
        private var recent: [ScopeRecord] = []
        private var bytes = 0
        private var waiting: [WaitingBatch] = []
        private var isWriting = false

        init(store: ScopeStore, reader: RecordReader, faults: ScopeFaults) async throws {
            self.store = store
            self.reader = reader
            self.faults = faults
            state = try await store.state()
        }

        static func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

        // MARK: Records

        /// Stores records on disk before it returns. Batches that wait for the disk share a transaction.
        func keep(_ records: [ReceivedRecord]) async throws {
            guard !records.isEmpty else { return }
            try await withCheckedThrowingContinuation { answer in
                waiting.append(WaitingBatch(records: records, answer: answer))
                if !isWriting {
                    isWriting = true
                    Task { await self.write() }
                }
            }
        }

        private func write() async {
            while !waiting.isEmpty {
                var count = 0
                let end = waiting.firstIndex { batch in
                    defer { count += batch.records.count }
                    return count > 0 && count + batch.records.count > Self.commitRecords
                }
                let together = Array(waiting[..<(end ?? waiting.endIndex)])
                waiting.removeFirst(together.count)
                do {
                    let stored = try await store.add(together.flatMap(\.records))
                    note(stored)
                    for batch in together { batch.answer.resume() }
                } catch {
                    for batch in together { batch.answer.resume(throwing: error) }
                }
            }
            isWriting = false
        }

        private func note(_ stored: [ReceivedRecord]) {
            count { state in for received in stored { state.add(received.record) } }
            for received in stored where !received.record.again { outcome.add(received) }
            recent += stored.map(\.record)
            if recent.count > 2 * Self.recentRecords { recent.removeFirst(recent.count - Self.recentRecords) }
            lastArrival = Self.now()
        }

        private func count(_ change: (inout ScopeState) -> Void) {
            change(&state)
            change(&run)
            revision += 1
        }

        /// Returns the newest records after a sequence number, oldest first, and the number of omitted older ones.
        func news(after seq: Int64, atMost limit: Int) -> (records: [ScopeRecord], left: Int) {
            guard state.lastSeq > seq else { return ([], 0) }
            var start = recent.endIndex
            while start > recent.startIndex, recent[start - 1].seq > seq, recent.endIndex - start < limit { start -= 1 }
            let records = Array(recent[start...])
            return (records, Int(state.lastSeq - seq) - records.count)
        }

        // MARK: Faults and refusals

        func setFaults(_ texts: [String: String?]) throws {
            try faults.set(texts)
            revision += 1
        }

        func fate() -> ScopeFaults.Fate {
            let before = faults
            let fate = faults.fate(at: Self.now(), dice: Double.random(in: 0..<1))
            if case .dropped = fate { count { $0.dropped += 1 } }
            if faults != before { revision += 1 }
            return fate
        }

        func noteRefusal(_ status: Int) { count { $0.refusals[status, default: 0] += 1 } }

        func noteClock(sentAt text: String, arrival: Date) {
            let formatter = ISO8601DateFormatter()
            if text.utf8.contains(UInt8(ascii: ".")) { formatter.formatOptions.insert(.withFractionalSeconds) }
            guard let sent = formatter.date(from: text) else { return }
            let ahead = Int(exactly: sent.timeIntervalSince(arrival).rounded()).flatMap { abs($0) > 60 ? $0 : nil }
            count { $0.clockAhead = ahead }
        }

        // MARK: Memory

        /// Reserves memory. Returns false if the limit is exceeded.
        func take(bytes count: Int) -> Bool {
            guard bytes + count <= Self.mostBodyBytesInMemory else { return false }
            bytes += count
            return true
        }

        func give(bytes count: Int) { bytes -= count }
    }
#endif
