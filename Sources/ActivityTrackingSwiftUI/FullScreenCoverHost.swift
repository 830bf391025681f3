#if canImport(SwiftUI) && canImport(UIKit)
    public import Combine
    import ContentVisibility
    public import SwiftUI
    import UIKit

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

        /// A level is there, and can present. One that is back from under a cover has been there; that its cover is closed is said when it is.
        fileprivate func attach(_ presenter: inout PresentationStack<Item>.Presenter?, isCover: Bool) {
            guard presenter == nil else { return }
            change { stack in
                presenter = stack.attach()
                if isCover { stack.finish() }
            }
        }

        /// A sheet is presented from a level, or is no longer.
        fileprivate func setPresentsSheet(_ presenter: PresentationStack<Item>.Presenter?, _ isPresenting: Bool) {
            change { stack in _ = presenter.map { stack.setPresentsOther($0, isPresenting) } }
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

        public var body: some View { CoverLevel(isCover: false, covers: covers, content: AnyView(content), cover: { [cover] in AnyView(cover($0)) }) }
    }

    /// What covers are presented from: the first screen, a cover, or a sheet.
    private struct CoverLevel<Item: Identifiable & Sendable>: View {
        @ObservedObject private var covers: FullScreenCovers<Item>
        private let isCover: Bool
        private let content: AnyView
        private let cover: (Item) -> AnyView
        @State private var presenter: PresentationStack<Item>.Presenter?

        init(isCover: Bool, covers: FullScreenCovers<Item>, content: AnyView, cover: @escaping (Item) -> AnyView) {
            self.isCover = isCover
            _covers = ObservedObject(wrappedValue: covers)
            self.content = content
            self.cover = cover
        }

        var body: some View {
            content
                .environment(\.isFullScreenCovered, covers.isCovered(presenter))
                .environment(\.closeFullScreenCover, CloseFullScreenCover(close: { covers.close(presenter) }))
                .environment(
                    \.coverableSheets,
                    CoverableSheets(
                        setPresented: { covers.setPresentsSheet(presenter, $0) },
                        level: { AnyView(CoverLevel(isCover: false, covers: covers, content: $0, cover: cover)) })
                )
                .background(TransitionEnd { covers.attach(&presenter, isCover: isCover) })
                .fullScreenCover(item: covers.item(of: presenter), onDismiss: { covers.didDismiss(presenter) }) { item in
                    CoverLevel(isCover: true, covers: covers, content: cover(item), cover: cover)
                }
        }
    }

    /// Tells when a screen is there: when its transition has ended, for which `onAppear` does not wait. Nothing can be presented before.
    private struct TransitionEnd: UIViewControllerRepresentable {
        let action: () -> Void

        func makeUIViewController(context: Context) -> Controller { Controller() }

        func updateUIViewController(_ controller: Controller, context: Context) { controller.action = action }

        final class Controller: UIViewController {
            var action: () -> Void = {}

            override func viewDidAppear(_ animated: Bool) {
                super.viewDidAppear(animated)
                action()
            }
        }
    }

    extension View {
        /// Presents a sheet, over which the window's covers can open, too. Over others a cover waits until they are gone.
        /// - Parameters:
        ///   - item: what is presented, nil for nothing.
        ///   - onDismiss: is called when the sheet is gone.
        ///   - content: the sheet.
        public func coverableSheet<Item: Identifiable>(
            item: Binding<Item?>, onDismiss: @escaping () -> Void = {}, @ViewBuilder content: @escaping (Item) -> some View
        ) -> some View {
            modifier(CoverableSheet(item: item, onDismiss: onDismiss, sheet: { AnyView(content($0)) }))
        }
    }

    private struct CoverableSheet<Item: Identifiable>: ViewModifier {
        let item: Binding<Item?>
        let onDismiss: () -> Void
        let sheet: (Item) -> AnyView
        @Environment(\.coverableSheets) private var sheets

        init(item: Binding<Item?>, onDismiss: @escaping () -> Void, sheet: @escaping (Item) -> AnyView) {
            self.item = item
            self.onDismiss = onDismiss
            self.sheet = sheet
        }

        func body(content: Content) -> some View {
            content
                .onChange(of: item.wrappedValue != nil) { if $0 { sheets.setPresented(true) } }
                .sheet(item: item) {
                    sheets.setPresented(false)
                    onDismiss()
                } content: {
                    sheets.level(sheet($0))
                }
        }
    }

    /// How a sheet becomes a level.
    private struct CoverableSheets {
        var setPresented: (Bool) -> Void = { _ in }
        var level: (AnyView) -> AnyView = { $0 }
    }

    private struct CoverableSheetsKey: EnvironmentKey {
        static var defaultValue: CoverableSheets { CoverableSheets() }
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

        fileprivate var coverableSheets: CoverableSheets {
            get { self[CoverableSheetsKey.self] }
            set { self[CoverableSheetsKey.self] = newValue }
        }

        /// Whether a cover is over a screen, on its way, or on the way down through it.
        var isFullScreenCovered: Bool {
            get { self[IsFullScreenCoveredKey.self] }
            set { self[IsFullScreenCoveredKey.self] = newValue }
        }
    }
#endif
