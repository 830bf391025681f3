import JSONSyntax
import LogDefinitions
import LogOutputs

/// Reads the JSON Schema of a value. Constraints that definitions cannot express become findings.
struct SchemaReader {
    var findings: [Finding] = []
    /// Resolves a `$ref` to a schema, or to the name of a type in `types.md`.
    let reference: (_ text: String, _ source: InferenceSource) -> Reference

    init(reference: @escaping (_ text: String, _ source: InferenceSource) -> Reference) { self.reference = reference }

    enum Reference {
        case type(String)
        case schema(Tree)
        case unknown
    }

    struct Property {
        var type: LogValueType
        var isNullable = false
    }

    private static let maximumDepth = 8

    private mutating func lose(_ message: String, at place: SourcePlace) {
        findings.warn(message, at: place)
    }

    /// Returns a type of `types.md` for the schema of a single value; nil for other schemas.
    mutating func type(_ name: String, _ schema: Tree, at place: SourcePlace) -> DraftType? {
        guard let property = property(schema, name, depth: 0) else { return nil }
        switch property.type {
        case .enumeration(let enumeration):
            let constants = Self.constants(schema) ?? []
            let values = enumeration.values.map { value in
                DraftType.Value(value, description: constants.first { $0.value.isExactly(value) }?.description ?? "")
            }
            return DraftType(name: name, kind: .enumeration(values), place: place)
        case .named(let named) where named.base == nil && named.swift != nil:
            return DraftType(name: name, kind: .external, swift: named.swift, place: place)
        default:
            // A list has no declaration in `types.md`: the columns that use it contain the list type.
            return property.type.isScalar ? DraftType(name: name, kind: .scalar(property.type), place: place) : nil
        }
    }

    // MARK: Columns

    /// Returns a property as a column, or nil if records cannot contain it.
    mutating func column(_ name: String, _ schema: Tree, isRequired: Bool, at place: SourcePlace) -> DraftColumn? {
        guard let property = property(schema, name, depth: 0) else { return nil }
        if isRequired, property.isNullable {
            findings.note("`\(name)` is required and may be null: it becomes an optional column", at: place)
        }
        var column = DraftColumn(
            name: name, type: property.type, isRequired: isRequired && !property.isNullable, place: place)
        readAnnotations(&column, schema)
        for (value, description) in Self.constants(schema) ?? [] where !description.isEmpty {
            column.description += (column.description.isEmpty ? "" : "\n") + "\(value): \(description)"
        }
        return column
    }

    /// Returns the constants among the choices of `oneOf` or `anyOf`, with their descriptions. Nil for other schemas.
    static func constants(_ schema: Tree) -> [(value: String, description: String)]? {
        guard let choices = schema[["oneOf", "anyOf"]]?.items else { return nil }
        var values: [(value: String, description: String)] = []
        for choice in choices where choice["type"]?.string != "null" {
            guard let value = only(choice), choice.members?.allSatisfy({ constantKeywords.contains($0.key) }) ?? false
            else {
                return nil
            }
            values.append((value, choice[["description", "title"]]?.string ?? ""))
        }
        return values.isEmpty ? nil : values
    }

    private static let constantKeywords: Set<String> = ["const", "enum", "type", "description", "title"]

    /// Returns the only string that a schema accepts; nil for other schemas.
    static func only(_ schema: Tree?) -> String? {
        schema?["const"]?.string ?? schema?["enum"]?.items.flatMap { $0.count == 1 ? $0[0].string : nil }
    }

