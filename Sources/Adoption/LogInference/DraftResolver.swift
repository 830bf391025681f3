package import LogDefinitions

/// Resolves conflicts between a draft and the definition format: it chooses identifiers, one type for each column name,
/// and names for types. Each change is reported.
struct DraftResolver {
    private(set) var draft: Draft
    private(set) var findings: [Finding] = []
    private var reportedRenames: Set<ExactString> = []
    /// The names of types, in lower case.
    private var typeNames: Set<String> = []
    private var categoryTypeNames: Set<String> = []

    init(_ draft: Draft) { self.draft = draft }

    static func settle(_ draft: Draft) -> (draft: Draft, findings: [Finding]) {
        var settling = DraftResolver(draft)
        settling.nameCategories()
        settling.giveTypesValidNames()
        settling.nameColumns()
        settling.dropShadowed()
        settling.giveNarrowestCommonTypeToEachName()
        settling.moveEnumerationsToTypes()
        settling.checkExamples()
        settling.checkDetails()
        settling.moveSharedOwnersToCategories()
        settling.draft.categories.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return (settling.draft, settling.findings)
    }

    // MARK: Names

    private mutating func nameCategories() {
        var scope = NameScope()
        for name in ["common", "envelope", "types"] { scope.reserve(name) }
        for index in Self.namingOrder(draft.categories.map(\.name)) {
            let original = draft.categories[index].name
            let place = draft.categories[index].place
            var wanted = self.identifier(original, "category", "category_\(index + 1)", at: place)
            if SwiftNames.reservedTypeNames.contains(SwiftNames.typeName(wanted)) { wanted = SwiftNames.free(wanted) }
            let name = claim(wanted, original, "category", &scope, at: place)
            if !name.isExactly(original), draft.categories[index].title.isEmpty {
                draft.categories[index].title = original
            }
            let title = PlainText.normalized(draft.categories[index].title, isOneLine: true)
            if title.isExactly(name) || title.isExactly(original) && Name.isIdentifier(title) {
                draft.categories[index].title = ""
            }
            draft.categories[index].name = name
        }
        for index in draft.categories.indices { nameEvents(of: index) }
    }

    /// Returns the order in which names are resolved: valid identifiers first, so that they keep their names.
    private static func namingOrder(_ originals: [String]) -> [Int] {
        originals.indices.filter { Names.isIdentifier(originals[$0]) }
            + originals.indices.filter { !Names.isIdentifier(originals[$0]) }
    }

    private mutating func nameEvents(of category: Int) {
        var scope = NameScope()
        for name in SwiftNames.categoryMemberNames { scope.reserve(name) }
        for index in Self.namingOrder(draft.categories[category].events.map(\.name)) {
            let event = draft.categories[category].events[index]
            let wanted = identifier(event.name, "event", "event_\(index + 1)", at: event.place)
            let name = claim(wanted, event.name, "event", &scope, at: event.place)
            if !name.isExactly(event.name), event.title.isEmpty {
                draft.categories[category].events[index].title = event.name
            }
            draft.categories[category].events[index].name = name
            Self.moveIdentifierTitleToDescription(&draft.categories[category].events[index])
        }
    }

    /// Moves a title that is an identifier, because it would be a second name in a heading.
    private static func moveIdentifierTitleToDescription(_ event: inout DraftEvent) {
        let title = PlainText.normalized(event.title, isOneLine: true)
        guard Name.isIdentifier(title) else { return }
        if !title.isExactly(event.name) {
            event.description.text += (event.description.text.isEmpty ? "" : "\n\n") + "(\(title))"
        }
        event.title = ""
    }

    private mutating func identifier(_ original: String, _ what: String, _ placeholder: String, at place: SourcePlace)
        -> String
    {
        if let identifier = Names.identifier(original) { return identifier }
        findings.warn(
            "the \(what) `\(original)` is called `\(placeholder)`: choose a name of `a-z`, `0-9` and `_`"
                + appHint(of: original, to: placeholder),
            at: place)
        return placeholder
    }

