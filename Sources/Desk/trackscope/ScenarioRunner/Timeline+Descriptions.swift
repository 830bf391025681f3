package import ContentVisibility
import Foundation

/// The text of a timeline, unescaped. Names are as in the scenario, so a page must escape them.
extension Timeline.Break {
    /// Returns the cause of an interrupted dwell: `the app went to the background`.
    func words(_ rule: ImpressionRule) -> String {
        switch self {
        case .standing(.absent): "it was removed"
        case .standing(.outOfView): "it went out of view"
        case .standing(.obstacle(let obstacle)): obstacle.beginning
        case .standing(.underFraction): "less than \(ImpressionText.percent(rule.visibleFraction)) was in view"
        case .standing(.dwelling), .standing(.seen), .standing(.exposed), .moved: "it was moved or inserted again"
        case .restart: "the tracker was restarted"
        case .newVisit: "the visit ended and the next began"
        }
    }
}

extension Timeline {
    static func span(_ start: Double, _ end: Double) -> String {
        "\(Posted.seconds(start)) – \(Posted.seconds(end)) s (\(Posted.seconds(end - start)) s)"
    }

    func events(of lane: Lane) -> [Event] {
        (lane.content.map { contentEvents[$0] } ?? screenEvents[lane.screen]) ?? []
    }

    /// Returns the logs that are expected in a lane and were not posted.
    package func unposted(_ lane: Lane) -> [Posted.Log] {
        let events = events(of: lane)
        let logs =
            !events.isEmpty
            ? Posted.Log.allCases.filter { log in events.contains { $0.log == log } }
            : lane.content == nil ? [] : [.shown, .seen]
        return logs.filter { log in !lane.posted.contains { $0.log == log } }
    }

    // MARK: Stretches

    func label(_ stretch: Interval, in lane: Lane) -> String {
        switch stretch.standing {
        case .absent: return stretch.start > 0 ? "removed" : "not there yet"
        case .outOfView: return "not in view"
        case .obstacle(let obstacle):
            guard lane.content == nil, case .sheet = obstacle, let visit = stretch.visit else { return obstacle.label }
            return "visit \(visit), \(obstacle.label)"
        case .underFraction: return ImpressionText.underFraction(lane.rule(at: stretch.start))
        case .dwelling(let number):
            let dwell = lane.dwells[number]
            return dwell.outcome == .seen
                ? "dwell \(ImpressionText.seconds(dwell.rule.dwell))"
                : ImpressionText.dwelling(dwell.end - dwell.start, dwell.rule)
        case .seen(let once): return ImpressionText.seen(once)
        case .exposed: return stretch.visit.map { "visit \($0)" } ?? ""
        }
    }

    /// Describes an interval: its state, its times, why the content was seen or not, and the visible fractions.
    package func description(of stretch: Interval, in lane: Lane) -> [String] {
        let name = lane.content.map { "\($0) (\(lane.screen))" } ?? lane.screen
        var lines = ["\(name): \(label(stretch, in: lane))"]
        lines.append(Self.span(stretch.start, stretch.end) + (stretch.visit.map { ", visit \($0)" } ?? ""))
        guard lane.content != nil else {
            if case .obstacle(let obstacle) = stretch.standing { lines.append("Nothing is seen: \(obstacle.state).") }
            return lines + steps(at: stretch)
        }
        lines.append(verdict(of: stretch, in: lane))
        switch stretch.standing {
        case .absent, .outOfView, .obstacle(.notOpened), .obstacle(.closed), .obstacle(.left), .exposed: break
        case .obstacle, .underFraction, .dwelling, .seen:
            let (rule, shares) = (lane.rule(at: stretch.start), lane.shares(from: stretch.start, to: stretch.end))
            // Samples may deviate slightly from the fraction at the instants that the core reports.
            let (least, most) = (
                ImpressionText.percent(
                    stretch.isOver ? max(shares.lowerBound, rule.visibleFraction) : shares.lowerBound),
                ImpressionText.percent(shares.upperBound)
            )
            lines.append(
                "In view: \(least == most ? least : "\(least) to \(most)"). Rule: \(ImpressionText.words(rule)).")
            if stretch.visit != nil,
                let shown = lane.posted.last(where: {
                    $0.log == .shown && $0.time <= max(stretch.end, stretch.start) + instant
                })
            {
                lines.append(
                    shown.time >= stretch.start
                        ? "Shown at \(ImpressionText.seconds(shown.time))."
                        : "Shown already, at \(ImpressionText.seconds(shown.time)): once per visit.")
            }
        }
        return lines + steps(at: stretch)
    }

