/// The search for contents in view: in each changed area, the contents in its opening and their visible fractions.
extension ContentTree {
    /// Updates the contents in view in changed areas. `see` decides afterwards whether they are shown or seen.
    mutating func locate() {
        // Outer areas are searched first, because the opening of an inner area is clipped to the opening of the area
        // around it.
        if changedAreas.count > 1 { changedAreas.sort { areas[Int($0)].depth < areas[Int($1)].depth } }
        for area in changedAreas where areas[Int(area)].isChanged { search(area) }
        changedAreas.removeAll(keepingCapacity: true)
        for number in placed where contents[Int(number)].isPresent { look(number) }
        placed.removeAll(keepingCapacity: true)
    }

    /// Returns the visible part of an area, in the area's coordinates; nil if the area is not in view.
    func opening(of area: Int32) -> EdgeRect? {
        let content = areas[Int(area)].content
        let (x, y) = (areas[Int(area)].x, areas[Int(area)].y)
        if content < 0 { return EdgeRect(minX: x, minY: y, maxX: x + areas[0].width, maxY: y + areas[0].height) }
        guard contents[Int(content)].isInView, let around = areas[Int(contents[Int(content)].area)].opening else {
            return nil
        }
        let box = contents[Int(content)].box
        // A content that has just moved away may still be marked as in view. Its opening is then without area.
        let visible = box.clipped(to: around)
        return visible.hasArea ? visible.moved(by: x - box.minX, y - box.minY) : nil
    }

    /// Updates the contents in view of an area, and of the inner areas whose opening has changed.
    mutating func search(_ first: Int32) {
        searching.append(first)
        while let area = searching.popLast() {
            areas[Int(area)].isChanged = false
            let opening = opening(of: area)
            areas[Int(area)].opening = opening
            searches += 1
            if let opening {
                areas[Int(area)].grid.collect(opening, into: &candidates)
                for number in candidates where contents[Int(number)].search != searches {
                    let visible = contents[Int(number)].box.clipped(to: opening)
                    guard visible.hasArea else { continue }
                    contents[Int(number)].search = searches
                    enter(number, visible)
                }
                candidates.removeAll(keepingCapacity: true)
            }
            // In reverse order, because `leave` moves the last content to the index of the removed one.
            for index in areas[Int(area)].inView.indices.reversed() {
                let number = areas[Int(area)].inView[index]
                if contents[Int(number)].search != searches { leave(number) }
            }
        }
    }

    /// Updates whether a content is in view.
    mutating func look(_ number: Int32) {
        let visible = areas[Int(contents[Int(number)].area)].opening.map { contents[Int(number)].box.clipped(to: $0) }
        if let visible, visible.hasArea {
            enter(number, visible)
        } else if contents[Int(number)].isInView {
            leave(number)
        }
        while let area = searching.popLast() { search(area) }
    }

    /// Marks a content as in view, or updates its visible fraction.
    mutating func enter(_ number: Int32, _ visible: EdgeRect) {
        let (area, own) = (contents[Int(number)].area, contents[Int(number)].ownArea)
        let box = contents[Int(number)].box
        let fraction =
            visible.width * visible.height
            / (min(box.width, areas[Int(area)].shortestWidth) * min(box.height, areas[Int(area)].shortestHeight))
        if !contents[Int(number)].isInView {
            contents[Int(number)].place = Int32(areas[Int(area)].inView.count)
            areas[Int(area)].inView.append(number)
            touch(number)
        } else if contents[Int(number)].fraction != fraction {
            touch(number)
        }
        contents[Int(number)].fraction = fraction
        if own >= 0, areas[Int(own)].isChanged || areas[Int(own)].opening != opening(of: own) { searching.append(own) }
    }

    /// Marks a content as no longer in view.
    mutating func leave(_ number: Int32) {
        let (area, own, place) = (
            Int(contents[Int(number)].area), contents[Int(number)].ownArea, contents[Int(number)].place
        )
        let last = areas[area].inView.removeLast()
        if last != number {
            areas[area].inView[Int(place)] = last
            contents[Int(last)].place = place
        }
        contents[Int(number)].place = -1
        touch(number)
        if own >= 0, areas[Int(own)].opening != nil { searching.append(own) }
    }

    mutating func touch(_ number: Int32) {
        guard contents[Int(number)].touch != stamp else { return }
        contents[Int(number)].touch = stamp
        touched.append(number)
    }
}
