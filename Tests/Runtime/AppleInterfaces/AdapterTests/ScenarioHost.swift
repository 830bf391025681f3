@_spi(GeneratedCode) import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingTesting
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import SwiftUI
import UIKit

@testable import ScenarioRunner

/// Replays a scenario on screens with the adapters' modifiers, and records the logs that they post.
///
/// The scenario determines the layout and the front screen. Appearances, changes, notifications and frames reach the
/// adapters as toolkits deliver them.
@MainActor
final class ScenarioHost {
    final class Content {
        var content: Scenario.Content
        var children: [Content] = []

        init(_ content: Scenario.Content) {
            self.content = content
            children = content.contents.map(Content.init)
        }

        var name: String { content.id ?? "place \(content.frame)" }
    }

    @MainActor final class Screen {
        let screen: Scenario.Screen
        var contents: [Content]
        let viewController = UIViewController()
        var controller: ScreenTracker?
        var impressions: ImpressionTrackingController?
        var tracker: ImpressionTracker<String>?
        var host: (any ScenarioStage)?
        var refreshes = 0
        var hidesContents = false
        var willRefresh = false
        var isForced = false

        init(_ screen: Scenario.Screen) {
            self.screen = screen
            contents = screen.contents.map(Content.init)
        }
    }

    private let scenario: Scenario
    private let center = NotificationCenter()
    private let time = Locked(0.0)
    private let logs = RecordingDestination()
    private var screens: [Screen] = []
    private var navigation: Navigation
    private var open: [Int] = []
    private var isInForeground = true
    private(set) var posted: [Posted] = []
    /// Future actions: samples of scrolls, and refreshes that end.
    private var later: [(time: Double, action: () -> Void)] = []

    enum Toolkit { case swiftUI, uiKit }

    /// A Boolean value that indicates whether contents pass events, which are posted according to their definition.
    private let handsOverEvents: Bool

    /// A Boolean value that indicates whether SwiftUI screens have views only for contents in view, as in a lazy stack.
    private let isLazy: Bool

    init(_ scenario: Scenario, _ toolkit: Toolkit, handsOverEvents: Bool = false, isLazy: Bool = false) {
        self.scenario = scenario
        self.handsOverEvents = handsOverEvents
        self.isLazy = isLazy
        navigation = Navigation(scenario.screens)
        screens = scenario.screens.map { Screen($0) }
        let logger = ActivityLogger(destinations: [Listener { [weak self] record in self?.didPost(record) }])
        let app = App(activityLogger: logger)
        for screen in screens {
            screen.controller = ScreenTracker(
                screen.viewController, willRefreshOnForeground: { [unowned screen] in screen.willRefresh },
                onVisit: { [weak self, screen = screen.screen] in
                    if screen.postsScreenLog, !handsOverEvents { self?.post(.screen, nil, screen.id) }
                }, center: center, clock: clock)
            guard let controller = screen.controller else { continue }
            switch toolkit {
            case .swiftUI: show(screen, controller, app)
            case .uiKit:
                if handsOverEvents, screen.screen.postsScreenLog {
                    controller.track(ScenarioLog.screen(screen: screen.screen.id), logger: logger)
                }
                show(screen, controller, handsOverEvents ? logger : nil)
            }
        }
    }

    private var clock: VisibilityClock { .stopped(at: time) }

    private func show(_ screen: Screen, _ controller: ScreenTracker, _ logger: ActivityLogger?) {
        let stage = UIKitStage(
            screen, controller, logger, size: scenario.viewport, clock: clock,
            onShown: { [weak self, id = screen.screen.id] in self?.post(.shown, $0, id) },
            onSeen: { [weak self, id = screen.screen.id] in if logger == nil { self?.post(.seen, $0, id) } })
        screen.tracker = stage.core
        screen.host = stage
    }

