#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import Combine
    import ContentVisibility
    import SwiftUI
    import UIKit

    /// The full-screen covers of a window. Keep one per window, and pass it to its ``FullScreenCoverHost``.
    @MainActor
    public final class FullScreenCovers<Item: Identifiable>: ObservableObject {
        @Published private var stack = PresentationStack<Item>()
        @Published private var presented: [PresentationStack<Item>.Presenter: Item] = [:]
        private var controllers: [PresentationStack<Item>.Presenter: Weak] = [:]
        private var watch: Task<Void, Never>?

        private struct Weak { weak var controller: UIViewController? }

        /// Creates an empty stack of covers.
        public init() {}

        /// Presents an item over the current screens as soon as possible. Items are never lost.
        public func present(_ item: Item) { change { $0.present(item) } }

        /// Closes all covers, the topmost first. The screens in between do not become visible.
        public func closeAll() { change { $0.closeAll() } }

        /// Attaches a level that has appeared and can present. A level that reappears after a cover closes is already
        /// attached; `dismissed` handles that case.
        func attach(
            _ presenter: inout PresentationStack<Item>.Presenter?, _ kind: CoverLevel<Item>.Kind,
            _ controller: UIViewController, hasSheet: Bool
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

        func change(
            _ presenter: PresentationStack<Item>.Presenter?,
            _ body: (inout PresentationStack<Item>, PresentationStack<Item>.Presenter) -> Void
        ) {
            if let presenter { change { body(&$0, presenter) } }
        }

        func isCovered(_ presenter: PresentationStack<Item>.Presenter?) -> Bool {
            presenter.map { stack.isCovered($0) } ?? false
        }

        /// Returns a binding to the presented item of a presenter. SwiftUI sets it to nil at dismissal.
        func item(of presenter: PresentationStack<Item>.Presenter?) -> Binding<Item?> {
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

        /// Returns whether a presenter can present. UIKit ignores a request during another presentation or transition.
        private func isFree(_ presenter: PresentationStack<Item>.Presenter) -> Bool {
            guard let controller = controllers[presenter]?.controller else { return true }
            return controller.presentedViewController == nil && controller.transitionCoordinator == nil
        }

        /// Schedules a check while items wait, because UIKit has no notification for two events. The first is the end
        /// of a presentation by other code, after which the next item is presented within a quarter of a second. The
        /// second is a refused presentation, whose item waits again after two seconds.
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
                // SwiftUI presents the same item again only after an update in which the item is nil.
                presented[busy] = nil
                stack.giveUp()
                lookAgain()
            }
        }
    }
#endif
