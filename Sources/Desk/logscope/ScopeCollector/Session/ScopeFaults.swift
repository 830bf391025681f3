#if Scope
    /// Faults that the collector simulates to test an app. Times are in seconds of a monotonic clock.
    package struct ScopeFaults: Sendable, Equatable {
        package struct Failing: Sendable, Equatable {
            package var status: Int
            /// The end of the fault; infinite until it is turned off.
            package var until: Double

            package init(status: Int, until: Double) {
                self.status = status
                self.until = until
            }
        }

        /// The failure with which batches are answered, without being stored; nil for none.
        package var failing: Failing?
        /// The delay of answers in seconds. The batch is stored first.
        package var delay: Double?
        /// The percentage of batches that are discarded and whose connections are reset.
        package var drop: Double?

        package init() {}

        package enum Fate: Equatable, Sendable {
            case taken, dropped
            case answered(Int)
        }

        /// Determines the fate of a batch.
        /// - Parameter dice: a random number from 0 to 100, 100 excluded.
        package mutating func fate(at now: Double, dice: Double) -> Fate {
            if let failing {
                if now < failing.until { return .answered(failing.status) }
                self.failing = nil
            }
            return dice < drop ?? 0 ? .dropped : .taken
        }
    }
#endif
