import ContentVisibility

extension Timeline {
    /// Records changes during a replay, at the times that trackers report.
    struct Recorder: Sendable {
        fileprivate enum Event: Sendable {
            case present(Bool, ImpressionRule)
            case inView(Bool)
            case over(Bool)
            /// The index of a dwell that begins; nil at the end of a dwell.
            case dwell(Int?)
        }

        fileprivate struct ContentRecord {
            var parent: Int?
            var events: [(time: Double, event: Event)] = []
            var shares: [Sample] = []
            var dwells: [Dwell] = []
            var rule = ImpressionRule()
            var isDwelling = false
        }

        private struct Place: Hashable {
            var content: Int
            var screen: Int
        }

        private var screens: [Int: [ScreenMoment]] = [:]
        private var contents: [Place: ContentRecord] = [:]
        private var background: [ClosedRange<Double>] = []
        private var backgroundSince: Double?

        mutating func observe(isInForeground: Bool, at time: Double) {
            if !isInForeground {
                backgroundSince = backgroundSince ?? time
            } else if let start = backgroundSince {
                background.append(start...time)
                backgroundSince = nil
            }
        }

        mutating func observe(_ moment: ScreenMoment, of screen: Int) {
            let last = screens[screen]?.last
            if let last, last.obstacle == moment.obstacle, last.visit == moment.visit, last.restarts == moment.restarts
            {
                return
            }
            // Of several states at the same time, the last one is kept.
            if last?.time == moment.time { screens[screen]?.removeLast() }
            screens[screen, default: []].append(moment)
        }

        mutating func place(
            _ content: Int, on screen: Int, in parent: Int?, isPresent: Bool, rule: ImpressionRule, at time: Double
        ) {
            let place = Place(content: content, screen: screen)
            if isPresent {
                contents[place, default: ContentRecord()].parent = parent
                contents[place]?.rule = rule
            }
            contents[place]?.events.append((time, .present(isPresent, rule)))
        }

        /// - Parameter sample: the time of the last sample while something scrolls.
        mutating func observe(_ change: ContentTracker<Int>.Change, on screen: Int, since sample: Double?) {
            contents[Place(content: change.id, screen: screen)]?.enter(change.kind, at: change.time, since: sample)
        }

        func timeline(of scenario: Scenario, until now: Double, _ posted: [Posted], _ entries: [Replay.Entry])
            -> Timeline
        {
            struct Key: Hashable {
                var content: String?
                var screen: String
            }
            let logs = Dictionary(grouping: posted) { Key(content: $0.content, screen: $0.screen) }
            // A dwell may end slightly after `now`: times less than `instant` apart count as equal.
            let end = posted.reduce(now) { max($0, $1.time) }
            var timeline = Timeline(name: scenario.name, end: end, steps: scenario.steps.map(Step.init))
            timeline.background = background + (backgroundSince.map { [$0...max($0, end)] } ?? [])
            let places = Dictionary(grouping: contents.keys, by: \.screen)
            for (number, screen) in scenario.screens.enumerated() {
                // A background period without an end also covers such a dwell.
                let moments = Self.moments(
                    screens[number] ?? [], in: background + (backgroundSince.map { [$0 ... .infinity] } ?? []))
                var lane = Lane(screen: screen.id, depth: 0, posted: logs[Key(content: nil, screen: screen.id)] ?? [])
                for (index, moment) in moments.enumerated() {
                    let until = index + 1 < moments.count ? moments[index + 1].time : end
                    lane.append(
                        Interval(
                            start: moment.time, end: until, standing: moment.obstacle.map { .obstacle($0) } ?? .exposed,
                            visit: moment.visit))
                }
                timeline.lanes.append(lane)
                // The container may have had no lane when the content was inserted, or may be on another screen now.
                let here = places[number] ?? []
                let known = Set(here.map(\.content))
                let children = Dictionary(grouping: here) { place in
                    contents[place]?.parent.flatMap { known.contains($0) ? $0 : nil }
                }
                .mapValues { $0.map(\.content).sorted { entries[$0].order > entries[$1].order } }
                var pending = (children[nil] ?? []).map { (content: $0, depth: 1) }
                while let (content, depth) = pending.popLast() {
                    guard let id = entries[content].content.id,
                        let record = contents[Place(content: content, screen: number)]
                    else { continue }
                    timeline.lanes.append(
                        record.lane(
                            Lane(
                                screen: screen.id, content: id, depth: depth,
                                posted: logs[Key(content: id, screen: screen.id)] ?? []), moments,
                            until: end))
                    pending += (children[content] ?? []).map { ($0, depth + 1) }
                }
            }
            return timeline
        }

