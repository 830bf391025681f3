package import ContentVisibility
import Foundation

/// Screens, the steps that happen on them, and the logs that are expected.
package struct Scenario: Sendable {
    package var name: String
    var viewport: CGSize
    var screens: [Screen] = []
    var steps: [Step] = []
    /// The byte offset of the steps in the file.
    var stepsAt = 0
    /// The logs that must be posted; nil if the scenario has no expectations.
    var expected: [Expected]?

    /// A Boolean value that indicates whether the scenario has expectations.
    package var isChecked: Bool { expected != nil }

    /// An identifier and its byte offset in the file.
    struct Named: Sendable {
        var id: String
        var at: Int
    }

    enum Scrolling: String, CaseIterable, Sendable {
        case horizontal, vertical, both, none
    }

    struct Content: Sendable {
        /// The identifier; nil for a content that only contains others and is not logged itself.
        var id: String?
        var frame: CGRect
        var scrolling = Scrolling.none
        var isTracked = true
        var isRemembered = true
        var rule = Rule()
        /// Returns the fraction from which the content counts for its engagement; nil if its leaving is not posted.
        var leave: (@Sendable (ImpressionRule) -> Double)?
        var contents: [Content] = []

        /// The identifiers of the content and the contents in it.
        var identifiers: [String] { [id].compactMap { $0 } + contents.flatMap(\.identifiers) }
    }

    /// A partial rule. For each property, the nearest rule that sets it wins.
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
        var postsLeave = false
        var rule: ImpressionRule
        var contents: [Content] = []
    }

    struct Step: Sendable {
        var time: Double
        /// The byte offset of the step in the file.
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
        package var content: String?
        var screen: String?
        /// The values of a left log that are expected.
        var engagement: [String: Double?] = [:]
    }
}

extension Scenario {
    /// Sets rules of contents by identifier, on screens and in `insert` steps. As in a file, nested contents inherit
    /// them unless they have their own rule.
    package mutating func setRules(_ rules: [String: ImpressionRule]) {
        for screen in screens.indices { Self.setRules(rules, of: &screens[screen].contents) }
        for step in steps.indices {
            guard case .insert(let id, let content?, let frame, let place) = steps[step].action else { continue }
            var contents = [content]
            Self.setRules(rules, of: &contents)
            steps[step].action = .insert(id, contents[0], frame: frame, in: place)
        }
    }

    private static func setRules(_ rules: [String: ImpressionRule], of contents: inout [Content]) {
        for index in contents.indices {
            if let rule = contents[index].id.flatMap({ rules[$0] }) {
                contents[index].rule = Rule(visibleFraction: rule.visibleFraction, dwell: rule.dwell, once: rule.once)
            }
            setRules(rules, of: &contents[index].contents)
        }
    }
}
