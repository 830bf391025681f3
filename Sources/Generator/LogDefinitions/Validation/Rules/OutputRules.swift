import LogTypes

/// Rules for some outputs only. A rule is off until `loggen.yml` names such an output or the rule.
extension Rule {
    static let outputRules = [reservedWord, privacyManifest]

    package static let reservedWord = Rule(
        "reserved-word", .off, "no column name is a reserved word of SQL",
        valid: asked(for: "reserved-word") + .columns("| sort_order | int |"),
        invalid: asked(for: "reserved-word") + .columns("| order | int |"),
        checks: .document(findReservedWords))

    package static let privacyManifest = Rule(
        "privacy-manifest", .off, "the app's privacy manifest declares every personal or sensitive column",
        valid: mapped("[keyword]") + .event(personal), invalid: mapped("[other]") + .event(personal),
        checks: .run(findUncollected))

    private static let personal =
        "| column | type | privacy |\n| --- | --- | --- |\n| keyword | string(64) | personal |\n| other | string(64) | none |"

    private static func asked(for rule: String) -> Example { .file("loggen.yml", "rules: {\(rule): warning}\n") }

    private static func mapped(_ columns: String) -> Example {
        .file(
            "loggen.yml",
            "outputs:\n  privacy-manifest:\n    data:\n      SearchHistory: {columns: \(columns), purposes: Analytics, linked: true}\n"
        )
    }
}

// MARK: Reserved words

private func findReservedWords(in document: Document, _ findings: inout Findings) {
    document.forEachActiveColumn { column in
        guard ReservedWords.all.contains(column.name) else { return }
        findings.report(
            "`\(column.name)` is a reserved word of SQL: every query has to quote it", at: column.place,
            .chooseAnother("target_\(column.name)", replaces: true))
    }
}

/// Words that need quotes as column names in DuckDB, Spark (ANSI mode), PostgreSQL, BigQuery, Snowflake or ClickHouse.
package enum ReservedWords {
    package static let all =
        """
        account all alter analyse analyze and anti any array as asc asof assert_rows_modified asymmetric at authorization between binary both by \
        case cast check collate collation column concurrently connect connection constraint contains create cross cube current current_catalog \
        current_date current_role current_schema current_time current_timestamp current_user database default deferrable define delete desc \
        describe distinct do drop else end enum escape except exclude exists extract false fetch filter final following for foreign format freeze \
        from full glob global grant group grouping groups gscluster hash having if ignore ilike in increment initially inner insert intersect \
        interval into is isnull issue join lambda lateral leading left like limit localtime localtimestamp lookup map merge minus natural new no \
        not notnull null nulls of offset on only or order organization outer over overlaps partition pivot pivot_longer pivot_wider placing \
        positional preceding prewhere primary proto qualify range recursive references regexp respect returning revoke right rlike rollup row \
        rows sample schema select semi session_user set settings show similar some start struct summarize symmetric system_user table tablesample \
        then time to trailing treat trigger true try_cast unbounded union unique unknown unnest unpivot update user using values variadic verbose \
        view when whenever where window with within
        """.words
}

// MARK: The privacy manifest

/// The data that an app's privacy manifest declares: by column, or by type of `types.md`.
package struct CollectedData: Sendable {
    /// `column`, or `category.event.column`.
    package var columns: Set<String> = []
    package var types: Set<String> = []

    package init() {}

    /// Returns whether the manifest declares a column of an event, or a common column if `event` is nil.
    package func contains(_ column: Column, of event: (category: String, name: String)?) -> Bool {
        if columns.contains(column.name) || column.type.typeName.map(types.contains) == true { return true }
        return event.map { columns.contains("\($0.category).\($0.name).\(column.name)") } ?? false
    }
}

extension Definitions {
    /// Calls the closure with each current column of Apple platforms and its event, which is nil for common columns.
    package func forEachCollectedColumn(
        _ look: (_ columns: [Column], _ index: Int, _ event: (category: String, name: String)?) -> Void
    ) {
        func each(of columns: [Column], _ event: (category: String, name: String)?) {
            for index in columns.indices
            where columns[index].status != .retired && columns[index].platforms.contains(.ios) {
                look(columns, index, event)
            }
        }
        each(of: common?.columns ?? [], nil)
        for category in categories {
            let events = category.events
            for index in events.indices where events[index].status != .retired && events[index].platforms.contains(.ios)
            {
                each(of: events[index].columns, (category.name, events[index].name))
            }
        }
    }
}

private func findUncollected(in run: ResolvedRun, _ findings: inout Findings) {
    let collected = findings.options.collectedData
    run.definitions.forEachCollectedColumn { columns, index, event in
        guard let privacy = columns[index].privacy, privacy != .none else { return }
        let column = columns[index]
        guard !collected.contains(column, of: event) else { return }
        findings.report(
            "the column `\(column.name)` is \(privacy.rawValue), but the privacy manifest does not declare it",
            at: column.place,
            .help(
                "add the column or its type to `data` of the output `privacy-manifest` in loggen.yml; or, if it "
                    + "does not identify a person, write `none` into its `privacy` cell"))
    }
}