        /// Adds background periods to a screen's moments, except while the screen is not in front.
        private static func moments(_ moments: [ScreenMoment], in background: [ClosedRange<Double>]) -> [ScreenMoment] {
            var result: [ScreenMoment] = []
            func append(_ moment: ScreenMoment, _ isInBackground: Bool) {
                var moment = moment
                if isInBackground {
                    switch moment.obstacle {
                    case nil, .refreshing, .waitingForRefresh, .sheet, .stopped, .background:
                        moment.obstacle = .background
                    case .notOpened, .closed, .left, .covered: break
                    }
                }
                if result.last?.time == moment.time { result.removeLast() }
                result.append(moment)
            }
            // Both lists are in order of time, and so is the result.
            var toggles = background.flatMap { [($0.lowerBound, true), ($0.upperBound, false)] }[...]
            var isInBackground = false
            for (index, moment) in moments.enumerated() {
                while let (time, begins) = toggles.first, time <= moment.time {
                    isInBackground = begins
                    toggles.removeFirst()
                }
                append(moment, isInBackground)
                let next = index + 1 < moments.count ? moments[index + 1].time : .infinity
                while let (time, begins) = toggles.first, time < next {
                    isInBackground = begins
                    var later = moment
                    later.time = time
                    append(later, isInBackground)
                    toggles.removeFirst()
                }
            }
            return result
        }
    }
}

extension Timeline.Recorder.ContentRecord {
    fileprivate mutating func enter(_ change: ContentChange, at time: Double, since sample: Double?) {
        switch change {
        case .share(let share):
            enter(share ?? 0, at: time, since: sample)
            events.append((time, .inView(share != nil)))
        case .overFraction(let holds):
            events.append((time, .over(holds)))
            // The curve crosses the rule's line at the instant that the core reports, even between two samples.
            if shares.count > 1, shares[shares.count - 2].time < time, time < shares[shares.count - 1].time {
                shares.insert(Timeline.Sample(time: time, share: rule.visibleFraction), at: shares.count - 1)
            }
        case .dwellBegan:
            dwells.append(Timeline.Dwell(start: time, end: time, rule: rule, outcome: .running))
            isDwelling = true
        case .dwellBroke: endDwell(at: time, .broken(.moved))
        case .seen: endDwell(at: time, .seen)
        }
    }

    private mutating func endDwell(at time: Double, _ outcome: Timeline.Dwell.Outcome) {
        guard isDwelling else { return }
        isDwelling = false
        dwells[dwells.count - 1].end = time
        dwells[dwells.count - 1].outcome = outcome
    }

    private mutating func enter(_ share: Double, at time: Double, since sample: Double?) {
        let last = shares.last?.share ?? 0
        guard share != last else { return }
        // In a motion, the share changes linearly from the last sample. Without a motion, it did not change until now.
        let until = min(sample ?? time, time)
        if shares.last.map({ $0.time < until }) ?? true { shares.append(Timeline.Sample(time: until, share: last)) }
        // Of several states at the same time, the last one is kept.
        if shares.count > 1, shares[shares.count - 1].time == time, shares[shares.count - 2].time == time {
            shares.removeLast()
        }
        shares.append(Timeline.Sample(time: time, share: share))
    }

