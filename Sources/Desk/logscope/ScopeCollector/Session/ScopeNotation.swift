#if Scope
    import ArgumentParser

    /// The notation of times, shares and failures on the command line: `10s`, `500ms`, `10%`, `503:30s`.
    enum ScopeNotation {
        /// In seconds.
        static func duration(_ text: String, longest: Double = 86_400) throws -> Double {
            for (unit, factor) in [("ms", 0.001), ("s", 1.0), ("min", 60.0), ("m", 60.0), ("h", 3600.0)]
            where text.hasSuffix(unit) {
                guard let number = unsignedNumber(text.dropLast(unit.count)) else { break }
                let seconds = number * factor
                guard seconds <= longest else {
                    throw ValidationError(
                        "`\(text)` is longer than the maximum of \(longest == 60 ? "a minute" : "a day")")
                }
                return seconds
            }
            throw ValidationError(
                "`\(text)` is not a time: write a number and `ms`, `s`, `m`, `min` or `h`, as in `10s`")
        }

        /// Reads a percentage from 0 to 100.
        static func percent(_ text: String) throws -> Double {
            guard text.hasSuffix("%"), let number = unsignedNumber(text.dropLast()) else {
                throw ValidationError(
                    "`\(text)` is not a percentage: write a number and a percent sign, as in `10%`")
            }
            guard number <= 100 else { throw ValidationError("`\(text)` is more than 100%") }
            return number
        }

        /// Reads a status and a duration in seconds: `503:30s`. Without a duration, it lasts until it is turned off.
        static func failure(_ text: String) throws -> (status: Int, seconds: Double?) {
            let sides = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let first = sides.first, first.utf8.count == 3, let status = Int(first), (400...599).contains(status)
            else {
                throw ValidationError("`\(text)` has no status from 400 to 599: write it as in `503:30s`")
            }
            return (status, sides.count == 2 ? try duration(sides[1]) : nil)
        }

        private static func unsignedNumber(_ text: Substring) -> Double? {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count <= 2, text.utf8.count < 16,
                parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
            else { return nil }
            return Double(text)
        }
    }
#endif
