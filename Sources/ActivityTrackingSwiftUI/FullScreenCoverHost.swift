#if canImport(SwiftUI) && canImport(UIKit)
    public import Combine
    import ContentVisibility
    public import SwiftUI

    /// Full-screen covers over whatever is on screen: keep one for a window, and hand it to the window's ``FullScreenCoverHost``.
    @MainActor
    public final class FullScreenCovers<Item: Identifiable & Sendable>: ObservableObject {
        @Published private var stack = PresentationStack<Item>()
        @Published private var presented: [PresentationStack<Item>.Presenter: Item] = [:]

        public init() {}

        /// Presents an item over whatever there is, now or as soon as that is possible. It is never lost.
        public func present(_ item: Item) { change { $0.present(item) } }

        /// Closes all covers, the topmost first. Nothing in between is shown.
        public func closeAll() { change { $0.closeAll() } }

        fileprivate func attach(_ presenter: inout PresentationStack<Item>.Presenter?) {
            // A level that is back from under a cover has been there; that its cover is closed is said when it is.
            guard presenter == nil else { return }
            change { stack in
                presenter = stack.attach()
                stack.finish()
            }
        }

        fileprivate func close(_ presenter: PresentationStack<Item>.Presenter?) { change { stack in _ = presenter.map { stack.close($0) } } }

        fileprivate func didDismiss(_ presenter: PresentationStack<Item>.Presenter?) {
            change { stack in
                _ = presenter.map { stack.dismissed($0) }
                stack.finish()
            }
        }

        fileprivate func isCovered(_ presenter: PresentationStack<Item>.Presenter?) -> Bool { presenter.map { stack.isCovered($0) } ?? false }

        /// What a presenter presents; set to nil by whoever dismisses it.
        fileprivate func item(of presenter: PresentationStack<Item>.Presenter?) -> Binding<Item?> {
            Binding(
                get: { [weak self] in presenter.flatMap { self?.presented[$0] } },
                set: { [weak self] _ in _ = presenter.map { self?.presented[$0] = nil } })
        }

        private func change(_ body: (inout PresentationStack<Item>) -> Void) {
            body(&stack)
            switch stack.next() {
            case .present(let item, let presenter)?: presented[presenter] = item
            case .dismiss(let presenter)?: presented[presenter] = nil
            case nil: break
            }
        }
    }

    /// A window's first view, over which covers open, and over these others.
    public struct FullScreenCoverHost<Item: Identifiable & Sendable, Content: View, Cover: View>: View {
        private let covers: FullScreenCovers<Item>
        private let content: Content
        private let cover: (Item) -> Cover

        /// - Parameters:
        ///   - covers: what is presented.
        ///   - content: the window's first screen.
        ///   - cover: the screen for an item. It closes itself by `closeFullScreenCover` of its environment.
        public init(_ covers: FullScreenCovers<Item>, @ViewBuilder content: () -> Content, @ViewBuilder cover: @escaping (Item) -> Cover) {
            self.covers = covers
            self.content = content()
            self.cover = cover
        }

        public var body: some View { CoverLevel(covers: covers, content: AnyView(content), cover: { [cover] in AnyView(cover($0)) }) }
    }

    private struct CoverLevel<Item: Identifiable & Sendable>: View {
        @ObservedObject private var covers: FullScreenCovers<Item>
        private let content: AnyView
        private let cover: (Item) -> AnyView
        @State private var presenter: PresentationStack<Item>.Presenter?

        init(covers: FullScreenCovers<Item>, content: AnyView, cover: @escaping (Item) -> AnyView) {
            _covers = ObservedObject(wrappedValue: covers)
            self.content = content
            self.cover = cover
        }

        var body: some View {
            content
                .environment(\.isFullScreenCovered, covers.isCovered(presenter))
                .environment(\.closeFullScreenCover, CloseFullScreenCover(close: { covers.close(presenter) }))
                .onAppear { covers.attach(&presenter) }
                .fullScreenCover(item: covers.item(of: presenter), onDismiss: { covers.didDismiss(presenter) }) { item in
                    CoverLevel(covers: covers, content: cover(item), cover: cover)
                }
        }
    }

    /// Closes the cover that a screen is in, those above it first.
    public struct CloseFullScreenCover {
        fileprivate let close: () -> Void

        public func callAsFunction() { close() }
    }

    private struct CloseFullScreenCoverKey: EnvironmentKey {
        static var defaultValue: CloseFullScreenCover { CloseFullScreenCover(close: {}) }
    }

    private struct IsFullScreenCoveredKey: EnvironmentKey {
        static var defaultValue: Bool { false }
    }

    extension EnvironmentValues {
        /// Closes the cover that a screen is in; does nothing outside of one.
        public var closeFullScreenCover: CloseFullScreenCover {
            get { self[CloseFullScreenCoverKey.self] }
            set { self[CloseFullScreenCoverKey.self] = newValue }
        }

        /// Whether a cover is over a screen, on its way, or on the way down through it.
        var isFullScreenCovered: Bool {
            get { self[IsFullScreenCoveredKey.self] }
            set { self[IsFullScreenCoveredKey.self] = newValue }
        }
    }
#endif