    private mutating func readAnnotations(_ column: inout DraftColumn, _ schema: Tree) {
        var isDeprecated = false
        for (key, place, value) in schema.members ?? [] {
            switch key {
            case "description": column.description = value.string ?? column.description
            case "title":
                if schema["description"] == nil {
                    column.description = value.string ?? column.description
                } else {
                    lose("the title of `\(column.name)` is not carried over: the description is used", at: place)
                }
            case "examples":
                column.example = value.items?.first.flatMap(Self.exampleCell)
                let count = value.items?.count ?? 1
                if column.example == nil, count > 0 {
                    lose("the example of `\(column.name)` is left out: a cell cannot hold it", at: place)
                } else if count > 1 {
                    lose("of the \(count) examples of `\(column.name)`, the first one is carried over", at: place)
                }
            case "example":
                if column.example == nil { column.example = Self.exampleCell(value) }
                if column.example == nil {
                    lose("the example of `\(column.name)` is left out: a cell cannot hold it", at: place)
                }
            case "deprecated": isDeprecated = value.bool ?? false
            case "x-privacy":
                column.privacy = value.string.flatMap { LogPrivacy(rawValue: $0) }
                if column.privacy == nil {
                    lose("the privacy of `\(column.name)` is not one of `none`, `personal`, `sensitive`", at: place)
                }
            case "x-platforms":
                if let platforms = value.string.flatMap({ try? Platforms(written: $0) }) {
                    column.platforms = platforms
                } else {
                    lose("the platforms of `\(column.name)` are not among `ios`, `android`, `web`", at: place)
                }
            case "x-since": column.since = value.string
            case "x-deprecated": column.deprecated = value.string
            case "x-maxBytes", "x-swift": break
            default:
                guard key.hasPrefix("x-") else { continue }
                let header = String(key.dropFirst(key.hasPrefix("x-cell-") ? 7 : 2))
                guard let text = value.string ?? Self.exampleCell(value), let annotation = Self.annotation(header, text)
                else {
                    lose("`\(key)` of `\(column.name)` is left out: a cell cannot hold it", at: place)
                    continue
                }
                column.annotations.append(annotation)
            }
        }
        if isDeprecated, column.deprecated == nil { column.deprecated = "deprecated" }
    }

    /// Returns a cell below an unknown header, or nil if the header or the value is empty.
    static func annotation(_ header: String, _ text: String) -> DraftColumn.Annotation? {
        let header = PlainText.normalized(header, isOneLine: true)
        let value = PlainText.normalized(text, isOneLine: true)
        guard !header.isEmpty, !value.isEmpty else { return nil }
        // Below a known header, the cell would have another meaning.
        return DraftColumn.Annotation(header: HeaderKind(header) == nil ? header : "x-" + header, value: value)
    }

    private static func exampleCell(_ value: Tree) -> String? {
        if let text = value.string { return text }
        if let bool = value.bool { return bool ? "true" : "false" }
        if let number = value.number { return number.text }
        guard let items = value.items else { return nil }
        let texts = items.map { Self.exampleCell($0) ?? "" }
        return texts.contains { $0.isEmpty || $0.contains(",") } ? nil : texts.joined(separator: ", ")
    }

    // MARK: Types

    private static let identifyingKeywords: Set<String> = ["$id", "$schema", "$anchor", "id"]
    private static let described: Set<String> = ["description", "title", "examples", "example", "deprecated"]

