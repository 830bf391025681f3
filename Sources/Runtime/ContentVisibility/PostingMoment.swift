package import ActivityTracking

/// The moment at which a tracker posts the event of a content. The trigger in the event's definition decides, unless
/// the app's code overrides it.
///
/// Only this file interprets triggers. The modules for SwiftUI and UIKit use it.
package enum PostingMoment: Sendable, Equatable {
    /// When the content is shown.
    case shown
    /// When the content is seen by this rule.
    case seen(ImpressionRule)
    /// When the content is left after the rule's fraction was in view.
    case left(ImpressionRule)

    /// Creates the moment of an event; nil if no content can post the event. The reason is reported, with the event's
    /// definition file.
    /// - Parameters:
    ///   - event: The event.
    ///   - isLeft: Whether the app's code passes a ``VisitEngagement`` to the event.
    ///   - rule: The rule in the app's code. It overrides the definition; a debug build reports a difference.
    ///   - outer: The rule for parameters that neither the code nor the definition sets.
    ///   - lost: Called with the reason and the fix if the event will never be posted.
    ///   - differs: Called if the rule in the code differs from the definition.
    package init?(
        ofContent event: TrackedEvent, isLeft: Bool = false, rule: ImpressionRule? = nil,
        under outer: ImpressionRule = ImpressionRule(),
        lost: (String) -> Void = { reportLostEvent($0) }, differs: (String) -> Void = { reportDifference($0) }
    ) {
        let trigger = event.facts?.trigger
        if isLeft {
            event.compare(postedAs: .leave(visibleFraction: nil), differs: differs)
            var rule = ImpressionRule.never
            rule.leave = if case .leave(let fraction?)? = trigger { fraction } else { outer.visibleFraction }
            self = .left(rule)
            return
        }
        if let rule {
            let asked = LogTrigger.impression(visibleFraction: rule.visibleFraction, dwell: rule.dwell)
            let agrees = if case .impression? = trigger { rule.replacing(trigger) == rule } else { trigger == nil }
            if !agrees { differs(event.difference(from: asked.description)) }
            self = .seen(rule)
            return
        }
        let reason: String
        switch trigger {
        case .show?:
            self = .shown
            return
        case .impression?:
            self = .seen(outer.replacing(trigger))
            return
        case .leave?:
            reason =
                "is due when its content is left (`\(event.trigger)`), and needs its engagement: pass a closure, as in "
                + "`track(id: …) { Event(seconds: $0.seconds) }`"
        case .screen?:
            reason =
                "is due when a visit of its screen begins (`screen`), so a content does not post it: pass it to the "
                + "screen's tracker"
        case .tap?:
            reason =
                "is due when a button is tapped (`\(event.trigger)`), so a content does not post it: let tapgen register "
                + "the button, or use LogButtonStyle"
        case nil:
            reason =
                "has no trigger, so a content does not post it: write `show` or `impression(80%, 2s)` in the definition "
                + "file, or pass a rule"
        }
        lost(event.message(reason))
        return nil
    }
}

/// An event for a tracker to post, and its definition.
package struct TrackedEvent: Sendable {
    package let facts: LogDefinition.Event?
    /// The name of the category and the event, such as `recipe_search.show_recipe`. It is unique.
    package let name: String
    private let document: String

    package init<Event: LogCategory>(_ event: Event) {
        let definition = Event.definition
        facts = event.facts
        name = "\(definition.name).\(facts?.name ?? "?")"
        document = definition.document
    }

    /// Returns whether the event may be posted when a visit begins: its trigger is `screen` or missing.
    /// - Parameter lost: Called with the reason and the fix if the event might not be posted.
    @discardableResult
    package func isDueWithVisit(lost: (String) -> Void = { reportLostEvent($0) }) -> Bool {
        switch facts?.trigger {
        case .screen?, nil: return true
        case .show?, .impression?, .tap?, .leave?:
            lost(
                message(
                    "is due as `\(trigger)`, so the beginning of a visit does not post it: track a content or a "
                        + "button, or write `screen` in the definition file"
                ))
            return false
        }
    }

    /// Reports, in a debug build, that the app's code posts the event at a moment other than the trigger in its
    /// definition.
    /// - Parameters:
    ///   - asked: The trigger in the code. The target of a tap is ignored.
    ///   - differs: Called if the definition has another trigger.
    package func compare(postedAs asked: LogTrigger, differs: (String) -> Void = { reportDifference($0) }) {
        guard let trigger = facts?.trigger, trigger.kind != asked.kind else { return }
        differs(difference(from: asked.kind.rawValue))
    }

    /// Reports that the event is never posted here, because a part that its trigger requires is missing.
    package func reportMissing(_ missing: String, lost: (String) -> Void = { reportLostEvent($0) }) {
        lost(message("is due as `\(trigger)`, and the view that posts it \(missing)"))
    }

    fileprivate var trigger: String { facts?.trigger?.description ?? "" }

    fileprivate func message(_ text: String) -> String { "\(document): `\(name)` \(text)" }

    fileprivate func difference(from asked: String) -> String {
        message(
            "is due as `\(trigger)`, but the app's code asks for `\(asked)`, which takes precedence: make them agree"
        )
    }
}
