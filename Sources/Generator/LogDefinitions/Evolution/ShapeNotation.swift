/// The notation of a shape in the lock file: words separated by spaces.
///
///     active @trigger=impression(80%,2s) +user_id:UserID=int64?!personal recipe_id:int64 order:ListOrder=enum(newest,popular) ~row
///     active @renamed-from=search.open recipe_id:int64 order:ListOrder=enum(latest,popular) ~ListOrder.newest=latest ~id=recipe_id
///
/// The order is: the status, `@` details, `+` common columns, the event's own columns, and reserved names: `~` for the
/// event's own columns, `~+` for those of `common.md`, `~Type.` for values of a type. A reserved name of a retired
/// column is alone; a former name has its current name after `=`. A column consists of its name, its type in the exact
/// form of ``TypeNotation``, `?` if it is optional, and its privacy.
package struct ShapeNotation: Sendable, Equatable {
    private let shapesByType: [String: [UInt8]]
    private let common: [UInt8]
    private let commonReserved: [ReservedName]
    private let formerValuesByType: [String: [ReservedName]]
    private let samplingKey: String?

    package init(_ definitions: Definitions) {
        var types: [String: [UInt8]] = [:]
        for type in definitions.types {
            var text: [UInt8] = []
            TypeNotation.write(type.valueType.shape, .exact, to: &text)
            types[type.name] = text
        }
        shapesByType = types
        formerValuesByType = definitions.reservedValues
        var common: [UInt8] = []
        for column in definitions.common?.columns ?? [] where column.status != .retired {
            common += " +".utf8
            Self.write(column, types, to: &common)
        }
        self.common = common
        samplingKey = definitions.samplingKey
        commonReserved = Self.reservedNames(definitions.common?.columns ?? [], .common, formerValuesByType)
    }

    // MARK: Writing

    /// The shape of an event's current definition.
    package func shape(of event: Event) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(64 + common.count + 32 * event.columns.count)
        text += event.status == .retired ? "retired".utf8 : "active".utf8
        if let trigger = event.trigger {
            text += " @trigger=".utf8
            Self.write(trigger, to: &text)
        }
        if let sampling = event.details.sampling?.value, sampling != 1 {
            text += " @sampling=\(PercentageNotation.text(sampling))".utf8
            if let samplingKey { text += " @sampling-key=\(samplingKey)".utf8 }
        }
        if !event.formerNames.isEmpty {
            text += " @renamed-from=\(event.formerNames.map(\.name).joined(separator: ","))".utf8
        }
        text += common
        for index in event.columns.indices where event.columns[index].status != .retired {
            text.append(UInt8(ascii: " "))
            Self.write(event.columns[index], shapesByType, to: &text)
        }
        let reserved = Self.reservedNames(event.columns, .event, formerValuesByType)
        if !reserved.isEmpty || !commonReserved.isEmpty { text += Self.words(for: commonReserved + reserved) }
        return text
    }

    private static func reservedNames(
        _ columns: [Column], _ scope: ReservedName.Scope, _ values: [String: [ReservedName]]
    ) -> [ReservedName] {
        var names: [ReservedName] = []
        for index in columns.indices {
            if columns[index].status == .retired {
                names.append(ReservedName(scope: scope, name: columns[index].name))
            } else if !values.isEmpty, let type = columns[index].type.typeName {
                names += values[type] ?? []
            }
            for former in columns[index].formerNames {
                let heir = columns[index].status == .retired ? nil : columns[index].name
                names.append(ReservedName(scope: scope, name: former.name, heir: heir))
            }
        }
        return names
    }

    /// The words for reserved names, each preceded by a space.
    static func words(for names: some Sequence<ReservedName>) -> [UInt8] {
        Set(
            names.map { name in
                var word = Array(" ~".utf8)
                switch name.scope {
                case .event: word += name.name.utf8
                case .common: word += "+\(name.name)".utf8
                case .values(let type):
                    word += "\(type).".utf8
                    PercentEncoding.encode(name.name, to: &word)
                }
                if let heir = name.heir {
                    word.append(UInt8(ascii: "="))
                    PercentEncoding.encode(heir, to: &word)
                }
                return word
            }
        ).sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }

    private static func write(_ column: Column, _ types: [String: [UInt8]], to text: inout [UInt8]) {
        text += column.name.utf8
        text.append(UInt8(ascii: ":"))
        if case .named(let named) = column.type, let written = types[named.name] {
            text += written
        } else {
            TypeNotation.write(column.type.shape, .exact, to: &text)
        }
        if !column.isRequired { text.append(UInt8(ascii: "?")) }
        if let privacy = column.privacy {
            text.append(UInt8(ascii: "!"))
            text += privacy.rawValue.utf8
        }
    }

    private static func write(_ trigger: LogTrigger, to text: inout [UInt8]) {
        guard case .tap(let target) = trigger else {
            text += trigger.description.utf8.filter { $0 != 0x20 }
            return
        }
        text += "tap(".utf8
        PercentEncoding.encode(target, to: &text)
        text.append(UInt8(ascii: ")"))
    }

    // MARK: Reading

    struct Failure: Error {
        var message: String
    }

    static func parse(_ bytes: some Sequence<UInt8>) throws(Failure) -> EventShape {
        let words = String(decoding: Array(bytes), as: UTF8.self).split(
            separator: " ", omittingEmptySubsequences: false)
        var shape = EventShape()
        switch words[0] {
        case "active": break
        case "retired": shape.isRetired = true
        case let status: throw Failure(message: "`\(status)` is not a status: it is `active` or `retired`")
        }
        for word in words.dropFirst() {
            switch word.utf8.first {
            case UInt8(ascii: "@"): try detail(word, of: &shape)
            case UInt8(ascii: "~"): shape.reserved.append(try reserved(word))
            case UInt8(ascii: "+"): shape.common.append(try column(word.dropFirst()))
            default: shape.columns.append(try column(word))
            }
        }
        for columns in [shape.common, shape.columns] where Set(columns.map(\.name)).count != columns.count {
            throw Failure(message: "a column occurs twice")
        }
        return shape
    }

    private static func reserved(_ word: Substring) throws(Failure) -> ReservedName {
        let parts = word.dropFirst().split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let isCommon = parts[0].hasPrefix("+")
        let name = parts[0].dropFirst(isCommon ? 1 : 0)
        let heir = parts.count > 1 ? PercentEncoding.decode(parts[1]) : nil
        if let dot = name.firstIndex(of: ".") {
            let type = String(name[..<dot])
            guard TypeNotation.isTypeName(type), let value = PercentEncoding.decode(name[name.index(after: dot)...]),
                TypeNotation.problem(withEnumValue: value) == nil, heir.map({ !$0.isEmpty }) ?? (parts.count == 1)
            else { throw Failure(message: "`\(word)` is not a former value of a type") }
            return ReservedName(scope: .values(of: type), name: value, heir: heir)
        }
        guard Name.isIdentifier(String(name)), heir.map({ Name.isIdentifier($0) }) ?? (parts.count == 1) else {
            throw Failure(message: "`\(word)` is not a column name")
        }
        return ReservedName(scope: isCommon ? .common : .event, name: String(name), heir: heir)
    }

    private static func detail(_ word: Substring, of shape: inout EventShape) throws(Failure) {
        if word.hasPrefix("@trigger=") {
            guard let trigger = trigger(word.dropFirst(9)) else {
                throw Failure(message: "`\(word.dropFirst(9))` is not a trigger")
            }
            shape.trigger = trigger
        } else if word.hasPrefix("@sampling=") {
            // Lock files of early versions of loggen contain a fraction here.
            guard let share = PercentageNotation.fraction(word.dropFirst(10)) ?? Double(word.dropFirst(10)), share >= 0,
                share <= 1
            else {
                throw Failure(message: "`\(word.dropFirst(10))` is not a percentage from 0% to 100%")
            }
            shape.sampling = share
        } else if word.hasPrefix("@sampling-key=") {
            let key = String(word.dropFirst(14))
            guard Name.isIdentifier(key) else { throw Failure(message: "`\(key)` is not a column name") }
            shape.samplingKey = key
        } else if word.hasPrefix("@renamed-from=") {
            let names = word.dropFirst(14).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            for name in names where !name.isEventName {
                throw Failure(message: "`\(name)` is not an event: events have the form `category.event`")
            }
            shape.formerNames = names
        } else {
            throw Failure(message: "`\(word)` is not a known detail")
        }
    }

    private static func trigger(_ text: Substring) -> LogTrigger? {
        if text.hasPrefix("impression("), text.hasSuffix(")") {
            // Lock files of early versions of loggen contain two optional numbers here: `impression(0.8,2.0)`.
            let parts = text.dropFirst(11).dropLast().split(separator: ",", omittingEmptySubsequences: false)
            let numbers = parts.map { Double($0) }
            if parts.count == 2, zip(parts, numbers).allSatisfy({ $0.isEmpty || $1 != nil }) {
                return .impression(visibleFraction: numbers[0], dwell: numbers[1])
            }
        }
        let written = text.hasPrefix("tap(") ? PercentEncoding.decode(text) : String(text)
        return written.flatMap { try? LogTrigger(parsing: $0) }
    }

    private static func column(_ word: Substring) throws(Failure) -> ColumnShape {
        guard let colon = word.firstIndex(of: ":"), Name.isIdentifier(String(word[..<colon])) else {
            throw Failure(message: "`\(word)` is not a column with its type")
        }
        var rest = word[word.index(after: colon)...]
        var privacy: LogPrivacy?
        if let mark = rest.lastIndex(of: "!") {
            privacy = LogPrivacy(rawValue: String(rest[rest.index(after: mark)...]))
            guard privacy != nil else { throw Failure(message: "`\(word)` has no known privacy level") }
            rest = rest[..<mark]
        }
        guard !rest.isEmpty, let parsed = try? TypeNotation.parse(rest, .exact), parsed.type.hasValues else {
            throw Failure(message: "`\(rest)` is not a type")
        }
        return ColumnShape(
            name: String(word[..<colon]), type: parsed.type.shape, isRequired: !parsed.isOptional, privacy: privacy)
    }
}

extension Definitions {
    /// The former values of each type with any, as reserved names.
    var reservedValues: [String: [ReservedName]] {
        Dictionary(
            formerValues.map { type, values in
                (type, values.map { ReservedName(scope: .values(of: type), name: $0.former.name, heir: $0.heir) })
            }, uniquingKeysWith: { first, _ in first })
    }
}

extension LogValueType {
    /// Indicates whether an enumeration has values; true for other types.
    fileprivate var hasValues: Bool {
        guard case .enumeration(let enumeration) = element.unnamed else { return true }
        return !enumeration.values.isEmpty
    }
}
