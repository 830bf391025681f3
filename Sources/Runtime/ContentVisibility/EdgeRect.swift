package import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// A rectangle defined by its edges, which makes clipping simple.
package struct EdgeRect: Sendable, Equatable {
    package var minX, minY, maxX, maxY: Double

    package init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// Creates a rectangle from a frame. Negative and NaN lengths become zero: the content is never in view, but the
    /// contents in it keep their positions.
    package init(_ frame: CGRect) {
        let (x, y) = (Self.near(Double(frame.origin.x)), Self.near(Double(frame.origin.y)))
        let (width, height) = (Self.near(Double(frame.size.width)), Self.near(Double(frame.size.height)))
        self.init(minX: x, minY: y, maxX: Self.near(x + max(0, width)), maxY: Self.near(y + max(0, height)))
    }

    /// Returns the value clamped to ±10¹², and 0 for NaN, so that sums stay finite. Layouts do not reach this limit.
    static func near(_ value: Double) -> Double { value.isNaN ? 0 : max(-1e12, min(value, 1e12)) }

    var width: Double { maxX - minX }
    var height: Double { maxY - minY }

    /// Indicates whether both lengths exceed a millionth of a point, the tolerance for rounding.
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
