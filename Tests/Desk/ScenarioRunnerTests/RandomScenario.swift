import TestSupport

/// A random scenario that can contain every kind of step.
enum RandomScenario {
    /// - Parameters:
    ///   - leave: Whether the feed and its contents post when they are left. There are further kinds of steps then.
    ///   - more: Further steps.
    static func text(seed: UInt64, steps count: Int = 60, leave: Bool = false, more: String = "") -> String {
        var dice = SeededGenerator(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }
        var contents: [String] = []
        for index in 0..<8 {
            let once = ["visit", "session", "untilRestart"][number(0...2)]
            let rule =
                #""rule": {"visibleFraction": \#([0, 0.5, 0.8, 1][number(0...3)]), "#
                + #""dwell": \#([0, 0.3, 1, 2][number(0...3)]), "once": "\#(once)"}"#
            func left() -> String { leave ? #""leave": \#([0.2, 0.5, 0.8, 1][number(0...3)]), "# : "" }
            var cards = #"{"id": "card\#(index)", \#(left())"frame": [\#(number(0...400)), 0, 200, 100]}"#
            if leave {
                cards +=
                    #", {"id": "box\#(index)", \#(left())"frame": [\#(number(0...200)), 20, 180, \#(number(40...400))], "#
                    + #""scroll": "vertical", "contents": [{"id": "note\#(index)", \#(left())"#
                    + #""frame": [10, \#(number(-20...100)), 150, \#(number(30...500))]}]}"#
            }
            contents.append(
                #"{"id": "c\#(index)", "frame": [0, \#(index * 230 + number(0...100)), 390, \#(number(50...300))], "#
                    + #""scroll": "horizontal", \#(left())\#(leave && index < 3 ? #""identity": "view", "# : "")\#(rule), "contents": [\#(cards)]}"#
            )
        }
        let other = #"{"id": "photo", "frame": [0, 0, 390, 400]}"#
        var removed: Set<Int> = []
        /// New contents, which are removed for good.
        var (news, added): ([Int], Int) = ([], 0)
        /// The screens over the feed, from below: pushed screens, covers and sheets.
        var open: [(name: String, close: String)] = []
        var steps = [#"{"at": 0, "do": "open", "screen": "feed"}"#]
        var time = 0.0
        for _ in 0..<count {
            time += [0, 0.0004, 0.1, 0.5, 1, 1.7][number(0...5)]
            func step(_ words: String) { steps.append(#"{"at": \#(time), \#(words)}"#) }
            let free = ["detail", "cover", "sheet"].filter { name in !open.contains { $0.name == name } }
            switch number(0...(leave ? 18 : 13)) {
            case 0...3:
                step(
                    #""do": "scroll", "in": "feed", "by": [0, \#(number(-600...700))], "#
                        + #""over": \#([0, 0.3, 1][number(0...2)])"#
                )
            case 4:
                let index = number(0...7)
                if !removed.contains(index) {
                    step(#""do": "scroll", "in": "c\#(index)", "to": [\#(number(0...300)), 0], "over": 0.4"#)
                }
            case 5: step(#""do": "background""#)
            case 6: step(#""do": "foreground"\#(number(0...1) == 0 ? #", "refresh": 0.7"# : "")"#)
            case 7: step(#""do": "refresh", "over": 0.6, "replaces": \#(number(0...1) == 0)"#)
            case 8: step(#""do": "\#(["start", "stop", "restart"][number(0...2)])", "screen": "feed""#)
            case 9, 10:
                if let name = free.randomElement(using: &dice) {
                    switch name {
                    case "detail":
                        step(#""do": "push", "screen": "detail""#)
                        open.append((name, "pop"))
                    default:
                        step(
                            #""do": "present", "screen": "\#(name)", "#
                                + #""style": "\#(name == "sheet" ? "sheet" : "fullScreen")""#
                        )
                        open.append((name, "dismiss"))
                    }
                }
            case 11, 12: if let top = open.popLast() { step(#""do": "\#(top.close)""#) }
            case 14:
                let frames = removed.contains(0) ? "" : #", "frames": {"c0": [0, \#(number(0...500)), 300, 150]}"#
                step(#""do": "resize", "viewport": {"width": 390, "height": \#(number(300...900))}\#(frames)"#)
            case 15:
                let index = number(0...7)
                if !removed.contains(index) {
                    step(#""do": "move", "content": "c\#(index)", "frame": [0, \#(number(0...900)), 390, 200]"#)
                }
            case 16:
                if let last = news.popLast() { step(#""do": "remove", "content": "new\#(last)""#) }
            case 17:
                added += 1
                news.append(added)
                step(
                    #""do": "insert", "in": "feed", "content": {"id": "new\#(added)", "leave": 0.5, "identity": "#
                        + #""\#(number(0...1) == 0 ? "id" : "view")", "frame": [0, \#(number(0...900)), 390, 150]}"#)
            case 18:
                let index = number(0...7)
                if !removed.contains(index) {
                    step(#""do": "scroll", "in": "box\#(index)", "by": [0, \#(number(-90...90))], "over": 0.3"#)
                }
            default:
                let index = number(0...7)
                if removed.insert(index).inserted {
                    step(#""do": "remove", "content": "c\#(index)""#)
                } else {
                    removed.remove(index)
                    step(
                        #""do": "insert", "content": "c\#(index)", "frame": [0, \#(number(0...900)), 390, 200], "#
                            + #""in": "feed""#
                    )
                }
            }
        }
        return
            #"{"viewport": {"width": 390, "height": 800}, "screens": [{"id": "feed", \#(leave ? #""leave": true, "# : "")"#
            + #""contents": [\#(contents.joined(separator: ","))]}, {"id": "detail", "contents": [\#(other)]}, "#
            + #"{"id": "cover"}, {"id": "sheet"}], "steps": [\#(steps.joined(separator: ",\n"))\#(more)]}"#
    }
}
