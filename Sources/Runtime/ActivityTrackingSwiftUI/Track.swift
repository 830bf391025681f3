#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import ContentVisibility
    public import SwiftUI

    extension View {
        /// Posts an event of the content when the event's document says (`trigger`): when the content is shown, or when it
        /// has been seen.
        ///
        /// To be seen, the content must be in a ``TrackableScrollView``. If the document says something that no content
        /// can obey, such as a tap, nothing is posted, which is reported once.
        /// - Parameters:
        ///   - event: makes the event, at each evaluation to know what its document says, and again when it is posted.
        ///   - id: the app's own id of the content: views may be recycled, and rows moved. No other content of the screen
        ///     that posts this event may have it; contents that post other events may.
        ///   - rule: posts the event when the content has been seen by this rule, whatever its document says. A debug
        ///     build says if they differ.
        ///   - onPostLog: is called when the event is posted, to send something else beside it.
        public func track(
            _ event: @autoclosure @escaping () -> some LogCategory, id: some Hashable & Sendable,
            rule: ImpressionRule? = nil,
            onPostLog: @escaping (any ActivityLogging) -> Void = { _ in }
        ) -> some View {
            modifier(Track(event: event, id: id, rule: rule, onPostLog: onPostLog))
        }
    }

    private struct Track<Event: LogCategory, ID: Hashable & Sendable>: ViewModifier {
        let event: () -> Event
        let id: ID
        let rule: ImpressionRule?
        let onPostLog: (any ActivityLogging) -> Void
        @Environment(\.impressionScope) private var scope
        @Environment(\.screenTracker) private var screen
        @Environment(\.appEnvironment) private var environment

        init(
            event: @escaping () -> Event, id: ID, rule: ImpressionRule?,
            onPostLog: @escaping (any ActivityLogging) -> Void
        ) {
            self.event = event
            self.id = id
            self.rule = rule
            self.onPostLog = onPostLog
        }

        @ViewBuilder func body(content: Content) -> some View {
            let tracked = TrackedEvent(event())
            let id = EventID(event: tracked.name, id: id)
            switch moment(of: tracked) {
            case .shown?: content.modifier(PostShowContentLog(event: event, id: id, onPostLog: onPostLog))
            case .seen(let rule)?: content.modifier(TrackImpression(id: TrackedID(id), rule: rule, perform: post))
            case nil: content
            }
        }

        /// When the event is posted; nil if that cannot be. A document may ask for what the code has not prepared.
        private func moment(of event: TrackedEvent) -> PostingMoment? {
            let moment = PostingMoment(ofContent: event, rule: rule, under: scope?.controller?.rule ?? ImpressionRule())
            switch moment {
            case .shown? where screen == nil:
                event.reportMissing("is in no screen with a tracker: add trackScreen(_:) to the screen")
            case .seen? where rule == nil && scope?.controller == nil:
                event.reportMissing("is in no scroll view that is tracked: make it a TrackableScrollView(controller:)")
            case .shown?, .seen?, nil: return moment
            }
            return nil
        }

        private func post() {
            guard let environment = AppEnvironmentReader.required(environment) else { return }
            environment.activityLogger.post(event())
            onPostLog(environment)
        }
    }

    /// The id of a content, for one of its events.
    private struct EventID<ID: Hashable & Sendable>: Hashable, Sendable {
        let event: String
        let id: ID
    }
#endif
