import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// A label and its value: `Owner: @shop`.
struct PlanFact {
    let label: String
    let header: PlanHeader?
    /// Markdown.
    var text: String

    /// A label such as `字段`, which has no plural, has a list of properties in code after it.
    init(_ label: String, _ text: String) {
        (self.label, self.text) = (label, text)
        let header = PlanHeader(label)
        let isList = header == .property && !label.allSatisfy(\.isASCII) && text.hasPrefix("`")
        self.header = isList ? .properties(isRequired: nil) : header
    }

    /// Nil for a line without a label. A name in code, such as `platform`, is that of a property.
    init?(_ markdown: String) {
        guard let colon = markdown.firstIndex(where: { ":：".contains($0) }) else { return nil }
        let label = PlanItem.plain(markdown[..<colon].filter { $0 != "*" })
        let text = trimmed(trimmed(markdown[markdown.index(after: colon)...]).drop { "* ".contains($0) })
        // `cart.paid fires at the end. Properties: total`, `Includes: the total`
        let isSentence =
            label.holds(". ") && PlanNames.isName(String(label.prefix { $0 != " " }))
            || PlanWords.folded(label) == "includes" && !text.hasPrefix("`")
        if label.isEmpty || text.isEmpty || isSentence || markdown[..<colon].holds("`") { return nil }
        self.init(label, String(text))
    }

    var isOfEvent: Bool {
        switch header {
        case .event, .owner, .platforms, .status, .since, .trigger: true
        case .name: PlanWords.folded(label) == "key"
        default: false
        }
    }

    var isPartOfEvent: Bool {
        switch header {
        case .properties, .description: true
        default: isOfEvent
        }
    }
}

/// The details of an event or a property. A second value of one detail becomes part of its description.
struct PlanFacts {
    var texts: [String] = []
    var details: [DraftDetail] = []
    var isRetired = false
    /// Cells below unknown headers of properties.
    var annotations: [DraftColumn.Annotation] = []

    subscript(_ key: Details.Key) -> String? { details.first { $0.key == key }?.value }

    mutating func add(_ text: String) { if !text.isEmpty, !texts.contains(text) { texts.append(text) } }

    mutating func add(_ key: Details.Key, _ text: String, label: String? = nil) {
        let value = PlainText.normalized(text, isOneLine: true)
        guard let known = self[key] else { return details.append(DraftDetail(key, value)) }
        if known != value { add("\(label ?? key.rawValue): \(value)") }
    }

    mutating func merge(_ other: PlanFacts) {
        for text in other.texts { add(text) }
        for detail in other.details { add(detail.key, detail.value) }
        isRetired = isRetired || other.isRetired
        annotations += other.annotations.filter { !annotations.contains($0) }
    }

    /// Takes a cell that means the same for events and properties. Returns whether it is one.
    mutating func take(_ header: PlanHeader?, _ text: String, label: String) -> Bool {
        switch header {
        case .number: break
        case .description: if !PlanWords.isNone(text) { add(text) }
        case .since: if !PlanWords.isNone(text) { add(.since, text, label: label) }
        case .deprecated:
            if !PlanWords.isNone(text), Spreadsheet.flag(text) != false { add(.deprecated, text, label: label) }
        case .status:
            let state = PlanWords.retirement(text)
            isRetired = isRetired || state.isRetired
            if state.isDeprecated {
                add(.deprecated, text, label: label)
            } else if !PlanWords.isNone(text), !PlanWords[.retired].contains(PlanWords.folded(text)) {
                add("\(label): \(text)")
            }
        case .platforms where (try? Platforms(written: text)) != nil: add(.platforms, text, label: label)
        case .privacy where LogPrivacy(written: text) != nil || Spreadsheet.flag(text) == true:
            add(.privacy, (LogPrivacy(written: text) ?? .personal).rawValue, label: label)
        default: return false
        }
        return true
    }
}

