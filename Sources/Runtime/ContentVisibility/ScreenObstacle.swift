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
    package var label: String { words.label }
    /// The state while the obstacle lasts: `the app is in the background`.
    package var state: String { words.state }
    /// The event with which the obstacle begins: `the app went to the background`.
    package var beginning: String { words.beginning }

    private var words: (label: String, state: String, beginning: String) {
        switch self {
        case .notOpened: return ("not opened yet", "the screen has not been opened yet", "the screen was closed")
        case .closed: return ("closed", "the screen is closed", "the screen was closed")
        case .left(let front?):
            return ("left for \(front)", "the screen was left for “\(front)”", "the screen was left for “\(front)”")
        case .left(nil): return ("left", "the screen was left", "the screen was left")
        case .background: return ("background", "the app is in the background", "the app went to the background")
        case .covered(let front?):
            return ("covered by \(front)", "“\(front)” covers the screen", "the screen was covered by “\(front)”")
        case .covered(nil): return ("covered", "the screen is covered", "the screen was covered")
        case .refreshing: return ("refreshing", "the screen is being refreshed", "a refresh began")
        case .waitingForRefresh:
            let state = "a refresh was due on the return, and has not ended yet"
            return ("waiting for the refresh", state, "a refresh was due")
        case .sheet(let front, let isInVisit):
            let sheet = front.map { "the sheet “\($0)”" } ?? "a sheet"
            let visit = isInVisit ? "the visit goes on" : "under a sheet no visit begins"
            let label = front.map { "under the sheet \($0)" } ?? "under a sheet"
            return (label, "\(sheet) lies over the screen; \(visit)", "\(sheet) came over the screen")
        case .stopped: return ("stopped", "the tracker is stopped", "the tracker was stopped")
        }
    }
}
