import ContentVisibility
import Foundation
import Testing

/// The documentation's sample.
struct DocumentationExample {
    @MainActor @Test("The documentation's sample posts impressions") func impressions() async throws {
        var shown: [String] = []
        var seen: [String] = []
        let tracker = ImpressionTracker<String>(
            viewport: CGSize(width: 390, height: 800), rule: ImpressionRule(visibleFraction: 0.8, dwell: 2),
            onShown: { shown.append($0) }, onSeen: { seen.append($0) })
        tracker.update { contents in
            contents.insert("banner", frame: CGRect(x: 0, y: 0, width: 390, height: 120))
            contents.insert("row", frame: CGRect(x: 0, y: 120, width: 390, height: 200), scrolls: true)
            contents.insert("card", frame: CGRect(x: 300, y: 0, width: 300, height: 200), in: "row")
            contents.updateRoot { $0.hasAppeared = true }
        }
        #expect(shown == ["banner", "row", "card"])
        tracker.scroll(to: CGPoint(x: 0, y: 10))
        while seen.count < 2 { try await Task.sleep(nanoseconds: 10_000_000) }
        #expect(seen == ["banner", "row"])
    }
}
