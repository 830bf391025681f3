package import LogDefinitions

/// The code with which an app creates an event: a call with example values.
///
/// A value whose type has no literal is written as a variable with the column's name. Optional columns are included if
/// they have an example.
package struct EventCall: Sendable {
    /// The language's display name.
    package var language: String { platform.language }
    private let platform: Platform
    /// The identifiers of Kotlin or TypeScript; nil for Swift.
    private let names: Identifiers?

    /// The languages of apps. Identifiers have the form of loggen's output for the language.
    package static let all: [EventCall] = [
        EventCall(platform: .ios, names: nil),
        EventCall(platform: .android, names: identifiers("kotlin")),
        EventCall(platform: .web, names: identifiers("typescript")),
    ]

    private static func identifiers(_ output: String) -> Identifiers {
        let manifest = TemplateFolder.ours.first { $0.name == output }?.files.first {
            TemplateFolder.name(of: $0) == OutputManifest.fileName
        }
        var reader = manifest.map { OutputManifestReader($0, file: 0) }
        return reader?.read()?.identifiers ?? Identifiers()
    }

    /// Returns the call, or nil if apps in this language do not log the event.
    func text(_ event: Event, of category: Category) -> String? {
        text(event, in: scope(of: category), ExampleRecord.values(of: event.columns))
    }

    /// The names of a category that its calls depend on.
    package struct Scope: Sendable {
        fileprivate let category: String
        /// The identifiers of the category's events; empty unless a column has an enumeration without a name.
        fileprivate var eventIdentifiers: Set<ExactString> = []
    }

    /// Returns the scope of all calls of a category.
    package func scope(of category: Category) -> Scope {
        var scope = Scope(category: category.name)
        guard platform == .android,
            category.events.contains(where: { $0.columns.contains { $0.type.isEnumeration } })
        else { return scope }
        for event in category.events where event.status != .retired && event.platforms.contains(.android) {
            scope.eventIdentifiers.insert(ExactString(identifier(event.name, .event)))
        }
        return scope
    }

    /// Returns the call, or nil if apps in this language do not log the event.
    /// - Parameter values: examples for the event's columns.
    package func text(_ event: Event, in scope: Scope, _ values: [ExampleValue?]) -> String? {
        guard event.status != .retired, event.platforms.contains(platform) else { return nil }
        var arguments: [String] = []
        var isBare = true
        for index in event.columns.indices
        where event.columns[index].status != .retired && event.columns[index].platforms.contains(platform) {
            isBare = false
            guard event.columns[index].status == .active || event.columns[index].isRequired, let value = values[index]
            else { continue }
            arguments.append(argument(event.columns[index].name, event.columns[index].type, value, in: scope))
        }
        let name = identifier(scope.category, .category) + "." + identifier(event.name, .event)
        switch platform {
        case .ios: return "activityLogger.post(" + (isBare ? name : Self.call(name, arguments)) + ")"
        case .android: return isBare ? name : Self.call(name, arguments)
        case .web: return isBare ? name + "()" : Self.call(name, arguments, open: "({", close: "})")
        }
    }

    private func identifier(_ name: String, _ kind: NameKind) -> String {
        if let names { return names.identifier(name, kind) }
        return SwiftNames.escaped(kind == .category ? SwiftNames.typeName(name) : SwiftNames.memberName(name))
    }

    private static func call(_ name: String, _ arguments: [String], open: String = "(", close: String = ")") -> String {
        let line = name + open + arguments.joined(separator: ", ") + close
        guard line.utf8.count > 80, !arguments.isEmpty else { return line }
        return name + open + "\n    " + arguments.joined(separator: ",\n    ") + "\n" + close
    }

    // MARK: Arguments

    private func argument(_ column: String, _ type: LogValueType, _ value: ExampleValue, in scope: Scope) -> String {
        let name = identifier(column, .column)
        return switch platform {
        case .ios: name + ": " + (swift(value, type) ?? name)
        case .android: name + " = " + (kotlin(value, type, column, scope) ?? name)
        case .web: name + ": " + (typescript(value, type) ?? name)
        }
    }

    private func swift(_ value: ExampleValue, _ type: LogValueType) -> String? {
        switch (type.form, value) {
        case (.string, .string(let text)): return SwiftText.swiftLiteral(text)
        case (.integer, .integer(let number)): return String(number)
        case (.number, .number(let number)): return number.description
        case (.boolean, .boolean(let flag)): return String(flag)
        case (.enumeration, .string(let text)):
            return SwiftNames.caseName(forValue: text).map { "." + SwiftNames.escaped($0) }
        case (.array(let list), .array(let values)): return self.list(values) { swift($0, list.items) }
        case (.named(let named), _):
            // An app can define any initializer for its own type.
            guard named.swift == nil, let base = named.base, let text = swift(value, base) else { return nil }
            if case .enumeration = base { return text }
            return "\(SwiftNames.escaped(named.name))(\(text))"
        case (.format, _), (.string, _), (.integer, _), (.number, _), (.boolean, _), (.enumeration, _),
            (.array, _):
            return nil
        }
    }

    /// - Parameter isInList: whether the value is an element of a list. Kotlin infers the type of a list's elements
    ///   from the column's type, but not the type of elements of a nested list.
    private func kotlin(
        _ value: ExampleValue, _ type: LogValueType, _ column: String, _ scope: Scope, isInList: Bool = false
    ) -> String? {
        switch (type.form, value) {
        case (.string, .string(let text)): return TextLanguage.kotlin.string(text)
        case (.integer, .integer(let number)): return number == .min ? nil : String(number)
        case (.number(let form), .number(let number)): return number.description + (form.bits == 32 ? "f" : "")
        case (.boolean, .boolean(let flag)): return String(flag)
        case (.enumeration, .string(let text)):
            let enumeration = identifier(column, .enumeration)
            // An enumeration with the identifier of an event is inside of that event.
            let event = scope.eventIdentifiers.contains(ExactString(enumeration)) ? enumeration + "." : ""
            return identifier(scope.category, .category) + "." + event + enumeration + "."
                + identifier(text, .value)
        case (.array(let list), .array(let values)):
            var items = ""
            if isInList, case .integer(let integer) = list.items { items = "<\(Self.kotlin(integer))>" }
            return self.list(values) { kotlin($0, list.items, column, scope, isInList: true) }
                .map { "listOf\(items)(" + $0.dropFirst().dropLast() + ")" }
        case (.named(let named), _):
            guard let base = named.base else { return nil }
            let name = identifier(named.name, .type)
            if case .enumeration = base, case .string(let text) = value {
                return name + "." + identifier(text, .value)
            }
            return kotlin(value, base, column, scope).map { "\(name)(\($0))" }
        case (.format, _), (.string, _), (.integer, _), (.number, _), (.boolean, _), (.enumeration, _),
            (.array, _):
            return nil
        }
    }

    private static func kotlin(_ integer: LogValueType.Integer) -> String {
        switch integer.isSigned ? integer.bits : integer.bits * 2 {
        case 8: "Byte"
        case 16: "Short"
        case 32: "Int"
        default: "Long"
        }
    }

    private func typescript(_ value: ExampleValue, _ type: LogValueType) -> String? {
        switch (type.form, value) {
        case (.named(let named), _) where named.base != nil: return named.base.flatMap { typescript(value, $0) }
        case (.format(.timestamp), .string(let text)): return "new Date(\(TextLanguage.javascript.string(text)))"
        case (_, .string(let text)): return TextLanguage.javascript.string(text)
        case (_, .integer(let number)): return number.magnitude > 1 << 53 ? "\(number)n" : String(number)
        case (_, .number(let number)): return number.description
        case (_, .boolean(let flag)): return String(flag)
        case (.array(let list), .array(let values)): return self.list(values) { typescript($0, list.items) }
        case (_, .array): return nil
        }
    }

    private func list(_ values: [ExampleValue], _ text: (ExampleValue) -> String?) -> String? {
        let texts = values.compactMap(text)
        return texts.count == values.count ? "[" + texts.joined(separator: ", ") + "]" : nil
    }
}
