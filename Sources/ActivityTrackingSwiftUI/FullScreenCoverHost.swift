#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import ActivityTrackingUIKit
    public import Combine
    import ContentVisibility
    public import SwiftUI
    import UIKit

    /// Full-screen covers over whatever is on screen: keep one for a window, and hand it to the window's ``FullScreenCoverHost``.
    @MainActor
    public final class FullScreenCovers<Item: Identifiable>: ObservableObject {
        @Published private var stack = PresentationStack<Item>()
        @Published private var presented: [PresentationStack<Item>.Presenter: Item] = [:]
        private var controllers: [PresentationStack<Item>.Presenter: Weak] = [:]
        private var watch: Task<Void, Never>?

        private struct Weak { weak var controller: UIViewController? }

        public init() {}

        /// Presents an item over whatever there is, now or as soon as that is possible. It is never lost.
        public func present(_ item: Item) { change { $0.present(item) } }

        /// Closes all covers, the topmost first. Nothing in between is shown.
        public func closeAll() { change { $0.closeAll() } }

        /// A level is there, and can present. One that is back from under a cover has been there; that its cover is closed is said when it is.
        fileprivate func attach(
            _ presenter: inout PresentationStack<Item>.Presenter?, _ kind: CoverLevel<Item>.Kind, _ controller: UIViewController, hasSheet: Bool
        ) {
            guard presenter == nil else { return }
            change { stack in
                let attached = stack.attach(isFirst: kind == .first)
                if kind == .cover { stack.finish() }
                if hasSheet { stack.setPresentsOther(attached, true) }
                controllers = controllers.filter { $0.value.controller != nil }
                controllers[attached] = Weak(controller: controller)
                presenter = attached
            }
        }

        fileprivate func change(
            _ presenter: PresentationStack<Item>.Presenter?, _ body: (inout PresentationStack<Item>, PresentationStack<Item>.Presenter) -> Void
        ) {
            if let presenter { change { body(&$0, presenter) } }
        }

        fileprivate func isCovered(_ presenter: PresentationStack<Item>.Presenter?) -> Bool { presenter.map { stack.isCovered($0) } ?? false }

        /// What a presenter presents; set to nil by whoever dismisses it.
        fileprivate func item(of presenter: PresentationStack<Item>.Presenter?) -> Binding<Item?> {
            Binding(
                get: { @MainActor [weak self] in presenter.flatMap { self?.presented[$0] } },
                set: { @MainActor [weak self] _ in _ = presenter.map { self?.presented[$0] = nil } })
        }

        private func change(_ body: (inout PresentationStack<Item>) -> Void) {
            body(&stack)
            switch stack.next(canPresent: isFree) {
            case .present(let item, let presenter)?: presented[presenter] = item
            case .dismiss(let presenter)?: presented[presenter] = nil
            case nil: break
            }
            lookAgain()
        }

        /// Whether UIKit would present something there: it only warns where something is presented already, or on its way.
        private func isFree(_ presenter: PresentationStack<Item>.Presenter) -> Bool {
            guard let controller = controllers[presenter]?.controller else { return true }
            return controller.presentedViewController == nil && controller.transitionCoordinator == nil
        }

        /// UIKit does not tell when something else that it presents is gone, nor that it has refused: while something waits, it is asked.
        private func lookAgain() {
            watch?.cancel()
            let busy = stack.busy
            guard busy != nil || stack.waiting > 0 else { return }
            watch = Task { [weak self] in
                try? await Task.sleep(nanoseconds: busy == nil ? 250_000_000 : 2_000_000_000)
                guard !Task.isCancelled, let self else { return }
                guard let busy, stack.busy == busy, isFree(busy) else {
                    var next = stack
                    if next.next(canPresent: isFree) == nil { lookAgain() } else { change { _ in } }
                    return
                }
                // SwiftUI has to see that nothing is presented before it presents the same again.
                presented[busy] = nil
                stack.giveUp()
                lookAgain()
            }
        }
    }

    /// A window's first view, over which covers open, and over these others.
    public struct FullScreenCoverHost<Item: Identifiable, Content: View, Cover: View>: View {
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

        public var body: some View { CoverLevel(.first, covers: covers, content: AnyView(content), cover: { [cover] in AnyView(cover($0)) }) }
    }

    /// What covers are presented from: the first screen, a cover, or a sheet.
    private struct CoverLevel<Item: Identifiable>: View {
        enum Kind { case first, cover, sheet }

        @ObservedObject private var covers: FullScreenCovers<Item>
        private let kind: Kind
        private let content: AnyView
        private let cover: (Item) -> AnyView
        @State private var presenter: PresentationStack<Item>.Presenter?
        @State private var hasSheet = false
        @Environment(\.showContentLogController) private var screen

        init(_ kind: Kind, covers: FullScreenCovers<Item>, content: AnyView, cover: @escaping (Item) -> AnyView) {
            self.kind = kind
            _covers = ObservedObject(wrappedValue: covers)
            self.content = content
            self.cover = cover
        }

        var body: some View {
            // One view, whatever the content is.
            ZStack { content }
                .environment(\.isFullScreenCovered, covers.isCovered(presenter))
                .environment(\.closeFullScreenCover, CloseFullScreenCover(close: { covers.change(presenter) { $0.close($1) } }))
                .environment(\.coverableSheets, sheets)
                .background(
                    AppearingController {
                        covers.attach(&presenter, kind, $0, hasSheet: hasSheet)
                        if kind != .first { ShowContentLogController.presentationDidChange(over: screen) }
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
            // UIKit screens below have nothing of this environment, and a cover may have no root that would tell them.
            ShowContentLogController.presentationDidChange(over: screen)
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
        @Environment(\.showContentLogController) private var screen

        init(item: Binding<Item?>, onDismiss: @escaping () -> Void, sheet: @escaping (Item) -> AnyView) {
            self.item = item
            self.onDismiss = onDismiss
            self.sheet = sheet
        }

        func body(content: Content) -> some View {
            content
                .onAppear { if item.wrappedValue != nil { sheets.setPresented(true) } }
                .onChange(of: item.wrappedValue != nil) { if $0 { sheets.setPresented(true) } }
                .sheet(item: item) {
                    // Another one may have followed.
                    sheets.setPresented(item.wrappedValue != nil)
                    ShowContentLogController.presentationDidChange(over: screen)
                    onDismiss()
                } content: {
                    // A sheet without a root says that it is there, too.
                    let sheet = sheet($0).background(AppearingController { _ in ShowContentLogController.presentationDidChange(over: screen) })
                    sheets.level(AnyView(sheet))
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