    private func verdict(of stretch: Interval, in lane: Lane) -> String {
        switch stretch.standing {
        case .absent:
            return "Not seen: it "
                + (stretch.start > 0 ? "has been removed from the screen." : "has not been inserted yet.")
        case .outOfView: return "Not seen: no part of it is in view."
        case .obstacle(let obstacle): return ImpressionText.notSeen(obstacle)
        case .underFraction:
            let rule = lane.rule(at: stretch.start)
            // A rising share reaches the fraction at the end of this interval, which already belongs to the dwell.
            let most = min(
                lane.shares(from: stretch.start, to: stretch.end).upperBound, max(0, rule.visibleFraction - 0.001))
            return ImpressionText.notSeen(share: "at most \(ImpressionText.percent(most))", rule)
        case .dwelling(let number): return verdict(of: lane.dwells[number])
        case .seen(let once):
            let seen = lane.posted.last { $0.log == .seen && $0.time <= stretch.start + instant }
            return ImpressionText.seenAlready(at: seen?.time, once)
        case .exposed: return ""
        }
    }

    private func verdict(of dwell: Dwell) -> String {
        let part = "\(ImpressionText.part(dwell.end - dwell.start, of: dwell.rule)) were over when"
        return switch dwell.outcome {
        case .seen:
            "Seen at \(ImpressionText.seconds(dwell.end)): \(ImpressionText.percent(dwell.rule.visibleFraction)) was in "
                + "view for \(ImpressionText.seconds(dwell.rule.dwell)) without a break."
        case .broken(let cause): "Not seen: \(part) \(cause.words(dwell.rule)) at \(ImpressionText.seconds(dwell.end))."
        case .running: "Not seen: \(part) the scenario ended at \(ImpressionText.seconds(dwell.end))."
        }
    }

    private func steps(at stretch: Interval) -> [String] {
        var lines: [String] = []
        for time in stretch.start < stretch.end ? [stretch.start, stretch.end] : [stretch.start] {
            let first = steps.count(before: { $0.start < time - instant })
            let near = steps[first...].prefix { $0.start <= time + instant }
            guard !near.isEmpty else { continue }
            let words = near.prefix(4).map(\.words).joined(separator: "; ") + (near.count > 4 ? "; …" : "")
            lines.append("Step at \(ImpressionText.seconds(time)): \(words).")
        }
        return lines
    }

    // MARK: Lanes

    /// Returns one sentence: the logs that were posted in a lane, or why they were not.
    package func answer(for lane: Lane) -> String {
        guard lane.content != nil else { return lane.posted.isEmpty ? "" : "Posted: \(Self.listing(lane.posted))." }
        let missing = unposted(lane)
        guard let log = missing.last else { return lane.posted.isEmpty ? "" : "Posted: \(Self.listing(lane.posted))." }
        let before = lane.posted.isEmpty ? "" : "Posted: \(Self.listing(lane.posted)). "
        let wasInView = lane.stretches.contains {
            if case .absent = $0.standing { false } else { $0.standing != .outOfView }
        }
        if !wasInView { return before + "Not \(log): it never came into view." }
        if log == .shown {
            return before + "Not shown: it was in view, but never during a visit; \(longestObstacle(in: lane))."
        }
        if let longest = lane.dwells.filter({ $0.outcome != .seen }).max(by: { $0.end - $0.start < $1.end - $1.start })
        {
            return before + verdict(of: longest)
        }
        let under = lane.stretches.filter { $0.standing == .underFraction }
        if let best = under.max(by: {
            lane.shares(from: $0.start, to: $0.end).upperBound < lane.shares(from: $1.start, to: $1.end).upperBound
        }) {
            return before + verdict(of: best, in: lane)
        }
        return before + "Not seen: \(longestObstacle(in: lane))."
    }

    private func longestObstacle(in lane: Lane) -> String {
        let longest = lane.stretches.max {
            func length(_ stretch: Interval) -> Double {
                if case .obstacle = stretch.standing { stretch.end - stretch.start } else { -1 }
            }
            return length($0) < length($1)
        }
        guard case .obstacle(let obstacle)? = longest?.standing else { return "no visit ran" }
        return obstacle.state
    }

