/// Optional requirements of a team. These rules are off by default and do not apply to retired definitions.
extension Rule {
    static let requirementRules = [requireOwner, requireDescription, requirePrivacy]

    package static let requireOwner = Rule(
        "require-owner", .off, "an event has an owner, its own or its category's",
        valid: asked(for: "require-owner") + .details("| owner | @search |"),
        invalid: asked(for: "require-owner") + .plain,
        checks: .document(findEventsWithoutOwner))

    package static let requireDescription = Rule(
        "require-description", .off, "events and columns have a description",
        valid: asked(for: "require-description") + described("the recipe that was opened"),
        invalid: asked(for: "require-description") + described(""), checks: .document(findUndescribed))

    private static func described(_ text: String) -> Example {
        .event(
            "A recipe was opened.\n\n| column | type | description |\n| --- | --- | --- |\n| recipe_id | int64 | \(text) |"
        )
    }

    package static let requirePrivacy = Rule(
        "require-privacy", .off, "a column has a privacy level, its own or that of its event or category",
        valid: asked(for: "require-privacy")
            + .event("| column | type | privacy |\n| --- | --- | --- |\n| recipe_id | int64 | none |"),
        invalid: asked(for: "require-privacy") + .columns("| recipe_id | int64 |"),
        checks: .document(findColumnsWithoutPrivacy))

    private static func asked(for rule: String) -> Example { .file("loggen.yml", "rules: {\(rule): warning}\n") }
}

private func findEventsWithoutOwner(in document: Document, _ findings: inout Findings) {
    for event in document.events where event.status != .retired && event.details.owner == nil {
        findings.report(
            "the event `\(event.name)` has no owner", at: event.place,
            .help("add a row such as `owner | @search-team` to the details of the event, or of its category"))
    }
}

private func findUndescribed(in document: Document, _ findings: inout Findings) {
    for event in document.events where event.status != .retired && !hasWordsOutsideComments(event.description) {
        findings.report(
            "the event `\(event.name)` has no description", at: event.place,
            .help(
                "write one between its heading and its first table; in a table of events, in a row that names the event and no column"
            ))
    }
    document.forEachActiveColumn { column in
        guard !hasWordsOutsideComments(column.description) else { return }
        findings.report(
            "the column `\(column.name)` has no description", at: column.place,
            .help("write one into its `description` cell"))
    }
}

private func hasWordsOutsideComments(_ markdown: String) -> Bool {
    var text = markdown[...]
    while let first = text.first {
        if text.hasPrefix("<!--") {
            text = text.dropFirst(4)
            while !text.isEmpty, !text.hasPrefix("-->") { text = text.dropFirst() }
            text = text.dropFirst(3)
        } else if first.isLetter || first.isNumber {
            return true
        } else {
            text = text.dropFirst()
        }
    }
    return false
}

private func findColumnsWithoutPrivacy(in document: Document, _ findings: inout Findings) {
    let isCommon = if case .common = document.content { true } else { false }
    let help =
        "write `none`, `personal` or `sensitive` into its `privacy` cell"
        + (isCommon ? "" : ", or a row such as `privacy | none` into the details of the event, or of its category")
    document.forEachActiveColumn { column in
        guard column.privacy == nil else { return }
        findings.report("the column `\(column.name)` has no privacy level", at: column.place, .help(help))
    }
}
