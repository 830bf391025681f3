#if Scope
    import ArgumentParser

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
        /// The share of batches, from 0 to 1, that are discarded and whose connections are reset.
        var drop: Double?

        enum Fate: Sendable {
            case taken, dropped
            case answered(Int)
        }

        /// Sets faults in the notation of the command line. Nil turns a fault off. After an error, none has changed.
        mutating func set(_ texts: [String: String?]) throws {
            var changed = self
            for (name, text) in texts {
                switch name {
                case "fail": changed.fail = try text.map(ScopeNotation.failure)
                case "delay": changed.delay = try text.map { try ScopeNotation.duration($0, longest: 60) }
                case "drop": changed.drop = try text.map(ScopeNotation.share)
                default: throw ValidationError("Unknown fault: use `fail`, `delay` or `drop`.")
                }
            }
            self = changed
        }

        /// - Parameter dice: a random number from 0 to 1, 1 excluded.
        mutating func fate(at now: Double, dice: Double) -> Fate {
            if let fail {
                if now < fail.until ?? .infinity { return .answered(fail.status) }
                self.fail = nil
            }
            return dice < drop ?? 0 ? .dropped : .taken
        }
    }
#endif
