/// Rules for vendors' limits, off until `destinations` in `loggen.yml` names a vendor. They skip retired definitions.
extension Rule {
    static let destinationRules = [destinationName, destinationSize, destinationValue]

    package static let destinationName = Rule(
        "destination-name", .off, "names of events and columns are valid and distinct in every destination",
        valid: sent("firebase") + .file("shop.md", "# shop\n\n## update\n"),
        invalid: .file("loggen.yml", "destinations: [firebase]\nrules: {framework-name: off}\n")
            + .file("app.md", "# app\n\n## update\n"), checks: .run(findVendorNames))

    package static let destinationSize = Rule(
        "destination-size", .off, "events, their columns and their bytes are within the limits of every destination",
        valid: sent("firebase") + many(columns: 23), invalid: sent("firebase") + many(columns: 24),
        checks: .run(findVendorSizes))

    package static let destinationValue = Rule(
        "destination-value", .off, "every destination receives the whole value of a column",
        valid: sent("firebase") + .columns("| keyword | string(100) |"),
        invalid: sent("firebase") + .columns("| keyword | string(256) |"), checks: .run(findVendorValues))

    private static func sent(_ destination: String) -> Example {
        .file("loggen.yml", "destinations: [\(destination)]\n")
    }

    private static func many(columns count: Int) -> Example {
        .event("| column | type |\n| --- | --- |" + (1...count).map { "\n| step\($0) | bool? |" }.joined())
    }
}

private struct Excess {
    var limitsLowestFirst: [(destination: Destination, limit: Destination.Limit)]

    /// - Parameter count: nil if the number is unlimited.
    init(_ count: Int?, _ destinations: [Destination], _ limit: (Destination) -> Destination.Limit?) {
        limitsLowestFirst = destinations.compactMap { destination in
            guard let limit = limit(destination), count.map({ $0 > limit.maximum }) ?? true else { return nil }
            return (destination, limit)
        }
        limitsLowestFirst.sort { $0.limit.maximum < $1.limit.maximum }
    }

    static func + (left: Excess, right: Excess) -> Excess {
        var sum = left
        sum.limitsLowestFirst += right.limitsLowestFirst
        return sum
    }

    var lowest: Int? { limitsLowestFirst.first?.limit.maximum }

    var titles: String { limitsLowestFirst.map(\.destination.title).joined(separator: ", ") }

    var notes: [Diagnostic.Note] {
        limitsLowestFirst.map { destination, limit in
            let amount = limit.maximum == 0 ? "" : "at most \(limit.maximum) \(limit.unit): "
            return .note("\(amount)\(destination.title) \(limit.effect) (\(limit.source))")
        }
    }
}

extension Findings {
    fileprivate mutating func report(_ message: String, at place: Place, _ excess: Excess, help: Diagnostic.Note) {
        report(message, at: place, notes: excess.notes + [help])
    }
}

extension Definitions {
    fileprivate var sentEvents: [(category: String, event: Event)] {
        categories.sorted { $0.file < $1.file }.flatMap { category in
            category.events.filter { $0.status != .retired }.map { (category.name, $0) }
        }
    }

    fileprivate var sentCommonColumns: [Column] { (common?.columns ?? []).filter { $0.status != .retired } }

    fileprivate func forEachSentColumn(_ look: (Column) -> Void) {
        sentCommonColumns.forEach(look)
        for (_, event) in sentEvents { event.activeColumns.forEach(look) }
    }
}

// MARK: Names

