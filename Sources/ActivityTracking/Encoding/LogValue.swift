public import Foundation

/// A value that a column can hold.
///
/// Types with a `rawValue` that is one conform without further code: `extension RecipeID: LogValue {}`.
public protocol LogValue {
    func encodeValue(into encoder: LogEncoder)
}

extension LogValue where Self: RawRepresentable, RawValue: LogValue {
    public func encodeValue(into encoder: LogEncoder) { rawValue.encodeValue(into: encoder) }
}

extension Bool: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension Int8: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension Int16: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension Int32: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension Int64: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension Int: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension UInt8: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension UInt16: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension UInt32: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension Float: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension Double: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension Decimal: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension String: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension LogDate: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension Date: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension UUID: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension URL: LogValue {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension Array: LogValue where Element: LogValue {
    public func encodeValue(into encoder: LogEncoder) {
        let list = encoder.state.pointee.beginList(count: count)
        var isFirst = true
        for item in self {
            if !isFirst { encoder.state.pointee.write(byte: UInt8(ascii: ",")) }
            isFirst = false
            item.encodeValue(into: encoder)
        }
        encoder.state.pointee.endList(list)
    }
}
