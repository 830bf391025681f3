import LogDefinitions

/// How columns stand in Swift: as parameters, as calls of the runtime's encoder, as lines of the definition's literal.
struct SwiftColumns: Sendable {
    private let types: [String: NamedType]

    init(_ types: [NamedType]) {
        self.types = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Parameters

    /// `recipeId: Int64`, `position: Int? = nil` for an initializer, in whose body another `self` is at home.
    func initializerParameter(_ column: Column) -> String {
        let local = localName(column)
        let label = SwiftNames.escaped(SwiftNames.memberName(column.name))
        return (local == label ? "" : label + " ") + local + ": " + type(column) + (column.isRequired ? "" : " = nil")
    }

    /// What an initializer's body calls the parameter. No derived name ends in `_`.
    func localName(_ column: Column) -> String {
        let name = SwiftNames.memberName(column.name)
        return name == "self" ? "self_" : SwiftNames.escaped(name)
    }

    func type(_ column: Column) -> String {
        type(column.type, column: column.name) + (column.isRequired ? "" : "?")
    }

    /// Its type as it is called from outside its category.
    func type(_ column: Column, of category: Category) -> String {
        let around = SwiftNames.escaped(SwiftNames.typeName(category.name)) + "."
        return type(column.type, column: column.name, around: around) + (column.isRequired ? "" : "?")
    }

    private func type(_ type: ColumnType, column: String, around: String = "") -> String {
        switch type {
        case .string: "String"
        case .integer(let bits, let signed, _, _, let isPlain): isPlain ? "Int" : (signed ? "Int" : "UInt") + String(bits)
        case .number(let bits, _, _): bits == 32 ? "Float" : "Double"
        case .boolean: "Bool"
        case .date: "LogDate"
        case .timestamp: "Date"
        case .uuid: "UUID"
        case .url: "URL"
        case .enumeration: around + SwiftNames.escaped(SwiftNames.typeName(column))
        case .array(let item, _, _): "[" + self.type(item, column: column, around: around) + "]"
        case .named(let name): (types[name]?.swift ?? name).split(separator: ".").map { SwiftNames.escaped(String($0)) }.joined(separator: ".")
        }
    }

    /// What stands before the dot where the app's own type is written with one: a module, or a type around it.
    func qualifier(_ type: ColumnType) -> String? {
        guard let name = type.namedType, let swift = types[name]?.swift, let dot = swift.firstIndex(of: ".") else { return nil }
        return String(swift[..<dot])
    }

    /// A named scalar's raw type.
    func scalar(_ type: ColumnType) -> String { self.type(type, column: "") }

    /// Whether a type is Foundation's.
    func needsFoundation(_ type: ColumnType) -> Bool {
        switch type.element {
        case .timestamp, .uuid, .url: true
        default: false
        }
    }

    // MARK: Encoding

    /// Adds `.int64(v0)`, `.optionalString(v1?.rawValue)`.
    func addCall(_ column: Column, _ value: String, to text: inout String) {
        let (method, raw) = encoding(column.type)
        text += "."
        if column.isRequired {
            text += method
        } else {
            text += "optional"
            text += method.prefix(1).uppercased()
            text += method.dropFirst()
        }
        text += "("
        text += value
        switch raw {
        case .itself: break
        case .rawValue: text += column.isRequired ? ".rawValue" : "?.rawValue"
        case .rawValues(let depth):
            let map = (0..<depth).reduce("") { inner, _ in inner.isEmpty ? "map(\\.rawValue)" : "map { $0.\(inner) }" }
            text += column.isRequired ? "." : "?."
            text += map
        }
        text += ")"
    }

    private enum Raw {
        case itself
        case rawValue
        /// The items' raw values, so many lists deep.
        case rawValues(depth: Int)
    }

    private func encoding(_ type: ColumnType) -> (method: String, raw: Raw) {
        switch type {
        case .string: return ("string", .itself)
        case .integer(let bits, let signed, _, _, let isPlain): return (isPlain ? "int" : (signed ? "int" : "uint") + String(bits), .itself)
        case .number(let bits, _, _): return (bits == 32 ? "float" : "double", .itself)
        case .boolean: return ("bool", .itself)
        case .date: return ("date", .itself)
        case .timestamp: return ("timestamp", .itself)
        case .uuid: return ("uuid", .itself)
        case .url: return ("url", .itself)
        // Not by its raw value: the compiler would copy the table of values to wherever it is read.
        case .enumeration: return ("value", .itself)
        case .array:
            if case .named(let name) = type.element, !isGenerated(name) { return ("value", .rawValues(depth: type.depth)) }
            return ("value", .itself)
        case .named(let name):
            switch types[name]?.kind {
            case .enumeration: return isGenerated(name) ? ("value", .itself) : ("string", .rawValue)
            case .scalar(let scalar): return (encoding(scalar).method, .rawValue)
            case .external, nil: return ("value", .rawValue)
            }
        }
    }

    /// Whether the type is loggen's own, and so a `LogValue`; the app's own types are known to have a `rawValue`, no more.
    private func isGenerated(_ name: String) -> Bool { types[name].map { $0.swift == nil } ?? false }

    // MARK: Facts

    /// Adds the column's line in the literal that `LogDefinition` reads: `recipe_id|int64(0...)|personal`.
    func addFact(_ column: Column, to lines: inout String) {
        lines += column.name
        lines += "|"
        lines += notation(column.type)
        if !column.isRequired { lines += "?" }
        if let privacy = column.privacy {
            lines += "|"
            lines += privacy.rawValue
        }
    }

    private func notation(_ type: ColumnType) -> String {
        switch type {
        case .enumeration: return "enum()"
        case .array(let item, let minItems, let maxItems):
            let bounds = minItems == nil && maxItems == nil ? "" : ";\(minItems.map(String.init) ?? "")...\(maxItems.map(String.init) ?? "")"
            return "[\(notation(item))\(bounds)]"
        case .integer(let bits, let signed, let minimum, let maximum, _):
            return ColumnType.integer(bits: bits, signed: signed, minimum: minimum, maximum: maximum).notation
        case .named(let name):
            guard let named = types[name] else { return Facts.encoded(name) + "=external" }
            let base: String
            switch named.kind {
            // A generated enumeration can hold no other value; the app's own type could.
            case .enumeration(let values):
                base = named.swift == nil ? "enum()" : "enum(" + values.map { Facts.encoded($0.value) }.joined(separator: ",") + ")"
            case .scalar(let scalar): base = notation(scalar)
            case .external: base = "external"
            }
            return Facts.encoded(name) + "=" + base
        default: return type.notation
        }
    }
}

/// The literal that the runtime's `LogDefinition` reads.
enum Facts {
    /// A text in it: the bytes that separate, quote or do not show are percent-encoded.
    static func encoded(_ text: String) -> String {
        func isPlain(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x22, 0x25, 0x28, 0x29, 0x2C, 0x3B, 0x5B, 0x5C, 0x5D, 0x7C: false
            case 0x20...0x7E: true
            case 0..<0xA0, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: false
            default: true
            }
        }
        guard !text.unicodeScalars.allSatisfy(isPlain) else { return text }
        let hex = Array("0123456789ABCDEF")
        var result = ""
        for scalar in text.unicodeScalars {
            if isPlain(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for byte in String(scalar).utf8 { result += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])" }
            }
        }
        return result
    }

    static func event(_ event: Event) -> String {
        var fields = [".\(event.name)", event.version.description, event.status.rawValue]
        switch event.trigger {
        case nil: fields.append("")
        case .screen: fields.append("screen")
        case .show: fields.append("show")
        case .impression(let fraction, let dwell):
            var text = "impression"
            if fraction != nil || dwell != nil { text += " " + (fraction.map { "\($0)" } ?? "") }
            if let dwell { text += " \(dwell)" }
            fields.append(text)
        case .tap(let target): fields.append("tap " + encoded(target))
        }
        fields.append(event.details[.owner].map { encoded($0.text) } ?? "")
        fields.append(event.details[.sampling].flatMap { DetailSyntax.percentage($0.text) }.map { "\($0)" } ?? "")
        while fields.last == "" { fields.removeLast() }
        return fields.joined(separator: "|")
    }
}

extension ColumnType {
    /// How many lists deep the elements are.
    fileprivate var depth: Int {
        if case .array(let item, _, _) = self { item.depth + 1 } else { 0 }
    }
}