    private mutating func claim(
        _ wanted: String, _ original: String, _ what: String, _ scope: inout NameScope, at place: SourcePlace
    ) -> String {
        let name = scope.claim(wanted)
        if !name.isExactly(wanted) {
            findings.warn(
                "the \(what) `\(original)` is called `\(name)`: `\(wanted)` is taken\(appHint(of: original, to: name))",
                at: place)
        } else if !name.isExactly(original), Names.identifier(original) != nil {
            let message = "the \(what) `\(original)` is called `\(name)`\(appHint(of: original, to: name))"
            if !draft.isOfRecords {
                findings.note(message, at: place)
            } else if reportedRenames.insert(ExactString(message)).inserted {
                findings.warn(message, at: place)
            }
        }
        return name
    }

    private func appHint(of original: String, to name: String) -> String {
        draft.isOfRecords
            ? "; send `\(name)` from the app, since `loggen validate` rejects records with `\(original)`" : ""
    }

    private mutating func nameColumns() {
        var common = NameScope()
        draft.common = named(draft.common, &common)
        for category in draft.categories.indices {
            for event in draft.categories[category].events.indices {
                var scope = NameScope()
                draft.categories[category].events[event].columns = named(
                    draft.categories[category].events[event].columns, &scope)
            }
        }
    }

    private mutating func named(_ columns: [DraftColumn], _ scope: inout NameScope) -> [DraftColumn] {
        var result: [DraftColumn] = []
        var originals: [ExactString: SourcePlace] = [:]
        for column in columns {
            if let first = originals[ExactString(column.name)] {
                findings.warn(
                    "the column `\(column.name)` is defined twice; the first one is used, at \(first)", at: column.place
                )
                continue
            }
            originals[ExactString(column.name)] = column.place
            result.append(column)
        }
        for index in Self.namingOrder(result.map(\.name)) {
            var column = result[index]
            let original = column.name
            var wanted = identifier(original, "column", "column_\(index + 1)", at: column.place)
            if ReservedColumns.names.contains(wanted) {
                wanted = "target_" + wanted
                column.name = scope.claim(wanted)
                findings.warn(
                    "the column `\(original)` is called `\(wanted)`: every record already has a field of that name"
                        + appHint(of: original, to: column.name),
                    at: column.place)
            } else {
                column.name = claim(wanted, original, "column", &scope, at: column.place)
            }
            if !column.name.isExactly(original) {
                column.description = column.description.isEmpty ? original : "\(column.description) (\(original))"
            }
            result[index] = column
        }
        return result
    }

    private mutating func dropShadowed() {
        guard !draft.common.isEmpty else { return }
        var common = NameScope()
        for column in draft.common { common.reserve(column.name) }
        forEachEvent { settling, event in
            event.columns.removeAll { column in
                guard common.isTaken(column.name) else { return false }
                let twin = settling.draft.common.first { $0.name == column.name }
                if twin.map({ $0.type != column.type }) ?? true {
                    settling.findings.warn(
                        "the column `\(column.name)` of `\(event.name)` is left out: a common column has the name",
                        at: column.place)
                }
                return true
            }
        }
    }

    private mutating func forEachEvent(_ body: (inout DraftResolver, inout DraftEvent) -> Void) {
        for category in draft.categories.indices {
            for index in draft.categories[category].events.indices {
                var event = draft.categories[category].events[index]
                body(&self, &event)
                draft.categories[category].events[index] = event
            }
        }
    }

    private mutating func forEachColumn(_ body: (inout DraftResolver, inout DraftColumn) -> Void) {
        for index in draft.common.indices {
            var column = draft.common[index]
            body(&self, &column)
            draft.common[index] = column
        }
        forEachEvent { settling, event in
            for index in event.columns.indices { body(&settling, &event.columns[index]) }
        }
    }

    // MARK: Types

