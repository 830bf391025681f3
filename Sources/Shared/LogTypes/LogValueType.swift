/// The type of a column's values, with the bounds of the definition.
///
/// Definition files, generated code, the runtime and the lock file share this type. ``TypeNotation`` formats and parses
/// it. Optionality is a property of the column, not of its type.
public indirect enum LogValueType: Sendable, Hashable {
    case string(Text)
    case integer(Integer)
    case number(Number)
    /// A decimal number whose digits are kept exactly, such as an amount of money. Records contain it as a string.
    case decimal(Decimal)
    case boolean
    /// A day of the calendar.
    case date
    /// An instant in UTC, with milliseconds.
    case timestamp
    case uuid
    case url
    case enumeration(Enumeration)
    case array(List)
    /// A type with a name, from `types.md` or the app.
    case named(Named)

    /// The maximum length of a string. At most one of the two limits is set.
    public struct Text: Sendable, Hashable {
        /// The limit in Unicode scalars, as in JSON Schema.
        public var maxLength: Int?
        /// The limit in bytes of UTF-8.
        public var maxBytes: Int?

        public init(maxLength: Int? = nil, maxBytes: Int? = nil) {
            self.maxLength = maxLength
            self.maxBytes = maxBytes
        }
    }

    /// The width and bounds of an integer.
    public struct Integer: Sendable, Hashable {
        /// The width: 8, 16, 32 or 64.
        public var bits: Int
        public var isSigned: Bool
        /// The bounds in the definition. They are within the range of the width.
        public var minimum: Int64?
        public var maximum: Int64?
        /// A Boolean value that indicates whether the type has no width, as `int`. Its Swift type is `Int`.
        public var isPlain: Bool

        public init(
            bits: Int, isSigned: Bool = true, minimum: Int64? = nil, maximum: Int64? = nil, isPlain: Bool = false
        ) {
            self.bits = bits
            self.isSigned = isSigned
            self.minimum = minimum
            self.maximum = maximum
            self.isPlain = isPlain
        }

        /// The range of integers of this width.
        public var width: ClosedRange<Int64> {
            if !isSigned { return 0...((1 << Int64(min(bits, 62))) - 1) }
            return bits == 64 ? .min...(.max) : (-(1 << Int64(bits - 1)))...((1 << Int64(bits - 1)) - 1)
        }

        /// The range that the width and the bounds allow.
        public var range: ClosedRange<Int64> {
            let lower = minimum ?? width.lowerBound
            return lower...max(lower, maximum ?? width.upperBound)
        }
    }

    /// The width and bounds of a floating-point number.
    public struct Number: Sendable, Hashable {
        /// The width: 32 or 64 (IEEE 754).
        public var bits: Int
        public var minimum: Double?
        public var maximum: Double?

        public init(bits: Int = 64, minimum: Double? = nil, maximum: Double? = nil) {
            self.bits = bits
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// The number of digits of a decimal number, in SQL's terms: `NUMERIC(precision, scale)`.
    public struct Decimal: Sendable, Hashable {
        /// The total number of digits, from 1 to 38, the maximum of Foundation's `Decimal` and the warehouses.
        public var precision: Int
        /// The number of digits after the decimal point, from 0 to `precision`.
        public var scale: Int

        public init(precision: Int, scale: Int) {
            self.precision = precision
            self.scale = scale
        }

        /// The largest precision that every consumer supports.
        public static let maximumPrecision = 38
    }

    /// The strings that a column allows.
    public struct Enumeration: Sendable, Hashable, ExpressibleByArrayLiteral {
        /// The values in the definition's order. Empty if they are unknown.
        public var values: [String]

        public init(_ values: [String]) { self.values = values }

        public init(arrayLiteral values: String...) { self.values = values }

        /// Compares values by scalars, as consumers do. Swift treats canonically equivalent strings as equal.
        public static func == (left: Enumeration, right: Enumeration) -> Bool {
            // The columns of a named type share one array.
            if left.values.withUnsafeBufferPointer(\.baseAddress) == right.values.withUnsafeBufferPointer(\.baseAddress)
            {
                return true
            }
            return left.values.elementsEqual(right.values) { $0.isExactly($1) }
        }
    }

    /// A list of values of one type.
    public struct List: Sendable, Hashable {
        public var items: LogValueType
        public var minItems: Int?
        public var maxItems: Int?

        public init(of items: LogValueType, minItems: Int? = nil, maxItems: Int? = nil) {
            self.items = items
            self.minItems = minItems
            self.maxItems = maxItems
        }
    }

    /// A type that is declared in `types.md`, or a type of the app.
    public struct Named: Sendable, Hashable {
        public var name: String
        /// The app's Swift type for it; nil if loggen generates the type.
        public var swift: String?
        /// The underlying type; nil if the definitions contain only the name.
        public var base: LogValueType?

        public init(_ name: String, swift: String? = nil, base: LogValueType? = nil) {
            self.name = name
            self.swift = swift
            self.base = base
        }

        /// Compares names by scalars, as Swift compares identifiers.
        public static func == (left: Named, right: Named) -> Bool {
            guard left.name.isExactly(right.name), left.base == right.base else { return false }
            guard let swift = left.swift, let other = right.swift else {
                return left.swift == nil && right.swift == nil
            }
            return swift.isExactly(other)
        }
    }
}

extension LogValueType {
    /// The form of a type's values in JSON.
    ///
    /// All strings with a format are one case. Code that does not distinguish them switches over the form, and stays
    /// complete when a format is added.
    package enum Form: Equatable {
        case string(Text), integer(Integer), number(Number), boolean, format(StringFormat)
        case enumeration(Enumeration), array(List), named(Named)
    }

    package var form: Form {
        switch self {
        case .string(let text): .string(text)
        case .integer(let integer): .integer(integer)
        case .number(let number): .number(number)
        case .boolean: .boolean
        case .decimal(let decimal): .format(.decimal(decimal))
        case .date: .format(.date)
        case .timestamp: .format(.timestamp)
        case .uuid: .format(.uuid)
        case .url: .format(.url)
        case .enumeration(let enumeration): .enumeration(enumeration)
        case .array(let list): .array(list)
        case .named(let named): .named(named)
        }
    }

    /// The type of the innermost items of nested lists; the type itself if it is not a list.
    package var element: LogValueType {
        if case .array(let list) = self { list.items.element } else { self }
    }

    /// The number of lists around the element.
    package var depth: Int {
        if case .array(let list) = self { list.items.depth + 1 } else { 0 }
    }

    /// The name of the element's type; nil if it has no name.
    package var typeName: String? {
        if case .named(let named) = element { named.name } else { nil }
    }

    /// The type without names; nil if the underlying type is unknown.
    package var unnamed: LogValueType? {
        if case .named(let named) = self { named.base?.unnamed } else { self }
    }

    /// Indicates whether the element is an enumeration without a name.
    package var isEnumeration: Bool { if case .enumeration = element { true } else { false } }

    /// Indicates whether the type is neither an enumeration, a list nor a named type. Only such a type can follow the
    /// colon of a heading in `types.md`, such as `RecipeID: int64`.
    package var isScalar: Bool {
        switch form {
        case .string, .integer, .number, .boolean, .format: true
        case .enumeration, .array, .named: false
        }
    }

    /// Returns the type after applying `change` to every type in it, innermost first. The items of a list and the
    /// underlying type of a named type are changed before the type itself.
    package func changed(_ change: (LogValueType) -> LogValueType) -> LogValueType {
        switch form {
        case .array(var list):
            list.items = list.items.changed(change)
            return change(.array(list))
        case .named(var named):
            named.base = named.base?.changed(change)
            return change(.named(named))
        case .string, .integer, .number, .boolean, .format, .enumeration:
            return change(self)
        }
    }

    /// Returns whether the type is a named type, or has one in it.
    package func mentions(_ name: String) -> Bool {
        switch form {
        case .array(let list): list.items.mentions(name)
        case .named(let named): named.name == name || named.base?.mentions(name) ?? false
        case .string, .integer, .number, .boolean, .format, .enumeration: false
        }
    }

    /// Returns the type with every name in it replaced by `meaning`.
    package func resolved(_ meaning: (Named) -> LogValueType) -> LogValueType {
        changed { if case .named(let named) = $0 { meaning(named) } else { $0 } }
    }
}