    mutating func property(_ schema: Tree, _ name: String, depth: Int) -> Property? {
        guard depth < Self.maximumDepth else {
            lose("`\(name)` is left out: its schema is nested too deeply", at: schema.place)
            return nil
        }
        guard schema.isObject else {
            lose("`\(name)` becomes a string: its schema has no type", at: schema.place)
            return Property(type: .string(.init()))
        }
        var known = depth == 0 ? Self.identifyingKeywords.union(Self.described) : Self.identifyingKeywords
        defer { tellUnknown(schema, name, known, isItself: depth == 0) }
        if let reference = schema["$ref"]?.string {
            known.insert("$ref")
            return referred(reference, schema, name, depth)
        }
        if let values = Self.constants(schema) {
            known.formUnion(["anyOf", "oneOf", "type"])
            let choices = schema[["oneOf", "anyOf"]]?.items ?? []
            return Property(
                type: .enumeration(.init(values.map(\.value))), isNullable: choices.count > values.count)
        }
        if let inner = alternativeToNull(schema) {
            known.formUnion(["anyOf", "oneOf"])
            return property(inner, name, depth: depth + 1).map { Property(type: $0.type, isNullable: true) }
        }
        if schema["allOf"]?.items?.isEmpty == false {
            known = Set((schema.members ?? []).map(\.key))
            return property(merged(schema, name, isItself: depth == 0), name, depth: depth + 1)
        }
        // Next to a type, the other keywords restrict its values: they are reported, and the type is read.
        for keyword in ["anyOf", "oneOf"] where schema[keyword] != nil && schema["type"] == nil {
            known.insert(keyword)
            lose("`\(name)` becomes a string: no type can express `\(keyword)`", at: schema.place)
            return Property(type: .string(.init()))
        }
        known.insert("type")
        var types: [String] = []
        if let type = schema["type"] { types = type.string.map { [$0] } ?? type.items?.compactMap(\.string) ?? [] }
        var isNullable = types.contains("null") || schema["nullable"]?.bool ?? false
        known.insert("nullable")
        types.removeAll { $0 == "null" }
        if types == ["integer", "number"] || types == ["number", "integer"] { types = ["number"] }
        if let swift = schema["x-swift"]?.string, Set(types) == ["boolean", "number", "string"] {
            return Property(type: .named(.init(swift, swift: swift)), isNullable: isNullable)
        }
        if types.isEmpty { types = typesImpliedByKeywords(schema) }
        guard let type = types.first else {
            lose("`\(name)` becomes a string: its schema has no type", at: schema.place)
            return Property(type: .string(.init()), isNullable: isNullable)
        }
        guard types.count == 1 else {
            lose(
                "`\(name)` becomes a string: it is one of \(types.map { "`\($0)`" }.joined(separator: ", ")), "
                    + "but a column has one type",
                at: schema.place)
            return Property(type: .string(.init()), isNullable: isNullable)
        }
        let found: LogValueType?
        switch type {
        case "boolean": found = .boolean
        case "integer": found = integer(schema, name, &known)
        case "number": found = number(schema, name, &known)
        case "string": found = text(schema, name, &known, &isNullable)
        case "array": found = list(schema, name, depth, &known)
        case "object":
            known.formUnion([
                "properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties",
            ])
            // The description is lost together with the column.
            known.formUnion(Self.described)
            lose("`\(name)` is left out: it is an object, but records are flat", at: schema.place)
            found = nil
        default:
            lose(
                "`\(name)` becomes a string: `\(type)` is not a type of JSON Schema",
                at: schema["type"]?.place ?? schema.place)
            found = .string(.init())
        }
        return found.map { Property(type: $0, isNullable: isNullable) }
    }

    /// Merges a schema with its `allOf`. Of members with one name, the first counts, and the others are reported.
    private mutating func merged(_ schema: Tree, _ name: String, isItself: Bool) -> Tree {
        var members = schema.value.content.members.filter {
            $0.key != "allOf" && !(isItself && (Self.described.contains($0.key) || $0.key.hasPrefix("x-")))
        }
        for part in schema["allOf"]?.items ?? [] {
            for member in part.value.content.members {
                guard let first = members.first(where: { $0.key == member.key }) else {
                    members.append(member)
                    continue
                }
                if first.value.text == nil || first.value.text != member.value.text {
                    lose(
                        "`\(member.key)` of `\(name)` is not carried over: `allOf` has it twice",
                        at: schema.source.place(member.at))
                }
            }
        }
        return Tree(JSONValue(content: .object(members), at: schema.value.at), in: schema.source)
    }

    /// - Parameter isItself: whether it is the property's own schema, whose other members `readAnnotations` reads.
    private mutating func tellUnknown(_ schema: Tree, _ name: String, _ known: Set<String>, isItself: Bool) {
        for (key, place, value) in schema.members ?? [] where !known.contains(key) && !value.isNull {
            if key == "x-swift" || key == "x-maxBytes" || (isItself && key.hasPrefix("x-")) { continue }
            lose("`\(key)` of `\(name)` is not carried over: definitions cannot express it", at: place)
        }
    }

    private func typesImpliedByKeywords(_ schema: Tree) -> [String] {
        if let values = schema["enum"]?.items ?? schema["const"].map({ [$0] }) {
            let rest = values.filter { !$0.isNull }
            if !rest.isEmpty, rest.allSatisfy({ $0.string != nil }) { return ["string"] }
            if !rest.isEmpty, rest.allSatisfy({ $0.number?.isWhole ?? false }) { return ["integer"] }
            if !rest.isEmpty, rest.allSatisfy({ $0.bool != nil }) { return ["boolean"] }
        }
        if schema["properties"] != nil { return ["object"] }
        if schema["items"] != nil { return ["array"] }
        if schema["maxLength"] != nil || schema["pattern"] != nil || schema["format"] != nil { return ["string"] }
        return []
    }

    private func alternativeToNull(_ schema: Tree) -> Tree? {
        guard let choices = schema[["anyOf", "oneOf"]]?.items, choices.count == 2 else { return nil }
        let rest = choices.filter { $0["type"]?.string != "null" }
        return rest.count == 1 ? rest[0] : nil
    }

