#if canImport(UIKit) && !os(watchOS)
    import Combine
    public import ContentVisibility
    import Foundation
    public import UIKit

    /// Tells which contents of a table, a collection or another scroll view are shown and seen. One per screen.
    ///
    /// Ids of a type whose conformances are the main actor's, as all are by default in new projects, have to be `nonisolated`.
    ///
    /// The scroll view's delegate hands on what it is told: which cells are about to be displayed, and for which ids of the data source, which are no more, and that it scrolls.
    @MainActor
    public final class ScrollViewTracker<ID: Hashable & Sendable> {
        /// What decides; `start()`, `stop()`, `restart()` and the stream `seen` are its.
        public let tracker: ImpressionTracker<ID>
        private weak var scrollView: UIScrollView?
        private var displayed: [ObjectIdentifier: Displayed] = [:]
        private var screen: AnyCancellable?

        private struct Displayed {
            weak var view: UIView?
            var id: ID
            var container: ID?
            var rule: ImpressionRule?
        }

        /// - Parameters:
        ///   - scrollView: it is not kept alive.
        ///   - screen: the controller of the screen; nil for a scroll view that is always there.
        ///   - rule: for contents that bring none.
        ///   - clock: tells the time, and waits.
        ///   - onShown: is told each content that is shown, once in each visit of the screen.
        ///   - onSeen: is told each content that has been seen.
        public init(
            _ scrollView: UIScrollView, screen: ShowContentLogController? = nil, rule: ImpressionRule = ImpressionRule(),
            clock: VisibilityClock = .system,
            onShown: @escaping (ID) -> Void = { _ in }, onSeen: @escaping (ID) -> Void
        ) {
            self.scrollView = scrollView
            tracker = ImpressionTracker(viewport: Self.visible(of: scrollView).size, rule: rule, clock: clock, onShown: onShown, onSeen: onSeen)
            tracker.follow(screen?.root.visibility)
            didScroll()
            self.screen = screen?.visibilityChanges.sink { [tracker] in tracker.follow($0) }
        }

        /// A cell, or another view, is about to be displayed, and need not be in the scroll view yet: from `tableView(_:willDisplay:forRowAt:)` or `collectionView(_:willDisplay:forItemAt:)`.
        /// - Parameters:
        ///   - view: it is not kept alive.
        ///   - id: the content's, of the data source.
        ///   - container: the content whose view has the scroll view that this one is in, such as a carousel's; nil for the tracker's own.
        ///   - rule: nil for the tracker's.
        public func willDisplay(_ view: UIView, id: ID, in container: ID? = nil, rule: ImpressionRule? = nil) {
            let item = Displayed(view: view, id: id, container: container, rule: rule)
            // A card that is not in its carousel yet has no place. It gets one soon, and nothing has to scroll or to be laid out for that.
            if !report(without: displayed.updateValue(item, forKey: ObjectIdentifier(view))) { Task { [weak self] in self?.report() } }
        }

        /// It is no more: index paths may mean other rows by then, so the view tells which content it was.
        public func didEndDisplaying(_ view: UIView) { report(without: displayed.removeValue(forKey: ObjectIdentifier(view))) }

        /// From `scrollViewDidScroll(_:)`, of the scroll view and of those in it.
        public func didScroll() { report() }

        /// From `viewDidLayoutSubviews()`: frames, bars and the window may be others.
        public func didLayout() { report() }

        /// Tells everything as it is now, all at once.
        /// - Parameter gone: what is displayed no more, unless another view displays the same content, as while a row is reloaded.
        /// - Returns: whether all views have their places.
        @discardableResult
        private func report(without gone: Displayed? = nil) -> Bool {
            let visible = scrollView.map(Self.visible) ?? .zero
            let views = Dictionary(displayed.values.map { ($0.id, $0.view) }, uniquingKeysWith: { first, _ in first })
            var isComplete = true
            tracker.scroll(to: visible.origin) { contents in
                contents.resize(to: visible.size)
                if let gone, views[gone.id] == nil { contents.remove(gone.id) }
                for item in displayed.values {
                    guard let frame = frame(of: item, in: item.container.map { views[$0] ?? nil } ?? scrollView) else {
                        isComplete = false
                        continue
                    }
                    // Each clips what says that it is in it.
                    contents.place(item.id, frame: frame, in: item.container, scrolls: true, rule: item.rule)
                }
            }
            return isComplete
        }

        /// Where a view is in what scrolls around it; nil if it is not in there yet.
        private func frame(of item: Displayed, in around: UIView?) -> CGRect? {
            guard let view = item.view else { return .zero }
            if let around, !view.isDescendant(of: around) {
                // UIKit tells of a cell before the cell is in its table, in whose coordinates its frame is.
                return item.container == nil && view.superview == nil ? view.frame : nil
            }
            let frame = view.convert(view.bounds, to: around)
            // A content that is a scroll view itself stays where it is when it scrolls.
            guard item.container != nil, let origin = around?.bounds.origin else { return frame }
            return frame.offsetBy(dx: -origin.x, dy: -origin.y)
        }

        /// What of its content a person can see: without what is under bars.
        private static func visible(of scrollView: UIScrollView) -> CGRect { scrollView.bounds.inset(by: scrollView.adjustedContentInset) }
    }
#endif
