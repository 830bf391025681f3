import ContentVisibility
import Testing

struct RootVisibilityTests {
    static let all: [RootVisibility.Conditions] = (0..<32).flatMap { bits in
        [RootVisibility.Cover.none, .sheet, .fullScreen].map { cover in
            var conditions = RootVisibility.Conditions()
            conditions.hasAppeared = bits & 1 != 0
            conditions.isInForeground = bits & 2 != 0
            conditions.isForcedToDisappear = bits & 4 != 0
            conditions.isRefreshing = bits & 8 != 0
            conditions.isWaitingForRefresh = bits & 16 != 0
            conditions.cover = cover
            return conditions
        }
    }

    static func isRight(_ conditions: RootVisibility.Conditions) -> Bool {
        conditions.hasAppeared && conditions.isInForeground && !conditions.isForcedToDisappear
            && !conditions.isRefreshing
            && !conditions.isWaitingForRefresh
    }

    @Test("Between any two sets of conditions, a visit begins, continues, ends or does not exist")
    func everyTransition() {
        for first in Self.all {
            for second in Self.all {
                var root = RootVisibility()
                root.update(at: 0) { $0 = first }
                let before = root
                #expect(before.isVisible == (Self.isRight(first) && first.cover == .none))
                let isPublished = root.update(at: 0) { $0 = second }
                let goesOn = before.isVisible && Self.isRight(second) && second.cover != .fullScreen
                let begins = !before.isVisible && Self.isRight(second) && second.cover == .none
                #expect(root.isVisible == (goesOn || begins))
                #expect(root.visit == before.visit + (begins ? 1 : 0))
                #expect(root.isExposed == (root.isVisible && second.cover == .none))
                // Visibility is published without repeats.
                #expect(isPublished == (root.isVisible != before.isVisible))
            }
        }
    }

    @Test("Changes in one update take effect together: a refresh on return begins no visit in between")
    func together() {
        var root = RootVisibility()
        root.update(at: 0) { $0.hasAppeared = true }
        root.update(at: 0) { $0.isInForeground = false }
        root.update(at: 0) {
            $0.isInForeground = true
            $0.isWaitingForRefresh = true
        }
        #expect(!root.isVisible && root.visit == 1)
        root.update(at: 0) { $0.isWaitingForRefresh = false }
        #expect(root.isVisible && root.visit == 2)
    }
}
