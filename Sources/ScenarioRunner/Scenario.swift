import ContentVisibility
import Foundation

/// What happens on some screens, and what has to be posted.
package struct Scenario: Sendable {
    package var name: String
    var viewport: CGSize
    var screens: [Screen] = []
    var steps: [Step] = []
    /// Where the steps begin in the file.
    var stepsAt = 0
    /// nil where the scenario does not say.
    var expected: [Expected]?

    /// Whether it says what has to be posted.
    package var isChecked: Bool { expected != nil }

    /// An identifier and where it is given.
    struct Named: Sendable {
        var id: String
        var at: Int
    }

    enum Scrolling: String, CaseIterable, Sendable {
        case horizontal, vertical, both, none
    }

    struct Content: Sendable {
        /// A content without one is a place for others.
        var id: String?
        var frame: CGRect
        var scrolling = Scrolling.none
        var isTracked = true
        var isRemembered = true
        var rule = Rule()
        var contents: [Content] = []
    }

    /// A rule in parts: the nearest that says something wins.
    struct Rule: Sendable {
        var visibleFraction: Double?
        var dwell: Double?
        var once: ImpressionRule.Once?

        func under(_ outer: ImpressionRule) -> ImpressionRule {
            var rule = outer.replacing(visibleFraction: visibleFraction, dwell: dwell)
            rule.once = once ?? outer.once
            return rule
        }
    }

    struct Screen: Sendable {
        var id: String
        var scrolling = Scrolling.vertical
        var tabs: String?
        var postsScreenLog = false
        var rule: ImpressionRule
        var contents: [Content] = []
    }

    struct Step: Sendable {
        var time: Double
        /// Where the step begins in the file.
        var at: Int
        var action: Action
    }

    enum Action: Sendable {
        case open(Named)
        case push(Named)
        case pop
        case present(Named, isSheet: Bool)
        case dismiss
        case selectTab(Named, isSwiped: Bool, refresh: Double?)
        case scroll(Named, CGPoint, isRelative: Bool, over: Double)
        case resize(CGSize, frames: [(Named, CGRect)])
        case background
        case foreground(refresh: Double?)
        case refresh(over: Double, replacesViews: Bool)
        case insert(Named, Content?, frame: CGRect, in: Named)
        case remove(Named)
        case move(Named, CGRect)
        case deepLink(Named)
        case closeAll
        case start(Named)
        case stop(Named)
        case restart(Named)
        case end
    }

    package struct Expected: Sendable, Equatable {
        var time: Double
        var log: Posted.Log
        var content: String?
        var screen: String?
    }
}

/// What has been posted.
package struct Posted: Sendable, Equatable {
    package enum Log: String, CaseIterable, Sendable {
        case screen, shown, seen
    }

    package var time: Double
    package var log: Log
    package var content: String?
    package var screen: String
}

/// Why a scenario is refused, and where.
package struct ScenarioError: Error, Equatable, CustomStringConvertible {
    package var file: String
    /// From 1; columns count Unicode scalars.
    package var line: Int
    package var column: Int
    package var message: String

    init(_ mistake: Mistake, file: String, in bytes: [UInt8]) {
        // A byte order mark is no column.
        let before = bytes.prefix(mistake.at).dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        self.file = file
        line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
        column = bytes[start..<before.endIndex].count { $0 & 0xC0 != 0x80 } + 1
        message = mistake.message
    }

    package var description: String { "\(file):\(line):\(column): error: \(message)" }
}
