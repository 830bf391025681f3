/// What is in view: of each area that has changed, which contents lie in its opening, and how much of each.
extension ContentTree {
    /// Finds what is in view now, in whatever has changed. What is shown and seen is decided afterwards, when all of
    /// this is known.
    mutating func locate() {
        // From the outside in: a window must be known before what is behind it is searched.
        if changedAreas.count > 1 { changedAreas.sort { areas[Int($0)].depth < areas[Int($1)].depth } }
        for area in changedAreas where areas[Int(area)].isChanged { search(area) }
        changedAreas.removeAll(keepingCapacity: true)
        for number in placed where contents[Int(number)].isPresent { look(number) }
        placed.removeAll(keepingCapacity: true)
    }

    /// The part of an area that is in view, in the area's own coordinates; nil if none is.
    func opening(of area: Int32) -> EdgeRect? {
        let content = areas[Int(area)].content
        let (x, y) = (areas[Int(area)].x, areas[Int(area)].y)
        if content < 0 { return EdgeRect(minX: x, minY: y, maxX: x + areas[0].width, maxY: y + areas[0].height) }
        guard contents[Int(content)].isInView, let around = areas[Int(contents[Int(content)].area)].opening else {
            return nil
        }
        let box = contents[Int(content)].box
        return box.clipped(to: around).moved(by: x - box.minX, y - box.minY)
    }

    /// Finds what is in view in an area, and in those of its areas that have another window now.
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
            // Backwards, because the last one takes the place of one that leaves.
            for index in areas[Int(area)].inView.indices.reversed() {
                let number = areas[Int(area)].inView[index]
                if contents[Int(number)].search != searches { leave(number) }
            }
        }
    }

    /// Finds whether a content is in view.
    mutating func look(_ number: Int32) {
        let visible = areas[Int(contents[Int(number)].area)].opening.map { contents[Int(number)].box.clipped(to: $0) }
        if let visible, visible.hasArea {
            enter(number, visible)
        } else if contents[Int(number)].isInView {
            leave(number)
        }
        while let area = searching.popLast() { search(area) }
    }

    /// A content is in view now. It may have been before.
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

    /// A content is in view no longer.
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
