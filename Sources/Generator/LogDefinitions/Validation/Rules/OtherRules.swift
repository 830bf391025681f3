/// Rules for other files, and rules of other commands.
extension Rule {
    static let otherRules = [configuration, template]

    package static let configuration = Rule(
        "configuration", .always, "`loggen.yml` has known keys with valid values",
        valid: .plain + .file("loggen.yml", "name-length: 40\n"),
        invalid: .plain + .file("loggen.yml", "name-lenght: 40\n"))

    package static let template = Rule(
        "template", .always, "a template names fields that exist, and closes its sections",
        valid: .plain + .file("loggen.yml", "templates: .\n") + .file("names.txt.mustache", "{{header}}\n"),
        invalid: .plain + .file("loggen.yml", "templates: .\n") + .file("names.txt.mustache", "{{header}}\n{{heder}}\n")
    )

    /// The rules of `check` and `lock`.
    package static let driftRules = [outputDrift, lockFile, lockBehind, breakingChange, deletedEvent, reservedName]

    package static let outputDrift = Rule(
        "output-drift", .always, "generated files match the definitions",
        valid: .plain + .file("loggen.yml", "outputs: {}\n"), invalid: .plain)

    package static let lockFile = Rule(
        "lock-file", .always, "`loggen.lock` has the form that `loggen lock` writes",
        valid: locked("recipe_id:int64 position:int?"),
        invalid: locked("recipe_id:int64 position:int?", version: "1.0.0"))

    package static let lockBehind = Rule(
        "lock-behind", .always, "`loggen.lock` contains every change that is not breaking",
        valid: locked("recipe_id:int64 position:int?"), invalid: locked("recipe_id:int64"))

    package static let breakingChange = Rule(
        "breaking-change", .always,
        "a change that breaks app code, the warehouse or old apps is accepted in `loggen.lock`",
        valid: locked("recipe_id:int64 position:int?"), invalid: locked("recipe_id:string position:int?"))

    package static let deletedEvent = Rule(
        "deleted-event", .always, "an event is retired before it is deleted",
        valid: locked("recipe_id:int64 position:int?", also: "search.hide 1-0-0 retired\n"),
        invalid: locked("recipe_id:int64 position:int?", also: "search.hide 1-0-0 active\n"))

    package static let reservedName = Rule(
        "reserved-name", .always, "a retired name is not defined again",
        valid: locked("recipe_id:int64 position:int?"), invalid: locked("recipe_id:int64 ~position"))

    static func locked(_ shape: String, version: String = "1-0-0", also: String = "") -> Example {
        .columns("| recipe_id | int64 |", "| position | int? |") + .file("loggen.yml", "outputs: {}\n")
            + .file("loggen.lock", "loggen.lock 1\n\(also)search.show \(version) active \(shape)\n")
    }

    /// The rules of `tapgen`, which also reads Swift.
    package static let tapRules = [tapTarget, tapUndefined, tapUnreachable, swiftSyntax]

    package static let tapTarget = Rule(
        "tap-target", .error, "`tap(…)` names one button of the sources, and no other event names it (tapgen)",
        valid: screen("let saveButton = UIButton()"), invalid: screen("let shareButton = UIButton()"))

    package static let tapUndefined = Rule(
        "tap-undefined", .warning, "a button has an event (tapgen)",
        valid: screen("let saveButton = UIButton()"),
        invalid: screen("let saveButton = UIButton(), shareButton = UIButton()"))

    package static let tapUnreachable = Rule(
        "tap-unreachable", .warning, "generated code can access a screen, its buttons and its `tapEvents` (tapgen)",
        valid: screen("lazy var saveButton = UIButton()"), invalid: screen("private lazy var saveButton = UIButton()"))

    package static let swiftSyntax = Rule(
        "swift-syntax", .warning, "sources have no syntax errors (tapgen)",
        valid: screen("let saveButton = UIButton()"), invalid: screen("let saveButton = UIButton()\n    let"))

    private static func screen(_ member: String) -> Example {
        .details("| trigger | tap(RecipeViewController.saveButton) |")
            + .file("Recipe.swift", "class RecipeViewController: UIViewController, TapTrackable {\n    \(member)\n}\n")
    }
}
