import ContentVisibility
import Foundation
import Testing

/// The samples of the documentation.
struct DocumentationExample {
    @Test func tracker() {
        var printed: [ContentTracker<String>.Log] = []
        func print(_ log: ContentTracker<String>.Log) { printed.append(log) }
        var tracker = ContentTracker<String>(viewport: CGSize(width: 390, height: 800), rule: ImpressionRule(visibleFraction: 0.8, dwell: 2))
        tracker.update(at: 0, post: { print($0.log) }) { contents in
            contents.insert("banner", frame: CGRect(x: 0, y: 0, width: 390, height: 120))
            contents.insert("row", frame: CGRect(x: 0, y: 120, width: 390, height: 200), scrolls: true)
            contents.insert("card", frame: CGRect(x: 300, y: 0, width: 300, height: 200), in: "row")
            contents.updateRoot { $0.hasAppeared = true }
        }
        #expect(tracker.nextWakeUp == 2)
        tracker.update(at: 2, post: { print($0.log) })
        #expect(printed == [.screen, .shown("banner"), .shown("row"), .shown("card"), .seen("banner"), .seen("row")])
    }

    @MainActor @Test func impressions() async throws {
        var seen: [String] = []
        let tracker = ImpressionTracker<String>(viewport: CGSize(width: 390, height: 800)) { seen.append($0) }
        tracker.update { contents in
            contents.insert("row 0", frame: CGRect(x: 0, y: 0, width: 390, height: 80))
            contents.updateRoot { $0.hasAppeared = true }
        }
        tracker.scroll(to: CGPoint(x: 0, y: 10))
        let listener = Task {
            for await id in tracker.seen { print(id) }
        }
        while seen.isEmpty { try await Task.sleep(nanoseconds: 10_000_000) }
        listener.cancel()
        #expect(seen == ["row 0"])
    }
}
