/// JSON (RFC 8259) as regular expressions.
///
/// The warehouses' own readers of JSON differ in what they take for JSON, in which of two equal names counts, and in the
/// digits that they keep of a number. A record is therefore read by patterns, which all of them read alike. A pattern
/// cannot count brackets, so nesting has a limit here.
struct JSONPatterns {
    /// How deep arrays and objects may be nested, the record included. Types nest no deeper than nine levels.
    static let maximumDepth = 16

    /// Behind `*`, lets Java try nothing twice: its stack would overflow in a long text. The others do not go back.
    private let once: String

    init(_ dialect: SQLDialect) { once = dialect == .spark ? "+" : "" }

    var blanks: String { #"[ \t\r\n]*"# + once }

    /// A text with its quotation marks.
    var text: String { #"""# + characters + #"(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})"# + characters + ")*" + once + #"""# }

    /// A text without halves of surrogate pairs, which some readers refuse.
    var plainText: String { #"""# + characters + "(?:" + Self.escape + characters + ")*" + once + #"""# }

    /// An escape of one character, and not of half a surrogate pair. RE2 counts a repetition once for each that is
    /// around it, so there is none.
    static let escape: String = {
        let hex = "[0-9A-Fa-f]"
        return #"\\(?:["\\/bfnrt]|u(?:[0-9A-CE-Fa-ce-f]"# + hex + hex + hex + "|[Dd][0-7]" + hex + hex + "))"
    }()

    private var characters: String { #"[^"\\\x00-\x1f]*"# + once }

    static let number = "-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?"

    /// A record whose values are texts, numbers, words, and arrays of these: nearly every one. `plain` leaves out
    /// halves of surrogate pairs.
    func flatRecord(plain: Bool) -> String {
        let text = plain ? plainText : self.text
        let scalar = "(?:\(text)|\(Self.number)|true|false|null)"
        let array = #"\["# + blanks + "(?:\(scalar)\(blanks)(?:,\(blanks)\(scalar)\(blanks))*\(once))?" + #"\]"#
        let member = "\(text)\(blanks):\(blanks)(?:\(scalar)|\(array))\(blanks)"
        return "^" + blanks + #"\{"# + blanks + "(?:\(member)(?:,\(blanks)\(member))*\(once))?" + #"\}"# + blanks + "$"
    }

    // MARK: Parts of what is known to be JSON

    /// A text in what is known to be JSON.
    private var looseText: String { #""[^"\\]*"# + once + #"(?:\\.[^"\\]*"# + once + ")*" + once + #"""# }

    private static let word = #"[^ \t\r\n,:"\[\]{}]+"#

    private var value: String { "(?:\(looseText)|\(Self.word)|\(container(Self.maximumDepth - 1)))" }

    private func container(_ depth: Int) -> String {
        let other = #"[^"\[\]{}]*"# + once
        let inside = depth > 1 ? "(?:\(looseText)|\(container(depth - 1)))" : "(?:\(looseText))"
        return #"[\[{]"# + other + "(?:\(inside)\(other))*\(once)" + #"[\]}]"#
    }

    /// Captures the name of each member, with its quotation marks.
    var memberName: String { "(\(looseText))\(blanks):\(blanks)\(value)" }

    /// Captures the value of each member.
    var memberValue: String { "\(looseText)\(blanks):\(blanks)(\(value))" }

    /// Captures each item of what stands between an array's brackets.
    var item: String { once.isEmpty ? Self.items.plain : Self.items.once }

    /// Without and with `once`. They are long, and each list of a column asks for them.
    private static let items = (plain: "(\(JSONPatterns(.duckdb).value))", once: "(\(JSONPatterns(.spark).value))")

    // MARK: Skeletons

    /// A text in JSON's skeleton, in which every text is empty, every other scalar is `0`, and there are no blanks.
    static let skeletonScalar = #"(?:""|0)"#

    /// An object or array of scalars in a skeleton.
    static let skeletonContainer: String = {
        let member = #""":"# + skeletonScalar
        return #"\{(?:"# + member + "(?:," + member + #")*)?\}|\[(?:"# + skeletonScalar + "(?:," + skeletonScalar + #")*)?\]"#
    }()

    static let scalarsBesidesTexts = "\(number)|true|false|null"
}