private func findVendorNames(in run: ResolvedRun, _ findings: inout Findings) {
    let destinations = findings.options.destinations
    guard !destinations.isEmpty else { return }
    var known: [String: [Event]] = [:]
    for (category, event) in run.definitions.sentEvents {
        let name = Destination.eventName(category, event.name)
        findReservedNameOrPrefix("the event reaches", name, destinations, at: event.place, &findings)
        let length = name.unicodeScalars.count
        let excess = Excess(length, destinations, \.eventName)
        if let most = excess.lowest {
            findings.report(
                "the event reaches \(excess.titles) as `\(name)`, which has \(length) characters", at: event.place,
                excess, help: .help("shorten the names of category and event to \(most - 1) characters in total"))
        }
        // An app sends the events of its platform only.
        let other = known[name]?.last { !$0.platforms.isDisjoint(with: event.platforms) }
        known[name, default: []].append(event)
        if let other {
            findings.report(
                "two events reach \(destinations.map(\.title).joined(separator: ", ")) as `\(name)`", at: event.place,
                .note("the other event is here", at: other.place), .help("rename one of them"))
        }
    }
    run.definitions.forEachSentColumn { column in
        findReservedNameOrPrefix("the column reaches", column.name, destinations, at: column.place, &findings)
        let length = column.name.unicodeScalars.count
        let excess = Excess(length, destinations, \.parameterName)
        guard let most = excess.lowest else { return }
        findings.report(
            "the column reaches \(excess.titles) as `\(column.name)`, which has \(length) characters", at: column.place,
            excess, help: .help("shorten the name to \(most) characters"))
    }
}

private func findReservedNameOrPrefix(
    _ subject: String, _ name: String, _ destinations: [Destination], at place: Place, _ findings: inout Findings
) {
    for destination in destinations {
        let prefix = destination.reservedPrefixes.first { name.hasPrefix($0) }
        let isReserved = subject == "the event reaches" && destination.reservedEvents.contains(name)
        guard prefix != nil || isReserved else { continue }
        let what = isReserved ? "which is reserved" : "and names that begin with `\(prefix ?? "")` are reserved"
        findings.report(
            "\(subject) \(destination.title) as `\(name)`, \(what)", at: place,
            Excess(1, [destination], \.reserved), help: .help("choose another name"))
    }
}

// MARK: Numbers and sizes

private func findVendorSizes(in run: ResolvedRun, _ findings: inout Findings) {
    let destinations = findings.options.destinations
    guard !destinations.isEmpty else { return }
    let events = run.definitions.sentEvents.map(\.event)
    let common = run.definitions.sentCommonColumns
    for event in events {
        let envelope = Destination.envelope.filter { $0 != .samplingRate || event.details.sampling != nil }
        let columns = common + event.activeColumns
        findCrowdedEvent(event, columns, envelope, destinations, &findings)
        findEventTooLargeAsWhole(event, columns, envelope, destinations, &findings)
    }
    // An app sends the events of its platform only.
    for platform in Platform.allCases {
        let sent = events.filter { $0.platforms.contains(platform) }
        let excess = Excess(sent.count, destinations, \.events)
        guard let most = excess.lowest else { continue }
        findings.report(
            "the definitions have \(sent.count) events, too many for \(excess.titles)", at: sent[most].place, excess,
            help: .help("retire events, or turn events that differ in one value into an event with a column"))
        break
    }
    findFirstColumnBeyondLimit(run.definitions, destinations, &findings)
}

private func findCrowdedEvent(
    _ event: Event, _ columns: [Column], _ envelope: [RecordEnvelope], _ destinations: [Destination],
    _ findings: inout Findings
) {
    let counts = Platform.allCases.filter { event.platforms.contains($0) }.map { platform in
        columns.indices.count { columns[$0].platforms.contains(platform) }
    }
    let most = counts.max() ?? 0
    let count = most + envelope.count
    let excess = Excess(count, destinations, \.parameters)
    guard let maximum = excess.lowest else { return }
    let members = envelope.map { "`\($0.name)`" }.joined(separator: ", ")
    findings.report(
        "the event has \(count) parameters (\(most) columns, \(members)), too many for \(excess.titles)",
        at: event.place, excess, help: .help("remove \(count - maximum) of the columns, or divide the event"))
}

private func findFirstColumnBeyondLimit(
    _ definitions: Definitions, _ destinations: [Destination], _ findings: inout Findings
) {
    var names = Set(Destination.envelope.map(\.name))
    var places: [Place] = []
    definitions.forEachSentColumn { column in
        if names.insert(column.name).inserted { places.append(column.place) }
    }
    let excess = Excess(names.count, destinations, \.allParameters)
    guard let most = excess.lowest else { return }
    findings.report(
        "all events together have \(names.count) different parameters, too many for \(excess.titles)",
        at: places[max(0, most - Destination.envelope.count)], excess,
        help: .help("give columns with the same meaning the same name"))
}

