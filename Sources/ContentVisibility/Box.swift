package import Foundation

/// A rectangle by its edges, which is how it is clipped.
package struct Box: Sendable, Equatable {
    package var minX, minY, maxX, maxY: Double

    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// A frame with lengths below zero, or with numbers that are none, is empty: it is never in view.
    package init(_ frame: CGRect) {
        let (x, y) = (Double(frame.origin.x), Double(frame.origin.y))
        let (width, height) = (Double(frame.size.width), Double(frame.size.height))
        let isSound = x.isFinite && y.isFinite && width.isFinite && height.isFinite && width > 0 && height > 0
        self = isSound ? Box(minX: Self.near(x), minY: Self.near(y), maxX: Self.near(x + width), maxY: Self.near(y + height)) : .empty
    }

    /// Beyond a trillion points, nothing is laid out: what is said to lie there is brought to that edge, so that sums stay numbers.
    static func near(_ value: Double) -> Double { value.isNaN ? 0 : max(-1e12, min(value, 1e12)) }

    static let empty = Box(minX: 0, minY: 0, maxX: 0, maxY: 0)

    var width: Double { maxX - minX }
    var height: Double { maxY - minY }

    /// Whether there is more than an edge of it: a millionth of a point is what rounding leaves of one.
    var hasArea: Bool { maxX - minX > 1e-6 && maxY - minY > 1e-6 }

    func clipped(to other: Box) -> Box {
        Box(minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    func moved(by x: Double, _ y: Double) -> Box { Box(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y) }
}
