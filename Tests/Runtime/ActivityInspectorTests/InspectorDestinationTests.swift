@_spi(GeneratedCode) import ActivityTracking
import Foundation
import RecipeLogs
import Testing

@testable import ActivityInspector

/// Tests of the kept records, their verdicts, the filter, the checklist and the report.
struct InspectorDestinationTests {
    static let at = Date(timeIntervalSince1970: 1_775_000_000.25)
    static let utc = TimeZone(secondsFromGMT: 0) ?? .current

    static func logger(
        _ inspector: InspectorDestination, collection: CollectionPolicy = .enabled,
        user: Int64? = 1, processors: [any LogProcessor] = []
    ) -> ActivityLogger {
        ActivityLogger(
            common: {
                CommonColumns(
                    userId: user.map { UserID($0) }, sessionId: UUID(), appVersion: "1.0", osVersion: "15",
                    deviceKind: .phone, deviceModel: "m", timeZone: "Asia/Tokyo", locale: "ja-JP", isPremium: false,
                    experiments: [])
            }, processors: processors, destinations: [inspector], collection: collection, report: { _ in })
    }

    static func show(_ recipe: Int64, position: Int = 0, keyword: String = "なす") -> RecipeSearch {
        .showRecipe(recipeId: RecipeID(recipe), position: position, keyword: keyword, order: .popular)
    }

    // MARK: Records

    @Test("Every record is kept with the verdict of the validator, the newest first")
    func verdicts() async throws {
        let inspector = InspectorDestination(isOn: true)
        let logger = Self.logger(inspector)
        logger.post(Self.show(1))
        logger.post(Self.show(2, position: -1))
        #expect(inspector.snapshot.records.map(\.verdict) == [nil, nil])
        await inspector.flush()
        let records = inspector.snapshot.records
        #expect(records.map(\.fullName) == ["recipe_search.show_recipe", "recipe_search.show_recipe"])
        #expect(records.map(\.verdictText) == ["1 violation", "accepted"])
        #expect(records[0].violations == ["position: -1 is below 0"])
        #expect(records[1].verdict == .accepted)
    }

