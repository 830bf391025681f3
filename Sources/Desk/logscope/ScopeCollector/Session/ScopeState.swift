#if Scope
    /// The counters of a session. A redelivery counts in `total` and `again`, and in no other counter.
    struct ScopeState: Encodable, Sendable {
        struct Count: Encodable, Sendable {
            var good = 0
            var bad = 0

            mutating func add(_ isBad: Bool, _ number: Int = 1) { if isBad { bad += number } else { good += number } }
        }

        /// The maximum number each of unknown names, sessions and devices. A hostile client may invent more.
        static let mostNames = 200
        static let minutesKept = 60

        private(set) var total = 0
        private(set) var good = 0
        private(set) var bad = 0
        private(set) var again = 0
        /// The counts by minute since 1970.
        private(set) var minutes: [Int: Count] = [:]
        /// The counts by `category.event`, for events of the definitions.
        private(set) var seen: [String: Count] = [:]
        /// The counts of names that the definitions do not contain. `…` counts the names past the maximum.
        private(set) var unknown: [String: Int] = [:]
        private(set) var sessions: [String] = []
        private(set) var devices: [String] = []
        /// The number of batches that a fault has discarded.
        var dropped = 0
        /// The number of batches that were refused, by status.
        var refusals: [Int: Int] = [:]
        var refused: Int { refusals.values.reduce(0, +) }
        /// The seconds by which the last batch's `Sent-At` is ahead of logscope's clock; nil for a minute or less.
        var clockAhead: Int?
        private(set) var lastSeq: Int64 = 0

        mutating func add(_ record: ScopeRecord) {
            lastSeq = max(lastSeq, record.seq)
            add(
                name: record.name, known: record.known, isBad: record.verdict == .bad, isAgain: record.again,
                minute: Int(record.at / 60_000), 1)
            appendIfNew(record.session, \.sessions)
            appendIfNew(record.device, \.devices)
        }

        /// Adds several records with the same properties, for a session that is reopened.
        mutating func add(name: String?, known: Bool, isBad: Bool, isAgain: Bool, minute: Int, _ number: Int) {
            total += number
            if isAgain {
                again += number
                return
            }
            if isBad { bad += number } else { good += number }
            minutes[minute, default: Count()].add(isBad, number)
            if minutes.count > Self.minutesKept, let first = minutes.keys.min() { minutes[first] = nil }
            guard let name else { return }
            if known {
                seen[name, default: Count()].add(isBad, number)
            } else if unknown[name] != nil || unknown.count < Self.mostNames {
                unknown[name, default: 0] += number
            } else {
                unknown["…", default: 0] += number
            }
        }

        mutating func opened(sessions: [String], devices: [String], lastSeq: Int64) {
            self.sessions = sessions.suffix(Self.mostNames)
            self.devices = devices.suffix(Self.mostNames)
            self.lastSeq = lastSeq
        }

        private mutating func appendIfNew(_ text: String?, _ list: WritableKeyPath<ScopeState, [String]>) {
            guard let text, self[keyPath: list].last != text, !self[keyPath: list].contains(text) else { return }
            self[keyPath: list].append(text)
            if self[keyPath: list].count > Self.mostNames { self[keyPath: list].removeFirst() }
        }
    }
#endif
