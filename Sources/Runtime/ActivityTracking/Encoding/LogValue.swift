public import Foundation

/// A type of column values: numbers, strings, dates, lists of them, and generated types.
///
/// A column may have a type of the app whose `rawValue` conforms. The app's type itself does not have to conform.
///
/// The protocol inherits from `Sendable`, so its types are not isolated where the main actor is the default (SE-0466).
public protocol LogValue: Sendable {
    @_spi(GeneratedCode) func encodeValue(into encoder: LogEncoder)
}

extension LogValue {
    /// The value as JSON, as in a column without rules.
    package var json: [UInt8] {
        LogEncoder.withState(capacity: 128) { state in
            withUnsafeMutablePointer(to: &state) { encodeValue(into: LogEncoder(state: $0)) }
            return state.output()
        }
    }
}

@_spi(GeneratedCode) extension LogValue {
    /// Prevents conformances without a real implementation, as `LogCategory.encode(into:)` does.
    @available(
        *, unavailable,
        message: "a type of the app cannot implement LogValue: remove the conformance, and give the type a rawValue"
    )
    public func encodeValue(into encoder: LogEncoder) {}
}

@_spi(GeneratedCode) extension LogValue where Self: RawRepresentable, RawValue: LogValue {
    public func encodeValue(into encoder: LogEncoder) { rawValue.encodeValue(into: encoder) }
}

@_spi(GeneratedCode) extension LogValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(case: rawValue) }
}

extension Bool: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

// A default for all integers would let types conform whose values `Int64` cannot represent, such as `UInt`.

extension Int8: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension Int16: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension Int32: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension Int64: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension Int: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension UInt8: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension UInt16: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension UInt32: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(Int64(self)) }
}

extension Float: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension Double: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension Decimal: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension String: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension LogDate: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension Date: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension UUID: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension URL: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) { encoder.state.pointee.write(self) }
}

extension Array: LogValue where Element: LogValue {
    @_spi(GeneratedCode) public func encodeValue(into encoder: LogEncoder) {
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
