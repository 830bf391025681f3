#if canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    import Combine
    public import ContentVisibility
    import Foundation
    public import UIKit

    /// Tells which contents of a table, a collection or another scroll view are shown and seen. A screen has one.
    ///
    /// The scroll view's delegate hands on what it is told: which cells are about to be displayed, with which ids of
    /// the data source; which cells are displayed no longer; and that the view scrolls.
    ///
    /// In new projects, all types belong to the main actor unless they say otherwise. A type of ids must be
    /// `nonisolated` there.
    @MainActor
    public final class ScrollViewTracker<ID: Hashable & Sendable> {
        /// What decides. It has `start()`, `stop()`, `restart()` and the stream `seen`.
        public let tracker: ImpressionTracker<ID>
        private let logger: ActivityLogger?
        private let rule: ImpressionRule
        private let events = ContentEvents<ID>()
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
        ///   - scrollView: the view that scrolls. It is not kept alive.
        ///   - screen: the tracker of the screen; nil if the scroll view is always visible.
        ///   - logger: posts the events of contents; nil if ``content(_:id:in:rule:_:)`` is not used.
        ///   - rule: for contents that have no rule of their own.
        ///   - clock: tells the time, and waits.
        ///   - onShown: is called with each content that is shown, once in each visit of the screen.
        ///   - onSeen: is called with each content that has been seen.
        public init(
            _ scrollView: UIScrollView, screen: ScreenTracker? = nil, logger: ActivityLogger? = nil,
            rule: ImpressionRule = ImpressionRule(),
            clock: VisibilityClock = .system, onShown: @escaping (ID) -> Void = { _ in },
            onSeen: @escaping (ID) -> Void = { _ in }
        ) {
            self.scrollView = scrollView
            self.logger = logger
            self.rule = rule
            tracker = ImpressionTracker(
                viewport: Self.visible(of: scrollView).size, rule: rule, clock: clock,
                onShown: { [events] in
                    if let logger { events.post($0, .shown, to: logger) }
                    onShown($0)
                },
                onSeen: { [events] in
                    if let logger { events.post($0, .seen, to: logger) }
                    onSeen($0)
                })
            tracker.follow(screen?.root.visibility)
            didScroll()
            self.screen = screen?.visibilityChanges.sink { [tracker] in tracker.follow($0) }
        }

        /// A cell or another view is about to be displayed. It need not be in the scroll view yet.
        ///
        /// Call it in `tableView(_:willDisplay:forRowAt:)` or `collectionView(_:willDisplay:forItemAt:)`.
        /// - Parameters:
        ///   - view: the cell. It is not kept alive.
        ///   - id: the content's id in the data source.
        ///   - container: the content that scrolls this one, such as a row with a carousel; nil for the tracker's own
        ///     scroll view.
        ///   - rule: when it counts as seen; nil for the tracker's rule.
        public func willDisplay(_ view: UIView, id: ID, in container: ID? = nil, rule: ImpressionRule? = nil) {
            let item = Displayed(view: view, id: id, container: container, rule: rule)
            // A card that is not in its carousel yet has no place. It gets one soon, perhaps without a scroll or a
            // layout.
            if !report(without: displayed.updateValue(item, forKey: ObjectIdentifier(view))) {
                Task { [weak self] in self?.report() }
            }
        }

        /// A cell or another view is about to be displayed, and posts each event when the event's document says
        /// (`trigger`): when the content is shown, or when it has been seen. Call it in place of
        /// ``willDisplay(_:id:in:rule:)``.
        ///
        /// If a document says something that no content can obey, such as a tap, nothing is posted, which is reported
        /// once.
        /// - Parameters:
        ///   - view: the cell. It is not kept alive.
        ///   - id: the content's id in the data source.
        ///   - container: the content that scrolls this one; nil for the tracker's own scroll view.
        ///   - rule: posts the events when the content has been seen by this rule, whatever their documents say. A debug
        ///     build says if they differ.
        ///   - events: all events of the content, in place of those that it had.
        public func content(
            _ view: UIView, id: ID, in container: ID? = nil, rule: ImpressionRule? = nil, _ events: any LogCategory...
        ) {
            if logger == nil {
                reportMistake(
                    "A content has an event, and its ScrollViewTracker no logger. Hand it over: ScrollViewTracker(…, logger: …)"
                )
            }
            willDisplay(
                view, id: id, in: container, rule: self.events.set(events, of: id, rule: rule, under: self.rule))
        }

        /// A cell is displayed no longer. The view tells which content it was: index paths may mean other rows by then.
        public func didEndDisplaying(_ view: UIView) {
            report(without: displayed.removeValue(forKey: ObjectIdentifier(view)))
        }

        /// The scroll view, or one in it, scrolls: call it in `scrollViewDidScroll(_:)`.
        public func didScroll() { report() }

        /// Frames, bars or the window may have changed: call it in `viewDidLayoutSubviews()`.
        public func didLayout() { report() }

        /// Reports everything as it is now, all at once.
        /// - Parameter gone: what is displayed no longer, unless another view displays the same content, as while a row
        ///   is reloaded.
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
                    // A content clips whatever says that it lies in it.
                    contents.place(item.id, frame: frame, in: item.container, scrolls: true, rule: item.rule)
                }
            }
            if let gone, views[gone.id] == nil { events.remove(gone.id) }
            return isComplete
        }

        /// The place of a view in what scrolls around it; nil if it is not in there yet.
        private func frame(of item: Displayed, in around: UIView?) -> CGRect? {
            guard let view = item.view else { return .zero }
            if let around, !view.isDescendant(of: around) {
                // UIKit tells of a cell before it is in its table. The frame has the table's coordinates already.
                return item.container == nil && view.superview == nil ? view.frame : nil
            }
            let frame = view.convert(view.bounds, to: around)
            // A container that is a scroll view itself stays in its place when it scrolls.
            guard item.container != nil, let origin = around?.bounds.origin else { return frame }
            return frame.offsetBy(dx: -origin.x, dy: -origin.y)
        }

        /// The part of a scroll view's content that a person can see: without what is under bars.
        private static func visible(of scrollView: UIScrollView) -> CGRect {
            scrollView.bounds.inset(by: scrollView.adjustedContentInset)
        }
    }
#endif
