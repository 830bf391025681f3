package import ActivityTracking

/// The moment at which a tracker posts the event of a content: when the event's document says (`trigger`), unless the
/// app's code asks for something else.
///
/// Only this file makes behaviour of a trigger. The adapters ask it, and so does what replays a session without a
/// toolkit.
package enum PostingMoment: Sendable, Equatable {
    /// When the content is shown.
    case shown
    /// When the content has been seen.
    case seen(ImpressionRule)

    /// Nil if no content can post the event: that is reported, with the place in the document.
    /// - Parameters:
    ///   - event: the event.
    ///   - rule: what the app's code asks for. It wins over the document, and a debug build says if they differ.
    ///   - outer: has what neither the code nor the document says.
    ///   - lost: is called if the event will never be posted, with the reason and the way out.
    ///   - differs: is called if the code asks for something else than the document.
    package init?(
        ofContent event: TrackedEvent, rule: ImpressionRule? = nil, under outer: ImpressionRule = ImpressionRule(),
        lost: (String) -> Void = { reportLostEvent($0) }, differs: (String) -> Void = { reportDifference($0) }
    ) {
        let trigger = event.facts?.trigger
        if let rule {
            let asked = LogTrigger.impression(visibleFraction: rule.visibleFraction, dwell: rule.dwell)
            let agrees = if case .impression? = trigger { rule.replacing(trigger) == rule } else { trigger == nil }
            if !agrees { differs(event.difference(from: asked.description)) }
            self = .seen(rule)
            return
        }
        switch trigger {
        case .show?: self = .shown
        case .impression?: self = .seen(outer.replacing(trigger))
        case .screen?:
            lost(
                event.message(
                    "is due when a visit of its screen begins (`screen`), so a content does not post it: hand it to the screen's tracker"
                ))
            return nil
        case .tap?:
            lost(
                event.message(
                    "is due when a button is tapped (`\(event.trigger)`), so a content does not post it: let tapgen register the button, or use LogButtonStyle"
                ))
            return nil
        case nil:
            lost(
                event.message(
                    "has no trigger, so nothing says when its content is to post it: write `show` or `impression(80%, 2s)` in the document, or hand over a rule"
                ))
            return nil
        }
    }
}

/// An event that a tracker is to post, and what its document says of it.
package struct TrackedEvent: Sendable {
    package let facts: LogDefinition.Event?
    /// The event's name with its category's, as in `recipe_search.show_recipe`. Other events have other names.
    package let name: String
    private let document: String

    package init<Event: LogCategory>(_ event: Event) {
        let definition = Event.definition
        facts = event.facts
        name = "\(definition.name).\(facts?.name ?? "?")"
        document = definition.document
    }

    /// Whether the event may be posted when a visit of a screen begins: unless its document says otherwise.
    /// - Parameter lost: is called if not, with the reason and the way out.
    @discardableResult
    package func isDueWithVisit(lost: (String) -> Void = { reportLostEvent($0) }) -> Bool {
        switch facts?.trigger {
        case .screen?, nil: return true
        case .show?, .impression?, .tap?:
            lost(
                message(
                    "is due as `\(trigger)`, so the beginning of a visit does not post it: track a content or a button, or write `screen` in the document"
                ))
            return false
        }
    }

    /// Says in a debug build that the app's code posts the event at another moment than its document says.
    /// - Parameters:
    ///   - asked: when the code posts it. Of a tap, the target says nothing.
    ///   - differs: is called if the document says something else.
    package func compare(postedAs asked: LogTrigger, differs: (String) -> Void = { reportDifference($0) }) {
        switch (facts?.trigger, asked) {
        case (nil, _), (.screen?, .screen), (.show?, .show), (.impression?, .impression), (.tap?, .tap): break
        case (.screen?, _), (.show?, _), (.impression?, _), (.tap?, _): differs(difference(from: asked.kind))
        }
    }

    /// Says that the event is never posted where the code tracks it, because something is missing there that its
    /// document's trigger needs.
    package func reportMissing(_ missing: String, lost: (String) -> Void = { reportLostEvent($0) }) {
        lost(message("is due as `\(trigger)`, and the view that posts it \(missing)"))
    }

    fileprivate var trigger: String { facts?.trigger?.description ?? "" }

    fileprivate func message(_ text: String) -> String { "\(document): `\(name)` \(text)" }

    fileprivate func difference(from asked: String) -> String {
        message(
            "is due as `\(trigger)`, but the app's code asks for `\(asked)`, which wins: make one say what the other does"
        )
    }
}

extension LogTrigger {
    /// The trigger without its arguments.
    fileprivate var kind: String { String(description.prefix { $0 != "(" }) }
}
