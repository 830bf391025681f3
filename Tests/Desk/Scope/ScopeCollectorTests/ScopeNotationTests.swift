#if Scope
    import ScopeCollector
    import Testing

    struct ScopeNotationTests {
        @Test(
            "A time is read with its unit",
            arguments: [
                ("10s", 10.0), ("500ms", 0.5), ("1.5s", 1.5), ("2min", 120), ("2m", 120), ("1h", 3600), ("0s", 0),
            ])
        func aTimeIsReadWithItsUnit(text: String, seconds: Double) throws {
            #expect(try ScopeNotation.duration(text) == seconds)
        }

        @Test(
            "A string that is not a time is rejected",
            arguments: ["", "10", "s", "-1s", "1e3s", "infs", "nan s", "1..2s", "25h", "１s", "10 s"])
        func stringThatIsNotATimeIsRejected(text: String) {
            #expect(throws: ScopeNotation.Failure.self) { try ScopeNotation.duration(text) }
        }

        @Test("The message of an invalid time lists each unit") func unitsAreListed() throws {
            let failure = try #require(throws: ScopeNotation.Failure.self) { try ScopeNotation.duration("10") }
            for unit in ["ms", "s", "m", "min", "h"] {
                #expect(throws: Never.self) { try ScopeNotation.duration("1\(unit)") }
                #expect(failure.description.contains("`\(unit)`"), "\(failure)")
            }
        }

        @Test("A share has a percent sign and is at most 100%") func aShareIsReadAndBounded() throws {
            #expect(try ScopeNotation.percent("10%") == 10)
            #expect(try ScopeNotation.percent("0.5%") == 0.5)
            #expect(throws: ScopeNotation.Failure.self) { try ScopeNotation.percent("10") }
            #expect(throws: ScopeNotation.Failure.self) { try ScopeNotation.percent("101%") }
        }

        @Test("A failure has an error status and an optional duration")
        func aFailureHasAStatusAndPerhapsATime() throws {
            let (status, seconds) = try ScopeNotation.failure("503:30s")
            #expect(status == 503 && seconds == 30)
            #expect(try ScopeNotation.failure("429").seconds == nil)
            for text in ["200:1s", "5033:1s", ":1s", "503:", "503:1", "abc"] {
                #expect(throws: ScopeNotation.Failure.self) { try ScopeNotation.failure(text) }
            }
        }
    }
#endif
