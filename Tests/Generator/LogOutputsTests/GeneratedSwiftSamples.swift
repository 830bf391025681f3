import LogDefinitions

/// A value of a column: its Swift expression, its JSON in the record, and the rule that it violates.
struct ColumnSample: Sendable {
    var swift: String
    var json: String
    var rule: String?
    /// A Boolean value that indicates whether JSON Schema rejects the value as well. JSON Schema cannot count bytes.
    var isSeenBySchema = true
}

struct ColumnSamples {
    let types: [String: NamedType]
    /// The module of the generated code. Names are qualified with this module, because Foundation has a `Port`, too.
    let module: String
    /// The app's other modules. Names in these are already qualified.
    let appModules: [String]
    /// Values of the app's types that definition files only name, and values that the enumeration in a definition file
    /// lacks.
    let appValues: [String: [ColumnSample]]

    /// - Parameter scope: the type that contains the column's enumeration.
    func samples(of column: Column, in scope: String) -> [ColumnSample] {
        samples(of: column.type, enumeration: scope + "." + SwiftNames.escaped(SwiftNames.typeName(column.name))).map {
            sample in
            var sample = sample
            // An optional column may be null.
            if sample.json == "null", !column.isRequired { sample.isSeenBySchema = false }
            return sample
        }
    }

    private func samples(of type: LogValueType, enumeration: String) -> [ColumnSample] {
        switch type {
        case .string(let limits): strings(maxLength: limits.maxLength, maxBytes: limits.maxBytes)
        case .integer(let integer):
            integers(
                within: (integer.width.lowerBound, integer.width.upperBound), minimum: integer.minimum,
                maximum: integer.maximum)
        case .number(let number): numbers(bits: number.bits, minimum: number.minimum, maximum: number.maximum)
        case .decimal(let decimal): decimals(decimal)
        case .boolean: [ColumnSample(swift: "true", json: "true"), ColumnSample(swift: "false", json: "false")]
        case .date:
            [(0, 1, 1, "0000-01-01"), (2024, 2, 29, "2024-02-29"), (9999, 12, 31, "9999-12-31")].map {
                year, month, day, text in
                ColumnSample(swift: "day(\(year), \(month), \(day))", json: "\"\(text)\"")
            }
        case .timestamp:
            [
                ("-62167219200", "\"0000-01-01T00:00:00.000Z\"", nil), ("1.5", "\"1970-01-01T00:00:01.500Z\"", nil),
                ("253402300799.999", "\"9999-12-31T23:59:59.999Z\"", nil), ("1e12", "null", "type"),
                (".nan", "null", "type"),
            ].map { ColumnSample(swift: "Date(timeIntervalSince1970: \($0))", json: $1, rule: $2) }
        case .uuid:
            ["0190A3F2-7C1E-7B52-9D0A-3F6F0C2B8E11", "00000000-0000-0000-0000-000000000000"].map {
                ColumnSample(swift: "key(\"\($0)\")", json: "\"\($0.lowercased())\"")
            }
        case .url:
            [
                ("https://example.com/%E5%8D%B5?q=a+b&c='d'#e", nil), ("mailto:cook@example.com", nil), ("urn:x", nil),
                ("recipes/42", "format"),
                ("//example.com", "format"),
            ].map { ColumnSample(swift: "link(\"\($0)\")", json: "\"\($0)\"", rule: $1) }
        case .enumeration(let list): list.values.map { enumerated($0, in: enumeration) }
        case .array(let list):
            lists(
                of: samples(of: list.items, enumeration: enumeration), minItems: list.minItems ?? 0,
                maxItems: list.maxItems)
        case .named(let type): named(type.name)
        }
    }

    // MARK: Scalars

    private static let nastyText =
        "\"q\" \\ \\(x) \u{0}\u{8}\r\n\t\u{1B}\u{7F} %0A | </script> {{x}} \u{202E}\u{2028}\u{FEFF} が か\u{3099} 😀👨‍👩‍👧 \\"

    private func decimals(_ decimal: LogValueType.Decimal) -> [ColumnSample] {
        let whole = decimal.precision - decimal.scale
        func sample(_ text: String, _ json: String? = nil, rule: String? = nil) -> ColumnSample {
            let padded =
                text.contains(".")
                ? text : text + (decimal.scale > 0 ? "." + String(repeating: "0", count: decimal.scale) : "")
            return ColumnSample(swift: "amount(\"\(text)\")", json: json ?? "\"\(padded)\"", rule: rule)
        }
        let nines = String(repeating: "9", count: whole)
        var samples = [sample("0"), sample("1" + nines, rule: "pattern"), sample("-1" + nines, rule: "pattern")]
        if whole > 0 { samples += [sample(nines), sample("-" + nines), sample("7")] }
        if decimal.scale > 0 {
            let fraction = String(repeating: "9", count: decimal.scale)
            samples += [
                sample("0." + fraction), sample("-0." + fraction), sample("0." + fraction + "1", rule: "pattern"),
            ]
        } else {
            samples.append(sample("0.5", rule: "pattern"))
        }
        return samples + [ColumnSample(swift: "Decimal.nan", json: "null", rule: "type")]
    }

