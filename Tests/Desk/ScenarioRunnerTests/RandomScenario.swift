import TestSupport

/// A random scenario that can contain every kind of step.
enum RandomScenario {
    /// - Parameter leave: whether screens and contents post when they are left.
    static func text(seed: UInt64, steps count: Int = 60, leave: Bool = false) -> String {
        let (ofContents, ofScreens) = leave ? (#""leave": 0.5, "#, #""leave": true, "screenLog": true, "#) : ("", "")
        var dice = SeededGenerator(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }
        var contents: [String] = []
        for index in 0..<8 {
            let once = ["visit", "session", "untilRestart"][number(0...2)]
            let rule =
                #""rule": {"visibleFraction": \#([0, 0.5, 0.8, 1][number(0...3)]), "#
                + #""dwell": \#([0, 0.3, 1, 2][number(0...3)]), "once": "\#(once)"}"#
            let card = #"{"id": "card\#(index)", "frame": [\#(number(0...400)), 0, 200, 100]}"#
            contents.append(
                #"{"id": "c\#(index)", "frame": [0, \#(index * 230 + number(0...100)), 390, \#(number(50...300))], "#
                    + #""scroll": "horizontal", \#(ofContents)\#(rule), "contents": [\#(card)]}"#
            )
        }
        let other = #"{"id": "photo", "frame": [0, 0, 390, 400]}"#
        var removed: Set<Int> = []
        /// The screens over the feed, from below: pushed screens, covers and sheets.
        var open: [(name: String, close: String)] = []
        var steps = [#"{"at": 0, "do": "open", "screen": "feed"}"#]
        var time = 0.0
        for _ in 0..<count {
            time += [0, 0.0004, 0.1, 0.5, 1, 1.7][number(0...5)]
            func step(_ words: String) { steps.append(#"{"at": \#(time), \#(words)}"#) }
            let free = ["detail", "cover", "sheet"].filter { name in !open.contains { $0.name == name } }
            switch number(0...13) {
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
            #"{"viewport": {"width": 390, "height": 800}, "screens": [{"id": "feed", \#(ofScreens)"#
            + #""contents": [\#(contents.joined(separator: ","))]}, {"id": "detail", "contents": [\#(other)]}, "#
            + #"{"id": "cover"}, {"id": "sheet"}], "steps": [\#(steps.joined(separator: ",\n"))]}"#
    }
}