    private func show(_ screen: Screen, _ controller: ScreenTracker, _ app: App) {
        let impressions = ImpressionTrackingController(rule: screen.screen.rule, clock: clock)
        screen.impressions = impressions
        screen.host = ViewHost(size: scenario.viewport, isShown: false) { [unowned self, unowned screen] in
            Live {
                let contents = TrackableScrollView(controller: impressions) {
                    if !screen.hidesContents { self.views(screen.contents, screen.screen, screen.screen.rule) }
                }
                if self.handsOverEvents, screen.screen.postsScreenLog {
                    contents.trackScreen(
                        controller, ScenarioLog.screen(screen: screen.screen.id), isRefreshing: screen.refreshes > 0,
                        forceDisappear: screen.isForced
                    )
                    .environment(\.appEnvironment, app)
                } else {
                    contents.trackScreen(
                        controller, isRefreshing: screen.refreshes > 0, forceDisappear: screen.isForced
                    )
                    .environment(\.appEnvironment, app)
                }
            }
        }
    }

    private func views(_ contents: [Content], _ screen: Scenario.Screen, _ outer: ImpressionRule) -> AnyView {
        AnyView(
            ForEach(contents, id: \.name) { content in
                AnyView(self.place(content, screen, content.content.rule.under(outer)))
            })
    }

    private func place(_ content: Content, _ screen: Scenario.Screen, _ rule: ImpressionRule) -> some View {
        Place(content.name, content.content.frame, isLazy: isLazy) {
            if content.content.scrolling != .none {
                AnyView(
                    self.tracked(
                        TrackableScrollView(.horizontal) { self.views(content.children, screen, rule) },
                        content.content, screen, rule))
            } else {
                AnyView(self.tracked(self.views(content.children, screen, rule), content.content, screen, rule))
            }
        }
    }

    private func tracked(
        _ view: some View, _ content: Scenario.Content, _ screen: Scenario.Screen, _ rule: ImpressionRule
    ) -> AnyView {
        guard let id = content.id, content.isTracked else { return AnyView(view) }
        // A view without an id cannot be tracked by its events.
        if handsOverEvents, content.isRemembered {
            return AnyView(
                view.track(ScenarioLog.shown(content: id, screen: screen.id), id: id)
                    .track(ScenarioLog.seen(content: id, screen: screen.id), id: id, rule: rule))
        }
        return AnyView(
            view
                .postShowContentLog(
                    ScenarioLog.shown(content: id, screen: screen.id), id: content.isRemembered ? AnyHashable(id) : nil
                )
                .trackImpression(id, rule: rule) { [weak self] in self?.post(.seen, id, screen.id) })
    }

    private func didPost(_ record: LogRecord) {
        func text(_ column: String) -> String { (record.json(of: column) ?? "").filter { $0 != "\"" } }
        guard let log = Posted.Log(rawValue: record.event) else { return }
        post(log, log == .screen ? nil : text("content"), text("screen"))
    }

    private func post(_ log: Posted.Log, _ content: String?, _ screen: String) {
        posted.append(Posted(time: time.withLock { $0 }, log: log, content: content, screen: screen))
    }

    // MARK: Replay

    func run() {
        for step in scenario.steps {
            advance(to: step.time)
            perform(step.action)
        }
        // If the scenario has no end step, all future actions run.
        if case .end? = scenario.steps.last?.action { return }
        advance(to: .infinity)
    }

    private func advance(to end: Double) {
        while true {
            let wakeUps = screens.flatMap {
                [$0.impressions?.tracker.nextWakeUp ?? $0.tracker?.nextWakeUp, $0.controller?.root.refreshDeadline]
            }
            let wakeUp = wakeUps.compactMap { $0 }.min() ?? .infinity
            let next = min(wakeUp, later.map(\.time).min() ?? .infinity)
            // The tolerance is needed because times are sums.
            guard next < .infinity, next <= end + 1e-6 else { break }
            time.withLock { $0 = max($0, next) }
            if wakeUp <= next {
                for screen in screens {
                    screen.impressions?.tracker.update { _ in }
                    screen.tracker?.update { _ in }
                    screen.controller?.root.coverMayHaveChanged()
                }
            } else {
                let index = later.indices.first { later[$0].time == next } ?? 0
                later.remove(at: index).action()
            }
        }
        if end < .infinity { time.withLock { $0 = max($0, end) } }
    }

