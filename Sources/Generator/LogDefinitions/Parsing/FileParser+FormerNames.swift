import MarkdownSyntax

/// Former names in cells: `old_name`, or several names from newest to oldest, separated by commas.
extension FileParser {
    /// The kinds of definitions with former names.
    enum Renamed {
        case column, category, event, value
    }

    /// Returns the former names in a cell. Reports each name that the definition could not have had.
    mutating func formerNames(_ text: String, of kind: Renamed, at range: Range<Int>) -> [FormerName] {
        var start = range.lowerBound
        return Self.names(in: text).compactMap { name in
            let found = source.firstRange(of: name, in: start..<range.upperBound)
            start = found?.upperBound ?? start
            let place = found ?? range
            guard isFormerName(name, of: kind) else {
                report(
                    .formerName, "`\(name)` is not the name of \(kind == .event ? "an" : "a") \(kind)", at: place,
                    .help(
                        kind == .event
                            ? "write the event's former name, or `CATEGORY.EVENT` if its category has changed, too"
                            : "write the former name as it was; separate several names by commas, newest first"),
                    hidden(in: name))
                return nil
            }
            return FormerName(name: name, place: Place(file: file, range: place))
        }
    }

    private func isFormerName(_ name: String, of kind: Renamed) -> Bool {
        switch kind {
        case .column, .category: Name.isIdentifier(name)
        case .event: Name.isIdentifier(name) || name.isEventName
        case .value: TypeNotation.problem(withEnumValue: name) == nil
        }
    }

    /// Returns the names in a cell. A code span is one name, even with a comma.
    private static func names(in text: String) -> [String] {
        var names: [String] = []
        var (name, isCode, wasCode) = ("", false, false)
        func add() {
            let meant = wasCode ? name : InlineMarkdown.unescapedCell(String(trimmed(name[...]))) ?? name
            let trimmed = String(trimmed(meant[...]))
            if !trimmed.isEmpty { names.append(trimmed) }
            (name, wasCode) = ("", false)
        }
        for character in text.unicodeScalars {
            switch character {
            case "`":
                isCode.toggle()
                wasCode = true
            case "," where !isCode, "、" where !isCode, "，" where !isCode: add()
            default: name.unicodeScalars.append(character)
            }
        }
        add()
        return names
    }

    /// Returns the event with its own former names (`category.event`) and those from former names of its category.
    mutating func withFormerNames(_ event: Event, of category: String, formerly formerCategories: [FormerName]) -> Event
    {
        let own = event.details.renamedFrom.map { formerNames($0.text, of: .event, at: $0.place.range) } ?? []
        guard !own.isEmpty || !formerCategories.isEmpty else { return event }
        var names = own.map { former in
            former.name.contains(".") ? former : FormerName(name: "\(category).\(former.name)", place: former.place)
        }
        for old in formerCategories {
            names.append(FormerName(name: "\(old.name).\(event.name)", place: old.place))
            for former in own where !former.name.contains(".") {
                names.append(FormerName(name: "\(old.name).\(former.name)", place: former.place))
            }
        }
        var event = event
        // An event may name a former name that also follows from those of its category.
        var known: Set<String> = []
        event.formerNames = names.filter { known.insert($0.name).inserted }
        return event
    }
}
