/// Reads JSON (RFC 8259) in place, and keeps the properties of the last string and number that `RecordEvaluator` needs.
///
/// The bytes are one line, followed by a newline and at least 16 more bytes. The newline is an error everywhere, so the
/// scanner does not check for the end. The other bytes are padding, so that eight bytes can be read at once.
struct JSONScanner: ~Copyable {
    typealias Position = UnsafePointer<UInt8>

    /// The maximum nesting of arrays and objects, including the record. Records of apps are far less nested, and the
    /// limit lets the scanner allocate its stack once.
    static let maximumDepth = 512

    /// The reason why the bytes are not JSON, and its position.
    private(set) var failure: StaticString = ""
    private(set) var failurePosition: Position?

    // Properties of the last string.
    private(set) var hasEscapes = false
    /// The number of UTF-8 continuation bytes in the last string. The other bytes are its scalars.
    private(set) var continuations = 0

    // The last number: `significand` × 10 to the power of `exponent`.
    private(set) var isNegative = false
    private(set) var isWhole = false
    private(set) var significand: UInt64 = 0
    private(set) var exponent = 0
    /// Indicates whether `significand` contains all digits.
    private(set) var isExact = true
    private var numberStart: Position?
    private var numberEnd: Position?

    /// The open arrays and objects in `skipValue`.
    private let isObject: UnsafeMutablePointer<Bool> = .allocate(capacity: JSONScanner.maximumDepth)
    private var scratch: UnsafeMutablePointer<UInt8>
    private var scratchCapacity = 1024

    init() {
        isObject.initialize(repeating: false, count: Self.maximumDepth)
        scratch = .allocate(capacity: scratchCapacity)
    }

    deinit {
        isObject.deallocate()
        scratch.deallocate()
    }

    mutating func fail(_ reason: StaticString, _ position: Position) -> Position? {
        failure = reason
        failurePosition = position
        return nil
    }

    @inline(__always)
    func blanks(_ position: Position) -> Position {
        var position = position
        while position.pointee == 0x20 || position.pointee == 0x09 || position.pointee == 0x0D { position += 1 }
        return position
    }

    // MARK: Strings