    private func screen(_ id: String) -> Screen? { screens.first { $0.screen.id == id } }

    private func number(_ id: String) -> Int { scenario.screens.firstIndex { $0.id == id } ?? 0 }

    private func perform(_ action: Scenario.Action) {
        switch action {
        case .open(let screen):
            navigation.close()
            navigate()
            navigation.open(number(screen.id))
            navigate()
        case .push(let screen):
            navigation.push(number(screen.id))
            navigate()
        case .pop:
            _ = navigation.pop()
            navigate()
        case .present(let screen, let isSheet):
            isSheet ? navigation.presentSheet(number(screen.id)) : navigation.presentCover(number(screen.id))
            navigate()
        case .deepLink(let screen):
            navigation.presentCover(number(screen.id))
            navigate()
        case .dismiss:
            _ = navigation.dismiss()
            navigate()
        case .closeAll:
            navigation.closeAll()
            navigate()
        case .selectTab(let tab, let isSwiped, let refresh):
            guard let shown = navigation.shown(byTab: number(tab.id)), navigation.places()[shown].isCurrent == false
            else { return }
            if isSwiped {
                screens[shown].isForced = true
                screens[shown].host?.isShown = true
            }
            _ = navigation.select(number(tab.id))
            screens[shown].willRefresh = refresh != nil
            navigate()
            endRefresh(screens[shown], after: refresh)
        case .scroll(let place, let point, let isRelative, let over):
            scroll(place.id, point, isRelative: isRelative, over: over)
        case .resize(let viewport, let frames):
            for (content, frame) in frames { find(content.id)?.content.content.frame = frame }
            for screen in screens { screen.host?.size = viewport }
        case .background:
            isInForeground = false
            center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        case .foreground(let refresh):
            let current = navigation.current.map { screens[$0] }
            current?.willRefresh = refresh != nil
            center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
            if let current { endRefresh(current, after: refresh) }
        case .refresh(let over, let replacesViews):
            guard let current = navigation.current.map({ screens[$0] }) else { return }
            current.refreshes += 1
            current.hidesContents = replacesViews
            current.host?.evaluate()
            after(over) {
                current.refreshes -= 1
                if current.refreshes == 0 { current.hidesContents = false }
                current.host?.evaluate()
            }
        case .insert(let id, let content, let frame, let place):
            guard let inserted = content.map(Content.init) ?? removed[id.id] else { return }
            inserted.content.frame = frame
            if let screen = screen(place.id) {
                screen.contents.append(inserted)
                screen.host?.evaluate()
            } else if let (container, screen) = find(place.id) {
                container.children.append(inserted)
                screen.host?.evaluate()
            }
        case .remove(let content):
            guard let (found, screen) = find(content.id) else { return }
            removed[content.id] = found
            screen.contents.removeAll { $0 === found }
            for content in screen.contents { Self.remove(found, from: content) }
            screen.host?.evaluate()
        case .move(let content, let frame):
            guard let (found, screen) = find(content.id) else { return }
            found.content.frame = frame
            screen.host?.evaluate()
        case .start(let screen):
            self.screen(screen.id)?.impressions?.start()
            self.screen(screen.id)?.tracker?.start()
        case .stop(let screen):
            self.screen(screen.id)?.impressions?.stop()
            self.screen(screen.id)?.tracker?.stop()
        case .restart(let screen):
            self.screen(screen.id)?.impressions?.restart()
            self.screen(screen.id)?.tracker?.restart()
        case .end: break
        }
    }

    private var removed: [String: Content] = [:]

    private static func remove(_ found: Content, from content: Content) {
        content.children.removeAll { $0 === found }
        for child in content.children { remove(found, from: child) }
    }

