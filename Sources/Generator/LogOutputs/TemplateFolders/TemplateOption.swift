import LogDefinitions

/// An option that a folder's `output.yml` declares and `loggen.yml` sets.
///
/// The value is inserted into code. It is therefore a name, or one of the words that `output.yml` lists.
struct TemplateOption: Sendable {
    var key: String
    /// The value if `loggen.yml` does not set the option.
    var initial: String
    /// The allowed words, each with the string that it prints; nil if the value is a name.
    var words: [(word: String, text: String)]?

    /// Returns whether a key is allowed in `loggen.yml`, next to `to`, and in a template's tag.
    static func isKey(_ text: String) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first), text != "to" else { return false }
        return text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
        }
    }

    /// Returns the problem with a value, or nil if the value is valid.
    func problem(with value: String) -> (message: String, help: String?)? {
        guard let words else {
            let names = value.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard names.allSatisfy(Self.isName), value.utf8.count <= 255 else {
                return (
                    "`\(key)` is a name, or names separated by dots, not `\(value)`",
                    "a name has ASCII letters, digits and `_`, and does not begin with a digit, as `com.example.logs`"
                )
            }
            return nil
        }
        guard !words.contains(where: { $0.word.isExactly(value) }) else { return nil }
        let known = words.map(\.word)
        return (
            "`\(key)` has no word `\(value)`: \(choice(of: known))", didYouMean(value, among: known)
        )
    }

    /// Returns the string that templates print for a value. A name that is a keyword is escaped.
    func text(_ value: String?, _ identifiers: Identifiers) -> String {
        let value = value ?? initial
        if let words { return words.first { $0.word.isExactly(value) }?.text ?? "" }
        return value.split(separator: ".").map { identifiers.escaped(String($0)) }.joined(separator: ".")
    }

    private static func isName(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, !(0x30...0x39).contains(first) else { return false }
        return text.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "_")
        }
    }
}
