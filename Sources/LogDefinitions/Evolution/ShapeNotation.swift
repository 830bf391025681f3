import MarkdownSyntax

/// How the lock file writes a shape: words between blanks, in ASCII and Japanese letters, anything else in percent escapes.
///
///     active @trigger=impression(0.8,2.0) +user_id:UserID=int64?!personal recipe_id:int64 order:SortOrder=enum(newest,popular) ~row
///
/// The status comes first, then `@` details, `+` common columns, the event's own columns, and `~` (`~+`) the names of retired ones
/// (of `common.md`). A column is its name, its type as definitions write it, `?` where it may be left out, and its privacy. A type
/// from `types.md` is written out behind its name: `RecipeID=int64`, or `RecipeID@MyModule.RecipeID=int64`.
package struct ShapeNotation: Sendable {
    /// The run's types by name, written out.
    private let types: [String: [UInt8]]
    private let common: [UInt8]
    private let commonReserved: [String]

    package init(_ definitions: Definitions) {
        var types: [String: [UInt8]] = [:]
        for type in definitions.types { types[type.name] = Self.notation(of: type) }
        self.types = types
        var common: [UInt8] = []
        for column in definitions.common?.columns ?? [] where column.status != .retired {
            common += " +".utf8
            Self.write(column, types, to: &common)
        }
        self.common = common
        commonReserved = (definitions.common?.columns ?? []).filter { $0.status == .retired }.map { "+" + $0.name }
    }

    // MARK: Writing

    /// The shape of an event as it is defined now.
    package func shape(of event: Event) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(64 + common.count + 32 * event.columns.count)
        text += event.status == .retired ? "retired".utf8 : "active".utf8
        if let trigger = event.trigger {
            text += " @trigger=".utf8
            Self.write(trigger, to: &text)
        }
        if let sampling = event.details[.sampling].flatMap({ DetailSyntax.percentage($0.text) }), sampling != 1 {
            text += " @sampling=\(sampling)".utf8
        }
        text += common
        var hasRetired = !commonReserved.isEmpty
        for column in event.columns {
            if column.status == .retired {
                hasRetired = true
            } else {
                text.append(UInt8(ascii: " "))
                Self.write(column, types, to: &text)
            }
        }
        if hasRetired {
            let names = commonReserved + event.columns.filter { $0.status == .retired }.map(\.name)
            text += Self.reserved(names)
        }
        return text
    }

    /// The words for retired columns, each behind a blank.
    static func reserved(_ names: some Sequence<String>) -> [UInt8] {
        names.map { Array(" ~".utf8) + $0.utf8 }.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }

    private static func write(_ column: Column, _ types: [String: [UInt8]], to text: inout [UInt8]) {
        text += column.name.utf8
        text.append(UInt8(ascii: ":"))
        write(column.type, types, to: &text)
        if !column.isRequired { text.append(UInt8(ascii: "?")) }
        if let privacy = column.privacy {
            text.append(UInt8(ascii: "!"))
            text += privacy.rawValue.utf8
        }
    }

    private static func notation(of type: NamedType) -> [UInt8] {
        var text: [UInt8] = []
        escape(type.name, to: &text)
        if let swift = type.swift {
            text.append(UInt8(ascii: "@"))
            escape(swift, to: &text)
        }
        text.append(UInt8(ascii: "="))
        switch type.kind {
        case .enumeration(let values): write(.enumeration(values.map(\.value)), [:], to: &text)
        case .scalar(let scalar): write(scalar, [:], to: &text)
        case .external: text += "app".utf8
        }
        return text
    }

    private static func write(_ type: ColumnType, _ types: [String: [UInt8]], to text: inout [UInt8]) {
        switch type {
        case .string(let maxLength, let maxBytes):
            text += "string".utf8
            if let maxLength { text += "(\(maxLength))".utf8 } else if let maxBytes { text += "(\(maxBytes)bytes)".utf8 }
        case .integer(let bits, let signed, let minimum, let maximum, let isPlain):
            text += isPlain ? "int".utf8 : signed ? "int\(bits)".utf8 : "uint\(bits)".utf8
            write(minimum, maximum, to: &text)
        case .number(let bits, let minimum, let maximum):
            text += bits == 32 ? "float".utf8 : "double".utf8
            // Negative zero is zero to every reader.
            write(minimum.map { $0 == 0 ? 0 : $0 }, maximum.map { $0 == 0 ? 0 : $0 }, to: &text)
        case .boolean: text += "bool".utf8
        case .date: text += "date".utf8
        case .timestamp: text += "timestamp".utf8
        case .uuid: text += "uuid".utf8
        case .url: text += "url".utf8
        case .enumeration(let values):
            text += "enum(".utf8
            for (index, value) in values.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }).enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                escape(value, to: &text)
            }
            text.append(UInt8(ascii: ")"))
        case .array(let item, let minItems, let maxItems):
            text.append(UInt8(ascii: "["))
            write(item, types, to: &text)
            let minimum = minItems == 0 ? nil : minItems
            if minimum != nil || maxItems != nil {
                text += ";\(minimum.map { "\($0)" } ?? "")...\(maxItems.map { "\($0)" } ?? "")".utf8
            }
            text.append(UInt8(ascii: "]"))
        case .named(let name):
            if let written = types[name] {
                text += written
            } else {
                escape(name, to: &text)
                text += "=app".utf8
            }
        }
    }

    private static func write(_ minimum: (some CustomStringConvertible)?, _ maximum: (some CustomStringConvertible)?, to text: inout [UInt8]) {
        guard minimum != nil || maximum != nil else { return }
        text += "(\(minimum?.description ?? "")...\(maximum?.description ?? ""))".utf8
    }

    private static func write(_ trigger: Trigger, to text: inout [UInt8]) {
        switch trigger {
        case .screen: text += "screen".utf8
        case .show: text += "show".utf8
        case .impression(let fraction, let dwell):
            text += "impression(\(fraction.map { "\($0)" } ?? ""),\(dwell.map { "\($0)" } ?? ""))".utf8
        case .tap(let target):
            text += "tap(".utf8
            escape(target, to: &text)
            text.append(UInt8(ascii: ")"))
        }
    }

    /// ASCII letters and digits, `_`, `-`, `.`, kana and common Chinese characters stay; any other byte becomes `%XX`.
    private static func escape(_ value: String, to text: inout [UInt8]) {
        let hex = Array("0123456789ABCDEF".utf8)
        for scalar in value.unicodeScalars {
            switch scalar.value {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E, 0x3041...0x3096, 0x30A1...0x30FC, 0x4E00...0x9FCF:
                text += UTF8.encode(scalar).map { Array($0) } ?? []
            default:
                for byte in String(scalar).utf8 { text += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]] }
            }
        }
    }

    // MARK: Reading

    /// What is wrong with a shape, as a sentence.
    struct Failure: Error {
        var message: String
    }

    static func parse(_ bytes: some Sequence<UInt8>) throws(Failure) -> EventShape {
        let words = String(decoding: Array(bytes), as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        var shape = EventShape()
        switch words[0] {
        case "active": break
        case "retired": shape.isRetired = true
        case let status: throw Failure(message: "`\(status)` is no status: it is `active` or `retired`")
        }
        for word in words.dropFirst() {
            switch word.utf8.first {
            case UInt8(ascii: "@"):
                if word.hasPrefix("@trigger=") {
                    shape.trigger = ExactText(word.dropFirst(9))
                } else if word.hasPrefix("@sampling=") {
                    shape.sampling = ExactText(word.dropFirst(10))
                } else {
                    throw Failure(message: "`\(word)` is no detail that loggen knows")
                }
            case UInt8(ascii: "~"):
                let isCommon = word.hasPrefix("~+")
                let name = String(word.dropFirst(isCommon ? 2 : 1))
                guard Name.isIdentifier(name) else { throw Failure(message: "`\(word)` names no column") }
                if isCommon { shape.reservedCommon.append(name) } else { shape.reserved.append(name) }
            case UInt8(ascii: "+"): shape.common.append(try column(word.dropFirst()))
            default: shape.columns.append(try column(word))
            }
        }
        for columns in [shape.common, shape.columns] where Set(columns.map(\.name)).count != columns.count {
            throw Failure(message: "a column stands twice")
        }
        return shape
    }

    private static func column(_ word: Substring) throws(Failure) -> ColumnShape {
        guard let colon = word.firstIndex(of: ":"), Name.isIdentifier(String(word[..<colon])) else {
            throw Failure(message: "`\(word)` is no column with its type")
        }
        var rest = word[word.index(after: colon)...]
        var privacy: String?
        if let mark = rest.lastIndex(of: "!") {
            privacy = String(rest[rest.index(after: mark)...])
            guard Privacy(rawValue: privacy ?? "") != nil else { throw Failure(message: "`\(word)` has no privacy that loggen knows") }
            rest = rest[..<mark]
        }
        let isRequired = !rest.hasSuffix("?")
        if !isRequired { rest = rest.dropLast() }
        return ColumnShape(
            name: String(word[..<colon]), type: try type(rest, depth: 0), isRequired: isRequired, privacy: privacy)
    }

    private static func type(_ text: Substring, depth: Int) throws(Failure) -> ShapeType {
        let failure = Failure(message: "`\(text)` is no type")
        // Definitions nest lists at most eight deep.
        guard depth < 16 else { throw failure }
        if text.hasPrefix("[") {
            guard text.hasSuffix("]"), text.utf8.count > 2 else { throw failure }
            var item = text.dropFirst().dropLast()
            var bounds: (Int?, Int?) = (nil, nil)
            if let semicolon = item.lastIndex(of: ";"), !item[semicolon...].contains(where: { $0 == "]" || $0 == ")" }) {
                bounds = try range(item[item.index(after: semicolon)...], failure)
                item = item[..<semicolon]
            }
            return .array(try type(item, depth: depth + 1), minItems: bounds.0, maxItems: bounds.1)
        }
        if let sign = text.firstIndex(of: "=") {
            let parts = text[..<sign].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = unescape(parts[0]), !name.isEmpty else { throw failure }
            let swift = parts.count > 1 ? unescape(parts[1]) : nil
            guard parts.count == 1 || swift != nil else { throw failure }
            return .named(name, swift: swift.map { ExactText($0) }, try type(text[text.index(after: sign)...], depth: depth + 1))
        }
        if text == "app" { return .app }
        if text.hasPrefix("enum("), text.hasSuffix(")") {
            var values: [String] = []
            for part in text.dropFirst(5).dropLast().split(separator: ",", omittingEmptySubsequences: false) {
                guard let value = unescape(part), !value.isEmpty else { throw failure }
                values.append(value)
            }
            return .plain(.enumeration(values))
        }
        guard let parsed = try? TypeSyntax.parse(String(text)), !parsed.isOptional, parsed.type.isScalar else { throw failure }
        return .plain(parsed.type)
    }

    private static func range(_ text: Substring, _ failure: Failure) throws(Failure) -> (Int?, Int?) {
        guard let dots = text.utf8.indices.first(where: { text[$0...].hasPrefix("...") }) else { throw failure }
        let lower = text[..<dots]
        let upper = text[text.utf8.index(dots, offsetBy: 3)...]
        let bounds = (Int(lower), Int(upper))
        guard (bounds.0 != nil) == !lower.isEmpty, (bounds.1 != nil) == !upper.isEmpty, (bounds.0 ?? 0) >= 0, (bounds.1 ?? 0) >= 0 else {
            throw failure
        }
        return bounds
    }

    private static func unescape(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return firstInvalidUTF8(in: bytes) == nil ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
