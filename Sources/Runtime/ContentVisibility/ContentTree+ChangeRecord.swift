/// What of a content may change, for a drawing of it.
package enum ContentChange: Sendable, Equatable {
    /// This much of the area that could be visible is, from 0 to 1; nil if the content is not in view. What covers the
    /// screen does not change it.
    case share(Double?)
    /// It goes over its rule's fraction on an exposed screen, or under it.
    case overFraction(Bool)
    case dwellBegan
    /// The dwell ends before its time.
    case dwellBroke
    /// The dwell is over.
    case seen
}

/// What changed and when, for a drawing of it. Nothing is recorded unless somebody asks for it.
extension ContentTree {
    /// The time is the instant that decides. A share is that of the update that found it.
    struct Change: Sendable {
        var time: Double
        var content: Int32
        var kind: ContentChange
    }

    /// Hands over the changes since the last call. The first call begins the record.
    mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes ?? []
    }

    mutating func record(_ number: Int32, _ kind: ContentChange, at time: Double) {
        changes?.append(Change(time: time, content: number, kind: kind))
    }

    /// Records the share of everything that this update has touched.
    mutating func recordShares() {
        guard changes != nil else { return }
        for number in touched where contents[Int(number)].isTracked {
            record(
                number, .share(contents[Int(number)].isInView ? min(1, contents[Int(number)].fraction) : nil), at: now)
        }
    }
}
