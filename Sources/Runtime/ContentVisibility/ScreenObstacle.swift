/// A condition that prevents all contents of a screen from being seen, and its words. The timeline of `trackscope` and
/// `ActivityInspector` use the same words.
///
/// Names are unescaped. Only a scenario knows them; in an app they are nil.
package enum ScreenObstacle: Sendable, Equatable {
    case notOpened
    /// The screen was popped or dismissed.
    case closed
    /// The screen is open, under a pushed screen or in another tab.
    case left(for: String?)
    case background
    /// A full-screen cover is over the screen.
    case covered(by: String?)
    case refreshing
    /// A refresh was due on the return to the foreground or to a tab, and has not ended.
    case waitingForRefresh
    /// A sheet lies over the screen. A running visit continues, but none begins.
    case sheet(over: String?, isInVisit: Bool)
    /// The tracker is stopped.
    case stopped
}

extension ScreenObstacle {
    /// Creates the obstacle of a screen; nil if its contents can be seen. If there are several, the outermost counts:
    /// the screen must be in front before a cover matters.
    package init?(_ root: RootVisibility, isStarted: Bool) {
        let conditions = root.conditions
        if !conditions.hasAppeared || conditions.isForcedToDisappear {
            self = root.visit == 0 ? .notOpened : .left(for: nil)
        } else if conditions.cover == .fullScreen {
            self = .covered(by: nil)
        } else if !conditions.isInForeground {
            self = .background
        } else if conditions.isRefreshing {
            self = .refreshing
        } else if conditions.isWaitingForRefresh {
            self = .waitingForRefresh
        } else if conditions.cover == .sheet {
            self = .sheet(over: nil, isInVisit: root.isVisible)
        } else if !isStarted {
            self = .stopped
        } else {
            return nil
        }
    }

    /// Returns the obstacle with the name of the screen in front.
    package func named(_ front: String?) -> ScreenObstacle {
        switch self {
        case .left: .left(for: front)
        case .covered: .covered(by: front)
        case .sheet(_, let isInVisit): .sheet(over: front, isInVisit: isInVisit)
        case .notOpened, .closed, .background, .refreshing, .waitingForRefresh, .stopped: self
        }
    }

    /// A short label, as for a bar.
    package var label: String {
        switch self {
        case .notOpened: "not opened yet"
        case .closed: "closed"
        case .left(let front): front.map { "left for \($0)" } ?? "left"
        case .background: "background"
        case .covered(let front): front.map { "covered by \($0)" } ?? "covered"
        case .refreshing: "refreshing"
        case .waitingForRefresh: "waiting for the refresh"
        case .sheet(let front, _): front.map { "under the sheet \($0)" } ?? "under a sheet"
        case .stopped: "stopped"
        }
    }

    /// The state while the obstacle lasts: `the app is in the background`.
    package var state: String {
        switch self {
        case .notOpened: "the screen has not been opened yet"
        case .closed: "the screen is closed"
        case .left(let front): front.map { "the screen was left for “\($0)”" } ?? "the screen was left"
        case .background: "the app is in the background"
        case .covered(let front): front.map { "“\($0)” covers the screen" } ?? "the screen is covered"
        case .refreshing: "the screen is being refreshed"
        case .waitingForRefresh: "a refresh was due on the return, and has not ended yet"
        case .sheet(let front, let isInVisit):
            "\(front.map { "the sheet “\($0)”" } ?? "a sheet") lies over the screen; "
                + (isInVisit ? "the visit goes on" : "under a sheet no visit begins")
        case .stopped: "the tracker is stopped"
        }
    }

    /// The event with which the obstacle begins: `the app went to the background`.
    package var beginning: String {
        switch self {
        case .notOpened, .closed: "the screen was closed"
        case .left: state
        case .background: "the app went to the background"
        case .covered(let front): front.map { "the screen was covered by “\($0)”" } ?? "the screen was covered"
        case .refreshing: "a refresh began"
        case .waitingForRefresh: "a refresh was due"
        case .sheet(let front, _): "\(front.map { "the sheet “\($0)”" } ?? "a sheet") came over the screen"
        case .stopped: "the tracker was stopped"
        }
    }
}
