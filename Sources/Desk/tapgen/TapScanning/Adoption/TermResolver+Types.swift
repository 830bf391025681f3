import LogDefinitions

extension TermResolver {
    /// Returns the type of a value, with the paths of declared types.
    mutating func type(_ term: CodeTerm, in scope: Scope) throws(Unknown) -> Typed {
        restart()
        return try typed(term, scope)
    }

    /// Returns a type with the full paths of declared types and without type aliases.
    func resolved(_ type: CodeType, _ scope: Scope) -> CodeType {
        switch type {
        case .named(let name):
            if isAmbiguous(name, in: scope.file) { return .other(name) }
            if let path = inheritedType(name, in: scope) { return .named(path) }
            let found = index.resolve(name, from: scope.types)
            guard let path = found.names.first, found.names.count == 1 else { return .other(name) }
            return found.isArray ? .array(.named(path)) : .named(path)
        // `Optional<Int>` may be a type of the sources.
        case .optional where isAmbiguous("Optional", in: scope.file), .array where isAmbiguous("Array", in: scope.file),
            .dictionary where isAmbiguous("Dictionary", in: scope.file):
            return .other(type.text)
        case .optional(let wrapped): return .optional(resolved(wrapped, scope))
        case .array(let element): return .array(resolved(element, scope))
        case .dictionary(let key, let value): return .dictionary(resolved(key, scope), resolved(value, scope))
        case .other: return type
        }
    }

    mutating func typed(_ term: CodeTerm, _ scope: Scope) throws(Unknown) -> Typed {
        try step { resolver throws(Unknown) in try resolver.evaluated(term, scope) }
    }

    private mutating func evaluated(_ term: CodeTerm, _ scope: Scope) throws(Unknown) -> Typed {
        switch term {
        case .string, .interpolated: return try literal("String", "StringLiteralType", false)
        case .integer: return try literal("Int", "IntegerLiteralType", true)
        case .number: return try literal("Double", "FloatLiteralType", true)
        case .boolean: return try literal("Bool", "BooleanLiteralType", false)
        case .null: throw Unknown("`nil`")
        case .name(let name): return try typed(name, term, scope)
        case .member(let base, let name): return try member(base, name, scope)
        case .optionalMember(let base, let name):
            let type = try member(base, name, scope, isChained: true).type
            return (.optional(type.withoutOptional), false)
        case .implicit(let name): throw Unknown("the type of `.\(name)` is unknown")
        case .sum(let operands), .arithmetic(let operands):
            // `1 / 2` has another value as a `Double`, so the result is not a literal.
            return (try common(operands, scope).type, false)
        case .typed(let type): return (resolved(type, scope), false)
        case .converted(let name, let argument):
            try checkMeaning(of: [name + ".init"])
            let type = resolved(.named(name), scope)
            let isNumber = isNumber(type)
            guard isNumber || (try? column(type)) != nil else { return (type, false) }
            guard isNumber else { throw Unknown("`\(name)(…)` is called") }
            guard let inner = try? typed(argument, scope).type, inner == .named("String") || self.isNumber(inner) else {
                throw Unknown("`\(name)(…)` may be nil")
            }
            return (inner == .named("String") ? .optional(type) : type, false)
        case .choice(let one, let other): return try choice(one, other, scope)
        case .using(let names, let term):
            try checkMeaning(of: names)
            return try typed(term, scope)
        case .unwrapped(let inner):
            let type = try typed(inner, scope).type
            if case .optional(let wrapped) = type { return (wrapped, false) }
            return (type, false)
        case .fallback(let optional, let value):
            guard let left = try? typed(optional, scope).type else {
                switch value {
                case .string, .interpolated, .boolean: return try typed(value, scope)
                default: throw Unknown("the type before `??` is unknown")
                }
            }
            let isOptional = value == .null || ((try? typed(value, scope).type.isOptional) ?? false)
            return (isOptional ? .optional(left.withoutOptional) : left.withoutOptional, false)
        case .element(let list):
            guard case .array(let element) = try typed(list, scope).type else { throw Unknown("its type is unknown") }
            return (element, false)
        case .list(let items):
            guard !items.isEmpty else { throw Unknown("the type of an empty list is unknown") }
            return (.array(try common(items, scope).type), false)
        case .dictionary: throw Unknown("a dictionary, but records are flat")
        case .stored(let inner, _): return (try typed(inner, scope).type, false)
        case .unknown(let reason): throw Unknown(reason)
        }
    }

    private func literal(_ type: String, _ alias: String, _ isLiteral: Bool) throws(Unknown) -> Typed {
        try checkMeaning(of: [type, alias])
        return (.named(type), isLiteral)
    }

