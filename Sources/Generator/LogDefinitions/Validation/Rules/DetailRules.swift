extension Rule {
    static let detailRules = [unknownDetail, duplicateDetail, detailValue, lostDetail, platform, commonDetail, expired]

    package static let unknownDetail = Rule(
        "unknown-detail", .always, "a details table's keys are known",
        valid: .details("| owner | @search |"), invalid: .details("| ownr | @search |"))

    package static let duplicateDetail = Rule(
        "duplicate-detail", .always, "a details table has each key once",
        valid: .details("| owner | @search |"), invalid: .details("| owner | @search |", "| 担当 | @home |"))

    package static let detailValue = Rule(
        "detail-value", .always, "a detail's value has the form that its key needs",
        valid: .details("| trigger | impression(80%) |"), invalid: .details("| trigger | impresion(80%) |"))

    package static let lostDetail = Rule(
        "lost-detail", .always, "details are rows of a details table",
        valid: .details("| privacy | personal |"), invalid: .event("privacy: personal"))

    package static let platform = Rule(
        "platform", .error,
        "a required column targets every platform of its event, and every column at least one of them",
        valid: .event("| column | type | platforms |\n| --- | --- | --- |\n| recipe_id | int64? | android |"),
        invalid: .event("| column | type | platforms |\n| --- | --- | --- |\n| recipe_id | int64 | android |"),
        checks: .document(findPlatformContradictions))

    package static let commonDetail = Rule(
        "common-detail", .warning, "the details table of `common.md` contains only `privacy`",
        valid: .file("common.md", "# common\n\n| key | value |\n| --- | --- |\n| privacy | personal |\n"),
        invalid: .file("common.md", "# common\n\n| key | value |\n| --- | --- |\n| owner | @search |\n"),
        checks: .document(findCommonDetails))

    package static let expired = Rule(
        "expired", .warning, "no event is past its `expires` date",
        valid: .details("| expires | 2999-12-31 |"), invalid: .details("| expires | 2020-01-01 |"),
        checks: .document(findExpired))
}

private func findPlatformContradictions(in document: Document, _ findings: inout Findings) {
    func look(_ columns: [Column], _ platforms: Platforms, _ who: String) {
        for index in columns.indices where columns[index].status != .retired && columns[index].platforms != .all {
            let column = columns[index]
            if column.platforms.isDisjoint(with: platforms) {
                findings.report(
                    "the column `\(column.name)` is never logged: it targets \(list(column.platforms)), but \(who) "
                        + "\(list(platforms))", at: column.place, .help("make their `platforms` overlap"))
            } else if column.isRequired, !column.platforms.isSuperset(of: platforms) {
                findings.report(
                    "the column `\(column.name)` is required, but missing on "
                        + "\(list(platforms.subtracting(column.platforms)))", at: column.place,
                    .help("make it optional, or add the platforms: one schema validates the records of all platforms"))
            }
        }
    }
    func list(_ platforms: Platforms) -> String { platforms.names.joined(separator: " and ") }
    if case .common(let common) = document.content { look(common.columns, .all, "common columns target") }
    let events = document.events
    for index in events.indices where events[index].status != .retired {
        look(events[index].columns, events[index].platforms, "its event targets")
    }
}

private func findCommonDetails(in document: Document, _ findings: inout Findings) {
    guard case .common(let common) = document.content else { return }
    for (key, place) in common.details.places where key != .privacy {
        findings.report(
            "`\(key.rawValue)` has no effect on common columns: it belongs to categories and events", at: place,
            .help("move it to the categories or events that it applies to"))
    }
}

private func findExpired(in document: Document, _ findings: inout Findings) {
    guard let today = findings.options.today else { return }
    // Events that inherit the date share its place, which is reported once.
    var reported: Set<Place> = []
    let events = document.events
    for index in events.indices where events[index].status != .retired {
        guard let expires = events[index].details.expires, expires.value < today,
            reported.insert(expires.place).inserted
        else {
            continue
        }
        findings.report(
            "expired on \(expires.value)", at: expires.place,
            .help("retire events that are no longer needed, as `## ~~\(events[index].name)~~`, or write a later date"))
    }
}
