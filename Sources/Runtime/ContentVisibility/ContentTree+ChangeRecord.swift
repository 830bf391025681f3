/// A change of a content, for a timeline.
package enum ContentChange: Sendable, Equatable {
    /// The visible fraction, from 0 to 1, regardless of covers over the screen; nil if the content is not in view.
    case share(Double?)
    /// The content rose over its rule's fraction on an exposed screen, or fell under it.
    case overFraction(Bool)
    case dwellBegan
    /// The dwell was interrupted.
    case dwellBroke
    /// The dwell was completed.
    case seen
}

/// A record of changes and their times, for a timeline. Recording is disabled until `takeChanges()` is called.
extension ContentTree {
    /// A change and its time. The time of a share is that of the update that computed it.
    struct Change: Sendable {
        var time: Double
        var content: Int32
        var kind: ContentChange
    }

    /// Returns the changes since the last call. The first call enables recording.
    mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes ?? []
    }

    mutating func record(_ number: Int32, _ kind: ContentChange, at time: Double) {
        changes?.append(Change(time: time, content: number, kind: kind))
    }

    /// Records the shares of all contents that this update has touched.
    mutating func recordShares() {
        guard changes != nil else { return }
        for number in touched where contents[Int(number)].isTracked {
            record(
                number, .share(contents[Int(number)].isInView ? min(1, contents[Int(number)].fraction) : nil), at: now)
        }
    }
}
