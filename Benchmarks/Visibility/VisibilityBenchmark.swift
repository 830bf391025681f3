import AllocationCounter
import ContentVisibility
import Foundation
import ScenarioRunner

/// Compares the cost of a frame of scrolling with a scan of all contents in the same run. Compare ratios.
///
/// Fails if a frame without changes allocates memory.
@main
struct VisibilityBenchmark {
    static func main() throws {
        print(
            "| contents | full scan, µs a frame | tracker, µs a frame | full scan ÷ tracker | target |\n"
                + "| ---: | ---: | ---: | ---: | --- |"
        )
        var costs: [Int: Double] = [:]
        for (count, target) in [(1000, ""), (10_000, "at least 9"), (100_000, "at least 20")] {
            let feed = Feed(count: count)
            var ratios: [(scan: Double, track: Double)] = []
            // The two alternate, so that a slow machine slows both.
            for _ in 0..<7 { ratios.append((feed.scan(), feed.track())) }
            let (scan, track) = (middle(ratios.map(\.scan)), middle(ratios.map(\.track)))
            costs[count] = track
            let ratio = middle(ratios.map { $0.scan / $0.track })
            print("| \(count) | \(micro(scan)) | \(micro(track)) | \(String(format: "%.1f", ratio)) | \(target) |")
        }
        if let small = costs[1000], let large = costs[100_000] {
            print(
                "\nA frame with 100,000 contents costs \(String(format: "%.2f", large / small)) times as much as one "
                    + "with 1,000 (target: less than 10)."
            )
        }
        try hour()
        try growth()
        guard counts_allocations() != 0 else { return print("Allocations are counted only with the GNU C library.") }
        let allocations = Feed(count: 10_000).allocationsWhereNothingChanges()
        print("Allocations in 1,000 frames without changes: \(allocations) (target: 0).")
        if allocations > 0 { exit(1) }
    }

    static func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    static func micro(_ seconds: Double) -> String { String(format: "%.2f", seconds * 1e6) }

