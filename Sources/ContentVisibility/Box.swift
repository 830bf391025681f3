package import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// A rectangle by its edges, which is how it is clipped.
package struct Box: Sendable, Equatable {
    package var minX, minY, maxX, maxY: Double

    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// A frame with lengths below zero, or that are no numbers, has none: it is never in view, but what it contains has its place.
    package init(_ frame: CGRect) {
        let (x, y) = (Self.near(Double(frame.origin.x)), Self.near(Double(frame.origin.y)))
        let (width, height) = (Self.near(Double(frame.size.width)), Self.near(Double(frame.size.height)))
        self.init(minX: x, minY: y, maxX: Self.near(x + max(0, width)), maxY: Self.near(y + max(0, height)))
    }

    /// Beyond a trillion points, nothing is laid out: what is said to lie there is brought to that edge, so that sums stay numbers.
    static func near(_ value: Double) -> Double { value.isNaN ? 0 : max(-1e12, min(value, 1e12)) }

    var width: Double { maxX - minX }
    var height: Double { maxY - minY }

    /// Whether there is more than an edge of it: a millionth of a point is what rounding leaves of one.
    var hasArea: Bool { maxX - minX > 1e-6 && maxY - minY > 1e-6 }

    func clipped(to other: Box) -> Box {
        Box(minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    func moved(by x: Double, _ y: Double) -> Box { Box(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y) }
}
