#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import ContentVisibility
    public import SwiftUI

    extension View {
        /// Posts an event of the content according to the trigger of the event's definition: when the content is shown,
        /// or when it is seen.
        ///
        /// To be seen, the content must be in a ``TrackableScrollView``. If the trigger does not apply to contents,
        /// such as a tap, the event is not posted. This is reported once.
        /// - Parameters:
        ///   - event: Returns the event. It is evaluated with the view, to read the definition, and again when the
        ///     event is posted.
        ///   - id: The content's identity in the app, because views may be recycled and rows moved. It must be unique
        ///     among the contents of the screen that post this event.
        ///   - rule: A rule that overrides the definition: the event is posted when the content is seen by this rule. A
        ///     debug build reports a difference from the definition.
        ///   - onPostLog: Called when the event is posted, to send additional logs.
        public func track(
            _ event: @autoclosure @escaping () -> some LogCategory, id: some Hashable & Sendable,
            rule: ImpressionRule? = nil,
            onPostLog: @escaping (any ActivityLogging) -> Void = { _ in }
        ) -> some View {
            modifier(Track(event: { _ in event() }, id: id, rule: rule, isLeft: false, onPostLog: onPostLog))
        }

        /// Posts an event when the content is left: when the visit of its screen ends, if enough of the content was in
        /// view. The trigger of the event's definition is `leave` or `leave(80%)`.
        ///
        /// The content must be in a ``TrackableScrollView``.
        /// - Parameters:
        ///   - id: The content's identity in the app. It must be unique among the contents of the screen that post this
        ///     event.
        ///   - onPostLog: Called when the event is posted, to send additional logs.
        ///   - event: Returns the event for the engagement in the visit. It is evaluated with the view, to read the
        ///     definition, and again when the event is posted.
        public func track(
            id: some Hashable & Sendable, onPostLog: @escaping (any ActivityLogging) -> Void = { _ in },
            _ event: @escaping (VisitEngagement) -> some LogCategory
        ) -> some View {
            modifier(Track(event: event, id: id, rule: nil, isLeft: true, onPostLog: onPostLog))
        }
    }

    private struct Track<Event: LogCategory, ID: Hashable & Sendable>: ViewModifier {
        let event: (VisitEngagement) -> Event
        let id: ID
        let rule: ImpressionRule?
        let isLeft: Bool
        let onPostLog: (any ActivityLogging) -> Void
        @Environment(\.impressionScope) var scope
        @Environment(\.screenTracker) var screen
        @Environment(\.appEnvironment) var environment

        @ViewBuilder func body(content: Content) -> some View {
            let tracked = TrackedEvent(event(VisitEngagement()))
            let id = ContentEventID(event: tracked.name, id: id)
            switch moment(of: tracked) {
            case .shown?:
                let log = ShowContentLog(event: { event(VisitEngagement()) }, id: id, onPostLog: onPostLog)
                content.modifier(PostShowContentLog(log: log))
            case .seen(let rule)?:
                content.modifier(TrackImpression(id: TrackedID(id), rule: rule, occurrence: .seen, perform: post))
            case .left(let rule)?:
                content.modifier(TrackImpression(id: TrackedID(id), rule: rule, occurrence: .left, perform: post))
            case nil: content
            }
        }

        /// Returns the event's moment; nil if the surrounding views lack a part that the trigger requires.
        private func moment(of event: TrackedEvent) -> PostingMoment? {
            let outer = scope?.controller?.rule ?? ImpressionRule()
            let moment = PostingMoment(ofContent: event, isLeft: isLeft, rule: rule, under: outer)
            switch moment {
            case .shown? where screen == nil:
                event.reportMissing("is not in a screen with a tracker: add trackScreen(_:) to the screen")
            case .seen? where rule == nil && scope?.controller == nil, .left? where scope?.controller == nil:
                event.reportMissing("is not in a tracked scroll view: make it a TrackableScrollView(controller:)")
            case .shown?, .seen?, .left?, nil: return moment
            }
            return nil
        }

        private func post(_ engagement: VisitEngagement) {
            guard let environment = AppEnvironmentReader.required(environment) else { return }
            environment.activityLogger.post(event(engagement))
            onPostLog(environment)
        }
    }

    private struct ContentEventID<ID: Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible {
        let event: String
        let id: ID

        var description: String { "\(event) \(id)" }
    }
#endif
