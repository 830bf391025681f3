@_spi(GeneratedCode) import ActivityTracking
import Foundation
import Testing

struct LogDefinitionTests {
    @Test("The facts of a category are available without a value")
    func category() {
        let definition = Example.definition
        #expect(definition.name == "example")
        #expect(definition.owner == "@example-team")
        #expect(definition.events.map(\.name) == ["everything", "nothing", "empty", "old", "one", "gone"])
        #expect(definition.events.map(\.status) == [.active, .active, .active, .deprecated, .active, .retired])
        #expect(definition.events[0].schemaVersion == "1-0-2")
        #expect(definition.events[0].owner == "@example-team")
        #expect(definition.events[0].sampling == 0.1)
        #expect(definition.events.map(\.columns.count) == [27, 27, 0, 1, 1, 0])
    }

    @Test("An event has its own facts, and a category has its document")
    func factsOfAnEvent() {
        #expect(Example.empty.facts?.name == "empty")
        #expect(Example.one(self: 1).facts == Example.definition.events[4])
        #expect(Example.definition.document == "example.md")
        #expect(LogDefinition("a|||feed%7C/a.md\n.b").document == "feed|/a.md")
    }

    @Test("An event's trigger is parsed with its parameters")
    func triggers() {
        #expect(
            Example.definition.events.map(\.trigger) == [
                .impression(visibleFraction: 0.8, dwell: 2), .tap(target: "RecipeView.保存Button"), .screen, .show, .show,
                .impression(visibleFraction: nil, dwell: nil),
            ])
    }

    @Test("Columns have their types, bounds, privacy and optionality")
    func columns() {
        let columns = Dictionary(uniqueKeysWithValues: Example.definition.events[0].columns.map { ($0.name, $0) })
        #expect(columns["medium"]?.type == .integer(.init(bits: 32, maximum: 10)))
        #expect(columns["count"]?.type == .integer(.init(bits: 64, minimum: 0, maximum: 100)))
        #expect(columns["word"]?.type == .integer(.init(bits: 32, isSigned: false)))
        #expect(columns["ratio"]?.type == .number(.init(bits: 32, minimum: 0, maximum: 0.1)))
        #expect(columns["price"]?.type == .number(.init(minimum: 0)))
        #expect(columns["name"]?.type == .string(.init(maxLength: 5)))
        #expect(columns["code"]?.type == .string(.init(maxBytes: 5)))
        #expect(columns["mood"]?.type == .enumeration(["good", "so-so"]))
        #expect(columns["order"]?.type == .named(.init("ExampleOrder", base: .enumeration(["newest", "popular"]))))
        #expect(columns["existing"]?.type == .named(.init("ExistingID", base: .string(.init(maxLength: 5)))))
        #expect(columns["external"]?.type == .named(.init("ExternalKind")))
        #expect(columns["tags"]?.type == .array(.init(of: .string(.init(maxLength: 5)), minItems: 1, maxItems: 2)))
        #expect(
            columns["grid"]?.type
                == .array(.init(of: .array(.init(of: .integer(.init(bits: 64, minimum: 0, maximum: 9)))), maxItems: 3)))
        #expect(columns["count"]?.privacy == .personal)
        #expect(columns["name"]?.privacy == .sensitive)
        #expect(columns["flag"]?.privacy == nil)
        #expect(columns["flag"]?.isRequired == true)
        #expect(Example.definition.events[1].columns.allSatisfy { !$0.isRequired })
    }

    @Test("Percent-encoded strings are decoded")
    func texts() {
        let definition = LogDefinition("a|%E2%80%AE%7C%25%22%5C\n.b\nc|enum(x%2Cy,%0A)")
        #expect(definition.owner == "\u{202E}|%\"\\")
        #expect(definition.events.first?.columns.first?.type == .enumeration(["x,y", "\n"]))
    }

    @Test(
        "A malformed literal is skipped without a crash",
        arguments: [
            "", "\n", "a", "a\nb", "a\n.", "a\n.b\nc|[", "a\n.b\nc|[;]", "a\n.b\nc|int8(5...1)", "a\n.b\n|||", "a|%",
            "a|%zz", "a\n.b\nc|?",
        ]
            as [StaticString])
    func broken(facts: StaticString) {
        let definition = LogDefinition(facts)
        #expect(definition.events.count <= 2)
    }
}

struct LogDateTests {
    @Test(
        "A date that the calendar does not have is nil",
        arguments: [
            (2024, 2, 30), (2023, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (-1, 1, 1),
            (10000, 1, 1),
            (2026, 1, 0),
        ])
    func invalid(year: Int, month: Int, day: Int) {
        #expect(LogDate(year: year, month: month, day: day) == nil)
    }

    @Test("Days agree with Foundation's calendar")
    func agreesWithCalendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        calendar.timeZone = zone
        for step in 0..<4000 {
            let date = Date(timeIntervalSince1970: -9_000_000_000 + Double(step) * 12_345_678)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let day = try #require(LogDate(date, in: zone))
            // Foundation changes to the Julian calendar before 1582-10-15.
            #expect([day.year, day.month, day.day] == [parts.year, parts.month, parts.day])
        }
    }

    @Test("A date prints as RFC 3339 and compares by time")
    func description() throws {
        let early = try #require(LogDate(year: 7, month: 1, day: 2))
        let late = try #require(LogDate(year: 2026, month: 12, day: 31))
        #expect(early.description == "0007-01-02")
        #expect(late.description == "2026-12-31")
        #expect(early < late)
    }
}
