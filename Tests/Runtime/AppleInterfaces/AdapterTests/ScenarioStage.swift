import ActivityTracking
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import SwiftUI
import UIKit

@testable import ScenarioRunner

/// Shows a screen of a scenario on behalf of the host.
@MainActor
protocol ScenarioStage: AnyObject {
    /// Shows or hides the screen. A screen that is covered by another keeps its state.
    var isShown: Bool { get set }
    var size: CGSize { get set }
    /// Updates the screen after its contents, frames or flags have changed.
    func evaluate()
    /// Scrolls the container with a name, or the screen itself if it has no such container.
    func scroll(_ name: String, to offset: CGPoint)
}

extension ViewHost: ScenarioStage {}

/// A UIKit screen: a scroll view that displays the views in its viewport, like the cells of a table.
@MainActor
final class UIKitStage: ScenarioStage {
    private let screen: ScenarioHost.Screen
    private let controller: ScreenTracker
    private let window = UIView(frame: .zero)
    private let view: UIScrollView
    private let handsOverEvents: Bool
    private let withOwnRule = Held<Set<String>>([])
    private let tracker: ScrollViewTracker<String>
    private var views: [ObjectIdentifier: UIView] = [:]
    private var displayed: [(content: ScenarioHost.Content, view: UIView)] = []

    init(
        _ screen: ScenarioHost.Screen, _ controller: ScreenTracker, _ logger: ActivityLogger?, size: CGSize,
        clock: VisibilityClock,
        onShown: @escaping (String) -> Void, onSeen: @escaping (String) -> Void
    ) {
        self.screen = screen
        self.controller = controller
        self.size = size
        handsOverEvents = logger != nil
        // The scroll view is not at the window's corner, as if it were below a bar.
        view = UIScrollView(frame: CGRect(origin: CGPoint(x: 10, y: 100), size: size))
        window.addSubview(view)
        tracker = ScrollViewTracker(
            view, screen: controller, logger: logger, rule: screen.screen.rule, clock: clock,
            onShown: { [withOwnRule] in if logger == nil || withOwnRule.value.contains($0) { onShown($0) } },
            onSeen: onSeen)
    }

    var core: ImpressionTracker<String> { tracker.tracker }

    var size: CGSize {
        didSet {
            view.frame.size = size
            view.bounds.size = size
            evaluate()
        }
    }

    var isShown = false {
        didSet {
            guard isShown != oldValue else { return }
            // As in `viewDidAppear(_:)` and `viewDidDisappear(_:)`.
            if isShown {
                layout()
                controller.root.appear(isForcedToDisappear: screen.isForced, isRefreshing: screen.refreshes > 0)
            } else {
                controller.root.disappear()
            }
        }
    }

    func evaluate() {
        guard isShown else { return }
        layout()
        controller.root.setForcedToDisappear(screen.isForced)
        controller.root.setRefreshing(screen.refreshes > 0)
    }

    func scroll(_ name: String, to offset: CGPoint) {
        let scrolled = name.isEmpty ? view : views.values.first { $0.accessibilityIdentifier == name } as? UIScrollView
        scrolled?.contentOffset = offset
        layout()
        tracker.didScroll()
    }

    private struct Laid {
        let content: ScenarioHost.Content
        let view: UIView
        let container: String?
        let rule: ImpressionRule
    }

    private func layout() {
        var present: [Laid] = []
        if !screen.hidesContents { lay(screen.contents, in: view, nil, clip: view.frame, screen.screen.rule, &present) }
        let gone = displayed.filter { old in !present.contains { $0.content === old.content } }
        displayed = present.map { ($0.content, $0.view) }
        for old in gone { tracker.didEndDisplaying(old.view) }
        for item in present {
            // UIKit may announce a cell before it is in its table.
            let parent = item.view.superview
            item.view.removeFromSuperview()
            let (name, id) = (item.content.name, screen.screen.id)
            if handsOverEvents {
                let (shown, seen) = (
                    ScenarioLog.shown(content: name, screen: id), ScenarioLog.seen(content: name, screen: id)
                )
                if item.rule == screen.screen.rule {
                    tracker.content(item.view, id: name, in: item.container, shown, seen)
                } else {
                    // With a rule in code, an event is posted when its content has been seen, independent of its
                    // trigger.
                    withOwnRule.value.insert(name)
                    tracker.content(item.view, id: name, in: item.container, rule: item.rule, seen)
                }
            } else {
                tracker.willDisplay(item.view, id: name, in: item.container, rule: item.rule)
            }
            parent?.addSubview(item.view)
        }
        tracker.didLayout()
    }

    private func lay(
        _ contents: [ScenarioHost.Content], in parent: UIView, _ container: String?, clip: CGRect,
        _ outer: ImpressionRule,
        _ present: inout [Laid]
    ) {
        for content in contents {
            let rule = content.content.rule.under(outer)
            let view = self.view(of: content)
            view.frame = content.content.frame
            view.bounds.size = content.content.frame.size
            parent.addSubview(view)
            let frame = view.convert(CGRect(origin: view.bounds.origin, size: view.bounds.size), to: nil)
            let visible = frame.intersection(clip)
            guard !visible.isNull, visible.width > 0, visible.height > 0 else { continue }
            if content.content.id != nil, content.content.isTracked {
                present.append(Laid(content: content, view: view, container: container, rule: rule))
            }
            let scrolls = content.content.scrolling != .none
            lay(
                content.children, in: view, scrolls ? content.content.id : container, clip: scrolls ? visible : clip,
                rule, &present)
        }
    }

    private func view(of content: ScenarioHost.Content) -> UIView {
        if let known = views[ObjectIdentifier(content)] { return known }
        let view = content.content.scrolling == .none ? UIView(frame: .zero) : UIScrollView(frame: .zero)
        view.accessibilityIdentifier = content.name
        views[ObjectIdentifier(content)] = view
        return view
    }
}
