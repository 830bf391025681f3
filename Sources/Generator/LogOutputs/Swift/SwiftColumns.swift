import LogDefinitions

/// Writes columns in Swift: as parameters, as calls of the runtime's encoder, and as lines of the definition's literal.
enum SwiftColumns {

    // MARK: Parameters

    /// An initializer's parameter: `recipeId: Int64`, `position: Int? = nil`. `self` is reserved in its body.
    static func initializerParameter(_ column: Column) -> String {
        let local = localName(column)
        let label = SwiftNames.escaped(SwiftNames.memberName(column.name))
        return (local == label ? "" : label + " ") + local + ": " + type(column) + (column.isRequired ? "" : " = nil")
    }

    /// The parameter's name in an initializer's body. `self_` is free, because derived names never end in `_`.
    static func localName(_ column: Column) -> String {
        let name = SwiftNames.memberName(column.name)
        return name == "self" ? "self_" : SwiftNames.escaped(name)
    }

    static func type(_ column: Column) -> String {
        type(column.type, column: column.name) + (column.isRequired ? "" : "?")
    }

    /// The column's type for code outside the type of its category.
    static func type(_ column: Column, of category: Category) -> String {
        let around = SwiftNames.escaped(SwiftNames.typeName(category.name)) + "."
        return type(column.type, column: column.name, around: around) + (column.isRequired ? "" : "?")
    }

    private static func type(_ type: LogValueType, column: String, around: String = "") -> String {
        switch type.form {
        case .string: "String"
        case .integer(let integer): integer.isPlain ? "Int" : (integer.isSigned ? "Int" : "UInt") + String(integer.bits)
        case .number(let number): number.bits == 32 ? "Float" : "Double"
        case .boolean: "Bool"
        case .format(let format): SwiftNames.type(of: format).name
        case .enumeration: around + SwiftNames.escaped(SwiftNames.typeName(column))
        case .array(let list): "[" + self.type(list.items, column: column, around: around) + "]"
        case .named(let named):
            (named.swift ?? named.name).split(separator: ".").map { SwiftNames.escaped(String($0)) }.joined(
                separator: ".")
        }
    }

    /// The module or the enclosing type in the name of the app's own type. Nil without a dot.
    static func qualifier(_ type: LogValueType) -> String? {
        guard case .named(let named) = type.element, let swift = named.swift, let dot = swift.firstIndex(of: ".") else {
            return nil
        }
        return String(swift[..<dot])
    }

    static func scalar(_ type: LogValueType) -> String { self.type(type, column: "") }

    static func needsFoundation(_ type: LogValueType) -> Bool {
        switch type.element.form {
        case .format(let format): SwiftNames.type(of: format).isOfFoundation
        case .string, .integer, .number, .boolean, .enumeration, .array, .named: false
        }
    }

    // MARK: Encoding

    /// Appends a call: `.int64(v0)`, `.optionalString(v1?.rawValue)`.
    static func addCall(_ column: Column, _ value: String, to text: inout String) {
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
        if let raw {
            text += column.isRequired ? "." : "?."
            text += raw
        }
        text += ")"
    }

    /// Returns the encoder's method, and the member of the value to encode; nil for the value itself.
    private static func encoding(_ type: LogValueType) -> (method: String, raw: String?) {
        switch type.form {
        case .string: return ("string", nil)
        case .integer(let integer):
            return (integer.isPlain ? "int" : (integer.isSigned ? "int" : "uint") + String(integer.bits), nil)
        case .number(let number): return (number.bits == 32 ? "float" : "double", nil)
        case .boolean: return ("bool", nil)
        case .format(let format): return (format.name, nil)
        // The value itself: with its raw value, the compiler would copy the table of values to each call site.
        case .enumeration: return ("value", nil)
        case .array(let list):
            if case .named(let named) = list.items.element, !named.isGenerated {
                let inner = "map(\\.rawValue)"
                return ("value", (1..<type.depth).reduce(inner) { inner, _ in "map { $0.\(inner) }" })
            }
            return ("value", nil)
        case .named(let named):
            switch named.base {
            case .enumeration: return named.isGenerated ? ("value", nil) : ("string", "rawValue")
            case nil: return ("value", "rawValue")
            case let base?: return (encoding(base).method, "rawValue")
            }
        }
    }

    // MARK: Facts

    /// Appends the column's line to the literal that `LogDefinition` parses: `recipe_id|int64(0...)|personal`.
    static func addFact(_ column: Column, to lines: inout String) {
        lines += column.name
        lines += "|"
        var type: [UInt8] = []
        TypeNotation.write(column.type.runtimeType, .exact, to: &type)
        lines += String(decoding: type, as: UTF8.self)
        if !column.isRequired { lines += "?" }
        if let privacy = column.privacy {
            lines += "|"
            lines += privacy.rawValue
        }
    }
}

extension LogValueType.Named {
    /// Indicates whether loggen generates the type. Of the app's own types, only `rawValue` is known.
    fileprivate var isGenerated: Bool { swift == nil && base != nil }
}

extension LogValueType {
    /// The type without the names of Swift types. The runtime checks the values of an enumeration where the compiler
    /// does not: in the app's own types, and where a value of a record is replaced.
    fileprivate var runtimeType: LogValueType {
        changed { type in
            guard case .named(var named) = type else { return type }
            named.swift = nil
            return .named(named)
        }
    }
}

enum Facts {
    /// Percent-encodes the characters of a string that are separators, quotes or invisible.
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

    /// The line of an event in the literal of its category. The line number in the definition file is not included:
    /// prose above an event would change the generated code of all events below it.
    static func event(_ event: Event, _ version: SchemaVersion) -> String {
        var fields = [".\(event.name)", version.description, event.status.rawValue]
        // A trigger's parts need no encoding, except for the percent sign itself.
        fields.append(event.trigger?.description.replacingPercents ?? "")
        fields.append(event.details.owner.map { encoded($0.value) } ?? "")
        fields.append(event.details.sampling.map { "\($0.value)" } ?? "")
        fields.append(event.formerNames.map(\.name).joined(separator: ","))
        while fields.last?.isEmpty == true { fields.removeLast() }
        return fields.joined(separator: "|")
    }
}

extension String {
    fileprivate var replacingPercents: String {
        utf8.contains(UInt8(ascii: "%"))
            ? split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25") : self
    }
}
