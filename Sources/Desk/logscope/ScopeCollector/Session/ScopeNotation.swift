#if Scope
    import ArgumentParser
    import LogTypes

    /// The notation of times, shares and failures: `10s`, `500ms`, `10%`, `503:30s`.
    enum ScopeNotation {
        /// In seconds.
        static func duration(_ text: String, longest: Double = 86_400) throws -> Double {
            var seconds = DurationNotation.seconds(text[...])
            for (unit, factor) in [("min", 60.0), ("m", 60.0), ("h", 3600.0)]
            where text.hasSuffix(unit) && text.dropLast(unit.count).last?.isNumber == true {
                seconds = DurationNotation.seconds("\(text.dropLast(unit.count))s").map { $0 * factor }
            }
            guard let seconds else {
                throw ValidationError(
                    "`\(text)` is not a time: write a number and `ms`, `s`, `m`, `min` or `h`, as in `10s`")
            }
            guard seconds <= longest else {
                throw ValidationError("`\(text)` is longer than the maximum of \(longest == 60 ? "a minute" : "a day")")
            }
            return seconds
        }

        /// Reads a percentage as a fraction.
        static func share(_ text: String) throws -> Double {
            guard let fraction = PercentageNotation.fraction(text) else {
                throw ValidationError(
                    "`\(text)` is not a percentage up to 100%: write a number and a percent sign, as in `10%`")
            }
            return fraction
        }

        /// Reads a status and a duration: `503:30s`. Without a duration, it lasts until it is turned off.
        static func failure(_ text: String) throws -> ScopeFaults.Failing {
            let sides = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let first = sides.first, first.utf8.count == 3, let status = Int(first), (400...599).contains(status)
            else {
                throw ValidationError("`\(text)` has no status from 400 to 599: write it as in `503:30s`")
            }
            return .init(status: status, until: sides.count == 2 ? try Collector.now() + duration(sides[1]) : nil)
        }
    }
#endif
