/// Rules for tables and their cells. The parser reports violations, except for those of examples.
extension Rule {
    static let tableRules = [
        brokenTable, unknownTable, misplacedTable, missingHeader, duplicateHeader, headerSpelling, secondTable,
        excessCells, emptyCell,
        requiredContradiction, cellValue, exampleValue,
    ]

    package static let brokenTable = Rule(
        "broken-table", .always, "a line that looks like part of a table is part of a table",
        valid: .columns("| recipe_id | int64 |"), invalid: .columns("| recipe_id | int64 |", "", "| position | int |"))

    package static let unknownTable = Rule(
        "unknown-table", .always, "a table above `###` headings holds details, columns or values",
        valid: .event("### History\n\n| when | what |\n| --- | --- |\n| 2026 | added |"),
        invalid: .event("| when | what |\n| --- | --- |\n| 2026 | added |"))

    package static let misplacedTable = Rule(
        "misplaced-table", .always, "columns belong to an event, or to `common.md`",
        valid: .columns("| recipe_id | int64 |"),
        invalid: .search("# search\n\n| column | type |\n| --- | --- |\n| recipe_id | int64 |\n"))

    package static let missingHeader = Rule(
        "missing-header", .always, "a column table has the headers `column` and `type`",
        valid: .columns("| recipe_id | int64 |"),
        invalid: .event("| colum | type |\n| --- | --- |\n| recipe_id | int64 |"))

    package static let duplicateHeader = Rule(
        "duplicate-header", .always, "no two headers of a table mean the same",
        valid: .columns("| recipe_id | int64 |"),
        invalid: .event("| column | type | 型 |\n| --- | --- | --- |\n| recipe_id | int64 | int64 |"))

    package static let headerSpelling = Rule(
        "header-spelling", .warning, "a header is not a misspelling of a known header",
        valid: .event("| column | type | description |\n| --- | --- | --- |\n| recipe_id | int64 | ID |"),
        invalid: .event("| column | type | descripton |\n| --- | --- | --- |\n| recipe_id | int64 | ID |"))

    package static let secondTable = Rule(
        "second-table", .always, "an event has one details table and one column table",
        valid: .event(oneColumn), invalid: .event(oneColumn + "\n\n" + oneColumn))

    private static let oneColumn = "| column | type |\n| --- | --- |\n| recipe_id | int64 |"

    package static let excessCells = Rule(
        "excess-cells", .always, "a row has no more cells than the header",
        valid: .columns("| recipe_id | int64 |"), invalid: .columns("| recipe_id | int64 | ID |"))

    package static let emptyCell = Rule(
        "empty-cell", .always, "a row names its column; in a table of events, the first row names its event",
        valid: .columns("| recipe_id | int64 |"), invalid: .columns("| | |"))

    package static let requiredContradiction = Rule(
        "required-contradiction", .always, "`required` and the type's `?` agree",
        valid: .event("| column | type | required |\n| --- | --- | --- |\n| recipe_id | int64? | no |"),
        invalid: .event("| column | type | required |\n| --- | --- | --- |\n| recipe_id | int64? | yes |"))

    package static let cellValue = Rule(
        "cell-value", .always, "`required`, `privacy` and `platforms` cells have valid values",
        valid: .event("| column | type | required |\n| --- | --- | --- |\n| recipe_id | int64 | yes |"),
        invalid: .event("| column | type | required |\n| --- | --- | --- |\n| recipe_id | int64 | maybe |"))

    package static let exampleValue = Rule(
        "example-value", .error, "an example is a value of its column's type",
        valid: .event("| column | type | example |\n| --- | --- | --- |\n| stars | int(0...5) | 5 |"),
        invalid: .event("| column | type | example |\n| --- | --- | --- |\n| stars | int(0...5) | 7 |"),
        checks: .document(findWrongExamples))
}

private func findWrongExamples(in document: Document, _ findings: inout Findings) {
    document.forEachColumns { columns in
        for index in columns.indices where columns[index].examplePlace != nil && columns[index].status != .retired {
            let column = columns[index]
            guard let place = column.examplePlace, let example = column.example, let problem = column.exampleProblem
            else { continue }
            findings.report(
                "the example `\(example)` is not a value of `\(column.name)`: \(problem.message)", at: place,
                .note("its type is here", at: column.typePlace), problem.help)
        }
    }
}
