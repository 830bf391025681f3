import ContentVisibility

/// Draws one timeline as rows of HTML with a drawing in each.
///
/// All positions are shares of the drawing's width, so a browser can lay out a row at any width. Labels that do not fit
/// into their bars are clipped.
struct TimelineDrawing {
    private struct DifferenceMark {
        var time: Double
        var log: Posted.Log
        var isMissing: Bool
        var words: String
    }

    private struct Place: Hashable {
        var content: String?
        var screen: String
    }

    private let timeline: Timeline
    /// The accuracy of the curves, as a share of a content.
    private let tolerance: Double
    private var marks: [Place: [DifferenceMark]] = [:]

    init(_ timeline: Timeline, _ differences: [Scenario.Difference], tolerance: Double) {
        self.timeline = timeline
        self.tolerance = tolerance
        // If an expectation names a content but no screen, a missing log is marked on the content's first screen.
        var screens: [String: String] = [:]
        for lane in timeline.lanes.reversed() { if let content = lane.content { screens[content] = lane.screen } }
        for difference in differences {
            switch difference {
            case .missing(let expected):
                guard let screen = expected.screen ?? expected.content.flatMap({ screens[$0] }) else { continue }
                let words = "Expected at \(ImpressionText.seconds(expected.time)), and not posted then: \(expected.log)"
                marks[Place(content: expected.content, screen: screen), default: []].append(
                    DifferenceMark(time: expected.time, log: expected.log, isMissing: true, words: words))
            case .unexpected(let post):
                let words = "Posted at \(ImpressionText.seconds(post.time)), and not expected: \(post.log)"
                marks[Place(content: post.content, screen: post.screen), default: []].append(
                    DifferenceMark(time: post.time, log: post.log, isMissing: false, words: words))
            case .late(let post, let expected):
                let words =
                    "Posted at \(ImpressionText.seconds(post.time)), "
                    + "and expected at \(ImpressionText.seconds(expected)): \(post.log)"
                marks[Place(content: post.content, screen: post.screen), default: []] += [
                    DifferenceMark(time: post.time, log: post.log, isMissing: false, words: words),
                    DifferenceMark(time: expected, log: post.log, isMissing: true, words: words),
                ]
            }
        }
    }

    var html: String {
        var rows = [axis, steps]
        for lane in timeline.lanes { rows.append(row(lane)) }
        return """
            <div class="plot" tabindex="0" role="region" aria-label="timeline of \(Timeline.escaped(timeline.name))">
            <div class="canvas" role="list">
            <svg class="grid" aria-hidden="true">\(grid)</svg>
            \(rows.joined(separator: "\n"))
            </div>
            </div>
            """
    }

    // MARK: Places

    private var whole: Double { timeline.end > 0 ? timeline.end : 1 }

    /// Returns a time's share of the width, with a precision of a millionth.
    private func x(_ time: Double) -> String { Self.number(min(max(0, time / whole), 1) * 100, 10_000) + "%" }

