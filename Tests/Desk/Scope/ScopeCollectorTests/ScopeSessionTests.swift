#if Scope
    import Foundation
    import GRDB
    import LogTypes
    import ScopeCollector
    import Testing

    enum Sample {
        static let events = [
            EventDescription(
                category: "search", name: "show", owner: "@team", place: "search.md:3:1",
                versions: [
                    .init(
                        text: "1-0-0",
                        columns: [
                            .init(name: "session_id", type: .string(.init()), isRequired: false),
                            .init(name: "device_model", type: .string(.init()), isRequired: false),
                            .init(
                                name: "position",
                                type: .integer(.init(bits: 64, isSigned: true, minimum: 0, maximum: 9)),
                                isRequired: true,
                                place: "search.md:7:3"),
                        ])
                ])
        ]

        static func line(_ id: String = UUID().uuidString.lowercased(), position: String = "1", _ more: String = "")
            -> [UInt8]
        {
            Array(
                """
                {"event_id":"\(id)","event_category":"search","event_name":"show","schema_version":"1-0-0","occurred_at":"2026-04-01T12:34:56.789Z",\
                "session_id":"s1","device_model":"d1","position":\(position)\(more)}
                """.utf8)
        }

        static func records(_ lines: [UInt8]..., at time: Int64 = 60_000) async -> [ScopeRecord] {
            await RecordReader(events).read(lines, at: time)
        }
    }

    struct RecordReaderTests {
        @Test("A record is validated, and its names and identifiers are read")
        func aRecordIsJudgedAndItsNamesAreRead() async throws {
            let records = await Sample.records(
                Sample.line("01890a5d-ac96-774b-bcce-b302099a8057"), Sample.line(position: "-1"))
            let first = try #require(records.first)
            #expect(first.name == "search.show" && first.isKnown && !first.isBad)
            #expect(
                first.identifier == "01890a5d-ac96-774b-bcce-b302099a8057" && first.session == "s1"
                    && first.device == "d1"
                    && first.version == "1-0-0")
            #expect(
                records[1].violations.map(\.column) == ["position"] && records[1].violations[0].place == "search.md:7:3"
            )
        }

        @Test("A line that is not a known record is kept and bad") func everyLineIsKept() async {
            let lines: [[UInt8]] = [
                Array("no JSON".utf8), [0xFF, 0xFE], Array("[1]".utf8), Array("{}".utf8), Array("\u{0}".utf8),
            ]
            let records = await RecordReader(Sample.events).read(lines, at: 0)
            #expect(records.map(\.raw) == lines)
            #expect(records.allSatisfy { $0.isBad && !$0.isKnown && $0.name == nil })
        }

        @Test("Half of a surrogate pair and a number beyond all doubles hide no names of a record")
        func unusualValues() async {
            let surrogate = Sample.line("7f", position: "1", #","more":"\ud800""#)
            let number = Sample.line("7f", position: "1", #","more":1e400"#)
            let named = Array(#"{"event_category":"se\u0061rch","event_name":"\udc00","event_id":"7f"}"#.utf8)
            let records = await RecordReader(Sample.events).read([surrogate, number, named], at: 0)
            #expect(records.map(\.identifier) == ["7f", "7f", "7f"] && records.map(\.session) == ["s1", "s1", nil])
            #expect(records.prefix(2).allSatisfy { $0.name == "search.show" && $0.isKnown })
            #expect(records[2].category == "search" && records[2].event?.isEmpty == false)
        }

        @Test("A violation that a record declares is reported") func declaredViolationsAreBad() async {
            let records = await Sample.records(Sample.line(position: "1", #","violations":["position: maximum"]"#))
            #expect(records[0].violations.map(\.column) == ["position"] && records[0].violations[0].rule == "maximum")
        }

        @Test("The number of violations that are kept for a record is limited")
        func violationsOfARecordAreLimited() async {
            let many = (0..<5000).map { ",\"c\($0)\":1" }.joined()
            let records = await Sample.records(Sample.line(position: "1", many))
            #expect((2...60).contains(records[0].violations.count))
        }

        @Test("The long name of a category is truncated") func longNamesAreCut() async {
            let long = String(repeating: "な", count: 5000)
            let records = await Sample.records(
                Array("{\"event_category\":\"\(long)\",\"event_name\":\"\(long)\"}".utf8))
            #expect((records[0].category?.count ?? 0) < 300)
        }
    }

    struct ScopeStoreTests {
        private static func file() -> String {
            FileManager.default.temporaryDirectory.appendingPathComponent("scope-\(UUID().uuidString).sqlite").path
        }

        private static func remove(_ path: String) {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }

        @Test("A redelivery is marked, and another record with the same identifier is bad")
        func aRedeliveryIsMarkedAndAnotherRecordOfOneIdIsBad() async throws {
            let path = Self.file()
            defer { Self.remove(path) }
            let store = try ScopeStore(path: path)
            let line = Sample.line("01890a5d-ac96-774b-bcce-b302099a8057")
            let other = Sample.line("01890a5d-ac96-774b-bcce-b302099a8057", position: "2")
            let stored = try await store.add(await Sample.records(line, line, other))
            #expect(stored.map(\.seq) == [1, 2, 3])
            #expect(stored.map(\.again) == [false, true, false])
            #expect(stored.map(\.verdict) == [.good, .good, .bad])
            #expect(try await store.record(3)?.violations.map(\.rule) == ["unique"])
            // The other record is redelivered, too.
            let again = try await store.add(await Sample.records(other, line))
            #expect(again.map(\.again) == [true, true] && again.map(\.verdict) == [.good, .good])
        }

        @Test("A reopened session has its records and counts, and exports a redelivered record once")
        func aSessionThatIsOpenedAgainHasItsRecordsAndNumbers() async throws {
            let path = Self.file()
            defer { Self.remove(path) }
            var state = ScopeState()
            let lines = [Sample.line(), Sample.line(position: "x"), Sample.line(position: "99")]
            do {
                let store = try ScopeStore(path: path)
                for summary in try await store.add(await Sample.records(lines[0], lines[0], lines[1], lines[2])) {
                    state.add(summary)
                }
                store.close()
            }
            let store = try ScopeStore(path: path, mustExist: true)
            #expect(try await store.state() == state)
            let (records, hasMore) = try await store.records(.init())
            #expect(records.map(\.seq) == [4, 3, 2, 1] && !hasMore)
            var exported: [UInt8] = []
            try await store.export { exported += $0 }
            // A redelivered record is exported once.
            #expect(exported.split(separator: 0x0A).map(Array.init) == lines)
        }

        @Test("A bad record stays bad if its stored violations cannot be read")
        func aVerdictIsStored() async throws {
            let path = Self.file()
            defer { Self.remove(path) }
            let store = try ScopeStore(path: path)
            _ = try await store.add(await Sample.records(Sample.line(), Sample.line(position: "-1")))
            let other = try DatabaseQueue(path: path)
            try await other.write { try $0.execute(sql: #"UPDATE records SET violations = '[{"kind":1}]' WHERE bad"#) }
            #expect(try await store.records(.init()).records.map(\.verdict) == [.bad, .good])
            #expect(try await store.record(2)?.summary.verdict == .bad)
        }

        @Test("Records are filtered by verdict, text, event, position and session")
        func filtersNarrowTheList() async throws {
            let path = Self.file()
            defer { Self.remove(path) }
            let store = try ScopeStore(path: path)
            _ = try await store.add(
                await Sample.records(Sample.line(), Sample.line(position: "-1"), Array("なす % _ ' \"".utf8)))
            var filter = ScopeStore.Filter()
            filter.isBad = true
            #expect(try await store.records(filter).records.map(\.seq) == [3, 2])
            filter.text = "なす % _ '"
            #expect(try await store.records(filter).records.map(\.seq) == [3])
            filter = .init()
            (filter.event, filter.limit) = ("show", 1)
            #expect(try await store.records(filter).hasMore)
            filter.before = 2
            #expect(try await store.records(filter).records.map(\.seq) == [1])
            filter.session = "' OR 1=1 --"
            #expect(try await store.records(filter).records.isEmpty)
        }

        @Test("A missing session is not created, and a file that is not a session stays unchanged")
        func otherFilesStayUnchanged() throws {
            let path = Self.file()
            defer { Self.remove(path) }
            #expect(throws: ScopeStore.Problem.self) { try ScopeStore(path: path, mustExist: true) }
            #expect(!FileManager.default.fileExists(atPath: path))
            try Data("not a database, but something of mine".utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: ScopeStore.Problem.self) { try ScopeStore(path: path) }
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: path)) == Data("not a database, but something of mine".utf8))
        }
    }

    struct ScopeStateTests {
        private static func summary(
            _ seq: Int64, event: String = "show", isBad: Bool = false, again: Bool = false, known: Bool = true,
            session: String? = nil
        ) -> ScopeSummary {
            var record = ScopeRecord(at: seq * 60_000, raw: [])
            (record.category, record.event, record.session, record.isKnown) = ("search", event, session, known)
            if isBad { record.violations = [ScopeViolation(rule: "minimum", message: "-1 is below 0")] }
            return ScopeSummary(record, seq: seq, again: again)
        }

        @Test("A redelivery is not counted as a good or bad record") func aRedeliveryCountsAsNothingElse() {
            var state = ScopeState()
            state.add(Self.summary(1))
            state.add(Self.summary(2, isBad: true))
            state.add(Self.summary(3, again: true))
            #expect((state.total, state.good, state.bad, state.again) == (3, 1, 1, 1))
            #expect(state.seen == ["search.show": .init(good: 1, bad: 1)] && state.lastSeq == 3)
        }

        @Test("The numbers of unknown events, sessions and minutes are limited") func namesOfAClientAreLimited() {
            var state = ScopeState()
            for number in 0..<1000 {
                state.add(Self.summary(Int64(number), event: "e\(number)", known: false, session: "s\(number)"))
            }
            #expect(state.unknown.count <= 201 && state.unknown.values.reduce(0, +) == 1000)
            #expect(state.sessions.count <= 200 && state.sessions.last == "s999")
            #expect(state.minutes.count <= 60)
        }

        @Test("Only a good record completes its event in the checklist") func onlyAGoodRecordTicksTheChecklist() {
            let wanted = ["show", "hide"].map { EventDescription(category: "search", name: $0, versions: []) }
            var report = ScopeReport(state: ScopeState(), outcome: ScopeOutcome(), wanted: wanted)
            report.state.add(Self.summary(1, isBad: true))
            #expect(report.missing.map(\.name) == ["show", "hide"])
            report.state.add(Self.summary(2))
            #expect(report.missing.map(\.name) == ["hide"])
        }
    }

    struct ScopeFaultsTests {
        @Test("A simulated failure ends at its time") func aFailureEndsInTime() {
            var faults = ScopeFaults()
            faults.failing = .init(status: 503, until: 10)
            #expect(faults.fate(at: 9.9, dice: 0) == .answered(503))
            #expect(faults.fate(at: 10, dice: 0) == .taken)
            #expect(faults.failing == nil)
        }

        @Test("The requested share of batches is dropped") func theRequestedShareIsDropped() {
            var faults = ScopeFaults()
            #expect(faults.fate(at: 0, dice: 0) == .taken)
            faults.drop = 10
            #expect(faults.fate(at: 0, dice: 9.99) == .dropped && faults.fate(at: 0, dice: 10) == .taken)
        }
    }

    struct ScopeReportTests {
        private static func report(good: Int, bad: Int, wanted: [EventDescription] = []) -> ScopeReport {
            var (state, outcome) = (ScopeState(), ScopeOutcome())
            let violation = ScopeViolation(
                column: "<b>|x", rule: "minimum", message: "-1 is below 0\n| x |", place: "search.md:7:3")
            for (isBad, count) in [(false, good), (true, bad)] where count > 0 {
                state.add(name: "search.show", known: true, isBad: isBad, isAgain: false, minute: 1, count)
                for _ in 0..<count { outcome.add("search.show", isBad: isBad, isBad ? [violation] : []) }
            }
            return ScopeReport(state: state, outcome: outcome, wanted: wanted)
        }

        @Test("A report passes only with all expected events, good records and no bad ones")
        func aReportPassesOnlyWithGoodRecords() {
            let show = EventDescription(category: "search", name: "show", versions: [])
            let hide = EventDescription(category: "search", name: "hide", place: "search.md:9:1", versions: [])
            #expect(Self.report(good: 1, bad: 0, wanted: [show]).passes)
            #expect(!Self.report(good: 1, bad: 0, wanted: [show, hide]).passes)
            #expect(
                Self.report(good: 1, bad: 0, wanted: [show, hide]).problems == [
                    "search.hide did not occur [search.md:9:1]"
                ])
            #expect(!Self.report(good: 1, bad: 1).passes)
            #expect(!Self.report(good: 0, bad: 0).passes)
            var refused = Self.report(good: 1, bad: 0)
            refused.state.refusals = [400: 1, 401: 2]
            #expect(!refused.passes && refused.sentence == "1 record: 1 good, 0 bad; 3 batches refused")
            #expect(
                refused.problems == [
                    "1 batch refused with 400, whose records have not been checked",
                    "2 batches refused with 401, whose records have not been checked",
                ])
        }

        @Test("Text of a record is escaped in the Markdown of a report") func textOfARecordIsEscapedInMarkdown() {
            let text = Self.report(good: 0, bad: 2).markdown
            #expect(!text.contains("<b>") && text.contains("&lt;b&gt;\\|x"))
            #expect(text.split(separator: "\n").filter { $0.hasPrefix("| search") }.count == 1)
        }
    }
#endif
