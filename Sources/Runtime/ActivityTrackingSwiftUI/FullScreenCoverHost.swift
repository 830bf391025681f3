#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import ActivityTrackingUIKit
    import ContentVisibility
    public import SwiftUI
    import UIKit

    /// The root view of a window, over which covers open. Covers can be stacked.
    public struct FullScreenCoverHost<Item: Identifiable, Content: View, Cover: View>: View {
        private let covers: FullScreenCovers<Item>
        private let content: Content
        private let cover: (Item) -> Cover

        /// - Parameters:
        ///   - covers: The covers of this window.
        ///   - content: Returns the window's first screen.
        ///   - cover: Returns the screen for an item. It closes itself with its environment's `closeFullScreenCover`.
        public init(
            _ covers: FullScreenCovers<Item>, @ViewBuilder content: () -> Content,
            @ViewBuilder cover: @escaping (Item) -> Cover
        ) {
            self.covers = covers
            self.content = content()
            self.cover = cover
        }

        public var body: some View {
            CoverLevel(.first, covers: covers, content: AnyView(content), cover: { [cover] in AnyView(cover($0)) })
        }
    }

    /// A level of presentation from which covers are presented: the first screen, a cover, or a sheet.
    struct CoverLevel<Item: Identifiable>: View {
        enum Kind { case first, cover, sheet }

        @ObservedObject private var covers: FullScreenCovers<Item>
        private let kind: Kind
        private let content: AnyView
        private let cover: (Item) -> AnyView
        @State private var presenter: PresentationStack<Item>.Presenter?
        @State private var hasSheet = false
        @Environment(\.screenTracker) private var screen

        init(_ kind: Kind, covers: FullScreenCovers<Item>, content: AnyView, cover: @escaping (Item) -> AnyView) {
            self.kind = kind
            _covers = ObservedObject(wrappedValue: covers)
            self.content = content
            self.cover = cover
        }

        var body: some View {
            // The stack combines multiple content views.
            ZStack { content }
                .environment(\.isFullScreenCovered, covers.isCovered(presenter))
                .environment(
                    \.closeFullScreenCover, CloseFullScreenCover(close: { covers.change(presenter) { $0.close($1) } })
                )
                .environment(\.coverableSheets, sheets)
                .background(
                    AppearingController {
                        covers.attach(&presenter, kind, $0, hasSheet: hasSheet)
                        if kind != .first { ScreenTracker.presentationDidChange(over: screen) }
                    } isGone: {
                        covers.change(presenter) { $0.detach($1) }
                    }
                )
                .fullScreenCover(item: covers.item(of: presenter), onDismiss: dismissed) { item in
                    CoverLevel(.cover, covers: covers, content: cover(item), cover: cover)
                }
        }

        private func dismissed() {
            covers.change(presenter) { $0.dismissed($1) }
            // Screens in UIKit do not receive this environment, and the cover might not contain a tracked screen that
            // notifies them.
            ScreenTracker.presentationDidChange(over: screen)
        }

        private var sheets: CoverableSheets {
            CoverableSheets(
                setPresented: { isPresented in
                    hasSheet = isPresented
                    covers.change(presenter) { $0.setPresentsOther($1, isPresented) }
                },
                level: { AnyView(CoverLevel(.sheet, covers: covers, content: $0, cover: cover)) })
        }
    }

    /// An action that closes the cover of a screen. Covers above it close first.
    public struct CloseFullScreenCover {
        let close: () -> Void

        /// Closes the cover.
        public func callAsFunction() { close() }
    }

    private struct IsFullScreenCoveredKey: EnvironmentKey {
        static var defaultValue: Bool { false }
    }

    extension EnvironmentValues {
        /// An action that closes the cover of a screen. Outside of a cover it does nothing.
        public var closeFullScreenCover: CloseFullScreenCover {
            get { self[ValueKey<CloseFullScreenCover>.self] ?? CloseFullScreenCover(close: {}) }
            set { self[ValueKey<CloseFullScreenCover>.self] = newValue }
        }

        /// Indicates whether a cover is over the screen, is about to be, or is about to close together with the screen.
        var isFullScreenCovered: Bool {
            get { self[IsFullScreenCoveredKey.self] }
            set { self[IsFullScreenCoveredKey.self] = newValue }
        }
    }
#endif