    private static func number(_ value: Double, _ parts: Double) -> String {
        let (whole, rest) = Int64((value * parts).rounded()).quotientAndRemainder(dividingBy: Int64(parts))
        guard rest != 0 else { return "\(whole)" }
        var digits = String(Int64(parts) + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    // MARK: Axis and steps

    /// The times of the ticks: about ten at most, 1, 2 or 5 times a power of ten apart.
    private var ticks: [Double] {
        guard timeline.end > 0 else { return [0] }
        var step = 0.001
        while timeline.end / step > 10 {
            for factor in [2.0, 2.5, 2.0] where timeline.end / step > 10 { step *= factor }
        }
        return Array(stride(from: 0, through: timeline.end, by: step))
    }

    private var grid: String {
        timeline.background.map {
            "<rect class=\"background\" x=\"\(x($0.lowerBound))\" width=\"\(width($0.lowerBound, $0.upperBound))\" "
                + "height=\"100%\"/>"
        }
        .joined()
            + "<g class=\"lines\">" + ticks.map { "<line x1=\"\(x($0))\" x2=\"\(x($0))\" y2=\"100%\"/>" }.joined()
            + "</g>"
    }

    private func width(_ start: Double, _ end: Double) -> String {
        Self.number(max(0, end - start) / whole * 100, 10_000) + "%"
    }

    private var axis: String {
        let texts = ticks.map { "<text x=\"\(x($0))\" y=\"16\">\(ImpressionText.seconds($0))</text>" }.joined()
        return
            "<div class=\"row axis\" role=\"presentation\"><div class=\"label\"></div><svg class=\"track\" "
            + "aria-hidden=\"true\">\(texts)</svg></div>"
    }

    private var steps: String {
        // Steps at the same instant are drawn as one step with several names.
        var groups: [ArraySlice<Timeline.Step>] = []
        for (index, step) in timeline.steps.enumerated() {
            if let last = groups.last, let first = last.first, step.start <= first.start + instant {
                groups[groups.count - 1] = timeline.steps[last.startIndex...index]
            } else {
                groups.append(timeline.steps[index...index])
            }
        }
        var bars = ""
        for (index, group) in groups.enumerated() {
            guard let start = group.first?.start else { continue }
            for step in group where step.end > step.start {
                bars +=
                    "<rect class=\"during\" x=\"\(x(step.start))\" "
                    + "width=\"\(width(step.start, min(step.end, whole)))\" y=\"24\" height=\"4\"/>"
            }
            let next = index + 1 < groups.count ? groups[index + 1].first?.start ?? whole : whole
            let lines = group.map { step in
                step.end > step.start
                    ? "\(step.words): \(Timeline.span(step.start, step.end))"
                    : "\(step.words): \(ImpressionText.seconds(step.start))"
            }
            bars +=
                "<svg class=\"b step\" role=\"img\" x=\"\(x(start))\" width=\"\(width(start, next))\">"
                + "<title>\(lines.map(Timeline.escaped).joined(separator: "\n"))</title><path d=\"M0 0V32\"/>"
                + "<text x=\"5\" y=\"19\">\(Timeline.escaped(group.map(\.words).joined(separator: "; ")))</text></svg>"
        }
        return
            "<div class=\"row steps\" role=\"listitem\"><div class=\"label\">"
            + "<span class=\"name\">steps</span></div><svg class=\"track\" role=\"group\" "
            + "aria-label=\"steps\">\(bars)</svg></div>"
    }

    // MARK: Lanes

    private func row(_ lane: Timeline.Lane) -> String {
        let isScreen = lane.content == nil
        let own = marks[Place(content: lane.content, screen: lane.screen)] ?? []
        let isUnposted = !timeline.unposted(lane).isEmpty || own.contains(where: \.isMissing)
        let events = timeline.events(of: lane).map { "\($0.name) · \($0.trigger)" }
        let answer = timeline.answer(for: lane)
        let place = lane.content.map { "\($0) (\(lane.screen))" } ?? lane.screen
        let title = ([place] + events + [answer]).filter { !$0.isEmpty }.map(Timeline.escaped).joined(separator: "\n")
        var visit: Int?
        var drawing = "<svg class=\"bars\" y=\"3\" height=\"\(isScreen ? 26 : 30)\">"
        for stretch in lane.stretches {
            let begins = stretch.visit != nil && stretch.visit != visit
            visit = stretch.visit ?? visit
            drawing += bar(stretch, in: lane, beginsVisit: begins)
        }
        drawing += "</svg>"
        if !isScreen { drawing += curveAndRule(of: lane) }
        if !lane.posted.isEmpty || !own.isEmpty {
            drawing += "<svg class=\"marks\" y=\"\(isScreen ? 16 : 18)\">"
            for post in lane.posted { drawing += mark(post, own, lane) }
            for mark in own { drawing += self.mark(mark, in: lane) }
            drawing += "</svg>"
        }
        let label = Timeline.escaped(lane.name)
        return
            "<div class=\"row \(isScreen ? "screen" : "content d\(min(lane.depth, 8))")\(isUnposted ? " not-posted" : "")\" "
            + "role=\"listitem\">"
            + "<div class=\"label\" title=\"\(title)\"><span class=\"name\">\(label)</span>"
            + events.map { "<span class=\"event\">\(Timeline.escaped($0))</span>" }.joined() + "</div>"
            + "<svg class=\"track\" role=\"group\" aria-label=\"\(Timeline.escaped(place))\">\(drawing)</svg>"
            + (isUnposted && !answer.isEmpty ? "<p class=\"answer\">\(Timeline.escaped(answer))</p>" : "") + "</div>"
    }

    private func bar(_ stretch: Timeline.Interval, in lane: Timeline.Lane, beginsVisit: Bool) -> String {
        let label = timeline.label(stretch, in: lane)
        // If a log was posted at the beginning, the label leaves space for the log's symbol.
        let next = lane.posted.count(before: { $0.time < stretch.start - instant })
        let isMarked = next < lane.posted.count && lane.posted[next].time < stretch.start + instant
        let title = timeline.description(of: stretch, in: lane).map(Timeline.escaped).joined(separator: "\n")
        return
            "<svg class=\"b \(Self.cssClass(of: stretch, in: lane))\" role=\"img\" x=\"\(x(stretch.start))\" "
            + "width=\"\(width(stretch.start, stretch.end))\">"
            + "<title>\(title)</title><rect width=\"100%\" height=\"100%\"/>"
            + (beginsVisit ? "<path class=\"visit\" d=\"M0 0V50\"/>" : "")
            + (stretch.standing == .outOfView || stretch.standing == .absent
                ? ""
                : "<text x=\"\(isMarked ? 11 : 6)\" "
                    + "y=\"\(lane.content == nil ? 17 : 19)\">\(Timeline.escaped(label))</text>")
            + "</svg>"
    }

    private static func cssClass(of stretch: Timeline.Interval, in lane: Timeline.Lane) -> String {
        switch stretch.standing {
        case .absent, .outOfView: return "none"
        case .underFraction: return "under"
        case .dwelling(let number): return lane.dwells[number].outcome == .seen ? "dwelling" : "dwelling broken"
        case .seen: return "seen"
        case .exposed: return "exposed"
        case .obstacle(let obstacle):
            switch obstacle {
            case .notOpened, .closed, .left: return "gone"
            case .background: return "background"
            case .covered, .sheet: return "covered"
            case .refreshing, .waitingForRefresh, .stopped: return "waiting"
            }
        }
    }

    private func mark(_ post: Posted, _ marks: [DifferenceMark], _ lane: Timeline.Lane) -> String {
        let isDifferent = marks.contains { !$0.isMissing && $0.log == post.log && $0.time == post.time }
        let events = timeline.events(of: lane).filter { $0.log == post.log }.map { "\($0.name) · \($0.trigger)" }
        let lines =
            ["\(lane.name): \(post.log)", "Posted at \(ImpressionText.seconds(post.time))."]
            + [post.engagement?.summary].compactMap { $0 } + events
        let shape =
            switch post.log {
            case .screen: "<rect class=\"screen\" x=\"-4\" y=\"-4\" width=\"8\" height=\"8\"/>"
            case .shown: "<path class=\"shown\" d=\"M0 -6l5 11h-10z\"/>"
            case .seen: "<circle class=\"seen\" r=\"5\"/>"
            case .left:
                "<path class=\"shown\" d=\"M0 6l5 -11h-10z\"/><text class=\"sum\" x=\"-8\" y=\"4\" text-anchor=\"end\">"
                    + "\(ImpressionText.seconds(post.engagement?.seconds ?? 0))</text>"
            }
        // If the log differs from the expectations, the ring around its symbol has the title.
        let title = isDifferent ? "" : "<title>\(lines.map(Timeline.escaped).joined(separator: "\n"))</title>"
        return "<svg class=\"\(isDifferent ? "m" : "b m")\" role=\"img\" x=\"\(x(post.time))\">\(title)\(shape)</svg>"
    }

    private func mark(_ mark: DifferenceMark, in lane: Timeline.Lane) -> String {
        var lines = ["\(lane.name): \(mark.words)."]
        if mark.isMissing, let stretch = lane.stretches.last(where: { $0.start <= mark.time + instant }) {
            lines += timeline.description(of: stretch, in: lane).dropFirst(2)
        }
        return
            "<svg class=\"b m\" role=\"img\" x=\"\(x(mark.time))\">"
            + "<title>\(lines.map(Timeline.escaped).joined(separator: "\n"))</title>"
            + "<circle class=\"\(mark.isMissing ? "missing" : "unexpected")\" r=\"\(mark.isMissing ? 5 : 8)\"/></svg>"
    }

    // MARK: The share in view

    private func curveAndRule(of lane: Timeline.Lane) -> String {
        var (line, fill, rules) = ("", "", "")
        for run in runsInView(of: lane) {
            let points = lane.points(from: run.start, to: run.end, within: tolerance)
            guard let first = points.first, let last = points.last else { continue }
            func place(_ time: Double) -> String { Self.number(time / whole * 100_000, 10) }
            let path = points.map { "\(place($0.time)) \(Self.number(100 - $0.share * 100, 10))" }.joined(
                separator: "L")
            line += "M\(path)"
            fill += "M\(place(first.time)) 100L\(path)L\(place(last.time)) 100z"
            let fraction = Self.number(100 - lane.rule(at: run.start).visibleFraction * 100, 10)
            rules += "M\(place(run.start)) \(fraction)H\(place(run.end))"
        }
        guard !line.isEmpty else { return "" }
        return
            "<svg class=\"curve\" y=\"4\" height=\"28\" viewBox=\"0 0 100000 100\" preserveAspectRatio=\"none\" "
            + "aria-hidden=\"true\">"
            + "<path class=\"fill\" d=\"\(fill)\"/><path class=\"line\" d=\"\(line)\"/>"
            + "<path class=\"rule\" d=\"\(rules)\"/></svg>"
    }

    /// Returns the periods in view. Adjacent intervals under one rule are joined.
    private func runsInView(of lane: Timeline.Lane) -> [(start: Double, end: Double)] {
        var runs: [(start: Double, end: Double)] = []
        for stretch in lane.stretches {
            switch stretch.standing {
            case .absent, .outOfView, .exposed, .obstacle(.notOpened), .obstacle(.closed), .obstacle(.left): continue
            case .obstacle, .underFraction, .dwelling, .seen: break
            }
            if let last = runs.last, last.end == stretch.start,
                lane.rule(at: last.start) == lane.rule(at: stretch.start)
            {
                runs[runs.count - 1].end = stretch.end
            } else {
                runs.append((stretch.start, stretch.end))
            }
        }
        return runs
    }
}

extension Timeline.Lane {
    /// Returns the points that differ by more than the tolerance from the last returned one, and the one before each.
    func points(from start: Double, to end: Double, within tolerance: Double) -> [Timeline.Sample] {
        var all = [Timeline.Sample(time: start, share: shares(from: start, to: start.nextUp).lowerBound)]
        var index = shares.count(before: { $0.time <= start })
        while index < shares.count, shares[index].time < end {
            all.append(shares[index])
            index += 1
        }
        if let last = all.last, last.time < end {
            let ending = shares(from: end.nextDown, to: end)
            all.append(Timeline.Sample(time: end, share: last.share == 0 ? ending.lowerBound : ending.upperBound))
        }
        guard var points = all.first.map({ [$0] }) else { return all }
        for (before, point) in zip(all, all.dropFirst()) {
            guard let kept = points.last, abs(point.share - kept.share) > tolerance else { continue }
            if before != kept { points.append(before) }
            points.append(point)
        }
        if let last = all.last, points.last != last { points.append(last) }
        return points
    }
}
