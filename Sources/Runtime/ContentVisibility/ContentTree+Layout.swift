/// The layout of contents: their containers, areas and frames.
extension ContentTree {
    /// Inserts a content. If the content was removed before and not forgotten, `known` is its number.
    /// - Returns: The number of the content.
    mutating func insert(
        _ known: Int32?, frame: EdgeRect, in parent: Int32, scrolls: Bool, isTracked: Bool, isRemembered: Bool,
        rule: ImpressionRule
    ) -> Int32 {
        var content = Content(
            frame: frame, box: frame, parent: parent, isTracked: isTracked, isRemembered: isRemembered, rule: rule,
            placedAt: now)
        let number = known ?? free.popLast() ?? Int32(contents.count)
        if number == contents.count { contents.append(content) }
        let before = contents[Int(number)]
        content.lastArea = before.lastArea
        if known != nil {
            content.order = before.order
            if isRemembered { content.shownInVisit = before.shownInVisit }
            (content.seenInVisit, content.seenAfterRestarts) = (before.seenInVisit, before.seenAfterRestarts)
        } else {
            inserted += 1
            content.order = inserted
        }
        periods.insert(rule.once)
        content.area = parent < 0 ? 0 : areaInside(parent)
        content.nextSibling = parent < 0 ? firstChild : contents[Int(parent)].firstChild
        if content.nextSibling >= 0 { contents[Int(content.nextSibling)].previousSibling = number }
        if parent < 0 { firstChild = number } else { contents[Int(parent)].firstChild = number }
        if scrolls {
            let depth = areas[Int(content.area)].depth + 1
            let area = Area(content: number, depth: depth, width: 0, height: 0, shortestWidth: 0, shortestHeight: 0)
            if content.lastArea >= 0 {
                areas[Int(content.lastArea)] = area
            } else {
                content.lastArea = Int32(areas.count)
                areas.append(area)
            }
            content.ownArea = content.lastArea
        }
        contents[Int(number)] = content
        place(number)
        return number
    }

    /// - Parameter isFinal: whether the content and those in it will not be inserted again in this visit.
    mutating func remove(_ number: Int32, isFinal: Bool) {
        let content = contents[Int(number)]
        if content.nextSibling >= 0 { contents[Int(content.nextSibling)].previousSibling = content.previousSibling }
        if content.previousSibling >= 0 {
            contents[Int(content.previousSibling)].nextSibling = content.nextSibling
        } else if content.parent >= 0 {
            contents[Int(content.parent)].firstChild = content.nextSibling
        } else {
            firstChild = content.nextSibling
        }
        removeAll(number, isFinal: isFinal)
    }

    mutating func removeAll(_ number: Int32, isFinal: Bool) {
        var child = contents[Int(number)].firstChild
        while child >= 0 {
            let next = contents[Int(child)].nextSibling
            removeAll(child, isFinal: isFinal)
            child = next
        }
        let content = contents[Int(number)]
        areas[Int(content.area)].grid.remove(number, content.box)
        // If the dwell of the content ended before the removal, `fall` posts the content as seen.
        if content.isOver { fall(number, at: now) }
        engaged[number]?.set(false, at: now)
        if isFinal || !content.isRemembered { leave(engaged: number) }
        if content.ownArea >= 0 { areas[Int(content.ownArea)].opening = nil }
        if content.isInView { leave(number) }
        record(number, .share(nil), at: now)
        contents[Int(number)].isPresent = false
        contents[Int(number)].firstChild = -1
    }

    /// Frees the numbers of removed contents about which no rule so far has to know anything: the content was not shown
    /// in this visit, and not seen in a period of the rules. Call it between updates.
    ///
    /// It runs when the number of contents has grown by a quarter since it last ran, so its cost per insertion is
    /// constant.
    /// - Returns: All free numbers.
    mutating func forget() -> [Int32] {
        guard contents.count - free.count > forgetLimit, changes?.isEmpty ?? true else { return [] }
        free = contents.indices.filter { index in
            let content = contents[index]
            return !content.isPresent && content.shownInVisit != max(visit, 1)
                && !periods.contains { isSeen(content, in: $0) }
        }.map(Int32.init)
        forgetLimit = (contents.count - free.count) * 5 / 4 + 16
        return free
    }

