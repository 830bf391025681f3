extension Rule {
    package var defaultSeverity: Diagnostic.Severity {
        switch self {
        case .strayText, .headerSpelling, .excessCells, .appType, .expired, .deepHeading, .confusable, .tapUndefined, .tapUnreachable, .swiftSyntax:
            .warning
        default: .error
        }
    }

    /// Whether `loggen.yml` may lower the severity. The model is incomplete where another rule is broken.
    package var isAdjustable: Bool {
        switch self {
        case .strayText, .fileName, .nameLength, .misplacedTable, .headerSpelling, .excessCells, .appType, .expired, .deepHeading, .confusable,
            .exampleValue, .columnType:
            true
        default: isAboutTaps
        }
    }

    /// Whether `check` and `lock` look for it, and not what reads definitions alone.
    package var isAboutDrift: Bool {
        switch self {
        case .outputDrift, .lockFile, .lockBehind, .breakingChange, .deletedEvent, .reservedName: true
        default: false
        }
    }

    /// Whether `tapgen` looks for it, which reads Swift, too.
    package var isAboutTaps: Bool {
        switch self {
        case .tapTarget, .tapUndefined, .tapUnreachable, .swiftSyntax: true
        default: false
        }
    }

    package var summary: String {
        switch self {
        case .invalidUTF8: "a file is UTF-8"
        case .missingTitle: "a file begins with one `#` heading, the category"
        case .extraTitle: "a file has one `#` heading"
        case .fileName: "the category's identifier equals the file's name"
        case .strayText: "nothing stands before the first heading"
        case .mergeConflict: "a file has no marks of a merge that is not settled"
        case .openBlock: "a code block or comment that holds definitions is closed"
        case .brokenHeading: "what looks like a heading is one"
        case .deepHeading: "a heading below `##` is a note, not an event"
        case .brokenTable: "what looks like a table is one, and its rows stand in it"
        case .identifier: "names are `snake_case`: `[a-z][a-z0-9_]*`; types' names begin with a letter"
        case .nameLength: "names have at most `name-length` characters"
        case .unknownTable: "a table above `###` headings holds details, columns or values"
        case .misplacedTable: "columns stand where an event, or `common.md`, can own them"
        case .missingHeader: "a column table has the headers `column` and `type`"
        case .duplicateHeader: "a table has one header for one thing"
        case .headerSpelling: "a header nobody knows is not a known one misspelt"
        case .secondTable: "an event has one details table and one column table"
        case .excessCells: "a row has no more cells than the header"
        case .emptyCell: "a row names its column, and its event where none stands above"
        case .requiredContradiction: "`required` and the type's `?` agree"
        case .cellValue: "`required` and `privacy` cells hold what they can hold"
        case .exampleValue: "an example is a value of its column's type"
        case .unknownDetail: "a details table's keys are known"
        case .duplicateDetail: "a key is given once"
        case .detailValue: "a key's value has the form the key wants"
        case .expired: "no event is past its `expires` date"
        case .typeSyntax: "types are written as the format says"
        case .unknownType: "a type's name is built in or defined in `types.md`"
        case .appType: "a type used in the list form is defined in `types.md`"
        case .enumValue: "an enumeration's values are distinct and not empty"
        case .listColumn: "an item of a column list is `- name: !type`"
        case .duplicateCategory: "a category is defined once"
        case .duplicateEvent: "an event is defined once, also after it is retired"
        case .duplicateColumn: "a column is defined once in an event"
        case .duplicateType: "a type is defined once"
        case .derivedName: "names stay distinct when they become Swift names"
        case .confusable: "names and values differ in more than case, normalisation, or full and half width"
        case .reservedColumn: "no column has the name of a record's own field"
        case .shadowedColumn: "no event's column has the name of a common column"
        case .columnType: "one column name has one type in all events"
        case .configuration: "`loggen.yml` holds known keys with values that make sense"
        case .template: "a template names fields that there are, and closes its sections"
        case .outputDrift: "generated files are what the definitions say"
        case .lockFile: "`loggen.lock` is what `loggen lock` has written"
        case .lockBehind: "`loggen.lock` has recorded every change that breaks nobody"
        case .breakingChange: "a change that breaks app code, the warehouse or old apps has been accepted"
        case .deletedEvent: "an event is retired before it is deleted"
        case .reservedName: "a retired name is not defined anew"
        case .tapTarget: "`tap(…)` names one button of the sources, and no other event names it (tapgen)"
        case .tapUndefined: "a button has an event (tapgen)"
        case .tapUnreachable: "a button can be found when its screen appears (tapgen)"
        case .swiftSyntax: "sources are Swift (tapgen)"
        }
    }

    /// A run of files that keeps the rule and one that breaks it, by file name.
    package var examples: (valid: [(file: String, text: String)], invalid: [(file: String, text: String)]) {
        func search(_ text: String) -> [(file: String, text: String)] { [("search.md", text)] }
        func event(_ text: String) -> [(file: String, text: String)] { search("# search\n\n## show\n\n" + text + "\n") }
        func columns(_ rows: String...) -> [(file: String, text: String)] {
            event("| column | type |\n| --- | --- |\n" + rows.joined(separator: "\n"))
        }
        func details(_ rows: String...) -> [(file: String, text: String)] {
            event("| key | value |\n| --- | --- |\n" + rows.joined(separator: "\n"))
        }
        func types(_ text: String) -> [(file: String, text: String)] { [("types.md", "# types\n\n" + text + "\n")] }
        let plain = search("# search\n\n## show\n")
        func locked(_ shape: String, version: String = "1-0-0", also: String = "") -> [(file: String, text: String)] {
            columns("| recipe_id | int64 |", "| position | int? |") + [
                ("loggen.yml", "outputs: {}\n"), ("loggen.lock", "loggen.lock 1\n\(also)search.show \(version) active \(shape)\n"),
            ]
        }
        func tap(_ member: String) -> [(file: String, text: String)] {
            details("| trigger | tap(RecipeViewController.saveButton) |") + [
                ("Recipe.swift", "class RecipeViewController: UIViewController, TapTrackable {\n    \(member)\n}\n")
            ]
        }
        switch self {
        case .invalidUTF8: return (plain, search("# search\n\n\u{FFFF}invalid"))
        case .missingTitle: return (plain, search("## show\n"))
        case .extraTitle: return (plain, search("# search\n\n# search_results\n"))
        case .fileName: return (plain, search("# searches\n\n## show\n"))
        case .strayText: return (plain, search("What people search for.\n\n# search\n"))
        case .mergeConflict: return (plain, search("# search\n\n<<<<<<< HEAD\n## show\n=======\n## display\n>>>>>>> other\n"))
        case .openBlock: return (event("```\nlet log = 1\n```\n\n## hide"), event("```\nlet log = 1\n\n## hide"))
        case .brokenHeading: return (search("# search\n\n## show\n\n## hide\n"), search("# search\n\n## show\n\n##hide\n"))
        case .deepHeading: return (event("### History"), event("### hide_recipe"))
        case .brokenTable: return (columns("| recipe_id | int64 |"), columns("| recipe_id | int64 |", "", "| position | int |"))
        case .identifier: return (plain, search("# search\n\n## ShowRecipe\n"))
        case .nameLength: return (plain, search("# search\n\n## " + String(repeating: "very_", count: 13) + "long\n"))
        case .unknownTable:
            return (
                event("### History\n\n| when | what |\n| --- | --- |\n| 2026 | added |"), event("| when | what |\n| --- | --- |\n| 2026 | added |")
            )
        case .misplacedTable:
            return (columns("| recipe_id | int64 |"), search("# search\n\n| column | type |\n| --- | --- |\n| recipe_id | int64 |\n"))
        case .missingHeader:
            return (columns("| recipe_id | int64 |"), event("| colum | type |\n| --- | --- |\n| recipe_id | int64 |"))
        case .duplicateHeader:
            return (columns("| recipe_id | int64 |"), event("| column | type | 型 |\n| --- | --- | --- |\n| recipe_id | int64 | int64 |"))
        case .headerSpelling:
            return (
                event("| column | type | description |\n| --- | --- | --- |\n| recipe_id | int64 | ID |"),
                event("| column | type | descripton |\n| --- | --- | --- |\n| recipe_id | int64 | ID |")
            )
        case .secondTable:
            let table = "| column | type |\n| --- | --- |\n| recipe_id | int64 |"
            return (event(table), event(table + "\n\n" + table))
        case .excessCells: return (columns("| recipe_id | int64 |"), columns("| recipe_id | int64 | ID |"))
        case .emptyCell: return (columns("| recipe_id | int64 |"), columns("| | |"))
        case .requiredContradiction:
            return (
                event("| column | type | required |\n| --- | --- | --- |\n| recipe_id | int64? | no |"),
                event("| column | type | required |\n| --- | --- | --- |\n| recipe_id | int64? | yes |")
            )
        case .cellValue:
            return (
                event("| column | type | required |\n| --- | --- | --- |\n| recipe_id | int64 | yes |"),
                event("| column | type | required |\n| --- | --- | --- |\n| recipe_id | int64 | maybe |")
            )
        case .exampleValue:
            return (
                event("| column | type | example |\n| --- | --- | --- |\n| stars | int(0...5) | 5 |"),
                event("| column | type | example |\n| --- | --- | --- |\n| stars | int(0...5) | 7 |")
            )
        case .unknownDetail: return (details("| owner | @search |"), details("| ownr | @search |"))
        case .duplicateDetail: return (details("| owner | @search |"), details("| owner | @search |", "| 担当 | @home |"))
        case .detailValue: return (details("| trigger | impression(80%) |"), details("| trigger | impresion(80%) |"))
        case .expired: return (details("| expires | 2999-12-31 |"), details("| expires | 2020-01-01 |"))
        case .typeSyntax: return (columns("| keyword | string(256) |"), columns("| keyword | string(256 |"))
        case .unknownType: return (columns("| keyword | string |"), columns("| keyword | strng |"))
        case .appType:
            return (event("- recipe_id: !integer"), event("- order: SortOrder"))
        case .enumValue:
            return (
                types("## Order\n\n| value |\n| --- |\n| newest |"), types("## Order\n\n| value |\n| --- |\n| newest |\n| newest |")
            )
        case .listColumn: return (event("- recipe_id: !integer"), event("- recipe_id: !integer\n- and more"))
        case .duplicateCategory:
            return (plain, [("a/search.md", "# search\n"), ("b/search.md", "# search\n")])
        case .duplicateEvent: return (plain, search("# search\n\n## show\n\n## show\n"))
        case .duplicateColumn:
            return (columns("| recipe_id | int64 |"), columns("| recipe_id | int64 |", "| recipe_id | int64 |"))
        case .duplicateType:
            return (types("## RecipeID: int64"), types("## RecipeID: int64\n\n## RecipeID: int64"))
        case .derivedName: return (plain, search("# search\n\n## show_all\n\n## show__all\n"))
        case .confusable: return (columns("| size | enum(A4, A5) |"), columns("| size | enum(A4, Ａ4) |"))
        case .reservedColumn: return (columns("| recipe_id | int64 |"), columns("| id | int64 |"))
        case .shadowedColumn:
            let common = [("common.md", "# common\n\n| column | type |\n| --- | --- |\n| user_id | int64 |\n")]
            return (common + columns("| recipe_id | int64 |"), common + columns("| user_id | int64 |"))
        case .columnType:
            func two(_ type: String) -> [(file: String, text: String)] {
                search(
                    "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| position | int |\n\n"
                        + "## hide\n\n| column | type |\n| --- | --- |\n| position | \(type) |\n")
            }
            return (two("int?"), two("string"))
        case .configuration:
            return (plain + [("loggen.yml", "name-length: 40\n")], plain + [("loggen.yml", "name-lenght: 40\n")])
        case .template:
            let configuration = [("loggen.yml", "templates: .\n")]
            return (
                plain + configuration + [("names.txt.mustache", "{{header}}\n")],
                plain + configuration + [("names.txt.mustache", "{{header}}\n{{heder}}\n")]
            )
        case .outputDrift:
            return (plain + [("loggen.yml", "outputs: {}\n")], plain)
        case .lockFile: return (locked("recipe_id:int64 position:int?"), locked("recipe_id:int64 position:int?", version: "1.0.0"))
        case .lockBehind: return (locked("recipe_id:int64 position:int?"), locked("recipe_id:int64"))
        case .breakingChange: return (locked("recipe_id:int64 position:int?"), locked("recipe_id:string position:int?"))
        case .deletedEvent:
            return (
                locked("recipe_id:int64 position:int?", also: "search.hide 1-0-0 retired\n"),
                locked("recipe_id:int64 position:int?", also: "search.hide 1-0-0 active\n")
            )
        case .reservedName: return (locked("recipe_id:int64 position:int?"), locked("recipe_id:int64 ~position"))
        case .tapTarget: return (tap("let saveButton = UIButton()"), tap("let shareButton = UIButton()"))
        case .tapUndefined: return (tap("let saveButton = UIButton()"), tap("let saveButton = UIButton(), shareButton = UIButton()"))
        case .tapUnreachable: return (tap("lazy var saveButton = UIButton()"), tap("private lazy var saveButton = UIButton()"))
        case .swiftSyntax: return (tap("let saveButton = UIButton()"), tap("let saveButton = UIButton()\n    let"))
        }
    }
}