private func findEventTooLargeAsWhole(
    _ event: Event, _ columns: [Column], _ envelope: [RecordEnvelope], _ destinations: [Destination],
    _ findings: inout Findings
) {
    // `violations` is unlimited, as are the values of an event with violations. The other members are short.
    var bytes = 2 + envelope.filter { $0 != .violations }.reduce(0) { $0 + $1.name.utf8.count + 4 + 24 }
    for index in columns.indices {
        guard let size = columns[index].type.maximumBytes,
            Excess(size, destinations, \.eventBytes).limitsLowestFirst.isEmpty
        else { return }
        bytes += columns[index].name.utf8.count + 4 + size
    }
    let excess = Excess(bytes, destinations, \.eventBytes)
    guard excess.lowest != nil else { return }
    findings.report(
        "the columns of the event can have \(bytes) bytes, too many for \(excess.titles)", at: event.place, excess,
        help: .help("lower the maximums of strings and lists"))
}

// MARK: Values

private func findVendorValues(in run: ResolvedRun, _ findings: inout Findings) {
    let destinations = findings.options.destinations
    guard !destinations.isEmpty else { return }
    let types = Dictionary(run.definitions.distinctTypes.map { ($0.name, $0) }) { first, _ in first }
    // The types of single values, which every destination receives.
    var single: Set<String> = []
    run.definitions.forEachSentColumn { if case .named(let named) = $0.type { single.insert(named.name) } }
    var reported: Set<String> = []
    run.definitions.forEachSentColumn { column in
        var receivers = destinations
        if case .array = column.type {
            findUnsupportedOrLargeList(column, destinations, &findings)
            receivers.removeAll { $0.lists != nil }
        }
        guard case .named(let named) = column.type.element else {
            return findStringsOfUnnamedType(column, receivers, &findings)
        }
        // The declaration of a type is reported once.
        guard let type = types[named.name], reported.insert(named.name).inserted else { return }
        findStringsOfNamedType(type, single.contains(named.name) ? destinations : receivers, &findings)
    }
}

private func findUnsupportedOrLargeList(_ column: Column, _ destinations: [Destination], _ findings: inout Findings) {
    let excess = Excess(1, destinations, \.lists)
    if excess.lowest != nil {
        findings.report(
            "`\(column.name)` is a list, which \(excess.titles) cannot receive", at: column.typePlace, excess,
            help: .help("log the number of items, or a column for each item that matters"))
    }
    let size = column.type.maximumBytes
    guard size != nil || column.type.isUnlimitedList else { return }
    let larger = Excess(size, destinations, \.eventBytes)
    guard larger.lowest != nil else { return }
    findings.report(
        "the list `\(column.name)` " + (size.map { "can have \($0) bytes" } ?? "can have any number of items")
            + ", too many for \(larger.titles)",
        at: column.typePlace, larger, help: .help("limit the number of items, as in `[int64; ...10]`"))
}

private func findStringsOfUnnamedType(_ column: Column, _ destinations: [Destination], _ findings: inout Findings) {
    let element = column.type.element
    let excess = element.excess(in: destinations, isWhole: column.type.depth == 0)
    guard let most = excess.lowest else { return }
    let shorter = LogValueType.string(
        .init(maxLength: excess.limitsLowestFirst.first?.limit.unit == "bytes" ? 256 : most))
    let type = column.type.changed { $0 == element ? shorter : $0 }
    let text = "\(type)\(column.isRequired ? "" : "?")"
    let help: Diagnostic.Note =
        if case .string = element {
            .help("write `\(text)`", .replacePlace(column.typePlace, with: text))
        } else {
            element.shorteningHelp
        }
    findings.report(
        element.description(ofExcess: excess, subject: "`\(column.name)`"), at: column.typePlace, excess, help: help)
}

