/// The instant at which a content crossed a fraction between two samples of a motion.
extension ContentTree {
    /// Returns the time at which a content rose over a fraction, or fell under it.
    func crossingTime(_ number: Int32, _ fraction: Double, _ rises: Bool, since sample: Double?) -> Double {
        guard let sample, sample < now, exposedSince < now,
            isOver(number, fraction, at: 0, within: Self.tolerance) != rises
        else { return now }
        var time = max(sample + crossing(number, fraction, from: !rises) * (now - sample), exposedSince, resizedAt)
        // A content that was placed during the motion, or in a container that was, had another way before.
        var placed = number
        while placed >= 0 {
            time = max(time, contents[Int(placed)].placedAt)
            placed = contents[Int(placed)].parent
        }
        return time
    }

    /// Returns the progress of the motion, from 0 to 1, at which a content crossed a fraction.
    ///
    /// During the motion, visible lengths are minima of linear functions. Therefore a content is over a fraction in a
    /// single interval, and bisection finds its end.
    func crossing(_ number: Int32, _ fraction: Double, from start: Bool) -> Double {
        // The tolerance decides whether a content is over the fraction. The time is that of the exact fraction, if the
        // motion reaches the exact fraction.
        let tolerance = isOver(number, fraction, at: start ? 0 : 1, within: 1e-9) ? 1e-9 : Self.tolerance
        var (low, high) = (0.0, 1.0)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if isOver(number, fraction, at: middle, within: tolerance) == start { low = middle } else { high = middle }
        }
        return high
    }

    /// Returns whether a content is over a fraction at this progress of the motion.
    func isOver(_ number: Int32, _ fraction: Double, at progress: Double, within tolerance: Double) -> Bool {
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
        return visible.width * visible.height / possible >= fraction - tolerance
    }
}
