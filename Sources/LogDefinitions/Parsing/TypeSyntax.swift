/// Reads the type notation of `definitions.md`, such as `string(256)?`, `int(0...)` or `[SortOrder; 1...10]`.
package struct TypeSyntax: Sendable {
    package struct Failure: Error, Sendable {
        package var message: String
        package var help: String?
    }

    package struct Parsed: Sendable {
        package var type: ColumnType
        package var isOptional: Bool
    }

    /// Built-in type names with what they stand for; the aliases are those of warehouses and of daifuku.
    static let builtIn: [String: ColumnType] = {
        var types: [String: ColumnType] = [
            "string": .string(maxLength: nil, maxBytes: nil), "text": .string(maxLength: nil, maxBytes: nil),
            "double": .number(bits: 64, minimum: nil, maximum: nil), "number": .number(bits: 64, minimum: nil, maximum: nil),
            "float": .number(bits: 32, minimum: nil, maximum: nil), "real": .number(bits: 32, minimum: nil, maximum: nil),
            "bool": .boolean, "boolean": .boolean, "date": .date, "timestamp": .timestamp, "datetime": .timestamp,
            "timestamptz": .timestamp, "uuid": .uuid, "url": .url,
        ]
        let integers: [(String, Int, Bool)] = [
            ("int", 64, true), ("int8", 8, true), ("int16", 16, true), ("int32", 32, true), ("int64", 64, true),
            ("uint8", 8, false), ("uint16", 16, false), ("uint32", 32, false),
            ("smallint", 16, true), ("integer", 32, true), ("bigint", 64, true),
        ]
        for (name, bits, signed) in integers {
            types[name] = .integer(bits: bits, signed: signed, minimum: nil, maximum: nil, isPlain: name == "int")
        }
        return types
    }()

    /// Names a person may write where a type is expected, for suggestions.
    package static let builtInNames = builtIn.keys.sorted() + ["enum"]

    private static let maximumDepth = 8

    package static func parse(_ text: String) throws(Failure) -> Parsed {
        var text = trimmed(text[...])
        guard !text.isEmpty else {
            throw Failure(message: "the type is empty", help: "write a type, such as `string(64)` or `int64?`")
        }
        let isOptional = text.utf8.last == UInt8(ascii: "?")
        if isOptional { text = trimmed(Substring(text.utf8.dropLast())) }
        return Parsed(type: try parse(text, depth: 0), isOptional: isOptional)
    }

    private static func parse(_ text: Substring, depth: Int) throws(Failure) -> ColumnType {
        guard depth < maximumDepth else {
            throw Failure(message: "the type is nested deeper than \(maximumDepth) levels", help: nil)
        }
        if text.utf8.first == UInt8(ascii: "[") {
            guard text.utf8.last == UInt8(ascii: "]"), text.utf8.count > 1 else {
                throw Failure(message: "the list type `\(text)` has no closing `]`", help: "write `[string(64)]` or `[string(64); 1...10]`")
            }
            return try array(trimmed(Substring(text.utf8.dropFirst().dropLast())), depth: depth)
        }
        if text.utf8.last == UInt8(ascii: "?") {
            throw Failure(message: "`?` belongs at the end of the whole type, once", help: "a list's items are never missing")
        }
        guard let parenthesis = text.utf8.firstIndex(of: UInt8(ascii: "(")) else {
            if let type = builtIn[String(text)] { return type }
            if notBuilt.contains(text.lowercased()) { throw notBuiltYet(text) }
            if text == "enum" { throw Failure(message: "`enum` has no values", help: "write `enum(newest, popular)`") }
            guard isTypeName(text) else {
                throw Failure(message: "`\(text)` is not a type", help: help(forUnknown: String(text)))
            }
            return .named(String(text))
        }
        let name = String(trimmed(text[..<parenthesis]))
        if notBuilt.contains(name.lowercased()) { throw notBuiltYet(name[...]) }
        guard text.utf8.last == UInt8(ascii: ")") else {
            throw Failure(message: "the type `\(text)` has no closing `)` at its end", help: nil)
        }
        let arguments = trimmed(Substring(text.utf8[text.utf8.index(after: parenthesis)...].dropLast()))
        if name == "enum" { return .enumeration(try enumValues(arguments)) }
        switch builtIn[name] {
        case .string: return try string(arguments, name: name)
        case .integer(let bits, let signed, _, _, _): return try integer(arguments, name: name, bits: bits, signed: signed)
        case .number(let bits, _, _): return try number(arguments, name: name, bits: bits)
        case .some: throw Failure(message: "`\(name)` takes nothing in parentheses", help: "write `\(name)`")
        case nil:
            let known = ["string", "int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "double", "float", "enum"]
            let help = nearestSpelling(of: name, among: known).map { "did you mean `\($0)`?" }
            throw Failure(message: "`\(name)(…)` is not a type", help: help ?? "strings, numbers and `enum` take something in parentheses")
        }
    }

    private static let notBuilt: Set<String> = ["decimal", "numeric", "money"]

    private static func notBuiltYet(_ name: Substring) -> Failure {
        Failure(message: "the type `\(name)` is not built yet", help: "write `int64` and count the smallest unit, such as cents, or `string(13)`")
    }

    private static func help(forUnknown text: String) -> String? {
        nearestSpelling(of: text, among: builtInNames).map { "did you mean `\($0)`?" }
    }

    /// What a named type may be called: an ASCII Swift identifier, at most 64 letters.
    package static func isTypeName(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F }
        return isLetter(first) && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }

    private static func array(_ text: Substring, depth: Int) throws(Failure) -> ColumnType {
        var item = text
        var range: Substring?
        if let semicolon = text.utf8.lastIndex(of: UInt8(ascii: ";")),
            !text.utf8[semicolon...].contains(where: { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: ")") })
        {
            item = trimmed(text[..<semicolon])
            range = trimmed(text[text.utf8.index(after: semicolon)...])
        }
        guard !item.isEmpty else { throw Failure(message: "the list has no item type", help: "write `[string(64)]`") }
        let type = try parse(item, depth: depth + 1)
        guard let range else { return .array(type, minItems: nil, maxItems: nil) }
        let (minimum, maximum) = try bounds(range, example: "[string; 1...10]") { Int($0) }
        guard (minimum ?? 0) >= 0, (maximum ?? 1) >= 0 else {
            throw Failure(message: "a list cannot hold fewer than 0 items", help: nil)
        }
        return .array(type, minItems: minimum, maxItems: maximum)
    }

    private static func string(_ arguments: Substring, name: String) throws(Failure) -> ColumnType {
        var digits = arguments
        var isBytes = false
        for unit in ["bytes", "byte"] where digits.hasSuffix(unit) {
            digits = trimmed(digits.dropLast(unit.count))
            isBytes = true
            break
        }
        guard let length = Int(digits), length > 0, digits.utf8.first != UInt8(ascii: "+"), length <= Int(Int32.max) else {
            throw Failure(
                message: "`\(arguments)` is not a length: it takes a whole number from 1 to \(Int32.max)",
                help: "write `\(name)(256)` (characters) or `\(name)(256 bytes)`"
            )
        }
        return isBytes ? .string(maxLength: nil, maxBytes: length) : .string(maxLength: length, maxBytes: nil)
    }

    private static func integer(_ arguments: Substring, name: String, bits: Int, signed: Bool) throws(Failure) -> ColumnType {
        let (minimum, maximum) = try bounds(arguments, example: "\(name)(0...100)") { Int64($0) }
        let width = ColumnType.bounds(bits: bits, signed: signed)
        for bound in [minimum, maximum] {
            if let bound, bound < width.minimum || bound > width.maximum {
                throw Failure(message: "\(bound) does not fit in `\(name)`, which holds \(width.minimum)...\(width.maximum)", help: nil)
            }
        }
        return .integer(bits: bits, signed: signed, minimum: minimum, maximum: maximum, isPlain: name == "int")
    }

    private static func number(_ arguments: Substring, name: String, bits: Int) throws(Failure) -> ColumnType {
        let (minimum, maximum) = try bounds(arguments, example: "\(name)(0...1)") { (text: Substring) -> Double? in
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
        return .number(bits: bits, minimum: minimum, maximum: maximum)
    }

    private static func bounds<Bound: Comparable>(
        _ text: Substring, example: String, parse: (Substring) -> Bound?
    ) throws(Failure) -> (Bound?, Bound?) {
        let malformed = Failure(message: "`\(text)` is not a range", help: "write a range with three dots, as in `\(example)`")
        guard let dots = text.utf8.indices.first(where: { text[$0...].hasPrefix("...") }) else { throw malformed }
        let lower = trimmed(text[..<dots])
        let upper = trimmed(text[text.utf8.index(dots, offsetBy: 3)...])
        guard !(lower.isEmpty && upper.isEmpty) else { throw malformed }
        let minimum = lower.isEmpty ? nil : parse(lower)
        let maximum = upper.isEmpty ? nil : parse(upper)
        guard (minimum != nil) == !lower.isEmpty, (maximum != nil) == !upper.isEmpty else { throw malformed }
        if let minimum, let maximum, minimum > maximum {
            throw Failure(message: "the range `\(text)` is empty: its lower bound is above its upper bound", help: nil)
        }
        return (minimum, maximum)
    }

    private static func enumValues(_ arguments: Substring) throws(Failure) -> [String] {
        var values: [String] = []
        var seen: Set<ExactText> = []
        for part in arguments.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let value = String(trimmed(Substring(part)))
            if let problem = problem(withEnumValue: value) { throw Failure(message: problem, help: "write `enum(newest, popular)`") }
            guard seen.insert(ExactText(value)).inserted else { throw Failure(message: "the value `\(value)` is listed twice", help: nil) }
            values.append(value)
        }
        return values
    }

    /// Why a text cannot be an enumeration's value; nil if it can.
    package static func problem(withEnumValue value: String) -> String? {
        if value.isEmpty { return "an enumeration's value is empty" }
        if value.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) {
            return "an enumeration's value has a control character"
        }
        if SwiftNames.caseName(forValue: value) == nil {
            return "no Swift name can be made from the value `\(value)`: it has no letter and no digit"
        }
        return nil
    }
}

/// A text without the blanks around it.
func trimmed(_ text: Substring) -> Substring {
    var bytes = text.utf8
    while let first = bytes.first, first == 0x20 || (0x09...0x0D).contains(first) { bytes = bytes.dropFirst() }
    while let last = bytes.last, last == 0x20 || (0x09...0x0D).contains(last) { bytes = bytes.dropLast() }
    return Substring(bytes)
}
