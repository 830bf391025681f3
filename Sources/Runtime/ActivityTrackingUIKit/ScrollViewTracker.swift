#if canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    import Combine
    public import ContentVisibility
    import Foundation
    public import UIKit

    /// A tracker of the contents of a table, a collection or another scroll view. It determines which contents are
    /// shown and seen. A screen has one.
    ///
    /// The scroll view's delegate forwards its callbacks: cells that will be displayed, with their identifiers in the
    /// data source; cells that are no longer displayed; and scrolling.
    ///
    /// If the main actor isolates types by default, as in new projects, identifiers need a `nonisolated` type.
    @MainActor
    public final class ScrollViewTracker<ID: Hashable & Sendable> {
        /// The underlying tracker, with `start()`, `stop()` and `restart()`.
        public let tracker: ImpressionTracker<ID>
        private let logger: ActivityLogger?
        private let rule: ImpressionRule
        private let events = ContentEvents<ID>()
        private weak var scrollView: UIScrollView?
        private var displayed: [ObjectIdentifier: Displayed] = [:]
        private let root: ContentRoot?
        private var visibilityChanges: AnyCancellable?

        private struct Displayed {
            weak var view: UIView?
            var id: ID
            var container: ID?
            var rule: ImpressionRule?
        }

        /// - Parameters:
        ///   - scrollView: The scroll view. It is not retained.
        ///   - screen: The tracker of the screen; nil if the scroll view is always visible.
        ///   - logger: The logger for the events of contents; nil if ``content(_:id:in:rule:_:leaving:)`` is not used.
        ///   - rule: The default rule for contents.
        ///   - clock: The clock of dwell times.
        ///   - onShown: Called with each content that is shown, once in each visit of the screen.
        ///   - onSeen: Called with each content that is seen.
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
                viewport: Self.visibleContent(of: scrollView).size, rule: rule, clock: clock,
                onShown: { [events] in
                    if let logger { events.post($0, .shown, to: logger) }
                    onShown($0)
                },
                onSeen: { [events] in
                    if let logger { events.post($0, .seen, to: logger) }
                    onSeen($0)
                },
                onLeft: { [events] in if let logger { events.post($0, .left($1), to: logger) } })
            root = screen?.root
            visibilityChanges = screen?.visibilityChanges.sink { [tracker] in tracker.follow($0) }
            tracker.follow(root?.visibility)
            didScroll()
        }

        /// Tracks a view, such as a cell, that is about to be displayed. It does not have to be in the scroll view yet.
        ///
        /// Call it in `tableView(_:willDisplay:forRowAt:)` or `collectionView(_:willDisplay:forItemAt:)`.
        /// - Parameters:
        ///   - view: The cell. It is not retained.
        ///   - id: The content's identifier in the data source.
        ///   - container: The content that scrolls this content, such as a row with a carousel; nil for the tracker's
        ///     own scroll view.
        ///   - rule: The rule that decides when the content is seen; nil for the tracker's rule.
        public func willDisplay(_ view: UIView, id: ID, in container: ID? = nil, rule: ImpressionRule? = nil) {
            display(Displayed(view: view, id: id, container: container, rule: rule), in: view)
        }

        private func display(_ item: Displayed, in view: UIView) {
            // A view that is not in its container yet, such as a card in a carousel, has no frame. UIKit may add the
            // view without a scroll or a layout, so the tracker reports again.
            if !report(without: displayed.updateValue(item, forKey: ObjectIdentifier(view))) {
                Task { [weak self] in self?.report() }
            }
        }

        /// Tracks a view that is about to be displayed, and posts its events. The trigger in each event's definition
        /// decides whether it is posted when the content is shown or when it is seen. Call it in place of
        /// ``willDisplay(_:id:in:rule:)``.
        ///
        /// If a trigger does not apply to contents, such as a tap, the event is not posted. This is reported once.
        /// - Parameters:
        ///   - view: The cell. It is not retained.
        ///   - id: The content's identifier in the data source.
        ///   - container: The content that scrolls this content; nil for the tracker's own scroll view.
        ///   - rule: A rule that overrides the definitions: the events are posted when the content is seen by this
        ///     rule. A debug build reports a difference from the definitions.
        ///   - events: All events of the content, which replace its previous events.
        ///   - leaving: Returns the event that is posted when the content is left, for the engagement in the visit. The
        ///     trigger of its definition is `leave`.
        public func content(
            _ view: UIView, id: ID, in container: ID? = nil, rule: ImpressionRule? = nil, _ events: any LogCategory...,
            leaving: ((VisitEngagement) -> any LogCategory)? = nil
        ) {
            if logger == nil {
                reportMistake(
                    "A content has an event, but its ScrollViewTracker has no logger. Pass one: "
                        + "ScrollViewTracker(…, logger: …)"
                )
            }
            let rule = self.events.set(events, left: leaving, of: id, rule: rule, under: self.rule)
            display(Displayed(view: view, id: id, container: container, rule: rule), in: view)
        }

        /// Stops tracking a view that is no longer displayed. The view is the identity, because index paths change.
        public func didEndDisplaying(_ view: UIView) {
            report(without: displayed.removeValue(forKey: ObjectIdentifier(view)))
        }

        /// Reports scrolling of this scroll view or a nested one. Call it in `scrollViewDidScroll(_:)`.
        public func didScroll() { report() }

        /// Reports that frames, bars or the window may have changed. Call it in `viewDidLayoutSubviews()`.
        public func didLayout() { report() }

        /// Reports frames. UIKit may deallocate a view without `didEndDisplaying`: its item is no longer displayed.
        /// - Parameter gone: Its content stays if another view displays it, as during the reload of a row.
        /// - Returns: True if all views have a frame.
        @discardableResult
        private func report(without gone: Displayed? = nil) -> Bool {
            root?.coverMayHaveChanged()
            let visible = scrollView.map(Self.visibleContent) ?? .zero
            if let size = scrollView?.contentSize {
                // A scroll view without height to scroll scrolls sideways.
                let isSideways = size.height <= visible.height && size.width > visible.width
                root?.setDepth(
                    edge: isSideways ? visible.maxX : visible.maxY, length: isSideways ? size.width : size.height)
            }
            var gone = gone.map { [$0.id] } ?? []
            displayed = displayed.filter { entry in
                if entry.value.view == nil { gone.append(entry.value.id) }
                return entry.value.view != nil
            }
            let views = Dictionary(displayed.values.map { ($0.id, $0.view) }, uniquingKeysWith: { first, _ in first })
            gone.removeAll { views[$0] != nil }
            var isComplete = true
            tracker.scroll(to: visible.origin) { contents in
                contents.resize(to: visible.size)
                for id in gone { contents.remove(id) }
                for item in displayed.values {
                    guard let frame = frame(of: item, in: item.container.map { views[$0] ?? nil } ?? scrollView) else {
                        isComplete = false
                        continue
                    }
                    // Every content is a container that clips the contents in it.
                    contents.place(item.id, frame: frame, in: item.container, scrolls: true, rule: item.rule)
                }
            }
            for id in gone { events.remove(id, isEngaged: tracker.isEngaged(id)) }
            return isComplete
        }

        private func frame(of item: Displayed, in around: UIView?) -> CGRect? {
            guard let view = item.view else { return .zero }
            if let around, !view.isDescendant(of: around) {
                // UIKit reports a cell before the cell is in its table. The cell's frame is already in the table's
                // coordinates.
                return item.container == nil && view.superview == nil ? view.frame : nil
            }
            let frame = view.convert(view.bounds, to: around)
            // If the container is itself a scroll view, its bounds move when it scrolls.
            guard item.container != nil, let origin = around?.bounds.origin else { return frame }
            return frame.offsetBy(dx: -origin.x, dy: -origin.y)
        }

        private static func visibleContent(of scrollView: UIScrollView) -> CGRect {
            scrollView.bounds.inset(by: scrollView.adjustedContentInset)
        }
    }
#endif
