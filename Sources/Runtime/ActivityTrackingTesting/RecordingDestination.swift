public import ActivityTracking
import Foundation

/// A destination for tests that keeps every posted event in memory. It is not sampled.
///
/// ```swift
/// let logs = RecordingDestination()
/// let screen = SearchScreen(activityLogger: ActivityLogger(destinations: [logs]))
/// screen.search("curry")
/// #expect(logs.events(of: RecipeSearch.self) == [.search(keyword: "curry")])
/// ```
public final class RecordingDestination: LogDestination {
    private struct Posted: Sendable {
        var record: LogRecord
        var event: any LogCategory
    }

    private let posted = Locked([Posted]())

    public init() {}

    public func decide(_ record: LogRecord) -> LogDecision { .take(rate: 1) }

    public func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
        posted.withLock { $0.append(Posted(record: record, event: event)) }
    }

    /// The records of the posted events, in order.
    public var records: [LogRecord] { posted.withLock { $0.map(\.record) } }

    /// Returns the posted events of a category, in order.
    public func events<Event: LogCategory>(of category: Event.Type) -> [Event] {
        posted.withLock { $0.compactMap { $0.event as? Event } }
    }

    /// The descriptions of the posted events, in order: `recipe_search.show_recipe {"recipe_id":42}`.
    public var descriptions: [String] { posted.withLock { $0.map(\.event.description) } }

    /// Compares the posted events of all categories with the expected events, in order. Returns a line for each event
    /// that is missing (`-`) or unexpected (`+`).
    ///
    /// ```swift
    /// #expect(logs.difference(from: [RecipeSearch.clearHistory, Home.open]) == [])
    /// ```
    public func difference(from expected: [any LogCategory]) -> [String] {
        descriptions.difference(from: expected.map(\.description)).map { change in
            switch change {
            case .remove(_, let event, _): "- " + event
            case .insert(_, let event, _): "+ " + event
            }
        }
    }

    /// Returns how often an event with these columns was posted.
    public func count<Event: LogCategory>(of event: Event) -> Int { events(of: Event.self).count { $0 == event } }

    /// The violations in all records.
    public var violations: [LogViolation] { records.flatMap(\.violations) }

    /// Removes all recorded events.
    public func clear() { posted.withLock { $0.removeAll() } }

    /// Waits for at most `seconds` until `count` events of a category have been posted. Returns those posted by then.
    public func events<Event: LogCategory>(of category: Event.Type, count: Int, within seconds: Double = 1) async throws
        -> [Event]
    {
        let end = Date().addingTimeInterval(seconds)
        while events(of: category).count < count, Date() < end { try await Task.sleep(nanoseconds: 1_000_000) }
        return events(of: category)
    }
}
