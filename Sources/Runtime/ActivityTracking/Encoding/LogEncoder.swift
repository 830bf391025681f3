public import Foundation

/// An encoder that writes an event's typed columns as JSON members, in the definition's order.
///
/// Only generated code uses it (`@_spi(GeneratedCode)`). The code passes the event's number, then one value per column.
/// Nil values are omitted. A value that violates its definition is written and recorded as a violation. `null` replaces
/// values that JSON cannot represent.
///
/// An encoder is valid only during the call of `encode(into:)` that receives it.
@_spi(GeneratedCode) public struct LogEncoder {
    let state: UnsafeMutablePointer<EncoderState>

    /// Begins an event. Events are numbered from 0 in the definition's order.
    @discardableResult
    public func event(_ number: Int) -> LogEncoder {
        state.pointee.beginEvent(number)
        return self
    }

    @discardableResult
    public func bool(_ value: Bool) -> LogEncoder { column { $0.write(value) } }

    @discardableResult
    public func int8(_ value: Int8) -> LogEncoder { int64(Int64(value)) }

    @discardableResult
    public func int16(_ value: Int16) -> LogEncoder { int64(Int64(value)) }

    @discardableResult
    public func int32(_ value: Int32) -> LogEncoder { int64(Int64(value)) }

    @discardableResult
    public func int64(_ value: Int64) -> LogEncoder { column { $0.write(value) } }

    @discardableResult
    public func int(_ value: Int) -> LogEncoder { int64(Int64(value)) }

    @discardableResult
    public func uint8(_ value: UInt8) -> LogEncoder { int64(Int64(value)) }

    @discardableResult
    public func uint16(_ value: UInt16) -> LogEncoder { int64(Int64(value)) }

    @discardableResult
    public func uint32(_ value: UInt32) -> LogEncoder { int64(Int64(value)) }

    @discardableResult
    public func float(_ value: Float) -> LogEncoder { column { $0.write(value) } }

    @discardableResult
    public func double(_ value: Double) -> LogEncoder { column { $0.write(value) } }

    /// Writes a decimal number as a string, with at least as many digits after the decimal point as the column's scale.
    /// NaN is written as `null`.
    @discardableResult
    public func decimal(_ value: Decimal) -> LogEncoder { column { $0.write(value) } }

    @discardableResult
    public func string(_ value: String) -> LogEncoder { column { $0.write(value) } }

    @discardableResult
    public func date(_ value: LogDate) -> LogEncoder { column { $0.write(value) } }

    /// Writes a time in UTC with milliseconds (RFC 3339). A time outside the years 0 to 9999 is written as `null`.
    @discardableResult
    public func timestamp(_ value: Date) -> LogEncoder { column { $0.write(value) } }

    @discardableResult
    public func uuid(_ value: UUID) -> LogEncoder { column { $0.write(value) } }

    @discardableResult
    public func url(_ value: URL) -> LogEncoder { column { $0.write(value) } }

    /// Writes a list, or a value of a type in the definitions.
    @discardableResult
    public func value(_ value: some LogValue) -> LogEncoder {
        if state.pointee.beginColumn() { value.encodeValue(into: self) }
        return self
    }

    private func column(_ write: (inout EncoderState) -> Void) -> LogEncoder {
        if state.pointee.beginColumn() { write(&state.pointee) }
        return self
    }
}

/// The encoding of optional columns.
@_spi(GeneratedCode) extension LogEncoder {
    @discardableResult
    public func optionalBool(_ value: Bool?) -> LogEncoder { value.map(bool) ?? skip() }

    @discardableResult
    public func optionalInt8(_ value: Int8?) -> LogEncoder { value.map(int8) ?? skip() }

    @discardableResult
    public func optionalInt16(_ value: Int16?) -> LogEncoder { value.map(int16) ?? skip() }

    @discardableResult
    public func optionalInt32(_ value: Int32?) -> LogEncoder { value.map(int32) ?? skip() }

    @discardableResult
    public func optionalInt64(_ value: Int64?) -> LogEncoder { value.map(int64) ?? skip() }

    @discardableResult
    public func optionalInt(_ value: Int?) -> LogEncoder { value.map(int) ?? skip() }

    @discardableResult
    public func optionalUint8(_ value: UInt8?) -> LogEncoder { value.map(uint8) ?? skip() }

    @discardableResult
    public func optionalUint16(_ value: UInt16?) -> LogEncoder { value.map(uint16) ?? skip() }

    @discardableResult
    public func optionalUint32(_ value: UInt32?) -> LogEncoder { value.map(uint32) ?? skip() }

    @discardableResult
    public func optionalFloat(_ value: Float?) -> LogEncoder { value.map(float) ?? skip() }

    @discardableResult
    public func optionalDouble(_ value: Double?) -> LogEncoder { value.map(double) ?? skip() }

    @discardableResult
    public func optionalDecimal(_ value: Decimal?) -> LogEncoder { value.map(decimal) ?? skip() }

    @discardableResult
    public func optionalString(_ value: String?) -> LogEncoder { value.map(string) ?? skip() }

    @discardableResult
    public func optionalDate(_ value: LogDate?) -> LogEncoder { value.map(date) ?? skip() }

    @discardableResult
    public func optionalTimestamp(_ value: Date?) -> LogEncoder { value.map(timestamp) ?? skip() }

    @discardableResult
    public func optionalUuid(_ value: UUID?) -> LogEncoder { value.map(uuid) ?? skip() }

    @discardableResult
    public func optionalUrl(_ value: URL?) -> LogEncoder { value.map(url) ?? skip() }

    @discardableResult
    public func optionalValue(_ value: (some LogValue)?) -> LogEncoder { value.map { self.value($0) } ?? skip() }

    private func skip() -> LogEncoder {
        state.pointee.skipColumn()
        return self
    }
}

extension LogEncoder {
    /// Calls `body` with an empty state whose initial buffer is on the stack.
    static func withState<Result>(capacity: Int, _ body: (inout EncoderState) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
            var state = EncoderState(buffer: buffer)
            return body(&state)
        }
    }
}