    private static let numbers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "CGFloat", "TimeInterval",
    ]

    private func isNumber(_ type: CodeType) -> Bool {
        if case .named(let name) = type { Self.numbers.contains(name) } else { false }
    }

    /// Returns the type that all operands have. A literal takes the type of the others.
    private mutating func common(_ operands: [CodeTerm], _ scope: Scope) throws(Unknown) -> Typed {
        var found: Typed?
        for operand in operands {
            let next = try typed(operand, scope)
            guard let known = found else {
                found = next
                continue
            }
            if known.type == next.type {
                found?.isLiteral = known.isLiteral && next.isLiteral
            } else if known.isLiteral || next.isLiteral {
                let (literal, other) = known.isLiteral ? (known, next) : (next, known)
                guard case .named(let name) = other.type, Self.numbers.contains(name),
                    literal.type == .named("Int") || other.type != .named("Int")
                else { throw Unknown("its parts have different types") }
                found = other
            } else {
                throw Unknown("its parts have different types")
            }
        }
        guard let found else { throw Unknown("computed") }
        return found
    }

    private mutating func choice(_ one: CodeTerm, _ other: CodeTerm, _ scope: Scope) throws(Unknown) -> Typed {
        for (value, rest) in [(one, other), (other, one)] where value == .null {
            return (.optional(try typed(rest, scope).type.withoutOptional), false)
        }
        let (left, right) = (try typed(one, scope).type, try typed(other, scope).type)
        if left.isOptional != right.isOptional, left.withoutOptional == right.withoutOptional {
            return (.optional(left.withoutOptional), false)
        }
        return (try common([one, other], scope).type, false)
    }

    // MARK: Members

    private mutating func typed(_ name: String, _ term: CodeTerm, _ scope: Scope) throws(Unknown) -> Typed {
        if name == "self", !scope.types.isEmpty { return (.named(path(of: scope)), false) }
        return try type(of: values(term, scope, nil), named: name, literal: name, scope)
    }

    private mutating func member(_ base: CodeTerm, _ name: String, _ scope: Scope, isChained: Bool = false)
        throws(Unknown) -> Typed
    {
        if name == "rawValue", let raw = rawType(of: base, scope) { return (raw, false) }
        let found = isChained ? chained(base, name, scope) : values(.member(base, name), scope, nil)
        if found.isEmpty, let type = type(named: base, in: scope), isCase(name, of: type) {
            return (.named(type), false)
        }
        if found.isEmpty, let type = StandardNames.properties[name], try isStandard(name, type, of: base, scope) {
            return (type, false)
        }
        return try type(of: found, named: name, literal: nil, scope)
    }

    /// Returns the declarations of a property of an optional value.
    private mutating func chained(_ base: CodeTerm, _ name: String, _ scope: Scope) -> [Found] {
        guard case .named(let type)? = try? typed(base, scope).type.withoutOptional else { return [] }
        return property(name, of: type, seenFrom: scope.file)
    }

    /// Returns whether a property of a value is that of the standard library: the sources do not declare the value's
    /// type, and all their properties of this name that the value may have are of the same type.
    private mutating func isStandard(_ name: String, _ type: CodeType, of base: CodeTerm, _ scope: Scope)
        throws(Unknown) -> Bool
    {
        try checkMeaning(of: [name])
        let owner = try? typed(base, scope).type.withoutOptional
        if case .named(let owner)? = owner, index.types[owner] != nil { return false }
        let isKnown = owner.map { (try? column($0)) != nil } ?? false
        for (value, scope) in declarations(of: name) {
            let holder = index.types[path(of: scope)]
            if isKnown, let holder, holder.kind != .protocol { continue }
            guard try self.type(of: [(value, scope)], named: name, literal: nil, scope).type == type else {
                return false
            }
        }
        return true
    }

    private mutating func rawType(of base: CodeTerm, _ scope: Scope) -> CodeType? {
        guard case .named(let path)? = try? typed(base, scope).type, let raw = rawType(ofEnumeration: path) else {
            return nil
        }
        return .named(raw)
    }

    mutating func type(
        of found: [Found], named name: String, literal: String?, _ scope: Scope
    ) throws(Unknown) -> Typed {
        var types: [CodeType] = []
        for (value, scope) in found {
            if let type = value.type {
                types.append(resolved(type, scope))
            } else if let wrapper = value.wrapper,
                index.types[wrapper] != nil || !StandardNames.wrappers.contains(wrapper)
            {
                throw Unknown("`@\(wrapper)` determines the type of `\(name)`")
            } else if let term = value.term {
                types.append(try typed(term, scope).type)
            } else {
                throw Unknown("the type of `\(name)` is not written")
            }
        }
        guard let first = types.first else {
            if let literal, (try? string(.name(literal), in: scope)) != nil { return (.named("String"), false) }
            throw Unknown("the sources do not declare the type of `\(name)`")
        }
        guard types.allSatisfy({ $0 == first }) else { throw Unknown("`\(name)` is declared with several types") }
        return (first, false)
    }

    // MARK: Columns

    /// Returns the column type of a Swift type.
    func column(_ type: CodeType) throws(Unknown) -> (type: LogValueType, isOptional: Bool) {
        switch type {
        case .optional(let wrapped):
            guard !wrapped.isOptional else { throw Unknown("`\(type.text)` has no column type") }
            return (try column(wrapped).type, true)
        case .array(let element):
            let item = try column(element)
            guard !item.isOptional else { throw Unknown("`\(type.text)` has no column type") }
            return (.array(.init(of: item.type)), false)
        case .named(let name):
            var bare = name
            for module in ["Swift.", "Foundation."] where name.hasPrefix(module) {
                bare = String(name.dropFirst(module.count))
            }
            if index.types[name] == nil, let known = Self.columns[bare] { return (known, false) }
        case .other(let name):
            if isHidden(name) { throw Unknown("the sources declare `\(name)` with another meaning") }
        case .dictionary: break
        }
        throw Unknown("`\(type.text)` has no column type")
    }

    private static let columns: [String: LogValueType] = [
        "String": .string(.init()), "Int": .integer(.init(bits: 64, isPlain: true)),
        "Int8": .integer(.init(bits: 8)), "Int16": .integer(.init(bits: 16)), "Int32": .integer(.init(bits: 32)),
        "Int64": .integer(.init(bits: 64)), "UInt8": .integer(.init(bits: 8, isSigned: false)),
        "UInt16": .integer(.init(bits: 16, isSigned: false)), "UInt32": .integer(.init(bits: 32, isSigned: false)),
        "Double": .number(.init()), "TimeInterval": .number(.init()), "Float": .number(.init(bits: 32)),
        "Bool": .boolean, "Date": .timestamp, "UUID": .uuid, "URL": .url,
    ]
}