    private mutating func giveTypesValidNames() {
        var names: [ExactString: String] = [:]
        categoryTypeNames = Set(draft.categories.map { SwiftNames.typeName($0.name) })
        for index in draft.types.indices {
            let type = draft.types[index]
            // A type of the source may have a name without any letter that type names allow.
            guard
                let name = unusedTypeName(type.name) ?? unusedTypeName("type_\(index + 1)")
            else { continue }
            if !name.isExactly(type.name) {
                findings.note("the type `\(type.name)` is called `\(name)`", at: type.place)
            }
            names[ExactString(type.name)] = name
            typeNames.insert(name.lowercased())
            draft.types[index].name = name
            if case .enumeration(let values) = type.kind, let problem = Self.problem(with: values.map(\.value)) {
                findings.warn("the type `\(name)` becomes a string: \(problem)", at: type.place)
                draft.types[index].kind = .scalar(.string(.init()))
            }
        }
        let types = Dictionary(draft.types.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        forEachColumn { settling, column in
            let unknown = column.type.element
            column.type = column.type.resolved { named in
                guard let name = names[ExactString(named.name)], let type = types[ExactString(name)] else {
                    return .string(.init())
                }
                return .named(.init(name, swift: type.swift, base: type.base))
            }
            if case .named(let named) = unknown, names[ExactString(named.name)] == nil {
                settling.findings.warn(
                    "the type `\(named.name)` of `\(column.name)` is not defined: the column becomes a string",
                    at: column.place)
            }
        }
    }

    private func unusedTypeName(_ text: String) -> String? {
        guard let name = Names.typeName(text) else { return nil }
        let candidates = [name, name + "Kind"] + (2...99).map { "\(name)Kind\($0)" }
        return candidates.first { candidate in
            !typeNames.contains(candidate.lowercased()) && !categoryTypeNames.contains(candidate)
                && !SwiftNames.isTaken(candidate)
                && !SwiftNames.metatypeNames.contains(candidate) && !SwiftNames.contextualTypeNames.contains(candidate)
                && !TypeNotation.isBuiltIn(candidate) && TypeNotation.isTypeName(candidate)
        }
    }

    private mutating func giveNarrowestCommonTypeToEachName() {
        var types: [String: (type: LogValueType, place: SourcePlace, isWidened: Bool)] = [:]
        var order: [String] = []
        forEachEvent { _, event in
            for column in event.columns {
                guard let known = types[column.name] else {
                    types[column.name] = (column.type, column.place, false)
                    order.append(column.name)
                    continue
                }
                if known.type != column.type {
                    types[column.name] = (Widening.of(known.type, column.type), known.place, true)
                }
            }
        }
        for name in order {
            guard let known = types[name], known.isWidened else { continue }
            findings.warn(
                "`\(name)` has different types in different events: it becomes `\(known.type)` in all of them, as one "
                    + "name has one type; if they mean different things, rename one of them",
                at: known.place)
        }
        forEachEvent { _, event in
            for index in event.columns.indices {
                if let known = types[event.columns[index].name] { event.columns[index].type = known.type }
            }
        }
    }

    /// Returns the reason why these strings cannot be the values of an enumeration, or nil if they can.
    static func problem(with values: [String]) -> String? {
        if values.isEmpty { return "its enumeration has no values" }
        var names: Set<ExactString> = []
        var texts: Set<String> = []
        for value in values {
            if let problem = TypeNotation.problem(withEnumValue: value) { return problem }
            if !value.isExactly(trimmed(value[...])) { return "the value `\(value)` begins or ends with a blank" }
            guard let name = SwiftNames.caseName(forValue: value) else {
                return "the value `\(value)` has no letter and no digit"
            }
            if SwiftNames.protocolMemberNames.contains(name) || !names.insert(ExactString(name)).inserted
                || !texts.insert(value).inserted
            {
                return "the Swift name `\(name)` of the value `\(value)` is taken"
            }
        }
        return nil
    }

    /// Moves enumerations that a cell cannot express, whose type has no valid name in code, or that events share.
    private mutating func moveEnumerationsToTypes() {
        var users: [String: Int] = [:]
        forEachColumn { _, column in if case .enumeration = column.type.element { users[column.name, default: 0] += 1 }
        }
        var known: [String: DraftType] = [:]
        let sharesSeen = draft.hasSeenEnumerations
        forEachColumn { settling, column in
            guard case .enumeration(let enumeration) = column.type.element else { return }
            if let problem = Self.problem(with: enumeration.values) {
                settling.findings.warn("`\(column.name)` becomes a string: \(problem)", at: column.place)
                column.type = column.type.changed { if case .enumeration = $0 { .string(.init()) } else { $0 } }
                return
            }
            let name = SwiftNames.typeName(column.name)
            let parsed = try? TypeNotation.parse(column.type.description)
            let isWritable = parsed.map { $0.type == column.type && !$0.isOptional } ?? false
            let isNameable =
                !SwiftNames.reservedNestedTypeNames.contains(name) && !SwiftNames.metatypeNames.contains(name)
                && !settling.typeNames.contains(name.lowercased())
            guard !isWritable || !isNameable || (sharesSeen && users[column.name, default: 0] > 1) else { return }
            let type: DraftType
            if let found = known[column.name] {
                type = found
            } else {
                guard let free = settling.unusedTypeName(name) else { return }
                type = DraftType(
                    name: free, kind: .enumeration(enumeration.values.map { .init($0) }), place: column.place)
                known[column.name] = type
                settling.draft.types.append(type)
                settling.typeNames.insert(free.lowercased())
            }
            column.type = column.type.changed {
                if case .enumeration = $0 { .named(.init(type.name, base: type.base)) } else { $0 }
            }
        }
    }

    // MARK: Cells

    private mutating func checkExamples() {
        forEachColumn { settling, column in
            guard let example = column.example else { return }
            let normalized = PlainText.normalized(example, isOneLine: true)
            let text = Self.inNotationOfDefinitions(normalized, as: column.type)
            column.example = nil
            guard !text.isEmpty else { return }
            let isWritten =
                normalized.isExactly(example)
                && (text.utf8.count < 3 || text.utf8.first != 0x60 || text.utf8.last != 0x60)
            do throws(ExampleValue.Problem) {
                _ = try ExampleValue.read(text, as: column.type)
                if isWritten { column.example = text }
            } catch {
                settling.findings.warn(
                    "the example `\(text)` of `\(column.name)` is left out: \(error.message)", at: column.place)
                return
            }
            if !isWritten {
                settling.findings.warn(
                    "the example of `\(column.name)` is left out: a cell cannot hold it as it is", at: column.place)
            }
        }
    }

    private static func inNotationOfDefinitions(_ text: String, as type: LogValueType) -> String {
        switch type {
        case .boolean where ["TRUE", "FALSE", "True", "False"].contains(text): text.lowercased()
        case .timestamp where text.utf8.count == 20 && text.hasSuffix("Z"): String(text.dropLast()) + ".000Z"
        default: text
        }
    }

    private mutating func checkDetails() {
        for index in draft.categories.indices {
            draft.categories[index].details = checked(
                draft.categories[index].details, of: draft.categories[index].name, at: draft.categories[index].place)
        }
        forEachEvent { settling, event in
            event.details = settling.checked(event.details, of: event.name, at: event.place)
        }
        settlePlatforms()
    }

    /// Ensures that a required column is on all platforms of its event, and every column on at least one of them.
    private mutating func settlePlatforms() {
        draft.common = settled(draft.common, on: .all)
        for category in draft.categories.indices {
            let inherited = platforms(draft.categories[category].details)
            for event in draft.categories[category].events.indices {
                let own = platforms(draft.categories[category].events[event].details)
                let columns = draft.categories[category].events[event].columns
                draft.categories[category].events[event].columns = settled(columns, on: own ?? inherited ?? .all)
            }
        }
    }

    private func platforms(_ details: [DraftDetail]) -> Platforms? {
        details.first { $0.key == .platforms }.flatMap { try? Platforms(written: $0.value) }
    }

    private mutating func settled(_ columns: [DraftColumn], on platforms: Platforms) -> [DraftColumn] {
        columns.map { column in
            var column = column
            if column.platforms.isDisjoint(with: platforms) {
                findings.warn(
                    "`\(column.name)` is not on any of its event's platforms: it becomes a column of all platforms",
                    at: column.place)
                column.platforms = .all
            } else if column.isRequired, !column.platforms.isSuperset(of: platforms) {
                findings.warn(
                    "`\(column.name)` is required but not on all platforms: it becomes optional", at: column.place)
                column.isRequired = false
            }
            return column
        }
    }

    private mutating func checked(_ details: [DraftDetail], of name: String, at place: SourcePlace) -> [DraftDetail] {
        details.filter { detail in
            var probe = Details()
            do throws(TypeNotation.Failure) {
                try probe.set(
                    detail.key, to: PlainText.normalized(detail.value, isOneLine: true),
                    at: Place(file: 0, range: 0..<0))
                return true
            } catch {
                findings.warn("`\(detail.key.rawValue)` of `\(name)` is left out: \(error.message)", at: place)
                return false
            }
        }
    }

    private mutating func moveSharedOwnersToCategories() {
        for index in draft.categories.indices where draft.categories[index].events.count > 1 {
            let owners = draft.categories[index].events.map { $0.details.first { $0.key == .owner }?.value }
            guard let first = owners.first, let owner = first,
                owners.allSatisfy({ $0.map { $0.isExactly(owner) } ?? false })
            else { continue }
            guard !draft.categories[index].details.contains(where: { $0.key == .owner }) else { continue }
            draft.categories[index].details.append(DraftDetail(.owner, owner))
            for event in draft.categories[index].events.indices {
                draft.categories[index].events[event].details.removeAll { $0.key == .owner }
            }
        }
    }
}

/// Finds the narrowest type that accepts the values of two types.
package enum Widening {
    package static func of(_ left: LogValueType, _ right: LogValueType) -> LogValueType {
        if left == right { return left }
        switch (left, right) {
        case (.integer(let one), .integer(let other)):
            let isSameWidth = (one.bits, one.isSigned, one.isPlain) == (other.bits, other.isSigned, other.isPlain)
            var integer = isSameWidth ? one : .init(bits: 64)
            integer.minimum =
                widerBound(one.minimum, other.minimum, min) ?? (isSameWidth ? nil : zeroIfNeitherIsNegative(one, other))
            integer.maximum = widerBound(one.maximum, other.maximum, max)
            return .integer(integer)
        case (.integer, .number(let number)), (.number(let number), .integer):
            return .number(.init(bits: max(64, number.bits)))
        case (.number(let one), .number(let other)):
            return .number(
                .init(
                    bits: max(one.bits, other.bits), minimum: widerBound(one.minimum, other.minimum, min),
                    maximum: widerBound(one.maximum, other.maximum, max))
            )
        case (.string(let one), .string(let other)):
            return .string(
                .init(
                    maxLength: widerBound(one.maxLength, other.maxLength, max),
                    maxBytes: widerBound(one.maxBytes, other.maxBytes, max)))
        case (.enumeration(let one), .enumeration(let other)):
            let union = one.values + other.values.filter { !one.values.containsExactly($0) }
            return DraftResolver.problem(with: union) == nil ? .enumeration(.init(union)) : .string(.init())
        case (.array(let one), .array(let other)):
            return .array(
                .init(
                    of: of(one.items, other.items), minItems: widerBound(one.minItems, other.minItems, min),
                    maxItems: widerBound(one.maxItems, other.maxItems, max)))
        case (.named(let named), let other), (let other, .named(let named)):
            guard let base = named.base else { return .string(.init()) }
            if case .named(let second) = other { return second.base.map { of(base, $0) } ?? .string(.init()) }
            return of(base, other)
        default:
            guard case .format(let one) = left.form, case .format(let other) = right.form else {
                return .string(.init())
            }
            return one.joined(with: other)?.type ?? .string(.init())
        }
    }

    private static func widerBound<Bound>(_ one: Bound?, _ other: Bound?, _ choose: (Bound, Bound) -> Bound) -> Bound? {
        guard let one, let other else { return nil }
        return choose(one, other)
    }

    private static func zeroIfNeitherIsNegative(_ one: LogValueType.Integer, _ other: LogValueType.Integer) -> Int64? {
        one.range.lowerBound >= 0 && other.range.lowerBound >= 0 ? 0 : nil
    }
}
