import JSONSyntax
import LogDefinitions

/// A summary of the observed values of a column. Its size depends on the options, not on the number of values.
struct ColumnObservations {
    /// The kinds of JSON values that the type notation distinguishes.
    enum Kind: String, CaseIterable {
        case bool = "a boolean"
        case whole = "a whole number"
        case fraction = "a number with a fraction"
        case huge = "a whole number beyond 64 bits"
        case text = "a string"
        case list = "a list"
        case object = "an object"
    }

    private var counts: [Kind: (count: Int, first: SourcePlace)] = [:]
    private var nulls = 0
    private var smallest: Int64 = .max
    private var formatsOfAllStrings = Set(StringFormat.withoutArguments)
    private var looksLikeTime = false
    /// The number of occurrences by value; nil when there are too many values.
    private var values: [ExactString: Int]? = [:]
    private var order: [ExactString] = []
    private var commonScale: Int?
    private var wholeDigits = 0
    private var isDecimal = true
    private var items: [ColumnObservations] = []

    private func count(_ kind: Kind) -> Int { counts[kind]?.count ?? 0 }

    /// The number of values except null.
    var total: Int { counts.values.reduce(0) { $0 + $1.count } }

    /// - Parameter place: the place of an offset. It is determined only for the first value of each kind.
    mutating func add(_ value: JSONValue, _ options: RecordOptions, _ place: (Int) -> SourcePlace) {
        func note(_ kind: Kind) {
            if counts[kind] == nil { counts[kind] = (0, place(value.at)) }
            counts[kind]?.count += 1
        }
        switch value.content {
        case .null: nulls += 1
        case .bool: note(.bool)
        case .object: note(.object)
        case .number(let number):
            if let whole = number.integer {
                note(.whole)
                smallest = min(smallest, whole)
            } else {
                note(number.isWhole ? .huge : .fraction)
            }
        case .string(let text):
            note(.text)
            add(text, options)
        case .array(let values):
            note(.list)
            if items.isEmpty { items.append(ColumnObservations()) }
            for value in values { items[0].add(value, options, place) }
        }
    }

    private mutating func add(_ text: String, _ options: RecordOptions) {
        if !formatsOfAllStrings.isEmpty {
            for format in formatsOfAllStrings where !format.isEvident(in: text) { formatsOfAllStrings.remove(format) }
            if formatsOfAllStrings.isEmpty { looksLikeTime = Self.isTimeInAnotherForm(text) }
        }
        if options.findsDecimals, isDecimal { lookForDecimal(text) }
        guard values != nil else { return }
        let key = ExactString(text)
        if values?[key] == nil { order.append(key) }
        values?[key, default: 0] += 1
        if (values?.count ?? 0) > options.mostValues || !Self.looksLikeConstant(text) {
            values = nil
            order = []
        }
    }

    private mutating func lookForDecimal(_ text: String) {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isNumber =
            parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
        guard isNumber, parts[0].count == 1 || parts[0].first != 0x30,
            commonScale == nil || commonScale == parts[1].count
        else {
            isDecimal = false
            return
        }
        commonScale = parts[1].count
        wholeDigits = max(wholeDigits, parts[0].count)
    }

    private static func isTimeInAnotherForm(_ text: String) -> Bool {
        text.utf8.count >= 19 && StringFormat.date.accepts(String(text.prefix(10)))
            && (text.utf8.dropFirst(10).first.map { $0 == 0x54 || $0 == 0x20 } ?? false)
    }

    private static func looksLikeConstant(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.properties.isAlphabetic, text.unicodeScalars.count <= 40
        else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value) || scalar == "_" || scalar == "-"
        }
    }

    // MARK: The type

    /// Returns the type of all values, and adds findings about lost information. Nil if a value was an object.
    func type(named name: String, options: RecordOptions, findings: inout [Finding]) -> LogValueType? {
        let seen = Kind.allCases.filter { counts[$0] != nil }
        let first = seen.compactMap { counts[$0]?.first }.first
        if seen.contains(.object) {
            let other = seen.filter { $0 != .object }
            let rest = other.isEmpty ? "" : " (and \(described(other)))"
            findings.warn(
                "`\(name)` is left out: it was an object \(Self.times(count(.object)))\(rest), but records are "
                    + "flat", at: counts[.object]?.first)
            return nil
        }
        if seen.isEmpty {
            findings.warn("`\(name)` was always null: it becomes an optional string")
            return .string(.init())
        }
        if Set(seen).isSubset(of: [.whole, .fraction, .huge]) {
            if let huge = counts[.huge] {
                findings.warn(
                    "`\(name)` is a `double`: \(huge.count) of its values are whole numbers beyond 64 bits, "
                        + "which lose digits", at: huge.first)
            }
            guard seen == [.whole] else { return .number(.init()) }
            let isNatural = smallest >= 0 && total >= options.enoughValues
            return .integer(.init(bits: 64, minimum: isNatural ? 0 : nil))
        }
        guard seen.count == 1 else {
            findings.warn("`\(name)` has values of several types, \(described(seen)): it becomes a string", at: first)
            return .string(.init())
        }
        switch seen[0] {
        case .bool: return .boolean
        case .list:
            guard let evidence = items.first, !evidence.counts.isEmpty || evidence.nulls > 0 else {
                findings.warn("`\(name)` was always an empty list: it becomes a list of strings", at: first)
                return .array(.init(of: .string(.init())))
            }
            if evidence.nulls > 0 {
                findings.warn(
                    "the list `\(name)` held null \(Self.times(evidence.nulls)): list items cannot be missing",
                    at: first)
            }
            return evidence.type(named: name, options: options, findings: &findings).map { .array(.init(of: $0)) }
        case .text: return textType(named: name, options: options, findings: &findings)
        case .whole, .fraction, .huge, .object: return nil
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    private func described(_ kinds: [Kind]) -> String {
        kinds.map { "\($0.rawValue) \(Self.times(count($0)))" + (counts[$0].map { " (first at \($0.first))" } ?? "") }
            .joined(separator: ", ")
    }

    private func textType(named name: String, options: RecordOptions, findings: inout [Finding]) -> LogValueType {
        if let format = StringFormat.withoutArguments.first(where: formatsOfAllStrings.contains) { return format.type }
        if looksLikeTime {
            findings.note(
                "`\(name)` has times in a form other than `timestamp` (UTC with milliseconds): it becomes a string",
                at: counts[.text]?.first)
        }
        if options.findsDecimals, isDecimal, let scale = commonScale, wholeDigits + scale <= 38 {
            return .decimal(.init(precision: min(38, max(18, wholeDigits + scale)), scale: scale))
        }
        if let values, options.mostValues > 0, total >= options.enoughValues, values.count > 1,
            values.values.allSatisfy({ $0 >= 3 })
        {
            let texts = order.map(\.text)
            // If values differ only in case, people typed them: they are not the values of an enumeration.
            let isClosed =
                DraftResolver.problem(with: texts) == nil && Set(texts.map(Confusable.folded)).count == texts.count
            if isClosed { return .enumeration(.init(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })) }
        }
        return .string(.init())
    }
}