    @Test("A value that the encoder has replaced is a violation, although the record itself is valid")
    func replacedValue() async {
        let inspector = InspectorDestination(isOn: true)
        Self.logger(inspector).post(RecipeSearch.clearHistory, occurredAt: .distantFuture.addingTimeInterval(1e12))
        await inspector.flush()
        #expect(
            inspector.snapshot.records.map(\.violations) == [["occurred_at: format, from the record's `violations`"]])
    }

    @Test("The background task validates records without a call of flush")
    func background() async throws {
        let inspector = InspectorDestination(isOn: true)
        let logger = Self.logger(inspector)
        for round in 1...2 {
            logger.post(Self.show(1))
            let end = Date().addingTimeInterval(60)
            while inspector.snapshot.records.contains(where: { $0.verdict == nil }), Date() < end {
                try await Task.sleep(nanoseconds: 5_000_000)
            }
            #expect(inspector.snapshot.records.map(\.verdict) == Array(repeating: .accepted, count: round))
        }
    }

    @Test("A record shows its columns next to their types, and the properties of its definition")
    func columns() async throws {
        let inspector = InspectorDestination(isOn: true)
        Self.logger(inspector).post(Self.show(42, position: -7, keyword: "\"なす\"\n"), occurredAt: Self.at)
        await inspector.flush()
        let entry = try #require(inspector.snapshot.records.first)
        let lines = entry.columns.prefix(6).map { "\($0.name) \($0.type ?? "") \($0.value ?? "–") \($0.violations)" }
        #expect(
            lines == [
                "recipe_id RecipeID = int64 42 []", "position int(0...) -7 [\"-7 is below 0\"]",
                "keyword string(256) \"なす\"\n []",
                "order ListOrder = enum(newest, popular, cooking_time) popular []", "tags [string(64)]? – []",
                "user_id UserID? = int64 1 []",
            ])
        #expect(entry.columns.first { $0.name == "user_id" }?.privacy == .personal)
        #expect(entry.envelope.map(\.name).suffix(2) == ["occurred_at", "violations"])
        #expect(entry.time(in: Self.utc) == "23:33:20.250")
        #expect(
            entry.properties.map { "\($0.label): \($0.value)" } == [
                "Event: recipe_search.show_recipe", "Owner: @search-team", "Document: recipe_search.md",
                "Version: 1-0-0", "Trigger: 80% of it was in view for 2s.",
            ])
    }

    // MARK: On, off, consent

    @Test("An inspector that is off accepts no record and has no definitions")
    func off() {
        let inspector = InspectorDestination([RecipeSearch.self], isOn: false)
        let notices = Locked([ActivityLogger.Notice]())
        let logger = ActivityLogger(
            destinations: [inspector], collection: .enabled,
            report: { notice in notices.withLock { $0.append(notice) } })
        logger.post(RecipeSearch.clearHistory)
        #expect(!inspector.isOn && inspector.snapshot.total == 0 && inspector.snapshot.definitions.isEmpty)
        #expect(
            notices.withLock { $0 } == [.noDestination(category: "recipe_search", event: "clear_history")])
    }

    @Test("Without a choice, an inspector is on in debug builds only")
    func debugOnly() {
        #if DEBUG
            #expect(InspectorDestination().isOn)
        #else
            #expect(!InspectorDestination().isOn)
        #endif
    }

    @Test("Denied consent deletes the records, and nothing is kept until it is granted")
    func consent() async {
        let inspector = InspectorDestination(isOn: true)
        let logger = Self.logger(inspector, collection: .paused)
        logger.post(RecipeSearch.clearHistory)
        #expect(inspector.snapshot.records.count == 1)
        logger.collection = .denied
        logger.post(RecipeSearch.clearHistory)
        #expect(inspector.snapshot.records.isEmpty && inspector.snapshot.total == 0 && inspector.snapshot.bytes == 0)
        #expect(InspectorReport.summary(of: inspector.snapshot).hasSuffix("consent is denied, so nothing is recorded."))
        logger.collection = .enabled
        logger.post(RecipeSearch.clearHistory)
        await inspector.flush()
        #expect(inspector.snapshot.records.map(\.verdict) == [.accepted])
    }

    // MARK: Limits

    @Test("The oldest records are dropped, and the checklist still counts them")
    func countLimit() async {
        let inspector = InspectorDestination(isOn: true, limits: .init(records: 7))
        let logger = Self.logger(inspector)
        for number in 0..<1000 { logger.post(Self.show(Int64(number), position: number % 2 - 1)) }
        await inspector.flush()
        let state = inspector.snapshot
        #expect(state.records.map { $0.record.json(of: "recipe_id") } == (993..<1000).reversed().map { "\($0)" })
        let count = state.counts[.init(category: "recipe_search", event: "show_recipe")]
        #expect(state.total == 1000)
        // Every record was either validated or dropped before.
        let validated = 1000 - (count?.unchecked ?? 0)
        #expect(validated >= 7 && state.rejected >= validated / 2 - 1 && state.rejected <= validated / 2 + 1)
        #expect(count?.last == .accepted)
    }

    @Test("The size of records and violations stays under the limit, whatever is posted", arguments: [0, 5000, 40_000])
    func byteLimit(bytes: Int) async {
        let inspector = InspectorDestination(isOn: true, limits: .init(records: 1000, bytes: bytes))
        let logger = Self.logger(inspector)
        for number in 0..<300 {
            // Keywords of 10 to 20,000 characters. Most exceed the column's 256 characters.
            logger.post(
                Self.show(1, position: -1, keyword: String(repeating: "x", count: 10 * (1 + number * number % 2000))))
            if number % 50 == 0 { await inspector.flush() }
            #expect(inspector.snapshot.bytes <= max(0, bytes))
        }
        await inspector.flush()
        let state = inspector.snapshot
        #expect(state.bytes <= bytes && state.bytes == state.records.reduce(0) { $0 + $1.bytes })
        #expect(state.total == 300 && (bytes > 0) == !state.records.isEmpty)
        #expect(bytes == 0 ? state.tooLarge == 300 : state.tooLarge < 300)
    }

    @Test("Limits that make no sense are clamped", arguments: [Int.min, -1, 0])
    func clamped(limit: Int) async {
        let inspector = InspectorDestination(isOn: true, limits: .init(records: limit))
        let logger = Self.logger(inspector)
        for number in 0..<3 { logger.post(Self.show(Int64(number))) }
        await inspector.flush()
        #expect(inspector.snapshot.records.map { $0.record.json(of: "recipe_id") } == ["2"])
    }

    @Test("A verdict never reaches a record that replaced its own after a clear")
    func clearWhileValidating() async {
        let inspector = InspectorDestination(isOn: true, limits: .init(records: 3))
        let logger = Self.logger(inspector)
        for round in 0..<60 {
            for _ in 0..<3 { logger.post(Self.show(1, position: -1)) }
            async let validated: Void = inspector.flush()
            inspector.clear()
            for _ in 0..<round % 3 + 1 { logger.post(Self.show(2)) }
            await validated
            await inspector.flush()
            #expect(inspector.snapshot.records.map(\.verdict) == Array(repeating: .accepted, count: round % 3 + 1))
            #expect(inspector.snapshot.rejected == 0)
            inspector.clear()
        }
    }

    @Test("Threads post, clear, pause and read at once, and every record is counted")
    func threads() async {
        let inspector = InspectorDestination(isOn: true, limits: .init(records: 50))
        let (first, second) = (Self.logger(inspector), Self.logger(inspector, user: nil))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for post in 0..<250 {
                        (number % 2 == 0 ? first : second).post(Self.show(Int64(post), position: post % 3 - 1))
                    }
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    _ = InspectorReport.markdown(inspector.snapshot)
                    await inspector.flush()
                }
            }
        }
        await inspector.flush()
        let state = inspector.snapshot
        #expect(state.total == 2000 && state.records.count == 50)
        #expect(state.records.allSatisfy { $0.verdict != nil })
        #expect(state.records.allSatisfy { ($0.verdict == .accepted) == ($0.record.json(of: "position") != "-1") })
    }

    // MARK: Filter

    @Test("A filter combines category, event, owner, violations and words in values")
    func filter() async {
        let inspector = InspectorDestination(isOn: true)
        let logger = Self.logger(inspector)
        logger.post(RecipeSearch.clearHistory)
        logger.post(Self.show(7, position: -1, keyword: "Grilled \"Café\" なす"))
        logger.post(Home.viewHome(sectionCount: 3))
        await inspector.flush()
        func events(_ filter: RecordFilter) -> [String] { inspector.snapshot.records(filter).map(\.record.event) }
        #expect(events(RecordFilter()) == ["view_home", "show_recipe", "clear_history"])
        #expect(events(RecordFilter(category: "home")) == ["view_home"])
        #expect(events(RecordFilter(owner: "@search-team")) == ["show_recipe", "clear_history"])
        #expect(events(RecordFilter(onlyRejected: true)) == ["show_recipe"])
        #expect(events(RecordFilter(text: "grilled \"café")) == ["show_recipe"])
        #expect(events(RecordFilter(text: "なす SEARCH.SHOW")) == ["show_recipe"])
        #expect(events(RecordFilter(text: "なす home")) == [])
        #expect(events(RecordFilter(text: " \n ")) == ["view_home", "show_recipe", "clear_history"])
        #expect(inspector.snapshot.categories == ["recipe_search", "home"])
        #expect(inspector.snapshot.owners.contains("@search-team"))
    }

    // MARK: Checklist and report

    @Test("The checklist contains every event of the definitions that apps can post, and counts the posted ones")
    func checklist() async throws {
        let inspector = InspectorDestination([RecipeSearch.self, RecipeSearch.self], isOn: true)
        let logger = Self.logger(inspector)
        #expect(EventChecklist(inspector.snapshot, by: .category).summary == "0 of 6 events were seen")
        logger.post(Self.show(1))
        logger.post(Self.show(1, position: -1))
        logger.post(Home.viewHome(sectionCount: 3))
        await inspector.flush()
        let byCategory = EventChecklist(inspector.snapshot, by: .category)
        #expect(byCategory.sections.map(\.title) == ["recipe_search", "home"])
        #expect(byCategory.summary.hasPrefix("2 of "))
        let item = try #require(byCategory.sections[0].items.first { $0.name == "recipe_search.show_recipe" })
        #expect(item.summary == "2 records, 1 rejected; the last was rejected: position: -1 is below 0")
        #expect(item.document == "recipe_search.md" && item.owner == "@search-team")
        let byOwner = EventChecklist(inspector.snapshot, by: .owner)
        #expect(byOwner.sections.map(\.title) == byOwner.sections.map(\.title).sorted())
        #expect(byOwner.summary == byCategory.summary)
    }

    @Test("Each string of a record is on one line of the report, without markup")
    func hostileReport() async {
        let inspector = InspectorDestination(isOn: true)
        let hostile =
            "\n- [x] fake <img src=x onerror=alert(1)> [link](javascript:1) | ` @team \u{202E}gnp.exe \u{1B}[31m"
        Self.logger(inspector).post(Self.show(1, position: -1, keyword: hostile), occurredAt: Self.at)
        await inspector.flush()
        let report = InspectorReport.markdown(inspector.snapshot, zone: Self.utc)
        let lines = report.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("- [x]") } == 1)
        #expect(lines.contains("  - position: -1 is below 0"))
        #expect(
            lines.contains {
                $0.hasPrefix("- 23:33:20.250 recipe\\_search.show\\_recipe (1 violation): recipe\\_id: 1,")
            })
        for scalar in ["<", ">", "\u{202E}", "\u{1B}"] as [Character] { #expect(!report.contains(scalar)) }
        #expect(report.replacingOccurrences(of: "\\[", with: "").contains("[link") == false)
        #expect(report == inspector.report || TimeZone.current.secondsFromGMT() != 0)
    }

    @Test("A string that is cut in the report ends with a mark")
    func cutMark() async {
        for length in [100, 600] {
            let inspector = InspectorDestination(isOn: true)
            Self.logger(inspector).post(Self.show(1, keyword: String(repeating: "k", count: length)))
            await inspector.flush()
            let lines = InspectorReport.markdown(inspector.snapshot).split(separator: "\n")
            #expect(lines.count { $0.hasSuffix("kkk…") } == (length == 600 ? 1 : 0))
        }
    }

    @Test("A long value is cut for display, and the whole record is kept")
    func longValues() async throws {
        let inspector = InspectorDestination(isOn: true, limits: .init(bytes: 4 << 20))
        Self.logger(inspector).post(Self.show(1, keyword: String(repeating: "👨‍👩‍👧", count: 50_000)))
        await inspector.flush()
        let entry = try #require(inspector.snapshot.records.first)
        #expect(entry.valueText.unicodeScalars.count <= ShortText.longest + 1)
        #expect(entry.columns.allSatisfy { ($0.value ?? "").unicodeScalars.count <= ShortText.longest + 1 })
        #expect(entry.violations.allSatisfy { $0.utf8.count < 10_000 })
        #expect(entry.record.json.count > 50_000)
        #expect(InspectorReport.markdown(inspector.snapshot).utf8.count < 20_000)
    }
}
