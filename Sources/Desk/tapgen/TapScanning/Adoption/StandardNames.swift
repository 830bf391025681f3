/// The names that adoption reads by their meaning in the standard library and Foundation.
///
/// If the sources declare one of them with another meaning, none of its uses is certain. To decide which uses a
/// declaration affects would repeat Swift's name lookup and overload resolution.
enum StandardNames {
    /// Types, including the types of literals.
    static let types: Set<String> = [
        "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
        "Float", "CGFloat", "TimeInterval", "Bool", "Date", "UUID", "URL", "Optional", "Array", "Dictionary",
        "NSNumber",
        "NSString", "StringLiteralType", "IntegerLiteralType", "FloatLiteralType", "BooleanLiteralType",
    ]
    static let comparisons: Set<String> = ["==", "!=", "<", ">", "<=", ">=", "===", "!==", "&&", "||", "!"]
    static let arithmetic: Set<String> = ["+", "-", "*", "/", "%"]
    /// Operators whose values are not read. They have no lower precedence than `??`.
    static let others: Set<String> = ["&", "|", "^", "<<", ">>", "&+", "&-", "&*", "..<", "..."]
    /// Properties that have the same type in all types of the standard library and Foundation.
    static let properties: [String: CodeType] = [
        "count": .named("Int"), "isEmpty": .named("Bool"), "uuidString": .named("String"),
        "absoluteString": .named("String"), "localizedDescription": .named("String"), "description": .named("String"),
        "debugDescription": .named("String"), "capitalized": .named("String"),
    ]
    /// Property wrappers whose values have the type of the initial value.
    static let wrappers: Set<String> = ["Published", "State", "AppStorage", "SceneStorage"]
    /// The methods of `String` that return strings.
    static let stringMethods: Set<String> = [
        "lowercased", "uppercased", "trimmingCharacters", "replacingOccurrences",
    ]

    static func isOperator(_ name: String) -> Bool {
        comparisons.contains(name) || arithmetic.contains(name) || others.contains(name) || name == "??"
    }

    /// Returns whether a function gives a standard name another meaning. A comparison that returns a Boolean value has
    /// the standard meaning, and so has arithmetic of a type of the sources.
    static func redeclares(_ name: String, parameter: String?, isGeneric: Bool, result: String?) -> Bool {
        if comparisons.contains(name) { return result != "Bool" }
        if arithmetic.contains(name) {
            return isGeneric || result == nil || result != parameter || types.contains(parameter ?? "")
        }
        if stringMethods.contains(name) { return result != "String" }
        return name == "??" || name == "appendInterpolation" || types.contains(name)
            || CallPattern.accessors.contains(name)
    }
}