    private mutating func referred(_ text: String, _ schema: Tree, _ name: String, _ depth: Int) -> Property? {
        switch reference(text, schema.source) {
        case .type(let type): return Property(type: .named(.init(type)))
        case .schema(let target): return property(target, name, depth: depth + 1)
        case .unknown:
            lose(
                "`\(name)` becomes a string: `\(text)` is not in any of the files",
                at: schema["$ref"]?.place ?? schema.place)
            return Property(type: .string(.init()))
        }
    }

    // MARK: Numbers

    private mutating func integer(_ schema: Tree, _ name: String, _ known: inout Set<String>) -> LogValueType {
        known.formUnion(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
        if let values = schema["enum"]?.items {
            known.insert("enum")
            let numbers = values.compactMap { $0.number?.integer }
            lose(
                "the values of `\(name)` are numbers, but an enumeration has strings: it becomes a range",
                at: schema["enum"]?.place ?? schema.place)
            if let least = numbers.min(), let most = numbers.max() { return Self.integer(least, most) }
        }
        var minimum = whole(schema["minimum"], name, "minimum")
        var maximum = whole(schema["maximum"], name, "maximum")
        if let bound = schema["exclusiveMinimum"], bound.bool == nil, let value = whole(bound, name, "exclusiveMinimum")
        {
            minimum = max(minimum ?? .min, value == .max ? value : value + 1)
        }
        if let bound = schema["exclusiveMaximum"], bound.bool == nil, let value = whole(bound, name, "exclusiveMaximum")
        {
            maximum = min(maximum ?? .max, value == .min ? value : value - 1)
        }
        // In draft 4, these are Boolean keywords in addition to the bound.
        if schema["exclusiveMinimum"]?.bool == true, let value = minimum, value < .max { minimum = value + 1 }
        if schema["exclusiveMaximum"]?.bool == true, let value = maximum, value > .min { maximum = value - 1 }
        if let minimum, let maximum, minimum > maximum {
            lose("the range of `\(name)` is empty", at: schema.place)
            return .integer(.init(bits: 64))
        }
        return Self.integer(minimum, maximum)
    }

    private mutating func whole(_ bound: Tree?, _ name: String, _ keyword: String) -> Int64? {
        guard let bound else { return nil }
        if let whole = bound.number?.integer { return whole }
        if let double = bound.number?.double, let whole = Int64(exactly: double.rounded()), Double(whole) == double {
            return whole
        }
        // Some tools write such a bound for an integer without limits.
        if let double = bound.number?.double, double.magnitude >= 0x1p63 {
            findings.note("`\(keyword)` of `\(name)` is left out: integers have at most 64 bits", at: bound.place)
            return nil
        }
        lose("`\(keyword)` of `\(name)` is not carried over: it is not a whole number", at: bound.place)
        return nil
    }

    /// Returns the integer type with these bounds. Bounds that match a width become a type of that width.
    static func integer(_ minimum: Int64?, _ maximum: Int64?) -> LogValueType {
        let lower = minimum ?? .min
        let upper = maximum ?? .max
        for (bits, isSigned) in [(8, true), (16, true), (32, true), (64, true), (8, false), (16, false), (32, false)] {
            let type = LogValueType.Integer(bits: bits, isSigned: isSigned)
            if type.width == lower...upper { return .integer(type) }
        }
        let plain = LogValueType.Integer(
            bits: 64, minimum: lower == .min ? nil : lower, maximum: upper == .max ? nil : upper, isPlain: true)
        return .integer(plain)
    }

    private mutating func number(_ schema: Tree, _ name: String, _ known: inout Set<String>) -> LogValueType {
        known.formUnion(["minimum", "maximum"])
        func bound(_ key: String) -> Double? { schema[key]?.number.map(\.double).flatMap { $0.isFinite ? $0 : nil } }
        let (minimum, maximum) = (bound("minimum"), bound("maximum"))
        if let minimum, let maximum, minimum > maximum {
            lose("the range of `\(name)` is empty", at: schema.place)
            return .number(.init())
        }
        return .number(.init(minimum: minimum, maximum: maximum))
    }

    // MARK: Strings

    private mutating func text(_ schema: Tree, _ name: String, _ known: inout Set<String>, _ isNullable: inout Bool)
        -> LogValueType
    {
        if let values = schema["enum"]?.items ?? schema["const"].map({ [$0] }) {
            known.formUnion(["enum", "const", "maxLength", "minLength"])
            if values.contains(where: \.isNull) { isNullable = true }
            let texts = values.compactMap(\.string)
            if texts.count < values.count(where: { !$0.isNull }) {
                lose(
                    "some values of `\(name)` are not strings, and are left out",
                    at: schema[["enum", "const"]]?.place ?? schema.place)
            }
            return .enumeration(.init(texts))
        }
        known.insert("format")
        let pattern = schema["pattern"]?.string
        if let format = schema["format"]?.string {
            // JSON Schema has no format `url`, but people use it.
            let name = format == "url" ? "uri" : format
            if let found = StringFormat.withoutArguments.first(where: { $0.schemaFormat == name }) {
                if pattern == found.pattern {
                    known.formUnion(["pattern", "not", "maxLength"])
                } else if found == .timestamp {
                    findings.note(
                        "`\(name)` is a `timestamp`, which is in UTC and has milliseconds: "
                            + "`date-time` also allows other forms", at: schema.place)
                }
                return found.type
            }
            lose(
                "the format `\(format)` of `\(name)` is not carried over: no type can express it",
                at: schema["format"]?.place ?? schema.place)
        }
        if let pattern, let values = Self.wordsOfPattern(pattern) {
            known.insert("pattern")
            return .enumeration(.init(values))
        }
        if let pattern, let format = StringFormat(pattern: pattern) {
            known.formUnion(["pattern", "not"])
            return format.type
        }
        if let bytes = schema["x-maxBytes"]?.number?.integer, (1...Int64(Int32.max)).contains(bytes) {
            known.insert("maxLength")
            return .string(.init(maxBytes: Int(bytes)))
        }
        if schema["minLength"]?.number?.integer == 0 { known.insert("minLength") }
        guard let length = schema["maxLength"]?.number?.integer else { return .string(.init()) }
        known.insert("maxLength")
        guard (1...Int64(Int32.max)).contains(length) else {
            if length < 1 { lose("`maxLength` of `\(name)` is not carried over: it is less than 1", at: schema.place) }
            return .string(.init())
        }
        return .string(.init(maxLength: Int(length)))
    }

    private static func wordsOfPattern(_ pattern: String) -> [String]? {
        var text = pattern[...]
        if text.hasPrefix("^"), text.hasSuffix("$") { text = text.dropFirst().dropLast() }
        if text.hasPrefix("("), text.hasSuffix(")") { text = text.dropFirst().dropLast() }
        let words = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let areWords = words.allSatisfy { word in
            !word.isEmpty
                && word.unicodeScalars.allSatisfy {
                    $0.properties.isAlphabetic || "0123456789_- ".unicodeScalars.contains($0)
                }
        }
        return words.count > 1 && areWords ? words : nil
    }

    // MARK: Lists

    private mutating func list(_ schema: Tree, _ name: String, _ depth: Int, _ known: inout Set<String>)
        -> LogValueType?
    {
        known.formUnion(["items", "minItems", "maxItems"])
        var items: LogValueType = .string(.init())
        if let item = schema["items"], item.isObject, !(item.members ?? []).isEmpty {
            guard let property = property(item, "an item of \(name)", depth: depth + 1) else {
                lose("`\(name)` is left out: its items cannot be carried over", at: schema.place)
                return nil
            }
            if property.isNullable {
                lose("an item of `\(name)` may be null, but list items cannot be missing", at: item.place)
            }
            items = property.type
        } else {
            lose(
                "the items of `\(name)` become strings: the schema does not describe them",
                at: schema["items"]?.place ?? schema.place)
        }
        func bound(_ key: String) -> Int? { schema[key]?.number?.integer.flatMap { $0 >= 0 ? Int($0) : nil } }
        let (minimum, maximum) = (bound("minItems"), bound("maxItems"))
        if let minimum, let maximum, minimum > maximum {
            lose("`minItems` of `\(name)` is greater than `maxItems`", at: schema.place)
            return .array(.init(of: items))
        }
        return .array(.init(of: items, minItems: minimum == 0 && maximum == nil ? nil : minimum, maxItems: maximum))
    }
}
