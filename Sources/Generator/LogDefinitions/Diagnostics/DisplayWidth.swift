/// The number of columns that a string takes in a terminal or in a fixed-width font.
///
/// The width of a scalar comes from Unicode's East Asian Width (UAX #11). Wide and full-width scalars take two columns,
/// and ambiguous ones take one. Combining marks, format controls and control characters take none. An emoji sequence
/// (joined by ZWJ, with a skin tone, flags, with variation selector 16) is as wide as its first scalar. The sequence
/// takes two columns if selector 16 asks for an emoji. A tab takes none here: its width depends on its position, which
/// the caller knows.
///
/// The widths come from a table of this package instead of the standard library, so that aligned output is the same on
/// every machine.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text.utf8.count }
        var cluster = GraphemeCluster()
        return text.unicodeScalars.reduce(0) { $0 + cluster.widthAdded(by: $1.value) }
    }

    private enum Kind: UInt32 {
        case zero, one, two
        /// A scalar that takes one column, or two if variation selector 16 follows.
        case text
    }

    private struct GraphemeCluster {
        private var last: Kind = .zero
        /// Indicates whether the sequence began with a pictograph, which can be modified and joined (UAX #29, GB11).
        private var beganWithPictograph = false
        private var isJoined = false
        private var isHalfFlag = false

        mutating func widthAdded(by scalar: UInt32) -> Int {
            if scalar == 0x200D {
                isJoined = beganWithPictograph
                return 0
            }
            if scalar == 0xFE0F {
                guard last == .text else { return 0 }
                last = .two
                return 1
            }
            if 0x1F1E6...0x1F1FF ~= scalar {
                isHalfFlag.toggle()
                isJoined = false
                beganWithPictograph = true
                last = .two
                return isHalfFlag ? 2 : 0
            }
            isHalfFlag = false

            let kind = DisplayWidth.kind(of: scalar)
            guard kind != .zero else { return 0 }
            let isTone = 0x1F3FB...0x1F3FF ~= scalar
            let pictograph = kind != .one && !isTone && (scalar >= 0x1F000 || 0x203C...0x2BFF ~= scalar)
            if (pictograph && isJoined) || (isTone && beganWithPictograph) {
                // The cluster is as wide as its first scalar.
                isJoined = false
                return 0
            }
            isJoined = false
            beganWithPictograph = pictograph
            last = kind
            return kind == .two ? 2 : 1
        }
    }

    private static func kind(of scalar: UInt32) -> Kind {
        switch scalar {
        case 0x20..<0x23, 0x3A..<0x7F: return .one
        case 0x3041...0x3096, 0x30A0...0x30FF, 0x4E00...0x9FFF: return .two
        default: break
        }
        var low = 0
        var high = runs.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if runs[middle] >> 2 <= scalar { low = middle } else { high = middle }
        }
        return Kind(rawValue: runs[low] & 3) ?? .one
    }
}