/// A property as a plan writes it, in a row, in an item of a list, or in a part of a cell.
struct PlanProperty {
    var name: String
    var type: LogValueType?
    /// The part of the type's text that no type can express.
    var unexpressed: String?
    /// Nil if it is unknown.
    var isRequired: Bool?
    var example: String?
    var facts = PlanFacts()
    var place: SourcePlace

    var description: String { facts.texts.joined(separator: "\n") }

    init(_ name: String, at place: SourcePlace) { (self.name, self.place) = (name, place) }

    /// The only value of the property, if it names one.
    var constant: String? {
        if case .enumeration(let enumeration) = type, enumeration.values.count == 1 { return enumeration.values[0] }
        return example
    }

    /// Adds the facts of the same property from another place of the document.
    mutating func merge(_ other: PlanProperty) {
        if type == nil || type == .string(.init()) && other.type?.isEnumeration == true {
            (type, unexpressed) = (other.type, other.unexpressed)
        }
        isRequired = isRequired ?? other.isRequired
        facts.merge(other.facts)
        if let text = other.example { set(example: text, label: "Example") }
    }

    mutating func set(example text: String, label: String) {
        if example == nil { example = text } else if example != text { facts.add("\(label): \(text)") }
    }

    mutating func take(_ parsed: TypeNotation.Parsed, _ rest: String?) {
        (type, unexpressed) = (parsed.type, rest)
        if parsed.isOptional { isRequired = false }
    }

    /// Takes text that is a type and nothing else. Returns whether it is one.
    mutating func takeType(_ text: String) -> Bool {
        guard type == nil, let (parsed, rest) = TypeNameParser.parse(text) else { return false }
        take(parsed, rest)
        return true
    }

    /// Takes a word such as `optional` or `PII`.
    mutating func takeWord(_ text: String) -> Bool {
        switch PlanWords.folded(text) {
        case "required", "mandatory", "必須": isRequired = true
        case "optional", "nullable", "recommended", "任意", "省略可", "推奨": isRequired = isRequired ?? false
        case "pii", "personal", "個人情報": facts.add(.privacy, LogPrivacy.personal.rawValue)
        case "sensitive", "機微": facts.add(.privacy, LogPrivacy.sensitive.rawValue)
        case "deprecated", "非推奨": facts.add(.deprecated, "deprecated")
        default: return false
        }
        return true
    }

    /// Takes the inside of parentheses. Returns whether all of it is understood.
    mutating func takeGroup(_ text: String) -> Bool {
        if takeType(text) { return true }
        let parts = PlanItem.split(text.split(separator: "・").joined(separator: "、"))
        let unknown = parts.filter { !takeWord($0) }
        if unknown.isEmpty || takeType(unknown.joined(separator: ", ")) { return true }
        guard takeType(unknown[0]) else { return false }
        facts.add(unknown.dropFirst().joined(separator: ", "))
        return true
    }

    /// Takes the type at the beginning. Returns the rest.
    mutating func takeTypeAndWord(_ text: Substring) -> Substring? {
        if takeType(String(text)) { return "" }
        for separator in ["*", " - ", " – ", " — ", " (", "（", ", ", "、", ". ", "。", ": ", " "] {
            guard type == nil, let end = text.firstRange(ofText: separator) else { continue }
            let word = String(text[..<end.lowerBound])
            guard let (parsed, _) = TypeNameParser.parse(word) else { continue }
            // `` `a` (first), `b` (second) ``
            if parsed.type.isConstant, text[end.lowerBound...].holds("`") { return nil }
            // In `time since the start` and `number of files`, the first word is not a type.
            if separator == " ",
                text[end.lowerBound...].hasPrefix(" of ") || !PlanWords[.plainType].contains(PlanWords.folded(word))
            {
                return nil
            }
            _ = takeType(word)
            let isMark = [", ", "、", ". ", "。"].contains(separator)
            var after = trimmed(text[(isMark ? end.upperBound : end.lowerBound)...])
            let next = after.prefix { !",. （(".contains($0) }
            if takeWord(String(next)) { after = trimmed(after.dropFirst(next.count).drop { ",. ".contains($0) }) }
            return after
        }
        return nil
    }
}

