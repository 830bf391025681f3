/// When a content crossed its fraction, if that was on the way between two samples of a motion.
extension ContentTree {
    /// When a content that is over its fraction now rose over it.
    func riseTime(_ number: Int32, since sample: Double?) -> Double {
        guard let sample, sample < now, exposedSince < now, !isOver(number, at: 0, within: Self.tolerance) else {
            return now
        }
        let time = sample + crossing(number, from: false) * (now - sample)
        return max(time, exposedSince, resizedAt, contents[Int(number)].placedAt)
    }

    /// When a content that is under its fraction now fell under it.
    func fallTime(_ number: Int32, since sample: Double?) -> Double {
        guard let sample, sample < now, isOver(number, at: 0, within: Self.tolerance) else { return now }
        return sample + crossing(number, from: true) * (now - sample)
    }

    /// How much of the way between two samples was done when a content crossed its fraction, from 0 to 1.
    ///
    /// On the way, lengths in view are minima of linear functions. So a content is over its fraction during one
    /// stretch, and bisection finds the end of it.
    func crossing(_ number: Int32, from start: Bool) -> Double {
        // The tolerance decides whether a content counts. The exact fraction decides when, if it is reached on the way
        // at all.
        let tolerance = isOver(number, at: start ? 0 : 1, within: 1e-9) ? 1e-9 : Self.tolerance
        var (low, high) = (0.0, 1.0)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if isOver(number, at: middle, within: tolerance) == start { low = middle } else { high = middle }
        }
        return high
    }

    /// Whether a content is over its fraction when its areas have done this much of their way.
    func isOver(_ number: Int32, at progress: Double, within tolerance: Double) -> Bool {
        let content = contents[Int(number)]
        var index = Int(content.area)
        let possible =
            min(content.box.width, areas[index].shortestWidth) * min(content.box.height, areas[index].shortestHeight)
        var visible = content.box
        while true {
            let x = areas[index].previousX + (areas[index].x - areas[index].previousX) * progress
            let y = areas[index].previousY + (areas[index].y - areas[index].previousY) * progress
            visible = visible.clipped(
                to: EdgeRect(minX: x, minY: y, maxX: x + areas[index].width, maxY: y + areas[index].height))
            guard visible.hasArea else { return false }
            if areas[index].content < 0 { break }
            let around = contents[Int(areas[index].content)]
            visible = visible.moved(by: around.box.minX - x, around.box.minY - y)
            index = Int(around.area)
        }
        return visible.width * visible.height / possible >= content.rule.visibleFraction - tolerance
    }
}
