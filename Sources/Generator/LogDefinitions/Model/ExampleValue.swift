/// The value of an example cell, according to its column's type.
package indirect enum ExampleValue: Sendable {
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case array([ExampleValue])

    /// The reason why a string is not a value of a type, and the fix.
    package struct Problem: Error, Sendable {
        package var message: String
        package var help: Diagnostic.Note

        init(_ message: String, _ help: Diagnostic.Note) {
            self.message = message
            self.help = help
        }

        init(_ message: String, _ help: String) { self.init(message, .help(help)) }
    }

    /// Parses an example cell by the rules of the JSON Schema of its type. Returns nil for a list of lists, and for a
    /// type whose values only the app knows.
    package static func read(_ text: String, as type: LogValueType) throws(Problem) -> ExampleValue? {
        switch type.form {
        case .string(let limits): return .string(try string(text, limits, type))
        case .integer(let integer): return .integer(try self.integer(text, integer, type))
        case .number(let number): return .number(try self.number(text, number, type))
        case .boolean:
            guard text == "true" || text == "false" else {
                throw Problem("`bool` is `true` or `false`", "write `true` or `false`")
            }
            return .boolean(text == "true")
        case .format(let format):
            guard format.accepts(text) else { throw Problem(format.correction.message, format.correction.help) }
            return .string(text)
        case .enumeration(let enumeration):
            if enumeration.values.containsExactly(text) { return .string(text) }
            let values = enumeration.values
            let nearest = nearestSpelling(of: text, among: values) ?? values.first { $0 == text }
            let list = values.prefix(4).map { "`\($0)`" }.joined(separator: ", ") + (values.count > 4 ? " …" : "")
            throw Problem(
                "the values are \(list)",
                nearest.map { .didYouMean($0, insteadOf: text) } ?? .help("write one of the values"))
        case .array(let list): return try items(of: text, list)
        case .named(let named):
            guard let base = named.base else { return nil }
            return try read(text, as: base)
        }
    }

    private static func string(_ text: String, _ limits: LogValueType.Text, _ type: LogValueType) throws(Problem)
        -> String
    {
        let (length, bytes) = (text.unicodeScalars.count, text.utf8.count)
        if let maxLength = limits.maxLength, length > maxLength {
            throw Problem(
                "it has \(length) characters, and `\(type)` takes \(maxLength)",
                "shorten it, or raise the type's length")
        }
        if let maxBytes = limits.maxBytes, bytes > maxBytes {
            throw Problem(
                "it has \(bytes) bytes in UTF-8, and `\(type)` takes \(maxBytes)",
                "shorten it, or raise the type's length")
        }
        return text
    }

    private static func integer(_ text: String, _ integer: LogValueType.Integer, _ type: LogValueType) throws(Problem)
        -> Int64
    {
        let range = integer.range
        let isRange = integer.minimum != nil || integer.maximum != nil
        let help =
            "write a whole number"
            + (isRange
                ? " from \(range.lowerBound) to \(range.upperBound)"
                : ", such as `\(range.contains(42) ? 42 : range.lowerBound)`")
        guard let value = Int64(text), text.utf8.first != UInt8(ascii: "+") else {
            throw Problem("`\(type)` takes a whole number", help)
        }
        guard range.contains(value) else {
            throw Problem("`\(type)` takes \(range.lowerBound) to \(range.upperBound)", help)
        }
        return value
    }

    private static func number(_ text: String, _ number: LogValueType.Number, _ type: LogValueType) throws(Problem)
        -> Double
    {
        let help = "write a number such as `\(TypeNotation.decimals(number.minimum ?? number.maximum ?? 0.5))`"
        // `Double` also parses hexadecimal numbers, `inf` and `nan`.
        guard text.utf8.allSatisfy({ "+-.0123456789Ee".utf8.contains($0) }), let value = Double(text), value.isFinite
        else {
            throw Problem("`\(type)` takes a number", help)
        }
        guard value >= number.minimum ?? value, value <= number.maximum ?? value else {
            throw Problem("it is out of the range of `\(type)`", help)
        }
        return value
    }

    /// Parses a list. Nil for a list of lists, and for items whose values only the app knows.
    private static func items(of text: String, _ list: LogValueType.List) throws(Problem) -> ExampleValue? {
        if case .array = list.items { return nil }
        var inner = trimmed(text[...])
        if inner.utf8.first == UInt8(ascii: "["), inner.utf8.last == UInt8(ascii: "]") {
            inner = trimmed(Substring(inner.utf8.dropFirst().dropLast()))
        }
        let parts =
            inner.isEmpty
            ? []
            : inner.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
                trimmed(Substring($0))
            }
        var values: [ExampleValue] = []
        for part in parts {
            var part = withoutBackticks(part)
            if part.utf8.count > 1, part.utf8.first == UInt8(ascii: "\""), part.utf8.last == UInt8(ascii: "\"") {
                part = Substring(part.utf8.dropFirst().dropLast())
            }
            do throws(Problem) {
                guard let value = try read(String(part), as: list.items) else { return nil }
                values.append(value)
            } catch {
                throw Problem("the item `\(part)` is invalid; \(error.message)", error.help)
            }
        }
        if parts.count < list.minItems ?? 0 || parts.count > list.maxItems ?? .max {
            let range = "\(list.minItems ?? 0)" + (list.maxItems.map { " to \($0)" } ?? " or more")
            throw Problem(
                "it has \(parts.count) items, and the list takes \(range)", "write \(range) items, separated by commas")
        }
        return .array(values)
    }
}

extension Column {
    /// The example for schemas; nil if it is missing, is not a value of the column's type, or is an empty list.
    package var exampleValue: ExampleValue? {
        guard let example, !example.isEmpty, let value = try? ExampleValue.read(example, as: type) else { return nil }
        if case .array(let items) = value, items.isEmpty { return nil }
        return value
    }

    /// The reason why the example is not a value of the column's type. Nil for a missing or valid example, for `null`
    /// in an optional column, and for a type whose values only the app knows.
    var exampleProblem: ExampleValue.Problem? {
        guard let example, isRequired || example != "null" else { return nil }
        do throws(ExampleValue.Problem) {
            _ = try ExampleValue.read(example, as: type)
            return nil
        } catch {
            return error
        }
    }
}