    private func find(_ id: String) -> (content: Content, screen: Screen)? {
        func find(in contents: [Content]) -> Content? {
            for content in contents {
                if content.content.id == id { return content }
                if let found = find(in: content.children) { return found }
            }
            return nil
        }
        for screen in screens { if let found = find(in: screen.contents) { return (found, screen) } }
        return nil
    }

    private func after(_ seconds: Double, _ action: @escaping () -> Void) {
        seconds > 0 ? later.append((time.withLock { $0 } + seconds, action)) : action()
    }

    private func endRefresh(_ screen: Screen, after seconds: Double?) {
        screen.willRefresh = false
        if let seconds { after(seconds) { screen.controller?.root.endRefresh() } }
    }

    private func navigate() {
        repeat {
            let places = navigation.places()
            for (screen, place) in zip(screens, places) {
                let presented = UIViewController()
                presented.modalPresentationStyle = place.cover == .sheet ? .pageSheet : .fullScreen
                screen.viewController._present(place.cover == .none ? nil : presented)
            }
            for (screen, place) in zip(screens, places) where !(place.isCurrent && place.cover != .fullScreen) {
                screen.host?.isShown = false
            }
            for (screen, place) in zip(screens, places) where place.isCurrent && place.cover != .fullScreen {
                screen.isForced = false
                screen.host?.isShown = true
                screen.host?.evaluate()
            }
            for screen in screens { screen.controller?.root.coverMayHaveChanged() }
        } while navigation.step()
        // In an app, a screen that is opened again has a new view.
        for closed in open where !navigation.contains(closed) { close(screens[closed]) }
        open = screens.indices.filter(navigation.contains)
    }

    private func close(_ screen: Screen) {
        func places(_ contents: [Content]) -> [String] {
            contents.flatMap { [$0.content.id].compactMap { $0 } + places($0.children) }
        }
        for place in [screen.screen.id] + places(screen.contents) {
            motions[place] = (motions[place] ?? 0) + 1
            if offsets.removeValue(forKey: place) != nil {
                screen.host?.scroll(place == screen.screen.id ? "" : place, to: .zero)
            }
        }
    }

    private var motions: [String: Int] = [:]
    private var offsets: [String: CGPoint] = [:]

    private func scroll(_ place: String, _ point: CGPoint, isRelative: Bool, over: Double) {
        guard let screen = screen(place) ?? find(place)?.screen else { return }
        let name = self.screen(place) == nil ? place : ""
        let from = offsets[place] ?? .zero
        let to = isRelative ? CGPoint(x: from.x + point.x, y: from.y + point.y) : point
        let motion = (motions[place] ?? 0) + 1
        motions[place] = motion
        func sample(_ progress: Double) {
            guard motions[place] == motion else { return }
            let offset = CGPoint(x: from.x + (to.x - from.x) * progress, y: from.y + (to.y - from.y) * progress)
            offsets[place] = offset
            screen.host?.scroll(name, to: offset)
        }
        guard over > 0 else { return sample(1) }
        let start = time.withLock { $0 }
        for frame in 1...max(1, Int((over * 60).rounded(.up))) {
            let progress = min(1, Double(frame) / 60 / over)
            later.append((min(start + over, start + Double(frame) / 60), { sample(progress) }))
        }
    }
}

enum ScenarioLog: LogCategory {
    case shown(content: String, screen: String)
    case seen(content: String, screen: String)
    case screen(screen: String)

    static let definition = LogDefinition(
        """
        scenario
        .shown|1-0-0|active|show
        content|string
        screen|string
        .seen|1-0-0|active|impression
        content|string
        screen|string
        .screen|1-0-0|active|screen
        screen|string
        """)

    func encode(into encoder: LogEncoder) {
        switch self {
        case .shown(let content, let screen): encoder.event(0).string(content).string(screen)
        case .seen(let content, let screen): encoder.event(1).string(content).string(screen)
        case .screen(let screen): encoder.event(2).string(screen)
        }
    }
}

private struct Listener: LogDestination {
    let listen: @MainActor @Sendable (LogRecord) -> Void

    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
        MainActor.assumeIsolated { listen(record) }
    }
}
