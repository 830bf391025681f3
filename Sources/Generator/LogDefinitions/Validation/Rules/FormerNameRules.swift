extension Rule {
    static let formerNameRules = [formerName]

    package static let formerName = Rule(
        "former-name", .always, "a former name was used before, is no longer defined, and has one heir",
        valid: renamed("rank")
            + .file(
                "loggen.lock",
                "loggen.lock 1\nsearch.show 1-0-0 active rank:int\n"
                    + "search.show 2-0-0 active position:int ~rank=position\n"),
        invalid: renamed("position")
            + .file("loggen.lock", "loggen.lock 1\nsearch.show 1-0-0 active position:int\n"),
        checks: .run(findContradictions))

    private static func renamed(_ name: String) -> Example {
        .event("| column | type | renamed from |\n| --- | --- | --- |\n| position | int | \(name) |")
            + .file("loggen.yml", "outputs: {}\n")
    }
}

extension Definitions {
    /// Indicates whether a definition has a former name.
    package var hasFormerNames: Bool {
        types.contains { !$0.formerValues.isEmpty }
            || (common?.columns ?? []).contains { !$0.formerNames.isEmpty }
            || categories.contains { !$0.formerNames.isEmpty || $0.events.contains(where: \.hasFormerNames) }
    }

    /// Returns the current name of a common column that may be named by a former one.
    package func currentName(ofCommonColumn name: String) -> String {
        common?.columns.first { $0.formerNames.contains { $0.name == name } }?.name ?? name
    }

    /// The former values with their heirs, of each type with any.
    package var formerValues: [String: [(former: FormerName, heir: String)]] {
        Dictionary(types.map { ($0.name, $0.formerValues) }, uniquingKeysWith: { first, _ in first })
            .filter { !$0.value.isEmpty }
    }
}

extension Event {
    /// Indicates whether the event or a column has a former name.
    package var hasFormerNames: Bool { !formerNames.isEmpty || columns.contains { !$0.formerNames.isEmpty } }
}

extension NamedType {
    /// The former values with their heirs.
    package var formerValues: [(former: FormerName, heir: String)] {
        guard case .enumeration(let values) = kind else { return [] }
        return values.flatMap { value in value.formerNames.map { ($0, value.value) } }
    }
}

private struct HeirsInScope {
    private let what: String
    private let outerFormerNames: [ExactString: (place: Place, heir: String)]
    private var first: [ExactString: (place: Place, heir: String)] = [:]

    init(_ what: String, in outer: HeirsInScope? = nil) {
        self.what = what
        outerFormerNames = outer?.first ?? [:]
    }

    mutating func add(_ former: FormerName, of heir: String, definedAt defined: Place?, _ findings: inout Findings) {
        let key = ExactString(former.name)
        if heir.isExactly(former.name) {
            findings.report(
                "`\(heir)` is its own former name", at: former.place,
                .help("write the name that it had before, or delete this one"))
        } else if let defined {
            findings.report(
                "the \(what) `\(former.name)` is still defined, so `\(heir)` cannot continue it", at: former.place,
                .note("it is defined here", at: defined),
                .help("delete the \(what) `\(former.name)`: its former name stays reserved; or delete this name"))
        } else if let known = first[key] ?? outerFormerNames[key], known.place != former.place {
            findings.report(
                "the former name `\(former.name)` has two heirs, `\(known.heir)` and `\(heir)`", at: former.place,
                .note("the first one is here", at: known.place),
                .help("keep it at the \(what) that continues its records"))
        } else {
            first[key] = (former.place, heir)
        }
    }
}

private func findContradictions(in run: ResolvedRun, _ findings: inout Findings) {
    let definitions = run.definitions
    guard definitions.hasFormerNames else { return }
    findColumns(definitions, &findings)
    let categories = Dictionary(definitions.categories.map { ($0.name, $0.place) }, uniquingKeysWith: { one, _ in one })
    var events: [String: Place] = [:]
    for category in definitions.categories {
        for event in category.events { events["\(category.name).\(event.name)"] = event.place }
    }
    var (heirsOfCategories, heirsOfEvents) = (HeirsInScope("category"), HeirsInScope("event"))
    for category in definitions.categories {
        for former in category.formerNames {
            heirsOfCategories.add(former, of: category.name, definedAt: categories[former.name], &findings)
        }
        let ofCategory = Set(category.formerNames.map(\.place))
        for event in category.events {
            for former in event.formerNames where !ofCategory.contains(former.place) {
                let heir = "\(category.name).\(event.name)"
                heirsOfEvents.add(former, of: heir, definedAt: events[former.name], &findings)
            }
        }
    }
    for type in definitions.distinctTypes {
        guard case .enumeration(let values) = type.kind else { continue }
        var heirs = HeirsInScope("value")
        let places = Dictionary(values.map { (ExactString($0.value), $0.place) }, uniquingKeysWith: { one, _ in one })
        for (former, heir) in type.formerValues {
            heirs.add(former, of: heir, definedAt: places[ExactString(former.name)], &findings)
        }
    }
}

/// Reports clashes of former names of columns. In records, common and own columns are members of one object.
private func findColumns(_ definitions: Definitions, _ findings: inout Findings) {
    let common = definitions.common?.columns ?? []
    func places(of columns: [Column]) -> [String: Place] {
        Dictionary(columns.map { ($0.name, $0.place) }, uniquingKeysWith: { one, _ in one })
    }
    var heirsOfCommon = HeirsInScope("column")
    lazy var anywhere = places(of: common + definitions.categories.flatMap { $0.events.flatMap(\.columns) })
    for column in common {
        for former in column.formerNames {
            heirsOfCommon.add(former, of: column.name, definedAt: anywhere[former.name], &findings)
        }
    }
    let commonPlaces = places(of: common)
    /// The columns of events that had the name of a common column.
    var claims: [String: [(heir: String, place: Place)]] = [:]
    for category in definitions.categories {
        for event in category.events where event.hasFormerNames {
            var heirs = HeirsInScope("column", in: heirsOfCommon)
            let places = places(of: event.columns)
            for column in event.columns {
                for former in column.formerNames {
                    let defined = places[former.name]
                    if defined == nil, commonPlaces[former.name] != nil {
                        claims[former.name, default: []].append((column.name, former.place))
                    } else {
                        heirs.add(former, of: column.name, definedAt: defined, &findings)
                    }
                }
            }
        }
    }
    for column in common {
        guard let all = claims[column.name], let first = all.first else { continue }
        findings.report(
            "the common column `\(column.name)` has the former name of `\(first.heir)`"
                + (all.count > 1 ? " in \(all.count) events" : ""), at: column.place,
            .note("the former name is here", at: first.place),
            .help("choose another name for the common column: a former name stays reserved"))
    }
}
