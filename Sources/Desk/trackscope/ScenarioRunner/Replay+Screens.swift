import ContentVisibility
import Foundation

extension Replay {
    /// Applies navigation changes and pending presentations one after the other, as toolkits do.
    mutating func navigate() {
        repeat {
            let changes = navigation.takeChanges()
            // A refresh ends when its screen closes.
            for screen in changes.closed {
                screens[screen].refreshEnd = nil
                (screens[screen].returnRefreshes, screens[screen].returnRefreshEnds) = (PendingRefreshes(), [])
            }
            for (screen, place) in changes.places {
                screens[screen].place = place
                if place.isCurrent { (screens[screen].wasInFront, screens[screen].front) = (true, nil) }
            }
            for (screen, front) in changes.fronts { screens[screen].front = front }
            for screen in Set(changes.closed).union(changes.places.keys).union(changes.fronts.keys) {
                updateRoot(screen)
            }
            // A screen that is opened again is a new one, and begins at the top.
            for screen in changes.closed where !screens[screen].place.isCurrent { resetOffsets(of: screen) }
        } while navigation.step()
    }

    private mutating func resetOffsets(of screen: Int) {
        removeMotions(on: screen) { _ in true }
        let scrolled = screens[screen].offsets.keys
        screens[screen].offsets = [:]
        if !scrolled.isEmpty { update(screen) { for container in scrolled { $0.scroll(container, to: .zero) } } }
    }

    mutating func updateRoot(_ number: Int) {
        let conditions = conditions(of: screens[number], isTab: scenario.screens[number].tabs != nil)
        if conditions != screens[number].tracker.root.conditions {
            update(number) { $0.updateRoot { $0 = conditions } }
        } else {
            schedule(number)
            record(number)
        }
    }

    /// Records the obstacle and the visit of a screen for the timeline.
    mutating func record(_ number: Int) {
        guard recorder != nil else { return }
        let root = screens[number].tracker.root
        let moment = Timeline.ScreenMoment(
            time: now, obstacle: obstacle(on: number), visit: root.isVisible ? root.visit : nil,
            restarts: screens[number].tracker.restarts)
        recorder?.observe(moment, of: number)
    }

    /// Returns the obstacle of a screen, except the background, which is recorded separately.
    private func obstacle(on number: Int) -> ScreenObstacle? {
        let screen = screens[number]
        let front = screen.front.map { scenario.screens[$0].id }
        guard screen.place.isCurrent else {
            return !screen.wasInFront ? .notOpened : navigation.contains(number) ? .left(for: front) : .closed
        }
        // The tracker cannot distinguish a refresh that replaces the views from a screen that was left.
        if screen.refreshEnd != nil, screen.place.cover != .fullScreen { return .refreshing }
        var root = screen.tracker.root
        root.update(at: now) { $0.isInForeground = true }
        return ScreenObstacle(root, isStarted: screen.tracker.isStarted)?.named(front)
    }

    func conditions(of screen: Screen, isTab: Bool) -> RootVisibility.Conditions {
        var conditions = RootVisibility.Conditions()
        conditions.hasAppeared = screen.place.isCurrent && !(screen.refreshEnd != nil && screen.replacesViews)
        conditions.isInForeground = isInForeground
        conditions.isForcedToDisappear = isTab && !screen.place.isCurrent
        conditions.isRefreshing = screen.refreshEnd != nil && !screen.replacesViews
        conditions.isWaitingForRefresh = !screen.returnRefreshes.isEmpty
        conditions.cover = screen.place.cover
        return conditions
    }

    /// Applies a change between foreground and background. Visits end, or the topmost screen begins a visit. Other
    /// screens are updated when they come into view.
    mutating func updateRootsInFront() {
        for screen in visible.union(navigation.current.map { [$0] } ?? []) { updateRoot(screen) }
        recorder?.observe(isInForeground: isInForeground, at: now)
    }

    mutating func waitForRefresh(_ screen: Int, _ duration: Double) {
        screens[screen].returnRefreshes.begin(at: now)
        screens[screen].returnRefreshEnds.append(now + duration)
    }
}
