import LogDefinitions

/// Resolves terms to strings and types with the declarations of all files.
struct TermResolver {
    /// The reason why a term is not resolved, as a part of a sentence.
    struct Unknown: Error {
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// A place in the sources from which names are looked up.
    struct Scope {
        var types: [String]
        var file: Int
    }

    typealias Typed = (type: CodeType, isLiteral: Bool)
    /// A declaration, and the place of its name.
    typealias Found = (value: CallFacts.Value, scope: Scope)
    /// The type that a value has to have.
    typealias Context = (type: CodeType, scope: Scope)

    let index: TypeIndex
    private var values: [String: [(value: CallFacts.Value, file: Int)]] = [:]
    /// The members of types, by name, that standard types have too, and those that a replacement names.
    private var members: [String: [Found]] = [:]
    private var enumerations: [String: CallFacts.Enumeration] = [:]
    /// The names of ``StandardNames`` that the sources give another meaning.
    private var redeclared: Set<String> = []
    /// The names of types that have several meanings.
    private var ambiguousTypes: Set<String> = []
    /// The files that declare a type or an alias for themselves.
    private var privateTypes: [String: Set<Int>] = [:]
    /// The steps of one resolution, which constants that refer to each other would make endless.
    private var steps = 0
    private var depth = 0
    private static let mostSteps = 2000
    private static let mostDepth = 60

    /// - Parameter logger: the first name of the logger in replacements.
    init(_ files: [CallFacts], logger: String) {
        index = TypeIndex(files.map(\.facts))
        for (number, file) in files.enumerated() {
            for value in file.values {
                let path = absolute(Array(value.path.dropLast())) + value.path.suffix(1)
                values[path.joined(separator: "."), default: []].append((value, number))
                if let name = path.last, name == logger || StandardNames.properties[name] != nil && path.count > 1 {
                    let scope = Scope(types: Array(value.path.dropLast()), file: number)
                    members[name, default: []].append((value, scope))
                }
            }
            for enumeration in file.enumerations {
                let path = enumeration.path.joined(separator: ".")
                guard let known = enumerations[path] else {
                    enumerations[path] = enumeration
                    continue
                }
                enumerations[path]?.cases += enumeration.cases
                if known.rawType != enumeration.rawType { enumerations[path]?.rawType = nil }
            }
        }
        findHiddenNames(files)
    }

    private mutating func findHiddenNames(_ files: [CallFacts]) {
        let types = Set(
            files.flatMap { $0.facts.declarations.filter { $0.kind != .extension }.compactMap(\.path.last) })
        var aliases: [String: Set<String>] = [:]
        for (number, file) in files.enumerated() {
            redeclared.formUnion(file.redeclared)
            ambiguousTypes.formUnion(file.typeParameters)
            for name in file.privateTypes { privateTypes[name, default: []].insert(number) }
            aliases.merge(file.aliases) { $0.union($1) }
        }
        for (name, meanings) in aliases where meanings.count > 1 || types.contains(name) { ambiguousTypes.insert(name) }
    }

    /// Throws an error if the sources give one of these standard names another meaning.
    func checkMeaning(of names: [String]) throws(Unknown) {
        if let name = names.first(where: redeclared.contains) { throw Unknown("the sources declare `\(name)`") }
    }

    /// Returns whether a type's name may have another meaning in this file than the one that is found.
    func isAmbiguous(_ name: String, in file: Int) -> Bool {
        name.split(separator: ".").map(String.init).contains { part in
            redeclared.contains(part) || ambiguousTypes.contains(part)
                || privateTypes[part].map { $0 != [file] } ?? false
        }
    }

    /// Returns whether a type's name may have another meaning in some file.
    func isHidden(_ name: String) -> Bool { isAmbiguous(name, in: -1) }

    /// Returns the full path of the type that an extension names.
    private func absolute(_ path: [String]) -> [String] {
        guard !path.isEmpty else { return [] }
        return index.resolve(path.joined(separator: "."), from: []).names.first.map { [$0] } ?? path
    }

