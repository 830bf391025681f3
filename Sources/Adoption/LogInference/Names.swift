import LogDefinitions

/// Converts names of other systems to identifiers: `Order Completed`, `userID`, `注文`.
package enum Names {
    package static let maximumLength = 64

    static func isIdentifier(_ text: String) -> Bool { text.utf8.count <= maximumLength && Name.isIdentifier(text) }

    /// Returns a key that is equal for all spellings of a name: the identifier of any length, or the name itself.
    static func key(_ text: String) -> String { identifier(text, maximumLength: .max) ?? text }

    /// Returns the identifier for a name, or nil if the name has no letter that identifiers allow.
    package static func identifier(_ text: String, maximumLength: Int = Names.maximumLength) -> String? {
        if text.utf8.count <= maximumLength, Name.isIdentifier(text) { return text }
        // Full-width letters and digits are converted to ASCII.
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            (0xFF01...0xFF5E).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
        }
        func has(_ range: ClosedRange<UInt32>, at index: Int) -> Bool {
            scalars.indices.contains(index) && range.contains(scalars[index].value)
        }
        func isUpper(_ index: Int) -> Bool { has(0x41...0x5A, at: index) }
        func isLower(_ index: Int) -> Bool { has(0x61...0x7A, at: index) }
        func isDigit(_ index: Int) -> Bool { has(0x30...0x39, at: index) }
        var result = ""
        for (index, scalar) in scalars.enumerated() {
            if isUpper(index) {
                // `userID` is two words, and so is `HTTPStatus`.
                if isLower(index - 1) || isDigit(index - 1) || (isUpper(index - 1) && isLower(index + 1)) {
                    separate(&result)
                }
                result += String(scalar).lowercased()
            } else if isLower(index) || isDigit(index) {
                result.unicodeScalars.append(scalar)
            } else {
                separate(&result)
            }
        }
        while result.utf8.last == UInt8(ascii: "_") { result.removeLast() }
        guard let first = result.utf8.first else { return nil }
        if (0x30...0x39).contains(first) { result = "n" + result }
        result = String(result.prefix(maximumLength))
        while result.utf8.last == UInt8(ascii: "_") { result.removeLast() }
        return Name.isIdentifier(result) ? result : nil
    }

    private static func separate(_ text: inout String) {
        if let last = text.utf8.last, last != UInt8(ascii: "_") { text += "_" }
    }

    /// Returns the type name for a name: `OrderStatus` for `order status`. Nil if the name has no letter that
    /// identifiers allow, or if the result is the name of a built-in type.
    static func typeName(_ text: String) -> String? {
        if TypeNotation.isTypeName(text), !TypeNotation.isBuiltIn(text) { return text }
        guard let identifier = identifier(text) else { return nil }
        let name = SwiftNames.typeName(identifier)
        return TypeNotation.isTypeName(name) && !TypeNotation.isBuiltIn(name) ? name : nil
    }
}

/// The used names of one scope. Names are compared as in code: `foo_bar` and `foo__bar` are equal.
struct NameScope {
    private var taken: Set<String> = []

    mutating func reserve(_ name: String) { taken.insert(SwiftNames.memberName(name)) }

    func isTaken(_ name: String) -> Bool { taken.contains(SwiftNames.memberName(name)) }

    /// Reserves a name and returns it. If the name is taken, a number is appended, beginning with 2.
    mutating func claim(_ wanted: String) -> String {
        var name = wanted
        var number = 2
        while isTaken(name) {
            name = String(wanted.prefix(Names.maximumLength - 8)) + "_\(number)"
            number += 1
        }
        reserve(name)
        return name
    }
}