    fileprivate func lane(_ empty: Timeline.Lane, _ moments: [Timeline.ScreenMoment], until end: Double)
        -> Timeline.Lane
    {
        var lane = empty
        lane.shares = shares
        lane.dwells = dwells
        if isDwelling { lane.dwells[dwells.count - 1].end = end }
        var all = events
        // A dwell and its successor in the same instant may overlap by less than a millisecond. The successor is drawn
        // from the end of the first dwell.
        var free = 0.0
        for (number, dwell) in lane.dwells.enumerated() {
            all.append((max(dwell.start, free), .dwell(number)))
            free = max(dwell.start, dwell.end, free)
            all.append((free, .dwell(nil)))
        }
        let sorted = all.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
            \.element)
        var facts = Timeline.ContentConditions()
        var time = 0.0
        for (next, event) in sorted {
            lane.append(facts, from: time, to: next, moments)
            time = max(time, next)
            switch event {
            case .present(let holds, let rule):
                facts.isPresent = holds
                facts.once = rule.once
                if holds, lane.rules.last?.rule != rule { lane.rules.append((next, rule)) }
            case .inView(let holds): facts.isInView = holds
            case .over(let holds): facts.isOver = holds
            case .dwell(let number):
                // A completed dwell of length 0 needs an interval, so that it is drawn, too.
                if let last = facts.dwell, number == nil, lane.dwells[last].start == lane.dwells[last].end,
                    lane.dwells[last].outcome == .seen
                {
                    lane.stretches.append(
                        Timeline.Interval(
                            start: next, end: next, standing: .dwelling(last),
                            visit: Timeline.moment(in: moments, at: next)?.visit))
                }
                facts.dwell = number
            }
        }
        lane.append(facts, from: time, to: end, moments)
        lane.explainBreaks(moments)
        return lane
    }
}

extension Timeline {
    fileprivate static func moment(in moments: [ScreenMoment], at time: Double) -> ScreenMoment? {
        let count = moments.count(before: { $0.time <= time })
        return count > 0 ? moments[count - 1] : nil
    }
}

extension Timeline.Lane {
    /// Appends an interval, or extends the last interval if both have the same state and visit.
    fileprivate mutating func append(_ stretch: Timeline.Interval) {
        guard stretch.end > stretch.start else { return }
        if let last = stretches.last, last.standing == stretch.standing, last.visit == stretch.visit {
            stretches[stretches.count - 1].end = stretch.end
        } else {
            stretches.append(stretch)
        }
    }

    fileprivate mutating func append(
        _ facts: Timeline.ContentConditions, from start: Double, to end: Double, _ moments: [Timeline.ScreenMoment]
    ) {
        guard end > start else { return }
        guard facts.concernsScreen else {
            // A dwell belongs to the visit in which it began, even if both end within the same instant.
            let visit = facts.dwell.flatMap { Timeline.moment(in: moments, at: dwells[$0].start)?.visit }
            return append(Timeline.Interval(start: start, end: end, standing: facts.standing(nil), visit: visit))
        }
        var index = max(0, moments.count(before: { $0.time <= start }) - 1)
        var time = start
        while time < end, index < moments.count {
            let until = index + 1 < moments.count ? min(moments[index + 1].time, end) : end
            let moment = moments[index]
            append(
                Timeline.Interval(
                    start: time, end: until, standing: facts.standing(moment.obstacle), visit: moment.visit))
            time = max(time, until)
            index += 1
        }
    }

    fileprivate mutating func explainBreaks(_ moments: [Timeline.ScreenMoment]) {
        for (index, stretch) in stretches.enumerated() {
            guard case .dwelling(let number) = stretch.standing, case .broken = dwells[number].outcome else { continue }
            let (before, after) = (
                Timeline.moment(in: moments, at: dwells[number].start), Timeline.moment(in: moments, at: stretch.end)
            )
            let cause: Timeline.Break
            switch index + 1 < stretches.count ? stretches[index + 1].standing : nil {
            case .absent, .outOfView, .obstacle, .underFraction, .exposed:
                cause = .standing(stretches[index + 1].standing)
            case .dwelling, .seen, nil:
                if after?.restarts != before?.restarts {
                    cause = .restart
                } else if after?.visit != before?.visit {
                    cause = after?.obstacle.map { .standing(.obstacle($0)) } ?? .newVisit
                } else {
                    cause = .moved
                }
            }
            dwells[number].outcome = .broken(cause)
        }
    }
}