    // MARK: Names

    /// Returns the values that a name refers to, from the innermost type outwards.
    private func find(_ name: String, in scope: Scope) -> [Found] {
        for length in (0...scope.types.count).reversed() {
            let around = Array(scope.types.prefix(length))
            let found =
                around.isEmpty
                ? members(name, of: "", seenFrom: scope.file)
                : property(name, of: absolute(around).joined(separator: "."), seenFrom: scope.file)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Returns the values of this name that a type or one of its superclasses and protocols declares: the nearest one
    /// of the type, and the nearest one of its instances.
    func property(_ name: String, of type: String, seenFrom file: Int) -> [Found] {
        var found: [Found] = []
        for type in index.lineage(of: type) {
            let known = Set(found.map(\.value.isStatic))
            found += members(name, of: type, seenFrom: file).filter { !known.contains($0.value.isStatic) }
        }
        return found
    }

    /// Returns all declarations of a standard property or of the logger.
    func declarations(of name: String) -> [Found] { members[name] ?? [] }

    private func members(_ name: String, of type: String, seenFrom file: Int) -> [Found] {
        (values[type.isEmpty ? name : type + "." + name] ?? []).filter { !$0.value.isPrivate || $0.file == file }.map {
            ($0.value, Scope(types: Array($0.value.path.dropLast()), file: $0.file))
        }
    }

    /// Returns the path of the declared type that an expression names; nil if it names a value.
    func type(named term: CodeTerm, in scope: Scope) -> String? {
        switch term {
        case .name("Self"), .name("self"):
            return scope.types.isEmpty ? nil : absolute(scope.types).joined(separator: ".")
        case .name(let name):
            guard !isAmbiguous(name, in: scope.file), find(name, in: scope).isEmpty else { return nil }
            if let inherited = inheritedType(name, in: scope) { return inherited }
            return index.resolve(name, from: scope.types).names.first { index.types[$0] != nil }
        case .member(let base, let name):
            // The base may be a module.
            guard let outer = type(named: base, in: scope) else {
                guard case .name(let module) = base, !isAmbiguous(module, in: scope.file), index.types[name] != nil
                else { return nil }
                return name
            }
            return index.types[outer + "." + name] == nil ? nil : outer + "." + name
        default: return nil
        }
    }

    /// Returns the path of a type that is nested in an enclosing type or in one of its superclasses.
    func inheritedType(_ name: String, in scope: Scope) -> String? {
        var around = scope.types
        while !around.isEmpty {
            let paths = index.lineage(of: absolute(around).joined(separator: ".")).map { $0 + "." + name }
            if let path = paths.first(where: { index.types[$0] != nil }) { return path }
            around.removeLast()
        }
        return nil
    }

    /// Returns whether a value is the same for all types that inherit it. A conforming type may replace a computed
    /// property of a protocol. An extended type without a declaration in the sources may be a protocol.
    func isFixed(_ value: CallFacts.Value, _ scope: Scope) -> Bool {
        guard value.isConstant, value.isComputed, !scope.types.isEmpty else { return value.isConstant }
        return index.types[path(of: scope)].map { $0.kind != .protocol } ?? false
    }

    /// Returns the path of the type around a place.
    func path(of scope: Scope) -> String { absolute(scope.types).joined(separator: ".") }

    func isCase(_ name: String, of type: String) -> Bool {
        enumerations[type]?.cases.contains { $0.name == name } ?? false
    }

    func rawType(ofEnumeration path: String) -> String? {
        guard let raw = enumerations[path]?.rawType, Self.rawTypes.contains(raw), !redeclared.contains(raw) else {
            return nil
        }
        return raw
    }

    private static let rawTypes: Set<String> = [
        "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "Double", "Float",
    ]

    mutating func restart() { (steps, depth) = (0, 0) }

    // MARK: Strings

    /// Returns the string that an expression evaluates to. Throws if it cannot be determined.
    /// - Parameters:
    ///   - context: the type that the value has to have, for `.name`.
    ///   - allowsCase: whether a case of an enumeration with string raw values is such a string.
    mutating func string(
        _ term: CodeTerm, in scope: Scope, as context: Context? = nil, allowsCase: Bool = false
    ) throws(Unknown) -> String {
        restart()
        return try text(term, scope, context, allowsCase)
    }

    /// Runs a part of a resolution, one level deeper.
    mutating func step<Value>(_ body: (inout TermResolver) throws(Unknown) -> Value) throws(Unknown) -> Value {
        try step()
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private mutating func step() throws(Unknown) {
        steps += 1
        guard steps < Self.mostSteps, depth < Self.mostDepth else {
            throw Unknown("a reference to itself, or to too many constants")
        }
    }

    private mutating func text(
        _ term: CodeTerm, _ scope: Scope, _ context: Context? = nil, _ allowsCase: Bool = false
    ) throws(Unknown) -> String {
        try step { resolver throws(Unknown) in try resolver.constant(term, scope, context, allowsCase) }
    }

    private mutating func constant(
        _ term: CodeTerm, _ scope: Scope, _ context: Context?, _ allowsCase: Bool
    ) throws(Unknown) -> String {
        switch term {
        case .string(let text): return text
        case .stored(let term, let isConstant):
            guard isConstant else { throw Unknown("a variable") }
            if case .typed = term { throw Unknown("a parameter or a computed value") }
            return try text(term, scope, context, allowsCase)
        case .using(let names, let term):
            try checkMeaning(of: names)
            return try text(term, scope, context, allowsCase)
        case .interpolated(let parts), .sum(let parts):
            try checkMeaning(of: ["appendInterpolation"])
            var joined = ""
            for part in parts {
                joined += try text(part, scope)
                guard joined.utf8.count < 10_000 else { throw Unknown("too long") }
            }
            return joined
        case .member(let base, "rawValue"): return try rawValue(base, scope, context)
        case .name, .member, .implicit:
            let found = values(term, scope, context)
            if found.isEmpty {
                if case .name(let name) = term, let known = FirebaseNames.value(of: name) { return known }
                if allowsCase { return try rawValue(term, scope, context) }
                throw Unknown("not a constant of the sources")
            }
            var texts: [String] = []
            for (value, scope) in found {
                guard isFixed(value, scope), let term = value.term else {
                    throw Unknown("not a constant")
                }
                texts.append(try text(term, scope, value.type.map { ($0, scope) }))
            }
            guard let first = texts.first, texts.allSatisfy({ $0 == first }) else {
                throw Unknown("several declarations give it different values")
            }
            return first
        case .choice: throw Unknown("dependent on a condition")
        case .unknown(let reason): throw Unknown(reason)
        default: throw Unknown("computed")
        }
    }

    /// Returns the declarations of a constant or property.
    mutating func values(_ term: CodeTerm, _ scope: Scope, _ context: Context?) -> [Found] {
        switch term {
        case .name(let name): return find(name, in: scope)
        case .implicit(let name):
            guard case .named(let type)? = context.map({ resolved($0.type, $0.scope).withoutOptional }) else {
                return []
            }
            return members(name, of: type, seenFrom: scope.file)
        case .member(let base, let name):
            if let type = type(named: base, in: scope) { return property(name, of: type, seenFrom: scope.file) }
            guard case .named(let type)? = try? self.typed(base, scope).type else { return [] }
            return property(name, of: type, seenFrom: scope.file)
        default: return []
        }
    }

    /// Returns the declarations of a constant.
    func constants(_ term: CodeTerm, _ scope: Scope) -> [Found] {
        var resolver = self
        return resolver.values(term, scope, nil)
    }

    /// Returns the raw value of a case of an enumeration.
    private mutating func rawValue(_ term: CodeTerm, _ scope: Scope, _ context: Context?) throws(Unknown) -> String {
        try step()
        var path: String?
        var name = ""
        switch term {
        case .stored(let term, true): return try rawValue(term, scope, context)
        case .implicit(let implicit):
            guard let context else { throw Unknown("the sources do not declare the function, so its type is unknown") }
            if case .named(let type) = resolved(context.type, context.scope).withoutOptional { path = type }
            name = implicit
        case .member(let base, let member):
            path = type(named: base, in: scope)
            name = member
        case .name(let own):
            path = scope.types.isEmpty ? nil : absolute(scope.types).joined(separator: ".")
            name = own
        default: break
        }
        guard let path, let enumeration = enumerations[path],
            members("rawValue", of: path, seenFrom: scope.file).isEmpty
        else {
            throw Unknown("not a case of an enumeration in the sources")
        }
        try checkMeaning(of: ["String"])
        guard ["String", "Swift.String"].contains(enumeration.rawType) else {
            throw Unknown("`\(path)` has no raw values of type `String`")
        }
        let cases = enumeration.cases.filter { $0.name == name }
        guard let found = cases.first, cases.allSatisfy({ $0.raw == found.raw }) else {
            throw Unknown(cases.isEmpty ? "`\(path)` has no case `\(name)`" : "several cases have this name")
        }
        return try text(found.raw, Scope(types: [path], file: scope.file))
    }
}

/// The constants of Firebase (`FIREventNames.h` and `FIRParameterNames.h` of firebase-ios-sdk). Their values are the
/// constants' names in snake case, with few exceptions.
private enum FirebaseNames {
    private static let events = """
        AddPaymentInfo AddShippingInfo AddToCart AddToWishlist AdImpression AppOpen BeginCheckout CampaignDetails \
        EarnVirtualCurrency GenerateLead JoinGroup LevelEnd LevelStart LevelUp Login PostScore Purchase Refund \
        RemoveFromCart ScreenView Search SelectContent SelectItem SelectPromotion Share SignUp SpendVirtualCurrency \
        TutorialBegin TutorialComplete UnlockAchievement ViewCart ViewItem ViewItemList ViewPromotion ViewSearchResults
        """
    private static let parameters = """
        AchievementID AdFormat AdPlatform AdSource AdUnitName Affiliation Campaign CampaignID Character Content \
        ContentType Coupon CP1 CreativeFormat CreativeName CreativeSlot Currency Destination Discount EndDate \
        ExtendSession FlightNumber GroupID Index ItemBrand ItemCategory ItemCategory2 ItemCategory3 ItemCategory4 \
        ItemCategory5 ItemID ItemListID ItemListName ItemName Items ItemVariant Level LevelName Location LocationID \
        MarketingTactic Medium Method NumberOfNights NumberOfPassengers NumberOfRooms Origin PaymentType Price \
        PromotionID PromotionName Quantity Score ScreenClass ScreenName SearchTerm Shipping ShippingTier Source \
        SourcePlatform StartDate Success Tax Term TransactionID TravelClass Value VirtualCurrencyName
        """
    private static let values: [String: String] = {
        var values = ["AnalyticsParameterAdNetworkClickID": "aclid", "AnalyticsParameterCP1": "cp1"]
        for (prefix, names) in [("AnalyticsEvent", events), ("AnalyticsParameter", parameters)] {
            for name in names.split(separator: " ") where values[prefix + name] == nil {
                values[prefix + name] = snake(name)
            }
        }
        return values
    }()

    private static func snake(_ name: Substring) -> String {
        var result = ""
        var wasUpper = true
        for character in name {
            if character.isUppercase, !wasUpper { result += "_" }
            result += character.lowercased()
            wasUpper = character.isUppercase
        }
        return result
    }

    static func value(of constant: String) -> String? { values[constant] }
}
