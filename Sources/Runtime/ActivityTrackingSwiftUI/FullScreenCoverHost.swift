#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import ActivityTrackingUIKit
    import ContentVisibility
    public import SwiftUI
    import UIKit

    /// A window's first view. Covers open over it, and further covers over these.
    public struct FullScreenCoverHost<Item: Identifiable, Content: View, Cover: View>: View {
        private let covers: FullScreenCovers<Item>
        private let content: Content
        private let cover: (Item) -> Cover

        /// - Parameters:
        ///   - covers: the covers of this window.
        ///   - content: the window's first screen.
        ///   - cover: makes the screen for an item. The screen closes itself with `closeFullScreenCover` of its
        ///     environment.
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

    /// A level from which covers are presented: the first screen, a cover, or a sheet.
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
            // The stack makes one view of any content.
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
            // UIKit screens below do not have this environment, and the cover may have no root that would tell them.
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

    /// Closes the cover in which a screen is. Covers above it close first.
    public struct CloseFullScreenCover {
        let close: () -> Void

        /// Closes it.
        public func callAsFunction() { close() }
    }

    private struct CloseFullScreenCoverKey: EnvironmentKey {
        static var defaultValue: CloseFullScreenCover { CloseFullScreenCover(close: {}) }
    }

    private struct IsFullScreenCoveredKey: EnvironmentKey {
        static var defaultValue: Bool { false }
    }

    extension EnvironmentValues {
        /// Closes the cover in which a screen is. Outside of a cover it does nothing.
        public var closeFullScreenCover: CloseFullScreenCover {
            get { self[CloseFullScreenCoverKey.self] }
            set { self[CloseFullScreenCoverKey.self] = newValue }
        }

        /// Whether a cover is over a screen, about to be, or about to close together with the screen.
        var isFullScreenCovered: Bool {
            get { self[IsFullScreenCoveredKey.self] }
            set { self[IsFullScreenCoveredKey.self] = newValue }
        }
    }
#endif