    static func milli(_ seconds: Double) -> String { String(format: "%.3f", seconds) }

    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    /// Replays an hour of use: a scroll every five seconds, screens pushed and popped, sometimes in the background.
    static func hour() throws {
        var rows: [String] = []
        for row in 0..<1000 {
            let cards = (0..<10).map { #"{"id":"card \#(row) \#($0)","frame":[\#($0 * 200),0,190,150]}"# }.joined(
                separator: ",")
            rows.append(
                row % 10 == 0
                    ? #"{"id":"row \#(row)","frame":[0,\#(row * 160),390,150],"scroll":"horizontal","#
                        + #""contents":[\#(cards)]}"#
                    : #"{"id":"row \#(row)","frame":[0,\#(row * 160),390,150]}"#)
        }
        var steps = [#"{"at":0,"do":"open","screen":"feed"}"#]
        for start in stride(from: 5, to: 3600, by: 5) {
            switch start / 5 % 12 {
            case 5: steps.append(#"{"at":\#(start),"do":"push","screen":"detail"}"#)
            case 6: steps.append(#"{"at":\#(start),"do":"pop"}"#)
            case 9: steps.append(#"{"at":\#(start),"do":"background"}"#)
            case 10: steps.append(#"{"at":\#(start),"do":"foreground","refresh":1}"#)
            default:
                steps.append(
                    #"{"at":\#(start),"do":"scroll","in":"feed","by":[0,\#(start % 300 < 150 ? 900 : -700)],"#
                        + #""over":1.5}"#
                )
            }
        }
        let text = #"""
            {"name":"an hour","viewport":{"width":390,"height":800},"screens":[{"id":"feed","contents":[\#(rows.joined(separator: ","))]},
            {"id":"detail","contents":[{"id":"photo","frame":[0,0,390,400]}]}],"steps":[\#(steps.joined(separator: ",")),{"at":3600,"do":"end"}]}
            """#
        var posted = 0
        let cost = try seconds {
            let bytes = Array(text.utf8)
            posted = try Scenario(bytes, file: "hour").replay(bytes, file: "hour").posted.count
        }
        print(
            "\nA scenario of an hour (\(steps.count) steps, 2,000 contents, \(posted) logs) is read and replayed in "
                + "\(String(format: "%.2f", cost)) s (target: 1)."
        )
    }

    /// Measures the cost of steps while many unrelated screens or contents are open. Four times as many steps among
    /// four times as many of them should take four times as long.
    static func growth() throws {
        print("\n| replaying | s | four times as much, s | ratio | target |\n| --- | ---: | ---: | ---: | --- |")
        func row(_ name: String, _ count: Int, _ text: (Int) -> String) throws {
            func cost(_ count: Int) throws -> Double {
                let bytes = Array(text(count).utf8)
                let scenario = try Scenario(bytes, file: name)
                var posted = 0
                let cost = try seconds { posted = try scenario.replay(bytes, file: name).posted.count }
                precondition(posted > 0)
                return cost
            }
            let pairs = try (0..<5).map { _ in (small: try cost(count), large: try cost(4 * count)) }
            let (small, large) = (middle(pairs.map(\.small)), middle(pairs.map(\.large)))
            let ratio = middle(pairs.map { $0.large / $0.small })
            print(
                "| \(count) \(name) | \(milli(small)) | \(milli(large)) | \(String(format: "%.1f", ratio)) | "
                    + "linear: 4 |"
            )
        }
        func scenario(_ screens: [String], _ steps: [String]) -> String {
            #"{"viewport":{"width":390,"height":800},"screens":[\#(screens.joined(separator: ","))],"#
                + #""steps":[{"at":0,"do":"open","screen":"s0"},\#(steps.joined(separator: ","))]}"#
        }
        func screens(_ count: Int) -> [String] {
            (0..<count).map { #"{"id":"s\#($0)","contents":[{"id":"c\#($0)","frame":[0,0,390,100]}]}"# }
        }
        try row("sheets over one another", 1000) { count in
            scenario(
                screens(count), (1..<count).map { #"{"at":\#($0),"do":"present","screen":"s\#($0)","style":"sheet"}"# })
        }
        try row("covers over one another, closed at once", 1000) { count in
            scenario(
                screens(count),
                (1..<count).map { #"{"at":\#($0),"do":"deepLink","screen":"s\#($0)"}"# } + [
                    #"{"at":1e6,"do":"closeAll"}"#
                ])
        }
        try row("screens pushed and popped", 1000) { count in
            let pushes = (1..<count).map { #"{"at":\#($0),"do":"push","screen":"s\#($0)"}"# }
            return scenario(screens(count), pushes + (1..<count).map { _ in #"{"at":1e6,"do":"pop"}"# })
        }
        try row("contents inserted in view", 12_500) { count in
            scenario(
                [#"{"id":"s0"}"#],
                (0..<count).map {
                    let (y, height) = (800 * Double($0) / Double(count), 800 / Double(count))
                    return
                        #"{"at":\#($0),"do":"insert","content":{"id":"c\#($0)","frame":[0,\#(y),390,\#(height)]},"#
                        + #""in":"s0"}"#
                })
        }
    }
}

/// A list in which every tenth row is a carousel of ten cards.
private struct Feed {
    private static let viewport = CGSize(width: 390, height: 800)
    private static let rowHeight = 100.0
    private static let frames = 600

    /// The edges of a content in the list, and those of its carousel, which is as wide as the list.
    private struct Place {
        var minX, minY, maxX, maxY: Double
        var clipMinY, clipMaxY: Double
    }

    private var places: [Place] = []
    private let height: Double
    private let tracked: ContentTracker<Int>

    init(count: Int) {
        var tracker = ContentTracker<Int>(viewport: Self.viewport, rule: ImpressionRule(visibleFraction: 0.5, dwell: 2))
        var places: [Place] = []
        var y = 0.0
        tracker.update(at: 0, post: { _ in }) { contents in
            contents.updateRoot { $0.hasAppeared = true }
            var row = 0
            var number = 0
            while number < count {
                let isCarousel = row % 10 == 9
                contents.insert(
                    number, frame: CGRect(x: 0, y: y, width: 390, height: Self.rowHeight - 10), scrolls: isCarousel)
                places.append(
                    Place(
                        minX: 0, minY: y, maxX: 390, maxY: y + Self.rowHeight - 10, clipMinY: y,
                        clipMaxY: y + Self.rowHeight - 10))
                let container = number
                number += 1
                for card in 0..<(isCarousel ? min(10, count - number) : 0) {
                    let x = Double(card) * 160
                    contents.insert(
                        number, frame: CGRect(x: x, y: 0, width: 150, height: Self.rowHeight - 10), in: container)
                    places.append(
                        Place(
                            minX: x, minY: y, maxX: x + 150, maxY: y + Self.rowHeight - 10, clipMinY: y,
                            clipMaxY: y + Self.rowHeight - 10))
                    number += 1
                }
                y += Self.rowHeight
                row += 1
            }
        }
        self.places = places
        height = y
        tracked = tracker
    }

    private func offset(_ frame: Int) -> Double {
        // Scrolls forward and back, by the height of the viewport per second.
        let way = max(1, height - Self.viewport.height)
        let position = (Double(frame) * 800 / 60).truncatingRemainder(dividingBy: 2 * way)
        return position < way ? position : 2 * way - position
    }

    /// Scans all contents in each frame, in a flat array. Returns seconds per frame.
    func scan() -> Double {
        var wasOver = [Bool](repeating: false, count: places.count)
        var changes = 0
        let cost = VisibilityBenchmark.seconds {
            for frame in 0..<Self.frames {
                let top = offset(frame)
                let bottom = top + Self.viewport.height
                for index in places.indices {
                    let place = places[index]
                    let width = min(place.maxX, Self.viewport.width) - max(place.minX, 0)
                    let height = min(place.maxY, place.clipMaxY, bottom) - max(place.minY, place.clipMinY, top)
                    let possible =
                        min(place.maxX - place.minX, Self.viewport.width)
                        * min(place.maxY - place.minY, Self.viewport.height)
                    let isOver = width > 0 && height > 0 && width * height >= 0.4999 * possible
                    if isOver != wasOver[index] {
                        wasOver[index] = isOver
                        changes += 1
                    }
                }
            }
        }
        precondition(changes > 0)
        return cost / Double(Self.frames)
    }

    /// Scrolls the tracker by the same frames. Returns seconds per frame.
    func track() -> Double {
        var tracker = tracked
        // Makes the copy unique before the measurement. Only a motion changes contents.
        tracker.update(at: 0, post: { _ in }) { $0.scroll(nil, to: CGPoint(x: 0, y: 1)) }
        var posts = 0
        let cost = VisibilityBenchmark.seconds {
            for frame in 0..<Self.frames {
                let time = Double(frame) / 60
                tracker.update(at: time, since: time - 1.0 / 60, post: { _ in posts += 1 }) {
                    $0.scroll(nil, to: CGPoint(x: 0, y: offset(frame)))
                }
            }
        }
        precondition(posts > 0)
        return cost / Double(Self.frames)
    }

    func allocationsWhereNothingChanges() -> UInt {
        var tracker = tracked
        var posts = 0
        // Everything in view has been seen, and rows are 10 points apart, so scrolling by up to five points changes
        // nothing.
        for frame in 0..<1000 {
            tracker.update(at: Double(frame) / 60, since: Double(frame - 1) / 60, post: { _ in posts += 1 }) {
                $0.scroll(nil, to: CGPoint(x: 0, y: Double(frame % 5)))
            }
        }
        posts = 0
        let before = allocation_count()
        for frame in 1000..<2000 {
            tracker.update(at: Double(frame) / 60, since: Double(frame - 1) / 60, post: { _ in posts += 1 }) {
                $0.scroll(nil, to: CGPoint(x: 0, y: Double(frame % 5)))
            }
        }
        precondition(posts == 0)
        return UInt(allocation_count() - before)
    }
}
