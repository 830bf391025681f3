#if Scope
    /// Faults that the collector simulates to test an app. Times are in seconds of a monotonic clock.
    struct ScopeFaults: Sendable, Equatable, Encodable {
        struct Failing: Sendable, Equatable, Encodable {
            var status: Int
            /// The end of the fault; nil if it lasts until it is turned off.
            var until: Double?
        }

        /// The failure with which batches are answered, without being stored; nil for none.
        var fail: Failing?
        /// The delay of answers in seconds. The batch is stored first.
        var delay: Double?
        /// The percentage of batches that are discarded and whose connections are reset.
        var drop: Double?

        enum Fate: Sendable {
            case taken, dropped
            case answered(Int)
        }

        /// - Parameter dice: a random number from 0 to 100, 100 excluded.
        mutating func fate(at now: Double, dice: Double) -> Fate {
            if let fail {
                if now < fail.until ?? .infinity { return .answered(fail.status) }
                self.fail = nil
            }
            return dice < drop ?? 0 ? .dropped : .taken
        }
    }
#endif
