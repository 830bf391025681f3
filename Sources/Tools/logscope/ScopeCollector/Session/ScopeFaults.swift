#if Scope
    /// What the collector does wrong on purpose, to see what an app does then. Time is in seconds of a clock that only goes forward.
    package struct ScopeFaults: Sendable, Equatable {
        package struct Failing: Sendable, Equatable {
            package var status: Int
            /// Infinite until it is turned off.
            package var until: Double

            package init(status: Int, until: Double) {
                self.status = status
                self.until = until
            }
        }

        /// Batches are answered with this status, and not stored.
        package var failing: Failing?
        /// How long an answer waits. The batch is stored before.
        package var delay: Double?
        /// Of 100 batches, so many are thrown away, and their connection is reset.
        package var drop: Double?

        package init() {}

        package enum Fate: Equatable, Sendable {
            case taken, dropped
            case answered(Int)
        }

        /// What happens to a batch.
        /// - Parameter dice: from 0 to 100, 100 excluded.
        package mutating func fate(at now: Double, dice: Double) -> Fate {
            if let failing {
                if now < failing.until { return .answered(failing.status) }
                self.failing = nil
            }
            return dice < drop ?? 0 ? .dropped : .taken
        }
    }
#endif