/// Reads properties from text such as `` `sort` ("a" / "b", optional): The order ``.
enum PlanItem {
    /// Splits the Markdown of a cell into its items.
    static func split(_ markdown: String) -> [String] {
        var (items, depth, isCode) = ([""], 0, false)
        var quote: Character?
        var previous: Character = " "
        let text = withoutBreaks(markdown)
        let hasQuotes = text.count { $0 == "\"" } % 2 == 0
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"", hasQuotes || depth > 0 {
                quote = character
            } else if "([{（「".contains(character) || character == "<" && previous.isLetter {
                depth += 1
            } else if ")]}）」".contains(character) || character == ">" && previous != "-" {
                depth = max(0, depth - 1)
            } else if character == "\n" || depth == 0 && ",;、；，".contains(character) {
                // A code span may have several names: `` `sort, filter?` ``.
                items[items.count - 1] += isCode ? "`" : ""
                items.append(isCode ? "`" : "")
                depth = 0
                continue
            } else if character == "`" {
                isCode.toggle()
            }
            items[items.count - 1].append(character)
            previous = character
        }
        return items.reduce(into: []) { result, item in
            var text = String(trimmed(item[...]))
            if text.hasPrefix("` ") { text = "`" + trimmed(text.dropFirst()) }
            if text.isEmpty || text == "``" { return }
            // `'sale'` after `` `type`: 'rent' `` is a value, and after `'rent'` a name.
            if text.hasPrefix("'"), let last = result.indices.last, result[last].hasPrefix("`") {
                result[last] += ", " + text
            } else {
                result.append(text)
            }
        }
    }

    /// An object, and the rest: `{ id: string, "name"?: string } (from the app)`. Nil without an object.
    static func members(_ markdown: String) -> (members: String, rest: String)? {
        let isCode = markdown.hasPrefix("`")
        let text = trimmed(markdown.drop { $0 == "`" })
        guard text.hasPrefix("{"), let close = text.lastIndex(of: "}") else { return nil }
        // `{home,search}_tapped` abbreviates names.
        if let next = text[text.index(after: close)...].first, next == "_" || next.isLetter { return nil }
        let members = split(String(text[..<close].dropFirst())).map { member -> String in
            guard member.hasPrefix("\""), let end = member.dropFirst().firstIndex(of: "\"") else { return member }
            return String(member.dropFirst()[..<end] + member[member.index(after: end)...])
        }
        let rest = text[text.index(after: close)...]
        return (members.joined(separator: "\n"), String(trimmed(isCode ? rest.drop { $0 == "`" } : rest)))
    }

    /// Returns an item for each name in code at the beginning of an item: `` `a` / `b`: the sum `` are `` `a`: the sum ``
    /// and `` `b`: the sum ``. The text after names that a point or a blank separates belongs to the last one.
    static func separated(_ item: String) -> [String] {
        // `order_id or cart_id`: a record has one of them.
        let words = item.split(separator: " ").map(String.init)
        if words.count == 3, ["or", "/"].contains(words[1]), Names.isIdentifier(words[0]), Names.isIdentifier(words[2])
        {
            return ["\(words[0]) (optional)", "\(words[2]) (optional)"]
        }
        let parts = item.components("`")
        func isName(_ index: Int) -> Bool {
            guard parts.indices.contains(index + 1) else { return false }
            let name = parts[index].prefix { $0 != ":" }.filter { !"?[]*".contains($0) }
            return Names.identifier(name) != nil && !name.contains { " =|,(".contains($0) }
                && (index == 1 || TypeNameParser.parse(name) == nil)
        }
        var (end, isOneText) = (1, true)
        while isName(end),
            ["", "/", "·", "・", "+", "|", "\\|", "and", "or"].containsExactly(String(trimmed(parts[end + 1][...]))),
            isName(end + 2)
        {
            if ["", "·", "・"].contains(trimmed(parts[end + 1][...])) { isOneText = false }
            end += 2
        }
        guard parts[0].isEmpty, end > 1 else { return [item] }
        // Code other than a name follows a colon.
        let rest = parts[(end + 1)...].joined(separator: "`")
        let text = trimmed(parts[end + 1][...]).isEmpty && parts.indices.contains(end + 2) ? ": " + rest : rest
        return stride(from: 1, through: end, by: 2).map { index in
            "`\(parts[index])` " + (isOneText || index == end ? text : "")
        }
    }

    /// The code spans.
    static func spans(_ text: String) -> [String] {
        text.components("`").enumerated().compactMap { $0 % 2 == 1 ? "`\($1)`" : nil }
    }

    static func isCode(_ text: String) -> Bool {
        text.hasPrefix("`") && text.hasSuffix("`") && text.count { $0 == "`" } == 2
    }

    /// Replaces tags that begin a line by a line end.
    static func withoutBreaks(_ markdown: String) -> String {
        guard markdown.holds("<") else { return markdown }
        return ["<br>", "<br/>", "<br />", "<BR>", "<ul>", "</ul>", "<li>", "</li>", "<p>", "</p>"].reduce(markdown) {
            $0.components($1).joined(separator: "\n")
        }
    }

    /// Replaces a link that begins text by its label: ``[`reason`](#reason)``.
    static func withoutLink(_ text: Substring) -> Substring {
        guard text.hasPrefix("["), let end = text.firstRange(ofText: "]("),
            let close = text[end.upperBound...].firstIndex(of: ")")
        else { return text }
        return text.dropFirst()[..<end.lowerBound] + text[close...].dropFirst()
    }

    /// Parses the property in one item of a cell or a list; nil if the item has no name.
    static func property(_ markdown: String, at place: SourcePlace) -> PlanProperty? {
        var rest = trimmed(markdown.drop { "-•・+ ".contains($0) })
        if rest.hasPrefix("* ") { rest = trimmed(rest.dropFirst(2)) }
        rest = withoutLink(rest)
        // In ``optional `coupon` `` and ``plus error `message` ``, words precede the name.
        let words = PlanWords.folded(String(rest.prefix { !"`(:".contains($0) })).split(separator: " ")
        let isBefore = words.count < 3 && rest.holds("`")
        if isBefore, ["optional", "required", "plus", "and", "任意"].contains(words.first) {
            rest = rest.drop { $0 != "`" }
        }
        // `optional coupon (string)`
        let isBare = words.count == 2 && !rest.holds("`") && TypeNameParser.parse(String(words[1])) == nil
        let isOptional = isBare && rest.hasPrefix("optional ")
        if isOptional || isBare && rest.hasPrefix("required ") { rest = trimmed(rest.drop { $0 != " " }) }
        guard let name = takeName(&rest) else { return nil }
        let bare = name.drop { $0 == "~" }.prefix { !"?*[]~".contains($0) }
        let marks = name[bare.endIndex...]
        guard bare.unicodeScalars.contains(where: \.properties.isAlphabetic), marks.allSatisfy("?*[]~".contains) else {
            return nil
        }
        var property = PlanProperty(String(bare), at: place)
        property.facts.isRetired = name.hasPrefix("~~")
        if isOptional || isBefore && (words.contains("optional") || words.first == "任意") { property.isRequired = false }
        if marks.contains("*") { property.isRequired = true }
        if marks.contains("?") { property.isRequired = false }
        readAfterName(rest, &property)
        if marks.holds("[]") { property.type = .array(.init(of: property.type ?? .string(.init()))) }
        return property
    }

    private static func takeName(_ rest: inout Substring) -> String? {
        // `**price (USD)**` has a name, and `**Not** the name` is prose.
        var after: Substring = ""
        for mark in ["**", "__"] where rest.hasPrefix(mark) {
            guard let close = rest.dropFirst(2).firstRange(ofText: mark) else { continue }
            after = rest[close.upperBound...]
            rest = rest[..<close.lowerBound].dropFirst(2)
            let next = String(trimmed(after).prefix { $0 != " " })
            if !rest.hasPrefix("`"), next.first?.isLetter ?? false, TypeNameParser.parse(next) == nil { return nil }
        }
        defer { rest += " " + after }
        if rest.hasPrefix("`") {
            guard let end = rest.dropFirst().firstIndex(of: "`") else { return nil }
            let code = rest[..<end].dropFirst()
            // `name: type` and `name(type)`; `Song Played` is one name.
            let isTitle = code.first?.isUppercase ?? false
            let name = code.prefix { !":=(".contains($0) && ($0 != " " || isTitle) }
            rest = code[name.endIndex...] + rest[rest.index(after: end)...]
            return name.isEmpty ? nil : String(trimmed(name))
        }
        let end = rest.indices.prefix(201).first { index in
            "(:（：=∈|—".contains(rest[index]) || rest[index] == "[" && !rest[index...].hasPrefix("[]")
                || [" - ", " – ", " ― "].contains(where: rest[index...].hasPrefix)
        }
        let name = trimmed(rest[..<(end ?? rest.endIndex)])
        rest = rest[(end ?? rest.endIndex)...]
        // A sentence is not a name.
        guard name.split(separator: " ").count <= 4, name.utf8.count <= 64, !name.hasSuffix("."), !name.hasSuffix("。")
        else { return nil }
        let text = InlineMarkdown.plainText(String(name))
        return text.isEmpty || ["etc", "など", "and more"].contains(PlanWords.folded(text)) ? nil : text
    }

    private static func readAfterName(_ text: Substring, _ property: inout PlanProperty) {
        var rest = trimmed(text)
        var prose: [String] = []
        if let first = rest.first, first == "?" || first == "*" && rest.count(where: { $0 == "*" }) == 1 {
            // A star marks a required property.
            property.isRequired = first == "*"
            rest = trimmed(rest.dropFirst())
        }
        while let first = rest.first {
            if "*_".contains(first) {
                rest = rest.dropFirst()
            } else if "(（".contains(first), let (group, after) = group(rest) {
                if !property.takeGroup(group) { prose.append("(\(group))") }
                rest = trimmed(after)
            } else {
                if ":—–-=―".contains(first) { rest = trimmed(rest.dropFirst().drop { " *_".contains($0) }) }
                guard prose.isEmpty, property.type == nil, let after = property.takeTypeAndWord(rest) else { break }
                rest = after
            }
        }
        property.facts.add((prose + [PlanItem.prose(String(rest))]).filter { !$0.isEmpty }.joined(separator: " "))
    }

    private static func group(_ text: Substring) -> (inside: String, rest: Substring)? {
        var depth = 0
        for index in text.indices {
            if "(（".contains(text[index]) { depth += 1 }
            if ")）".contains(text[index]) { depth -= 1 }
            if depth == 0 { return (String(text[..<index].dropFirst()), text[text.index(after: index)...]) }
        }
        return nil
    }

    /// Returns whether a cell or an item is a word for nothing. A name in code, such as `x`, is a name.
    static func isNone(_ markdown: String) -> Bool {
        let text = plain(markdown)
        let isName =
            markdown.hasPrefix("`") && Names.isIdentifier(text) && !["none", "null", "nil", "na"].contains(text)
        return !isName && PlanWords.isNone(text)
    }

    static func plain(_ markdown: String) -> String {
        PlainText.normalized(InlineMarkdown.plainText(markdown))
    }

    /// Returns the plain text of a description, with the addresses of links after their text.
    static func prose(_ markdown: String) -> String {
        var result = ""
        var rest = markdown[...]
        while let end = rest.firstRange(ofText: "]("), let close = rest[end.upperBound...].firstIndex(of: ")") {
            let address = rest[end.upperBound..<close]
            result += rest[..<rest.index(after: close)]
            if !address.hasPrefix("#"), !result.hasSuffix("[\(address)](\(address))"), !address.contains("`") {
                result += " (`\(address)`)"
            }
            rest = rest[rest.index(after: close)...]
        }
        return plain(result + rest)
    }
}
