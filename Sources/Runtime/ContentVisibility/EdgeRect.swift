package import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// A rectangle by its edges, as clipping needs it.
package struct EdgeRect: Sendable, Equatable {
    package var minX, minY, maxX, maxY: Double

    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// A length below zero, or one that is no number, becomes zero. Such a content is never in view, but what it
    /// contains has its place.
    package init(_ frame: CGRect) {
        let (x, y) = (Self.near(Double(frame.origin.x)), Self.near(Double(frame.origin.y)))
        let (width, height) = (Self.near(Double(frame.size.width)), Self.near(Double(frame.size.height)))
        self.init(minX: x, minY: y, maxX: Self.near(x + max(0, width)), maxY: Self.near(y + max(0, height)))
    }

    /// A number brought into the range of a trillion points around zero, so that sums stay numbers. Nothing is laid out
    /// beyond.
    static func near(_ value: Double) -> Double { value.isNaN ? 0 : max(-1e12, min(value, 1e12)) }

    var width: Double { maxX - minX }
    var height: Double { maxY - minY }

    /// Whether it is more than an edge. Rounding may leave a millionth of a point of an edge.
    var hasArea: Bool { maxX - minX > 1e-6 && maxY - minY > 1e-6 }

    func clipped(to other: EdgeRect) -> EdgeRect {
        EdgeRect(
            minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
            maxY: min(maxY, other.maxY))
    }

    func moved(by x: Double, _ y: Double) -> EdgeRect {
        EdgeRect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }
}