    mutating func move(_ number: Int32, to frame: EdgeRect) {
        let content = contents[Int(number)]
        // Toolkits also report frames that have not changed.
        guard content.frame != frame else { return }
        areas[Int(content.area)].grid.remove(number, content.box)
        contents[Int(number)].frame = frame
        place(number)
    }

    /// Sets the rule of a content. A running dwell restarts.
    mutating func setRule(_ number: Int32, _ rule: ImpressionRule) {
        guard contents[Int(number)].rule != rule else { return }
        if contents[Int(number)].isOver { fall(number, at: now) }
        contents[Int(number)].rule = rule
        periods.insert(rule.once)
        touch(number)
    }

    mutating func scroll(_ number: Int32, toX x: Double, _ y: Double) {
        let index = number < 0 ? 0 : contents[Int(number)].ownArea
        guard index >= 0 else { return }
        movedAreas.append(index)
        guard areas[Int(index)].x != x || areas[Int(index)].y != y else { return }
        areas[Int(index)].x = x
        areas[Int(index)].y = y
        setChanged(index)
    }

    mutating func resize(width: Double, height: Double) {
        guard areas[0].width != width || areas[0].height != height else { return }
        resizedAt = now
        areas[0].width = width
        areas[0].height = height
        areas[0].shortestWidth = width
        areas[0].shortestHeight = height
        setChanged(0)
        var child = firstChild
        while child >= 0 {
            measureAreas(in: child)
            child = contents[Int(child)].nextSibling
        }
    }

    mutating func setChanged(_ area: Int32) {
        guard !areas[Int(area)].isChanged else { return }
        areas[Int(area)].isChanged = true
        changedAreas.append(area)
    }

    /// Returns the area that contains the contents of a content.
    func areaInside(_ number: Int32) -> Int32 {
        let content = contents[Int(number)]
        return content.ownArea >= 0 ? content.ownArea : content.area
    }

    /// Computes the box of a content and of the contents in it, and inserts them into their area's grid.
    mutating func place(_ number: Int32) {
        let content = contents[Int(number)]
        let box: EdgeRect
        if content.parent < 0 || contents[Int(content.parent)].ownArea >= 0 {
            box = content.frame
        } else {
            let around = contents[Int(content.parent)].box
            box = content.frame.moved(by: around.minX, around.minY)
        }
        contents[Int(number)].box = box
        contents[Int(number)].placedAt = now
        placed.append(number)
        areas[Int(content.area)].grid.insert(number, box)
        if content.ownArea >= 0 {
            measureAreas(in: number)
        } else {
            var child = content.firstChild
            while child >= 0 {
                areas[Int(contents[Int(child)].area)].grid.remove(child, contents[Int(child)].box)
                place(child)
                child = contents[Int(child)].nextSibling
            }
        }
    }

    /// Updates the size of a content's area, and the shortest lengths of that area and the areas in it.
    mutating func measureAreas(in number: Int32) {
        let content = contents[Int(number)]
        if content.ownArea >= 0 {
            let (own, around) = (Int(content.ownArea), Int(content.area))
            areas[own].width = content.box.width
            areas[own].height = content.box.height
            let shortestWidth = min(areas[own].width, areas[around].shortestWidth)
            let shortestHeight = min(areas[own].height, areas[around].shortestHeight)
            // If the shortest lengths are unchanged, the fractions of the contents in the area are unchanged.
            guard areas[own].shortestWidth != shortestWidth || areas[own].shortestHeight != shortestHeight else {
                return
            }
            areas[own].shortestWidth = shortestWidth
            areas[own].shortestHeight = shortestHeight
            setChanged(content.ownArea)
        }
        var child = content.firstChild
        while child >= 0 {
            measureAreas(in: child)
            child = contents[Int(child)].nextSibling
        }
    }
}