    private func strings(maxLength: Int?, maxBytes: Int?) -> [ColumnSample] {
        var texts: [(String, rule: String?, isSeen: Bool)] = [("", nil, true)]
        let allowed = maxLength ?? maxBytes.map { $0 / 4 } ?? Self.nastyText.unicodeScalars.count
        texts.append((String(String.UnicodeScalarView(Self.nastyText.unicodeScalars.prefix(allowed))), nil, true))
        texts.append((String(repeating: "😀", count: allowed), nil, true))
        if let maxLength { texts.append((String(repeating: "\r\n", count: maxLength / 2 + 1), "maxLength", true)) }
        if let maxBytes {
            texts.append((String(repeating: "a", count: maxBytes), nil, true))
            texts.append((String(repeating: "a", count: maxBytes + 1), "maxBytes", true))
            texts.append((String(repeating: "卵", count: maxBytes / 3 + 1), "maxBytes", false))
        }
        return texts.map {
            ColumnSample(
                swift: Self.swiftLiteral($0.0), json: Self.jsonLiteral($0.0), rule: $0.rule, isSeenBySchema: $0.isSeen)
        }
    }

    private func integers(within width: (minimum: Int64, maximum: Int64), minimum: Int64?, maximum: Int64?)
        -> [ColumnSample]
    {
        let low = minimum ?? width.minimum
        let high = maximum ?? width.maximum
        var samples = Set([low, high, 0, 1].filter { $0 >= low && $0 <= high }).sorted().map {
            ColumnSample(swift: "\($0)", json: "\($0)")
        }
        if low > width.minimum {
            samples.append(ColumnSample(swift: "\(low - 1)", json: "\(low - 1)", rule: "minimum"))
        }
        if high < width.maximum {
            samples.append(ColumnSample(swift: "\(high + 1)", json: "\(high + 1)", rule: "maximum"))
        }
        return samples
    }

    private func numbers(bits: Int, minimum: Double?, maximum: Double?) -> [ColumnSample] {
        let extremes = bits == 64 ? ["5e-324", "-1.7976931348623157e+308"] : ["1e-45", "-3.4028235e+38"]
        let candidates = ["0.0", "-1.5", "0.1", "0.3", "123456.0"] + extremes
        var texts = candidates.filter {
            (Double($0) ?? 0) >= minimum ?? -.infinity && (Double($0) ?? 0) <= maximum ?? .infinity
        }
        texts += [minimum, maximum].compactMap { $0.map { "\($0)" } }
        var samples = texts.map { ColumnSample(swift: $0, json: $0) }
        if let minimum {
            samples.append(ColumnSample(swift: "\(minimum - 1)", json: "\(minimum - 1)", rule: "minimum"))
        }
        if let maximum {
            samples.append(ColumnSample(swift: "\(maximum + 1)", json: "\(maximum + 1)", rule: "maximum"))
        }
        samples += [".nan", ".infinity", "-.infinity"].map { ColumnSample(swift: $0, json: "null", rule: "type") }
        return samples
    }

    // MARK: Lists and named types

    private func lists(of items: [ColumnSample], minItems: Int, maxItems: Int?) -> [ColumnSample] {
        let allowed = items.filter { $0.rule == nil }
        func list(_ count: Int, first: ColumnSample? = nil, rule: String? = nil) -> ColumnSample {
            let parts = (0..<count).map { $0 == 0 ? first ?? allowed[0] : allowed[$0 % allowed.count] }
            return ColumnSample(
                swift: "[" + parts.map(\.swift).joined(separator: ", ") + "]",
                json: "[" + parts.map(\.json).joined(separator: ",") + "]",
                rule: first?.rule ?? rule, isSeenBySchema: first?.isSeenBySchema ?? true)
        }
        let most = min(max(minItems, allowed.count), maxItems ?? .max)
        var samples = Set([minItems, most]).sorted().map { list($0) }
        if minItems > 0 { samples.append(list(minItems - 1, rule: "minItems")) }
        if let maxItems { samples.append(list(maxItems + 1, rule: "maxItems")) }
        if maxItems != 0 { samples += items.filter { $0.rule != nil }.map { list(max(minItems, 1), first: $0) } }
        return samples
    }

    private func named(_ name: String) -> [ColumnSample] {
        guard let type = types[name] else { return [] }
        let written = type.swift ?? type.name
        let isElsewhere = appModules.contains { written.hasPrefix($0 + ".") }
        let path =
            (isElsewhere ? "" : module + ".")
            + written.split(separator: ".").map { SwiftNames.escaped(String($0)) }.joined(separator: ".")
        var samples: [ColumnSample]
        switch type.kind {
        case .enumeration(let values):
            samples = values.map { value in
                guard type.swift != nil else { return enumerated(value.value, in: path) }
                return ColumnSample(
                    swift: "existing(\(path)(rawValue: \(Self.swiftLiteral(value.value))))",
                    json: Self.jsonLiteral(value.value))
            }
        case .scalar(let scalar):
            samples = self.samples(of: scalar, enumeration: path).map { sample in
                var sample = sample
                sample.swift = "\(path)(\(type.swift == nil ? "" : "rawValue: ")\(sample.swift))"
                return sample
            }
        case .external: samples = []
        }
        return samples + (appValues[name] ?? [])
    }

    private func enumerated(_ value: String, in type: String) -> ColumnSample {
        ColumnSample(
            swift: "\(type).\(SwiftNames.escaped(SwiftNames.caseName(forValue: value) ?? value))",
            json: Self.jsonLiteral(value))
    }

    // MARK: Literals

    /// Returns a literal with escapes for every scalar except letters and digits, independent of the generator's rules.
    static func swiftLiteral(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { isPlain($0) ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
            + "\""
    }

    static func jsonLiteral(_ text: String) -> String {
        func escaped(_ unit: UInt16) -> String {
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\""
            + text.utf16.map { unit in
                Unicode.Scalar(unit).flatMap { isPlain($0) ? String($0) : nil } ?? escaped(unit)
            }.joined() + "\""
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
    }
}
