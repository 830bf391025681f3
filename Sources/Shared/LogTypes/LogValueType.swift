/// What a column holds, with the bounds that its definition sets.
///
/// Definition documents, the facts in generated code, the runtime and the lock file all use this one type.
/// ``TypeNotation`` writes and reads it for all of them. Whether a column may be left out belongs to the column, not to
/// its type.
public indirect enum LogValueType: Sendable, Hashable {
    case string(Text)
    case integer(Integer)
    case number(Number)
    /// A decimal number whose digits are kept exactly, such as an amount of money. In records it is a text.
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
    /// A type that has a name of its own.
    case named(Named)

    /// A text's longest length. At most one of the two is set.
    public struct Text: Sendable, Hashable {
        /// In Unicode scalars, as JSON Schema counts.
        public var maxLength: Int?
        /// In bytes of UTF-8.
        public var maxBytes: Int?

        public init(maxLength: Int? = nil, maxBytes: Int? = nil) {
            self.maxLength = maxLength
            self.maxBytes = maxBytes
        }
    }

    /// A whole number's width and bounds.
    public struct Integer: Sendable, Hashable {
        /// 8, 16, 32 or 64.
        public var bits: Int
        public var isSigned: Bool
        /// The bounds that the definition writes; they lie within the width.
        public var minimum: Int64?
        public var maximum: Int64?
        /// Whether the type is written without a width, as `int`: then it is `Int` in Swift.
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

        /// All numbers of this width.
        public var width: ClosedRange<Int64> {
            if !isSigned { return 0...((1 << Int64(min(bits, 62))) - 1) }
            return bits == 64 ? .min...(.max) : (-(1 << Int64(bits - 1)))...((1 << Int64(bits - 1)) - 1)
        }

        /// All numbers that the width and the bounds allow.
        public var range: ClosedRange<Int64> {
            let lower = minimum ?? width.lowerBound
            return lower...max(lower, maximum ?? width.upperBound)
        }
    }

    /// A floating-point number's width and bounds.
    public struct Number: Sendable, Hashable {
        /// 32 or 64 (IEEE 754).
        public var bits: Int
        public var minimum: Double?
        public var maximum: Double?

        public init(bits: Int = 64, minimum: Double? = nil, maximum: Double? = nil) {
            self.bits = bits
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// How many digits a decimal number has, in SQL's terms: `NUMERIC(precision, scale)`.
    public struct Decimal: Sendable, Hashable {
        /// The number of all digits, from 1 to 38: Foundation's `Decimal` and the warehouses hold that many.
        public var precision: Int
        /// The number of digits behind the point, from 0 to `precision`.
        public var scale: Int

        public init(precision: Int, scale: Int) {
            self.precision = precision
            self.scale = scale
        }

        /// The most digits that every reader holds.
        public static let maximumPrecision = 38
    }

    /// The texts that a column may hold.
    public struct Enumeration: Sendable, Hashable, ExpressibleByArrayLiteral {
        /// In the definition's order. Empty if they are not known.
        public var values: [String]

        public init(_ values: [String]) { self.values = values }

        public init(arrayLiteral values: String...) { self.values = values }

        /// Compares by scalars. Swift's `String` takes different spellings of one character as equal; the readers of
        /// records take them as different.
        public static func == (left: Enumeration, right: Enumeration) -> Bool {
            // The columns of a named type share one list.
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

    /// A type of `types.md`, or one that the app has.
    public struct Named: Sendable, Hashable {
        public var name: String
        /// The app's own Swift type that stands for it; nil if it is generated.
        public var swift: String?
        /// The type behind the name; nil if the documents know only the name.
        public var base: LogValueType?

        public init(_ name: String, swift: String? = nil, base: LogValueType? = nil) {
            self.name = name
            self.swift = swift
            self.base = base
        }

        /// Compares by scalars, as Swift compares names.
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
    /// The type itself. For a list, or a list of lists, it is the type of the innermost items.
    package var element: LogValueType {
        if case .array(let list) = self { list.items.element } else { self }
    }

    /// How many lists lie around the element.
    package var depth: Int {
        if case .array(let list) = self { list.items.depth + 1 } else { 0 }
    }

    /// The name of this type, or of the type of its elements, if it has one.
    package var typeName: String? {
        if case .named(let named) = element { named.name } else { nil }
    }

    /// The type behind the name; nil if only the name is known.
    package var unnamed: LogValueType? {
        if case .named(let named) = self { named.base?.unnamed } else { self }
    }

    /// Whether the column itself lists its values, or the values of its elements.
    package var isEnumeration: Bool { if case .enumeration = element { true } else { false } }

    /// Whether it is one value without a name. A name in `types.md` can stand for such a type.
    package var isScalar: Bool {
        switch self {
        case .string, .integer, .number, .decimal, .boolean, .date, .timestamp, .uuid, .url: true
        case .enumeration, .array, .named: false
        }
    }

    /// The type after a change. The change is made first to all types within it (a list's items, and the type that a
    /// name stands for), then to the type itself.
    package func changed(_ change: (LogValueType) -> LogValueType) -> LogValueType {
        switch self {
        case .array(var list):
            list.items = list.items.changed(change)
            return change(.array(list))
        case .named(var named):
            named.base = named.base?.changed(change)
            return change(.named(named))
        case .string, .integer, .number, .decimal, .boolean, .date, .timestamp, .uuid, .url, .enumeration:
            return change(self)
        }
    }

    /// The type after `meaning` has replaced every name within it.
    package func resolved(_ meaning: (Named) -> LogValueType) -> LogValueType {
        changed { if case .named(let named) = $0 { meaning(named) } else { $0 } }
    }
}
