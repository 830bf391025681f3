#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ContentVisibility
    import Foundation
    public import SwiftUI

    extension View {
        /// Does something once, when the content has been seen: enough of it, for long enough.
        ///
        /// The content must be in a ``TrackableScrollView``.
        /// - Parameters:
        ///   - id: the app's own id of the content: cells may be reused, and rows moved. In new projects, all types
        ///     belong to the main actor unless they say otherwise; a type of ids must be `nonisolated` there.
        ///   - rule: when it counts as seen; nil for the controller's rule. A definition's rule is
        ///     `rule.replacing(trigger)`.
        ///   - perform: the action.
        public func trackImpression(
            _ id: some Hashable & Sendable, rule: ImpressionRule? = nil, perform: @escaping () -> Void
        ) -> some View {
            modifier(TrackImpression(id: TrackedID(id), rule: rule, perform: perform))
        }
    }

    struct TrackImpression: ViewModifier {
        let id: TrackedID
        let rule: ImpressionRule?
        let perform: () -> Void
        @Environment(\.impressionScope) private var scope
        @State private var view = UUID()
        @State private var latest = Latest()

        /// The action of the last evaluation: frames may stay the same while the closure changes.
        @MainActor private final class Latest {
            var perform: () -> Void = {}

            nonisolated init() {}
        }

        init(id: TrackedID, rule: ImpressionRule?, perform: @escaping () -> Void) {
            self.id = id
            self.rule = rule
            self.perform = perform
        }

        func body(content: Content) -> some View {
            latest.perform = perform
            return
                content
                .background(
                    GeometryReader { geometry in
                        Color.clear
                            .onFrame(geometry.frame(in: scope?.space ?? .global)) { frame in
                                ImpressionTrackingController.required(scope?.controller)?.place(
                                    id, frame, in: scope?.container, rule, by: view, { [latest] in latest.perform() })
                            }
                            .onDisappear { scope?.controller?.remove(id, by: view) }
                            // If the same view has another content, this is another view.
                            .id(id)
                    }
                )
                .overlay(
                    ImpressionOverlay(status: { [scope] in scope?.controller?.tracker.status(of: id) ?? (0, false) }))
        }
    }
#endif
