#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ContentVisibility
    import Foundation
    public import SwiftUI

    extension View {
        /// Performs an action once when the content is seen, according to a rule.
        ///
        /// The content must be in a ``TrackableScrollView``.
        /// - Parameters:
        ///   - id: The content's identity in the app, because cells may be reused and rows moved. If types are isolated
        ///     to the main actor by default, as in new projects, the type of identifiers must be `nonisolated`.
        ///   - rule: The rule that decides when the content is seen; nil for the controller's rule. For a definition's
        ///     rule, pass `rule.replacing(trigger)`.
        ///   - perform: The action.
        public func trackImpression(
            _ id: some Hashable & Sendable, rule: ImpressionRule? = nil, perform: @escaping () -> Void
        ) -> some View {
            modifier(TrackImpression(id: TrackedID(id), rule: rule, occurrence: .seen) { _ in perform() })
        }
    }

    struct TrackImpression: ViewModifier {
        let id: TrackedID
        let rule: ImpressionRule?
        let occurrence: ImpressionTrackingController.Occurrence
        let perform: (VisitEngagement) -> Void
        @Environment(\.impressionScope) var scope
        @State var view = UUID()
        /// The closure may change while the frame stays the same.
        @State var latest = Latest<(VisitEngagement) -> Void>()

        func body(content: Content) -> some View {
            latest.value = perform
            return
                content
                .background(
                    GeometryReader { geometry in
                        Color.clear
                            .onEach(
                                ImpressionTrackingController.Placement(
                                    frame: geometry.frame(in: scope?.space ?? .global), container: scope?.container,
                                    rule: rule)
                            ) { placement in
                                ImpressionTrackingController.required(scope?.controller)?.place(
                                    id, placement, by: view, when: occurrence
                                ) { [latest] in latest.value?($0) }
                            }
                            .onDisappear { scope?.controller?.remove(id, by: view) }
                            // If the view displays different content, recreate the background view.
                            .id(ReceiverID(scope?.controller, content: id))
                    }
                )
                .overlay(
                    ImpressionOverlay(status: { [scope] in scope?.controller?.tracker.status(of: id) ?? (0, false) }))
        }
    }
#endif
