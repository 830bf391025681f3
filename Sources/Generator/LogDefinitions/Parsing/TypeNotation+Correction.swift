extension TypeNotation {
    /// The use of a correction, which limits the changes.
    package enum CorrectionUse {
        /// The correction is applied without a question, as by `loggen infer`. Only the notation of the type may
        /// change.
        case inference
        /// The type is a cell of a suggested table, which a person accepts as a whole. Japanese words for types, such
        /// as `整数`, are also corrected.
        case table
        /// A person decides about each correction. Arguments that are nearly right are repaired, too.
        case advice
    }

    /// Returns the correct form of an invalid type with full-width characters or in another language's notation. Nil if
    /// the correct form is uncertain.
    package static func correction(of text: String, for use: CorrectionUse = .inference) -> String? {
        let original = trimmed(text[...])
        var text = trimmed(Substring(Confusable.seen(text).replacing(ideographs)))
        let isOptional = text.utf8.last == UInt8(ascii: "?")
        if isOptional { text = trimmed(Substring(text.utf8.dropLast())) }
        guard
            let written = correctedUnion(text, use)
                ?? corrected(text, use, depth: 0).map({ $0 + (isOptional ? "?" : "") })
        else { return nil }
        if written.isExactly(original) { return nil }
        guard let parsed = try? parse(written) else { return nil }
        if let name = parsed.type.typeName, builtIn[name] == nil, !name.isExactly(text) { return nil }
        return written
    }

    /// Corrects alternatives in TypeScript's notation: `string | undefined` is `string?`, and `"a" | "b"` is
    /// `enum(a, b)`.
    private static func correctedUnion(_ text: Substring, _ use: CorrectionUse) -> String? {
        let parts = text.split(separator: "|").map { trimmed($0) }
        guard parts.count > 1, use != .inference else { return nil }
        let present = parts.filter { !["undefined", "null", "nil"].contains($0.lowercased()) }
        let mark = present.count < parts.count ? "?" : ""
        let values = present.compactMap { part -> Substring? in
            guard let quote = part.first, "\"'".contains(quote), part.last == quote, part.count > 2 else { return nil }
            return part.dropFirst().dropLast()
        }
        if values.count == present.count, !values.isEmpty { return "enum(\(values.joined(separator: ", ")))\(mark)" }
        return present.count == 1 ? corrected(present[0], use, depth: 0).map { $0 + mark } : nil
    }

    private static func corrected(_ text: Substring, _ use: CorrectionUse, depth: Int) -> String? {
        guard depth < 8, !text.isEmpty else { return nil }
        if text.hasSuffix("[]") {
            return corrected(trimmed(text.dropLast(2)), use, depth: depth + 1).map { "[\($0)]" }
        }
        if text.hasPrefix("["), text.hasSuffix("]") {
            return corrected(trimmed(text.dropFirst().dropLast()), use, depth: depth + 1).map { "[\($0)]" }
        }
        if let open = text.utf8.firstIndex(of: UInt8(ascii: "<")), text.utf8.last == UInt8(ascii: ">") {
            let inner = trimmed(Substring(text.utf8[text.utf8.index(after: open)...].dropLast()))
            switch trimmed(text[..<open]).lowercased() {
            case "array", "list", "set", "sequence", "repeated":
                return corrected(inner, use, depth: depth + 1).map { "[\($0)]" }
            case "optional", "nullable":
                return depth == 0 ? corrected(inner, use, depth: depth + 1).map { $0 + "?" } : nil
            default: return nil
            }
        }
        let open = text.utf8.firstIndex(of: UInt8(ascii: "("))
        let spelled = trimmed(text[..<(open ?? text.endIndex)]).lowercased()
        let name = use == .inference ? spelled : japanese[spelled] ?? spelled
        let arguments = open.map { String(text[$0...]) } ?? ""
        switch name {
        case "varchar", "nvarchar", "char", "nchar", "varying", "character": return "string" + arguments
        case "str", "clob": return arguments.isEmpty ? "string" : "string" + arguments
        case "long": return "int64"
        case "unsigned", "uint", "unsignedint", "unsigned int", "unsigned integer":
            return arguments.isEmpty ? "uint32" : "uint32" + arguments
        case "short": return "int16"
        case "byte": return "int8"
        case "decimal", "numeric", "money":
            guard name != "money" else { return nil }
            if (try? parse("decimal" + arguments)) != nil { return "decimal" + arguments }
            return use == .advice ? repaired(arguments, of: "decimal") : nil
        default:
            guard builtIn[name] != nil || name == "enum" else {
                return (try? parse(String(text))) != nil ? String(text) : nil
            }
            if (try? parse(name + arguments)) != nil { return name + arguments }
            if arguments == "()" { return (try? parse(name)) != nil ? name : nil }
            return use == .advice ? repaired(arguments, of: name) : nil
        }
    }

    /// Returns a type whose arguments are nearly right: the last bracket is missing, bounds are in the wrong order or
    /// too large for the type, or values are empty or repeated.
    private static func repaired(_ arguments: String, of name: String) -> String? {
        guard arguments.utf8.first == UInt8(ascii: "(") else { return nil }
        guard arguments.utf8.last == UInt8(ascii: ")") else { return name + arguments + ")" }
        let inner = arguments.dropFirst().dropLast()
        if name == "enum" {
            var seen: Set<ExactString> = [ExactString("")]
            let values = inner.split(separator: ",").map { String(trimmed($0)) }
                .filter { seen.insert(ExactString($0)).inserted }
            return values.isEmpty ? nil : "enum(\(values.joined(separator: ", ")))"
        }
        if name == "decimal" {
            // `decimal(6.2)`, and the number of decimal places first.
            let numbers = inner.split { $0 == "." || $0 == "," }.map { String(trimmed($0)) }
            return [numbers, numbers.reversed()].map { "decimal(\($0.joined(separator: ", ")))" }.first {
                numbers.count == 2 && (try? parse($0)) != nil
            }
        }
        var candidates = [["int8", "int16", "int32", "int64"], ["uint8", "uint16", "uint32"]].flatMap {
            $0.drop { $0 != name }.dropFirst().map { $0 + arguments }
        }
        if let dots = inner.indices.first(where: { inner[$0...].hasPrefix("...") }) {
            let upper = inner[dots...].dropFirst(3)
            candidates.insert("\(name)(\(trimmed(upper))...\(trimmed(inner[..<dots])))", at: 0)
        }
        return candidates.first { (try? parse($0)) != nil }
    }

    /// Japanese words for types, as they occur in spreadsheets.
    private static let japanese: [String: String] = {
        var names = japaneseOfOthers
        for format in StringFormat.withoutArguments { for name in format.japaneseNames { names[name] = format.name } }
        return names
    }()

    private static let japaneseOfOthers = [
        "文字列": "string", "文字": "string", "テキスト": "string", "整数": "int", "整数値": "int", "数値": "double", "小数": "double",
        "実数": "double",
        "浮動小数点数": "double", "真偽値": "bool", "真偽": "bool", "論理値": "bool", "ブール": "bool", "フラグ": "bool",
        "列挙": "enum", "列挙型": "enum",
    ]

    private static let ideographs: [Unicode.Scalar: String] = ["\u{3001}": ", ", "\u{2026}": "...", "\u{301C}": "..."]
}

extension String {
    fileprivate func replacing(_ scalars: [Unicode.Scalar: String]) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if let replacement = scalars[scalar] { result += replacement } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
