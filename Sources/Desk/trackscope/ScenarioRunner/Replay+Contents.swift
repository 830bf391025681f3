import ContentVisibility
import Foundation

extension Replay {
    /// Adds a content and its descendants. A known content keeps its number.
    mutating func define(_ content: Scenario.Content, screen: Int, depth: Int = 0, under outer: ImpressionRule) -> Int {
        let rule = content.rule.under(outer)
        let number: Int
        if let id = content.id, let known = numbers[id] {
            number = known
            entries[number].content = content
            entries[number].screen = screen
            entries[number].rule = rule
        } else {
            number = entries.count
            entries.append(Entry(content: content, screen: screen, rule: rule, order: nextOrder()))
            if let id = content.id { numbers[id] = number }
        }
        setDepth(depth, of: number)
        for child in entries[number].children { entries[child].container = nil }
        entries[number].children = []
        for child in content.contents {
            attach(define(child, screen: screen, depth: depth + 1, under: rule), to: number)
        }
        return number
    }

    /// Puts a known content under another container, with the contents that it had when it was removed.
    mutating func redefine(_ number: Int, screen: Int, depth: Int, under outer: ImpressionRule) {
        setDepth(depth, of: number)
        entries[number].screen = screen
        entries[number].rule = entries[number].content.rule.under(outer)
        for child in entries[number].children {
            redefine(child, screen: screen, depth: depth + 1, under: entries[number].rule)
        }
    }

    mutating func setDepth(_ depth: Int, of number: Int) {
        entries[number].depth = depth
        deepest = max(deepest, depth)
    }

    /// Moves a content to another container, or to none.
    mutating func attach(_ number: Int, to container: Int?) {
        if let before = entries[number].container, let last = entries[before].children.popLast(), last != number {
            entries[before].children[entries[number].place] = last
            entries[last].place = entries[number].place
        }
        entries[number].container = container
        guard let container else { return }
        entries[number].place = entries[container].children.count
        entries[container].children.append(number)
    }

    /// Puts contents and their descendants on a screen.
    mutating func place(_ contents: [Int], in container: Int?, on screen: Int) {
        for content in contents { setPresent(content, true) }
        update(screen) { [entries] tracked in
            func insert(_ number: Int, _ container: Int?) {
                let content = entries[number].content
                var rule = entries[number].rule
                rule.leave = content.leave?(rule)
                tracked.insert(
                    number, frame: content.frame, in: container, scrolls: content.scrolling != .none,
                    isTracked: content.isTracked && content.id != nil, isRemembered: content.isRemembered,
                    rule: rule)
                for child in entries[number].children { insert(child, number) }
            }
            for content in contents { insert(content, container) }
        }
    }

    mutating func setPresent(_ number: Int, _ isPresent: Bool) {
        change(number) { $0.isPresent = isPresent }
        screens[entries[number].screen].offsets[number] = nil
        if recorder != nil, hasLane(number) {
            var around = entries[number].container
            while let container = around, !hasLane(container) { around = entries[container].container }
            recorder?.place(
                number, on: entries[number].screen, in: around, isPresent: isPresent, rule: entries[number].rule,
                at: now)
        }
        for child in entries[number].children { setPresent(child, isPresent) }
    }

    private func hasLane(_ number: Int) -> Bool {
        entries[number].content.isTracked && entries[number].content.id != nil
    }

    /// Changes a content. Its screen's length is measured again only if the content was the last one.
    mutating func change(_ number: Int, _ change: (inout Entry) -> Void) {
        let screen = entries[number].screen
        let before = end(of: number)
        change(&entries[number])
        let after = end(of: number)
        guard let length = screens[screen].length else { return }
        screens[screen].length = after >= length ? after : before < length ? length : nil
    }

    /// Returns the end of a content on its screen; 0 for a content that is not there, or is in another one.
    private func end(of number: Int) -> Double {
        let entry = entries[number]
        guard entry.isPresent, entry.container == nil else { return 0 }
        let isHorizontal = scenario.screens[entry.screen].scrolling == .horizontal
        return Double(isHorizontal ? entry.content.frame.maxX : entry.content.frame.maxY)
    }

    /// Returns the part of a screen's contents above the lower edge of the viewport, or left of its right edge if the
    /// screen scrolls sideways. Nil if the screen does not scroll or is empty.
    mutating func depth(of screen: Int) -> Double? {
        let scrolling = scenario.screens[screen].scrolling
        guard scenario.screens[screen].postsLeave, scrolling != .none else { return nil }
        let isHorizontal = scrolling == .horizontal
        let length =
            screens[screen].length
            ?? entries.indices.filter { entries[$0].screen == screen }.map { end(of: $0) }.max() ?? 0
        screens[screen].length = length
        guard length > 0 else { return nil }
        let offset = screens[screen].offsets[nil] ?? .zero
        let edge = isHorizontal ? offset.x + viewport.width : offset.y + viewport.height
        return max(0, min(1, Double(edge) / length))
    }

    func number(of content: Scenario.Named) throws(Mistake) -> Int {
        guard let number = numbers[content.id], entries[number].isPresent else {
            throw Mistake(
                at: content.at, message: "the content \"\(content.id)\" does not exist at \(Posted.seconds(now))")
        }
        return number
    }
}