    /// Reads from the position after the opening quotation mark to the one after the closing one; nil if not JSON.
    @inline(__always)
    mutating func text(_ start: Position) -> Position? {
        hasEscapes = false
        continuations = 0
        var position = start
        while true {
            let word = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self)
            let special = Self.specials(UInt64(littleEndian: word))
            if special == 0 {
                position += 8
                continue
            }
            position += special.trailingZeroBitCount / 8
            if position.pointee == UInt8(ascii: "\"") { return position + 1 }
            guard let next = unusual(position) else { return nil }
            position = next
        }
    }

    /// Returns a word whose lowest set bit marks the first special byte. Higher bits may be wrong. Method: Sean Eron
    /// Anderson, Bit Twiddling Hacks, "Determine if a word has a byte less than n".
    @inline(__always)
    private static func specials(_ word: UInt64) -> UInt64 {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let (quote, backslash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
        return ((word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones) | word) & highs
    }

    /// Reads an escape or scalars beyond ASCII. Returns the position after them, or nil if they are not JSON.
    private mutating func unusual(_ start: Position) -> Position? {
        var position = start
        let byte = position.pointee
        if byte == UInt8(ascii: "\\") { return escape(position) }
        if byte < 0x20 {
            return fail(byte == 0x0A ? "a string is not closed" : "a string contains a control character", position)
        }
        while position.pointee >= 0x80 {
            guard let length = Self.scalarLength(position) else { return fail("a byte is not UTF-8", position) }
            position += length
            continuations += length - 1
        }
        return position
    }

    /// Returns the number of bytes of a scalar beyond ASCII (The Unicode Standard, table 3-7); nil if not UTF-8.
    ///
    /// `firstInvalidUTF8(in:)` finds the same. The validator reads each byte once: a separate pass for UTF-8 would
    /// read records twice, and libraries of apps would link it. A test compares both.
    @inline(__always)
    private static func scalarLength(_ p: Position) -> Int? {
        func continues(_ offset: Int) -> Bool { p[offset] & 0xC0 == 0x80 }
        switch p[0] {
        case 0xC2...0xDF: return continues(1) ? 2 : nil
        case 0xE0: return p[1] >= 0xA0 && p[1] <= 0xBF && continues(2) ? 3 : nil
        case 0xED: return p[1] >= 0x80 && p[1] <= 0x9F && continues(2) ? 3 : nil
        case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : nil
        case 0xF0: return p[1] >= 0x90 && p[1] <= 0xBF && continues(2) && continues(3) ? 4 : nil
        case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : nil
        case 0xF4: return p[1] >= 0x80 && p[1] <= 0x8F && continues(2) && continues(3) ? 4 : nil
        default: return nil
        }
    }

    private mutating func escape(_ position: Position) -> Position? {
        hasEscapes = true
        switch position[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return position + 2
        case UInt8(ascii: "u"):
            for offset in 2..<6 where Self.digit(position[offset]) == nil {
                return fail("`\\u` needs four hexadecimal digits", position)
            }
            return position + 6
        default: return fail("unknown escape", position)
        }
    }

    /// Returns the value of a hexadecimal digit, as `PercentEncoding.digit`, which is not inlined from its module.
    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt32? {
        let (digit, letter) = (byte &- UInt8(ascii: "0"), (byte | 0x20) &- UInt8(ascii: "a"))
        return digit < 10 ? UInt32(digit) : letter < 6 ? UInt32(letter + 10) : nil
    }

    /// Returns the content of a string that has been read, without escapes. A surrogate without a partner becomes three
    /// bytes, which are not valid UTF-8. The bytes are valid until the next call.
    mutating func unescaped(_ start: Position, _ end: Position) -> UnsafeBufferPointer<UInt8> {
        let length = end - start
        if length > scratchCapacity {
            scratch.deallocate()
            scratchCapacity = length * 2
            scratch = .allocate(capacity: scratchCapacity)
        }
        var count = 0
        func put(_ byte: UInt32) {
            scratch[count] = UInt8(truncatingIfNeeded: byte)
            count += 1
        }
        func unit(_ p: Position) -> UInt32 { (2..<6).reduce(0) { $0 << 4 | (Self.digit(p[$1]) ?? 0) } }
        var p = start
        while p < end {
            guard p.pointee == UInt8(ascii: "\\") else {
                put(UInt32(p.pointee))
                p += 1
                continue
            }
            switch p[1] {
            case UInt8(ascii: "b"): put(0x08)
            case UInt8(ascii: "f"): put(0x0C)
            case UInt8(ascii: "n"): put(0x0A)
            case UInt8(ascii: "r"): put(0x0D)
            case UInt8(ascii: "t"): put(0x09)
            case UInt8(ascii: "u"):
                var scalar = unit(p)
                p += 6
                if scalar & 0xFC00 == 0xD800, p[0] == UInt8(ascii: "\\"), p[1] == UInt8(ascii: "u") {
                    let low = unit(p)
                    if low & 0xFC00 == 0xDC00 {
                        scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
                        p += 6
                    }
                }
                switch scalar {
                case ..<0x80: put(scalar)
                case ..<0x800:
                    put(0xC0 | scalar >> 6)
                    put(0x80 | scalar & 0x3F)
                case ..<0x10000:
                    put(0xE0 | scalar >> 12)
                    put(0x80 | scalar >> 6 & 0x3F)
                    put(0x80 | scalar & 0x3F)
                default:
                    put(0xF0 | scalar >> 18)
                    put(0x80 | scalar >> 12 & 0x3F)
                    put(0x80 | scalar >> 6 & 0x3F)
                    put(0x80 | scalar & 0x3F)
                }
                continue
            case let byte: put(UInt32(byte))
            }
            p += 2
        }
        return UnsafeBufferPointer(start: scratch, count: count)
    }

    // MARK: Numbers

    @inline(__always)
    mutating func number(_ start: Position) -> Position? {
        var position = start
        isNegative = position.pointee == UInt8(ascii: "-")
        if isNegative { position += 1 }
        isWhole = true
        isExact = true
        significand = 0
        exponent = 0
        let first = position.pointee
        guard Self.isDigit(first) else { return fail("a number has no digits", position) }
        if first == UInt8(ascii: "0") {
            position += 1
            if Self.isDigit(position.pointee) { return fail("a number has a leading zero", position) }
        } else {
            repeat {
                let (scaled, overflow) = significand.multipliedReportingOverflow(by: 10)
                let (sum, carry) = scaled.addingReportingOverflow(UInt64(position.pointee - UInt8(ascii: "0")))
                if overflow || carry { isExact = false } else { significand = sum }
                position += 1
            } while Self.isDigit(position.pointee)
        }
        let byte = position.pointee
        if byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
            numberStart = start
            return fraction(position)
        }
        numberStart = start
        numberEnd = position
        return position
    }

    private mutating func fraction(_ start: Position) -> Position? {
        var position = start
        isWhole = false
        if position.pointee == UInt8(ascii: ".") {
            position += 1
            guard Self.isDigit(position.pointee) else {
                return fail("a number has no digits after its decimal point", position)
            }
            while Self.isDigit(position.pointee) {
                if significand < 100_000_000_000_000_000 {
                    significand = significand * 10 + UInt64(position.pointee - UInt8(ascii: "0"))
                    exponent -= 1
                } else {
                    isExact = false
                }
                position += 1
            }
        }
        if position.pointee | 0x20 == UInt8(ascii: "e") {
            position += 1
            let isNegative = position.pointee == UInt8(ascii: "-")
            if isNegative || position.pointee == UInt8(ascii: "+") { position += 1 }
            guard Self.isDigit(position.pointee) else { return fail("a number has no digits after its `e`", position) }
            var value = 0
            while Self.isDigit(position.pointee) {
                if value < 1_000_000 { value = value * 10 + Int(position.pointee - UInt8(ascii: "0")) }
                position += 1
            }
            exponent += isNegative ? -value : value
        }
        numberEnd = position
        return position
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// The last number as the nearest IEEE double, which most readers use, or infinity beyond the largest one.
    var double: Double {
        // Both operands are exact, so the IEEE result is correctly rounded: Clinger, How to Read Floating Point Numbers
        // Accurately, 1990.
        if isExact, significand < 1 << 53, exponent > -23, exponent < 23 {
            let power = Self.powers[abs(exponent)]
            let value = exponent < 0 ? Double(significand) / power : Double(significand) * power
            return isNegative ? -value : value
        }
        guard let numberStart, let numberEnd else { return .nan }
        return Double(
            String(decoding: UnsafeBufferPointer(start: numberStart, count: numberEnd - numberStart), as: UTF8.self))
            ?? .nan
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// A Boolean value that indicates whether all readers get the same double for the last number: it has few digits
    /// and is neither infinite nor nearly 0.
    var isPlain: Bool { isExact && exponent > -300 && exponent < 280 }

    /// The last number as an integer, or nil beyond 64 bits. The number must be whole.
    var integer: Int64? {
        guard isWhole else { return Int64(exactly: double) }
        guard isExact else { return nil }
        guard isNegative else { return Int64(exactly: significand) }
        return significand == Int64.min.magnitude ? .min : Int64(exactly: significand).map { -$0 }
    }

    /// Compares the last number with a bound. Returns -1 if the number is below the bound, 1 if it is above, otherwise
    /// 0. Whole numbers of up to 19 digits are compared exactly, and others as the nearest double.
    func compared(to bound: Double) -> Int {
        let value = double
        if value != bound { return value < bound ? -1 : 1 }
        guard isWhole, isExact, significand >= 1 << 53, let exact = UInt64(exactly: bound.magnitude),
            exact != significand
        else { return 0 }
        return (significand < exact) != isNegative ? -1 : 1
    }

    // MARK: Skipped values

    /// Reads `true`, `false` or `null`. Returns the position after the value, or nil for anything else.
    @inline(__always)
    mutating func literal(_ position: Position) -> Position? {
        let word = UInt32(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt32.self))
        if word == 0x6C6C_756E || word == 0x6575_7274 { return position + 4 }
        if word == 0x736C_6166, position[4] == UInt8(ascii: "e") { return position + 5 }
        return fail(position.pointee == 0x0A ? "the record is cut off" : "expected a value", position)
    }

    /// Reads a name, the colon and blanks. Returns the position of the value, or nil if one of them is missing.
    private mutating func name(_ start: Position) -> Position? {
        guard start.pointee == UInt8(ascii: "\"") else {
            return fail("expected a name in double quotation marks", start)
        }
        guard let end = text(start + 1) else { return nil }
        let colon = blanks(end)
        guard colon.pointee == UInt8(ascii: ":") else { return fail("expected a colon after a name", colon) }
        return blanks(colon + 1)
    }

    /// Reads a value of any kind. Returns the position after it; nil if it is not JSON. Its container has this depth.
    mutating func skipValue(_ start: Position, depth base: Int) -> Position? {
        var position = start
        var depth = base
        while true {
            switch position.pointee {
            case UInt8(ascii: "\""):
                guard let end = text(position + 1) else { return nil }
                position = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let opensObject = position.pointee == UInt8(ascii: "{")
                let inside = blanks(position + 1)
                if inside.pointee == (opensObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    position = inside + 1
                    break
                }
                guard depth < Self.maximumDepth else {
                    return fail("the record is nested deeper than 512 levels", position)
                }
                isObject[depth] = opensObject
                depth += 1
                position = inside
                if opensObject {
                    guard let value = name(position) else { return nil }
                    position = value
                }
                continue
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard let end = number(position) else { return nil }
                position = end
            default:
                guard let end = literal(position) else { return nil }
                position = end
            }
            while true {
                if depth == base { return position }
                position = blanks(position)
                let isObject = isObject[depth - 1]
                if position.pointee == UInt8(ascii: ",") {
                    position = blanks(position + 1)
                    if isObject {
                        guard let value = name(position) else { return nil }
                        position = value
                    }
                    break
                }
                guard position.pointee == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    return fail("expected a comma or a closing bracket after a value", position)
                }
                depth -= 1
                position += 1
            }
        }
    }
}
