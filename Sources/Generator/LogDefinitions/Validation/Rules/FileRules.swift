/// Rules for files and headings. The parser reports violations.
extension Rule {
    static let fileRules = [
        invalidUTF8, noDefinitions, missingTitle, extraTitle, fileName, strayText, mergeConflict, openBlock,
        brokenHeading,
        deepHeading, identifier, nameLength,
        misplacedMark, twoNames,
    ]

    package static let invalidUTF8 = Rule(
        "invalid-utf8", .always, "a file is UTF-8",
        valid: .plain, invalid: .search("# search\n\n\u{FFFF}invalid"))

    package static let noDefinitions = Rule(
        "no-definitions", .always, "a file defines a category, or is excluded",
        valid: .plain,
        invalid: .search("# Tracking plan\n\n## Search\n\n| Event | When |\n| --- | --- |\n| Show | opened |\n"))

    package static let missingTitle = Rule(
        "missing-title", .always, "a file begins with one `#` heading, the category",
        valid: .plain, invalid: .search("## show\n"))

    package static let extraTitle = Rule(
        "extra-title", .always, "a file has one `#` heading",
        valid: .plain, invalid: .search("# search\n\n# search_results\n"))

    package static let fileName = Rule(
        "file-name", .error, "the category's identifier equals the file's name",
        valid: .plain, invalid: .search("# searches\n\n## show\n"))

    package static let strayText = Rule(
        "stray-text", .warning, "a file begins with its first heading",
        valid: .plain, invalid: .search("What people search for.\n\n# search\n"))

    package static let mergeConflict = Rule(
        "merge-conflict", .always, "a file has no merge conflict",
        valid: .plain, invalid: .search("# search\n\n<<<<<<< HEAD\n## show\n=======\n## display\n>>>>>>> other\n"))

    package static let openBlock = Rule(
        "open-block", .always, "a code block or comment is closed before the next definition",
        valid: .event("```\nlet log = 1\n```\n\n## hide"), invalid: .event("```\nlet log = 1\n\n## hide"))

    package static let brokenHeading = Rule(
        "broken-heading", .always, "a line that looks like a heading is a heading",
        valid: .search("# search\n\n## show\n\n## hide\n"), invalid: .search("# search\n\n## show\n\n##hide\n"))

    package static let deepHeading = Rule(
        "deep-heading", .warning, "a heading below `##` is a note, not an event",
        valid: .event("### History"), invalid: .event("### hide_recipe"))

    package static let identifier = Rule(
        "identifier", .always, "names are `snake_case`: `[a-z][a-z0-9_]*`; types' names begin with a letter",
        valid: .plain, invalid: .search("# search\n\n## ShowRecipe\n"))

    package static let nameLength = Rule(
        "name-length", .error, "names have at most `name-length` characters",
        valid: .plain, invalid: .search("# search\n\n## " + String(repeating: "very_", count: 13) + "long\n"))

    package static let misplacedMark = Rule(
        "misplaced-mark", .warning, "`~~` encloses the whole heading of a retired event, or `[obsolete]` begins it",
        valid: .search("# search\n\n## [obsolete] Old `show`\n"), invalid: .search("# search\n\n## ~~Old~~ `show`\n"))

    package static let twoNames = Rule(
        "two-names", .error, "an event's heading has one name",
        valid: .search("# search\n\n## Leave `leave_v2`\n"), invalid: .search("# search\n\n## leave `v2`\n"))
}