private func findStringsOfNamedType(_ type: NamedType, _ destinations: [Destination], _ findings: inout Findings) {
    switch type.kind {
    case .external: return
    case .scalar(let scalar):
        let excess = scalar.excess(in: destinations, isWhole: true)
        guard let most = excess.lowest else { return }
        let help: Diagnostic.Note =
            if case .string = scalar {
                .help("write the heading as `\(type.name): string(\(min(most, 256)))`")
            } else {
                scalar.shorteningHelp
            }
        findings.report(
            scalar.description(ofExcess: excess, subject: "`\(type.name)`"), at: type.place, excess, help: help)
    case .enumeration(let values):
        for value in values {
            let single = LogValueType.enumeration([value.value])
            let excess = single.excess(in: destinations, isWhole: true)
            guard excess.lowest != nil else { continue }
            findings.report(
                single.description(ofExcess: excess, subject: "`\(type.name)`"), at: value.place, excess,
                help: single.shorteningHelp)
        }
    }
}

extension LogValueType {
    /// - Parameter isWhole: Whether the string is not an item of a list, whose size is checked as a whole.
    fileprivate func excess(in destinations: [Destination], isWhole: Bool) -> Excess {
        guard hasCharacters else { return Excess(0, [], \.string) }
        let isLarge = isWhole || maximumBytes == nil
        return Excess(maximumUnicodeScalars, destinations, \.string)
            + Excess(isLarge ? maximumBytes : 0, destinations, \.eventBytes)
    }

    fileprivate func description(ofExcess excess: Excess, subject: String) -> String {
        switch form {
        case .enumeration(let enumeration):
            let longest = enumeration.longest
            return "the value `\(longest)` of \(subject) has \(longest.unicodeScalars.count) characters, too many for "
                + excess.titles
        case .format: return "\(subject) is a URL, which has no maximum length; values are limited in \(excess.titles)"
        default:
            guard let most = maximumUnicodeScalars else {
                return "\(subject) has no maximum length; values are limited in \(excess.titles)"
            }
            return "\(subject) can have \(most) characters, too many for \(excess.titles)"
        }
    }

    fileprivate var shorteningHelp: Diagnostic.Note {
        if case .enumeration = form { return .help("shorten the value") }
        return .help("log a part, such as the path, as a string with a maximum length")
    }

    fileprivate var hasCharacters: Bool {
        switch form {
        case .string: true
        case .format(let format): !format.isNumeric
        case .enumeration(let enumeration): !enumeration.values.isEmpty
        case .integer, .number, .boolean, .array, .named: false
        }
    }

    fileprivate var maximumUnicodeScalars: Int? {
        switch form {
        case .string(let limits): limits.maxLength ?? limits.maxBytes
        case .format(let format): format.length
        case .enumeration(let enumeration): enumeration.longest.unicodeScalars.count
        case .integer, .number, .boolean, .array, .named: nil
        }
    }

    /// The maximum size as JSON without escapes, in bytes; nil without a limit. Sizes above a gigabyte are a gigabyte.
    fileprivate var maximumBytes: Int? {
        func sum(_ count: Int, of size: Int, and more: Int) -> Int {
            min(min(count, 1 << 30) * min(size, 1 << 30) + more, 1 << 30)
        }
        return switch form {
        case .string(let limits):
            limits.maxBytes.map { sum($0, of: 1, and: 2) } ?? limits.maxLength.map { sum($0, of: 4, and: 2) }
        case .integer(let integer): max("\(integer.range.lowerBound)".count, "\(integer.range.upperBound)".count)
        case .number: 24
        case .boolean: 5
        case .format(let format): format.maximumLength.map { $0 + 2 }
        case .enumeration(let enumeration): enumeration.values.map(\.utf8.count).max().map { $0 + 2 }
        case .array(let list):
            list.maxItems.flatMap { count in list.items.maximumBytes.map { sum(count, of: $0 + 1, and: 1) } }
        case .named(let named): named.base?.maximumBytes
        }
    }

    fileprivate var isUnlimitedList: Bool {
        if case .array(let list) = self { list.maxItems == nil || list.items.isUnlimitedList } else { false }
    }
}

extension LogValueType.Enumeration {
    fileprivate var longest: String { values.max { $0.unicodeScalars.count < $1.unicodeScalars.count } ?? "" }
}
