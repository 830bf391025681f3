/// The constraints of a type on a value. Defaults allow every value, so checks need no branch for missing bounds.
package struct ValueLimits: Sendable {
    package var low = Int64.min
    package var high = Int64.max
    package var lowNumber = -Double.infinity
    package var highNumber = Double.infinity
    /// The maximum number of Unicode scalars.
    package var maxLength = Int.max
    package var maxBytes = Int.max
    package var minItems = 0
    package var maxItems = Int.max

    package init(_ form: LogValueType.Form? = nil) {
        switch form {
        case .string(let text):
            maxLength = text.maxLength ?? Int.max
            maxBytes = text.maxBytes ?? Int.max
        case .integer(let integer):
            low = integer.range.lowerBound
            high = integer.range.upperBound
        case .number(let number):
            lowNumber = number.minimum ?? -Double.infinity
            highNumber = number.maximum ?? Double.infinity
        case .array(let list):
            minItems = list.minItems ?? 0
            maxItems = list.maxItems ?? Int.max
        case .boolean, .format, .enumeration, .named, nil: break
        }
    }
}