    private static func listing(_ posted: [Posted]) -> String {
        let first = posted.prefix(6).map { "\($0.log) at \(ImpressionText.seconds($0.time))" }.joined(separator: ", ")
        return posted.count > 6 ? "\(first) and \(posted.count - 6) more" : first
    }
}

extension Timeline.Interval {
    /// Indicates whether enough is in view by the state; the sampled curve may be slightly lower at the ends.
    fileprivate var isOver: Bool {
        switch standing {
        case .dwelling, .seen: true
        case .absent, .outOfView, .obstacle, .underFraction, .exposed: false
        }
    }
}

extension Timeline.Lane {
    package func rule(at time: Double) -> ImpressionRule {
        let index = rules.count(before: { $0.time <= time })
        return index > 0 ? rules[index - 1].rule : rules.first?.rule ?? ImpressionRule()
    }

    /// Returns the smallest and the largest visible share. At a jump at the interval's end, the value before it counts.
    package func shares(from start: Double, to end: Double) -> ClosedRange<Double> {
        func share(at time: Double, isEnd: Bool) -> Double {
            let index = shares.count(before: { isEnd ? $0.time < time : $0.time <= time })
            guard index > 0 else { return shares.first?.share ?? 0 }
            guard index < shares.count, shares[index].time > shares[index - 1].time else {
                return shares[index - 1].share
            }
            let (before, after) = (shares[index - 1], shares[index])
            return before.share + (after.share - before.share) * (time - before.time) / (after.time - before.time)
        }
        let (first, last) = (share(at: start, isEnd: false), share(at: end, isEnd: true))
        var (least, most) = (min(first, last), max(first, last))
        var index = shares.count(before: { $0.time <= start })
        while index < shares.count, shares[index].time < end {
            (least, most) = (min(least, shares[index].share), max(most, shares[index].share))
            index += 1
        }
        return least...most
    }
}

extension Timeline.Step {
    init(_ step: Scenario.Step) {
        start = step.time
        end = step.time
        switch step.action {
        case .scroll(_, _, _, let over), .refresh(let over, _): end += over
        case .foreground(let refresh?), .selectTab(_, _, let refresh?): end += refresh
        default: break
        }
        words = Self.words(step.action)
    }

    private static func words(_ action: Scenario.Action) -> String {
        func refresh(_ duration: Double?) -> String {
            duration.map { ", a refresh of \(ImpressionText.seconds($0)) is due" } ?? ""
        }
        func number(_ value: Double) -> String { Posted.seconds(value) }
        switch action {
        case .open(let screen): return "open \(screen.id)"
        case .push(let screen): return "push \(screen.id)"
        case .pop: return "pop"
        case .present(let screen, let isSheet):
            return "present \(screen.id) \(isSheet ? "as a sheet" : "over the full screen")"
        case .dismiss: return "dismiss"
        case .selectTab(let tab, let isSwiped, let due):
            return "\(isSwiped ? "swipe to" : "select") the tab \(tab.id)\(refresh(due))"
        case .scroll(let place, let point, let isRelative, let over):
            return
                "scroll \(place.id) \(isRelative ? "by" : "to") \(number(point.x)), \(number(point.y))"
                + (over > 0 ? " over \(ImpressionText.seconds(over))" : "")
        case .resize(let size, let frames):
            return
                "resize to \(number(size.width)) × \(number(size.height))"
                + (frames.isEmpty ? "" : ", with other frames")
        case .background: return "background"
        case .foreground(let due): return "foreground\(refresh(due))"
        case .refresh(let over, let replaces):
            return "refresh for \(ImpressionText.seconds(over))\(replaces ? "" : ", keeping the views")"
        case .insert(let content, _, _, let place): return "insert \(content.id) in \(place.id)"
        case .remove(let content): return "remove \(content.id)"
        case .move(let content, _): return "move \(content.id)"
        case .deepLink(let screen): return "deep link to \(screen.id)"
        case .closeAll: return "close all covers"
        case .start(let screen): return "start the tracker of \(screen.id)"
        case .stop(let screen): return "stop the tracker of \(screen.id)"
        case .restart(let screen): return "restart the tracker of \(screen.id)"
        case .end: return "end"
        }
    }
}
