import ContentVisibility
import Foundation

/// A scroll of one container that takes some time.
struct ScrollMotion {
    /// The container that scrolls; nil for the screen itself.
    var container: Int?
    var from: CGPoint
    var to: CGPoint
    var start: Double
    var over: Double
    /// The number of samples taken, including the one at the start.
    var samples = 1.0

    var end: Double { start + over }

    var next: Double {
        let next = start + samples / 60
        return next < end - instant ? next : end
    }

    func position(at time: Double) -> CGPoint {
        let progress = time < end - instant ? max(0, (time - start) / over) : 1
        return CGPoint(x: from.x + (to.x - from.x) * progress, y: from.y + (to.y - from.y) * progress)
    }
}
