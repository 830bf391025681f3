/// What of a content may change.
package enum ContentChange: Sendable { case inView, overFraction }

/// What changed and when, for a drawing of it.
extension ContentTree {
    /// A content comes into view or leaves it during a visit, or goes over its rule's fraction or under it. The time is
    /// the instant that decides.
    struct Change: Sendable {
        var time: Double
        var content: Int32
        var kind: ContentChange
        var holds: Bool
    }

    /// Hands over the changes since the last call. The first call begins the record.
    mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes ?? []
    }

    mutating func record(_ number: Int32, _ kind: ContentChange, _ holds: Bool, at time: Double) {
        changes?.append(Change(time: time, content: number, kind: kind, holds: holds))
    }

    mutating func setOnStage(_ number: Int32, _ isOnStage: Bool) {
        guard contents[Int(number)].isOnStage != isOnStage else { return }
        contents[Int(number)].isOnStage = isOnStage
        record(number, .inView, isOnStage, at: now)
    }
}
