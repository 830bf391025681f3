/// The notation of types: `string(256)`, `int(0...)`, `decimal(10, 2)`, `[ListOrder; 1...10]`.
///
/// The notation has two forms, which share one formatter and one parser:
/// - The *written* form is for definition files. A named type is only a name, and enumeration values are not encoded.
/// - The *exact* form is for the lock file and generated code. This form has no blanks, and strings are
///   percent-encoded. A named type includes its underlying type: `RecipeID=int64`, `RecipeID@Kitchen.RecipeID=int64`,
///   or `Money=app` if the definitions contain only the name. This makes a type self-contained.
package enum TypeNotation {
    package enum Form: Sendable { case written, exact }

    /// The reason why a string is not a type, and how to correct it.
    package struct Failure: Error, Sendable {
        package var message: String
        package var help: String?
        /// A word that may be misspelt, and possible corrections. A suggestion takes precedence over `help`.
        package var misspelling: (word: String, candidates: [String])?

        package init(message: String, help: String? = nil, misspelling: (word: String, candidates: [String])? = nil) {
            self.message = message
            self.help = help
            self.misspelling = misspelling
        }
    }

    /// A parsed type and its optionality.
    package struct Parsed: Sendable {
        package var type: LogValueType
        /// Indicates whether the type ends in `?`.
        package var isOptional: Bool

        package init(type: LogValueType, isOptional: Bool) {
            self.type = type
            self.isOptional = isOptional
        }
    }

    // MARK: Names

    /// The built-in types by name. The aliases come from warehouses and from daifuku.
    package static let builtIn: [String: LogValueType] = {
        var types: [String: LogValueType] = [
            "string": .string(.init()), "text": .string(.init()), "double": .number(.init()),
            "number": .number(.init()),
            "float": .number(.init(bits: 32)), "real": .number(.init(bits: 32)), "bool": .boolean, "boolean": .boolean,
        ]
        for format in StringFormat.withoutArguments {
            for name in [format.name] + format.aliases { types[name] = format.type }
        }
        let integers: [(String, Int, Bool)] = [
            ("int", 64, true), ("int8", 8, true), ("int16", 16, true), ("int32", 32, true), ("int64", 64, true),
            ("uint8", 8, false), ("uint16", 16, false), ("uint32", 32, false),
            ("smallint", 16, true), ("integer", 32, true), ("bigint", 64, true),
        ]
        for (name, bits, isSigned) in integers {
            types[name] = .integer(.init(bits: bits, isSigned: isSigned, isPlain: name == "int"))
        }
        return types
    }()

    /// The names of types that always have arguments in parentheses.
    package static let typesRequiringArguments = StringFormat.withArguments.map(\.name) + ["enum"]

    /// The names of built-in types, for spelling suggestions.
    package static let builtInNames = builtIn.keys.sorted() + typesRequiringArguments

    /// Returns whether the notation reserves the name.
    package static func isBuiltIn(_ name: String) -> Bool {
        // `Numeric` is reserved in any case: it is SQL's name for a decimal.
        builtIn[name] != nil || typesRequiringArguments.contains(name)
            || StringFormat.withArguments(named: name.lowercased()) != nil
    }

    /// Returns whether a named type may have this name: an ASCII Swift identifier of at most 64 characters.
    package static func isTypeName(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F }
        return isLetter(first) && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }

    // MARK: Writing

    package static func write(_ type: LogValueType, _ form: Form, to text: inout [UInt8]) {
        func list(_ values: [String]) {
            for (index, value) in values.enumerated() {
                if index > 0 { text += form == .written ? ", ".utf8 : ",".utf8 }
                if form == .written { text += value.utf8 } else { PercentEncoding.encode(value, to: &text) }
            }
        }
        switch type.form {
        case .string(let limits):
            text += "string".utf8
            if let bytes = limits.maxBytes {
                text += (form == .written ? "(\(bytes) bytes)" : "(\(bytes)bytes)").utf8
            } else if let length = limits.maxLength {
                text += "(\(length))".utf8
            }
        case .integer(let integer):
            text +=
                integer.isPlain ? "int".utf8 : integer.isSigned ? "int\(integer.bits)".utf8 : "uint\(integer.bits)".utf8
            text += range(integer.minimum?.description, integer.maximum?.description).utf8
        case .number(let number):
            text += number.bits == 32 ? "float".utf8 : "double".utf8
            text += range(number.minimum.map(decimals), number.maximum.map(decimals)).utf8
        case .boolean: text += "bool".utf8
        case .format(let format):
            text += format.name.utf8
            let arguments = format.arguments.map { String($0.value) }
            if !arguments.isEmpty { text += "(\(arguments.joined(separator: form == .written ? ", " : ",")))".utf8 }
        case .enumeration(let enumeration):
            text += "enum(".utf8
            list(enumeration.values)
            text.append(UInt8(ascii: ")"))
        case .array(let array):
            text.append(UInt8(ascii: "["))
            write(array.items, form, to: &text)
            if array.minItems != nil || array.maxItems != nil {
                text += form == .written ? "; ".utf8 : ";".utf8
                text += "\(array.minItems?.description ?? "")...\(array.maxItems?.description ?? "")".utf8
            }
            text.append(UInt8(ascii: "]"))
        case .named(let named):
            guard form == .exact else {
                text += named.name.utf8
                return
            }
            PercentEncoding.encode(named.name, to: &text)
            if let swift = named.swift {
                text.append(UInt8(ascii: "@"))
                PercentEncoding.encode(swift, to: &text)
            }
            text.append(UInt8(ascii: "="))
            if let base = named.base { write(base, form, to: &text) } else { text += "app".utf8 }
        }
    }

    private static func range(_ minimum: String?, _ maximum: String?) -> String {
        minimum == nil && maximum == nil ? "" : "(\(minimum ?? "")...\(maximum ?? ""))"
    }

    /// Formats a number as definition files contain it: `1`, not `1.0`.
    package static func decimals(_ number: Double) -> String {
        // Avoids the C library, which some programs do not link.
        guard number > -9_007_199_254_740_992, number < 9_007_199_254_740_992, Double(Int64(number)) == number,
            number != 0 || number.sign == .plus
        else { return "\(number)" }
        return "\(Int64(number))"
    }

    // MARK: Reading

    private static let maximumDepth = 8

    package static func parse(_ text: some StringProtocol, _ form: Form = .written) throws(Failure) -> Parsed {
        var text = trimmed(Substring(text))
        let isOptional = text.utf8.last == UInt8(ascii: "?")
        if isOptional { text = trimmed(Substring(text.utf8.dropLast())) }
        guard !text.isEmpty else {
            throw Failure(message: "the type is empty", help: "write a type, such as `string(64)` or `int64?`")
        }
        return Parsed(type: try type(text, form, depth: 0), isOptional: isOptional)
    }

    private static func type(_ text: Substring, _ form: Form, depth: Int) throws(Failure) -> LogValueType {
        // In the exact form, a name is an additional level around its type.
        guard depth < (form == .exact ? 2 * maximumDepth : maximumDepth) else {
            throw Failure(
                message: "the type is nested deeper than \(maximumDepth) levels",
                help: "write a list with fewer levels, such as `[string(64)]`")
        }
        let isList = text.utf8.first == UInt8(ascii: "[")
        // In `[string?`, the mistake is the missing bracket. This mistake is reported below.
        if text.utf8.last == UInt8(ascii: "?"), !isList || text.utf8.contains(UInt8(ascii: "]")) {
            throw misplacedMark
        }
        if isList {
            guard text.utf8.last == UInt8(ascii: "]"), text.utf8.count > 1 else {
                let isClosed = text.utf8.contains(UInt8(ascii: "]"))
                throw Failure(
                    message: "the list type `\(text)` \(isClosed ? "does not end at its" : "has no closing") `]`",
                    help: isClosed
                        ? "write the number of items into the brackets, as in `[string(64); 1...10]`"
                        : "append `]`, as in `[string(64)]` or `[string(64); 1...10]`")
            }
            return try list(trimmed(Substring(text.utf8.dropFirst().dropLast())), form, depth: depth)
        }
        if form == .exact, let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
            return try exactName(text, sign, depth: depth)
        }
        guard let parenthesis = text.utf8.firstIndex(of: UInt8(ascii: "(")) else { return try name(text, form) }
        let name = String(trimmed(text[..<parenthesis]))
        if name.lowercased() == "money" { throw Self.money }
        guard text.utf8.last == UInt8(ascii: ")") else {
            throw Failure(message: "the type `\(text)` has no closing `)` at its end")
        }
        let arguments = trimmed(Substring(text.utf8[text.utf8.index(after: parenthesis)...].dropLast()))
        if name == "enum" { return .enumeration(.init(try values(arguments, form))) }
        if let format = try StringFormat(name, arguments) { return format.type }
        switch builtIn[name] {
        case .string: return .string(try limits(arguments, name: name))
        case .integer(let integer): return .integer(try bounded(integer, arguments, name: name))
        case .number(let number): return .number(try bounded(number, arguments, name: name))
        case .some: throw Failure(message: "`\(name)` does not have parameters in parentheses", help: "write `\(name)`")
        case nil:
            let known =
                [
                    "string", "int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "double", "float",
                ] + typesRequiringArguments
            throw Failure(
                message: "`\(name)(…)` is not a type",
                help: "only strings, numbers and `enum` have parameters in parentheses",
                misspelling: (name, known))
        }
    }

    private static func name(_ text: Substring, _ form: Form) throws(Failure) -> LogValueType {
        if let type = builtIn[String(text)] { return type }
        if text == "enum" {
            throw Failure(message: "`enum` has no values", help: "append the values, as in `enum(newest, popular)`")
        }
        _ = try StringFormat(String(text), nil)
        if text.utf8.contains(UInt8(ascii: "?")) { throw misplacedMark }
        guard form == .written, isTypeName(text) else {
            throw Failure(message: "`\(text)` is not a type", misspelling: (String(text), builtInNames))
        }
        return .named(.init(String(text)))
    }

    private static let misplacedMark = Failure(
        message: "`?` is not at the end of the whole type, or occurs twice",
        help: "write one `?` after the whole type, as in `[string]?`; items of a list cannot be optional")

    private static let money = Failure(
        message: "`money(…)` has parameters, but `money` is not a built-in type",
        help: "write `decimal(10, 2)`: 10 digits, 2 of them after the decimal point")

    /// Parses the exact form of a named type: `RecipeID=int64`, `RecipeID@Kitchen.RecipeID=int64` with the Swift type,
    /// or `Money=app` for a type of the app without a base type.
    private static func exactName(_ text: Substring, _ sign: Substring.Index, depth: Int) throws(Failure)
        -> LogValueType
    {
        let parts = text[..<sign].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let failure = Failure(message: "`\(text)` does not have the form `Name=int64`")
        guard let name = PercentEncoding.decode(parts[0]), !name.isEmpty else { throw failure }
        let swift = parts.count > 1 ? PercentEncoding.decode(parts[1]) : nil
        guard parts.count == 1 || swift != nil else { throw failure }
        let rest = text[text.index(after: sign)...]
        return .named(.init(name, swift: swift, base: rest == "app" ? nil : try type(rest, .exact, depth: depth + 1)))
    }

    private static func list(_ text: Substring, _ form: Form, depth: Int) throws(Failure) -> LogValueType {
        var item = text
        var range: Substring?
        if let semicolon = text.utf8.lastIndex(of: UInt8(ascii: ";")),
            !text.utf8[semicolon...].contains(where: { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: ")") })
        {
            item = trimmed(text[..<semicolon])
            range = trimmed(text[text.utf8.index(after: semicolon)...])
        }
        guard !item.isEmpty else { throw Failure(message: "the list has no item type", help: "write `[string(64)]`") }
        let items = try type(item, form, depth: depth + 1)
        guard let range else { return .array(.init(of: items)) }
        let (minimum, maximum) = try bounds(range, example: "[string; 1...10]") { Int($0) }
        guard (minimum ?? 0) >= 0, (maximum ?? 1) >= 0 else {
            throw Failure(message: "a list cannot have fewer than 0 items", help: "write a range such as `1...10`")
        }
        return .array(.init(of: items, minItems: minimum, maxItems: maximum))
    }

    private static func limits(_ arguments: Substring, name: String) throws(Failure) -> LogValueType.Text {
        var digits = arguments
        var isBytes = false
        for unit in ["bytes", "byte"] where digits.hasSuffix(unit) {
            digits = trimmed(digits.dropLast(unit.count))
            isBytes = true
            break
        }
        guard let length = natural(digits), length > 0, length <= Int(Int32.max) else {
            throw Failure(
                message: "`\(arguments)` is not a length: a length is a whole number from 1 to \(Int32.max)",
                help: "write `\(name)(256)` (characters) or `\(name)(256 bytes)`"
            )
        }
        return isBytes ? .init(maxBytes: length) : .init(maxLength: length)
    }

    static func natural(_ text: Substring) -> Int? {
        text.utf8.first == UInt8(ascii: "+") ? nil : Int(text)
    }

    private static func bounded(_ integer: LogValueType.Integer, _ arguments: Substring, name: String) throws(Failure)
        -> LogValueType.Integer
    {
        var integer = integer
        (integer.minimum, integer.maximum) = try bounds(arguments, example: "\(name)(0...100)") { Int64($0) }
        let width = integer.width
        for bound in [integer.minimum, integer.maximum] {
            if let bound, !width.contains(bound) {
                throw Failure(
                    message: "\(bound) does not fit in `\(name)`, which holds \(width.lowerBound)...\(width.upperBound)"
                )
            }
        }
        return integer
    }

    private static func bounded(_ number: LogValueType.Number, _ arguments: Substring, name: String) throws(Failure)
        -> LogValueType.Number
    {
        var number = number
        (number.minimum, number.maximum) = try bounds(arguments, example: "\(name)(0...1)") {
            (text: Substring) -> Double? in
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
        return number
    }

    private static func bounds<Bound: Comparable>(
        _ text: Substring, example: String, parse: (Substring) -> Bound?
    ) throws(Failure) -> (Bound?, Bound?) {
        let malformed = Failure(
            message: "`\(text)` is not a range", help: "write a range with three dots, as in `\(example)`")
        guard let dots = text.utf8.indices.first(where: { text[$0...].hasPrefix("...") }) else { throw malformed }
        let lower = trimmed(text[..<dots])
        let upper = trimmed(text[text.utf8.index(dots, offsetBy: 3)...])
        guard !(lower.isEmpty && upper.isEmpty) else { throw malformed }
        func bound(_ text: Substring, sign: Double) throws(Failure) -> Bound? {
            if let bound = parse(text) { return bound }
            guard !text.isEmpty else { return nil }
            let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
            guard isNumber, let number = Double(text), number * sign >= 0x1p63 else { throw malformed }
            throw Failure(
                message: "the bound `\(text)` is too large", help: "leave it out: then the type's limit holds")
        }
        let (minimum, maximum) = (try bound(lower, sign: -1), try bound(upper, sign: 1))
        if let minimum, let maximum, minimum > maximum {
            throw Failure(message: "the range `\(text)` is empty: its lower bound is above its upper bound")
        }
        return (minimum, maximum)
    }

    private static func values(_ arguments: Substring, _ form: Form) throws(Failure) -> [String] {
        // In generated code, the values may be omitted: the Swift type of the enumeration defines them.
        if form == .exact, arguments.isEmpty { return [] }
        var values: [String] = []
        var seen: Set<ExactString> = []
        for part in arguments.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let written = trimmed(Substring(part))
            guard let value = form == .exact ? PercentEncoding.decode(written) : String(written) else {
                throw Failure(message: "`\(written)` is not a percent-encoded string")
            }
            if form == .written, let problem = problem(withEnumValue: value) {
                throw Failure(message: problem, help: "write `enum(newest, popular)`")
            }
            guard seen.insert(ExactString(value)).inserted else {
                throw Failure(message: "the value `\(value)` is listed twice")
            }
            values.append(value)
        }
        return values
    }

    /// Returns the reason why a string cannot be a value of an enumeration; nil if it can.
    package static func problem(withEnumValue value: String) -> String? {
        if value.isEmpty { return "an enumeration's value is empty" }
        if value.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
            return "an enumeration's value has a control character"
        }
        return nil
    }
}

extension LogValueType: CustomStringConvertible {
    /// The written form of the type.
    public var description: String {
        var text: [UInt8] = []
        TypeNotation.write(self, .written, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// Returns the string without leading and trailing ASCII whitespace.
package func trimmed(_ text: Substring) -> Substring {
    var bytes = text.utf8
    while let first = bytes.first, first == 0x20 || (0x09...0x0D).contains(first) { bytes = bytes.dropFirst() }
    while let last = bytes.last, last == 0x20 || (0x09...0x0D).contains(last) { bytes = bytes.dropLast() }
    return Substring(bytes)
}
