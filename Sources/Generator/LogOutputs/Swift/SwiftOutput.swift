import LogDefinitions
import LogTemplates
import MarkdownSyntax

/// Swift: one file per definition file, made with `swift.mustache`.
struct SwiftOutput: Output {
    let name = "swift"
    let folderName = "Swift"
    let contents = "an enum for each category, with a case for each event"
    let options = [OutputOption("access", oneOf: ["public", "package", "internal"])]

    private var userTemplate: OutputTemplate?

    init() {}

    func problems(of model: Model, settings: OutputSettings) -> OutputProblems {
        let modules = Set(model.definitions.files.compactMap(\.module))
        guard modules.count > 1, settings["access"] == "internal", let range = settings.setting("access")?.range else {
            return OutputProblems()
        }
        return settings.problem(
            "internal declarations cannot be used in other modules, and there are \(modules.count) modules", at: range,
            help: "use `access: package` if all modules are in one package, and `access: public` if not")
    }

    func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        guard let template = userTemplate ?? Self.ours else { return [] }
        var model = model
        model.definitions = model.definitions.only(on: .ios)
        let views = FileView.all(of: model, access: settings["access"] ?? "public")
        let definitions = model.definitions
        return definitions.files.indices.map { index in
            let path = SwiftNames.fileName(ofStem: definitions.files[index].stem) + ".swift"
            return OutputPart(path: path, document: index) { template.render(views[index]) }
        }
    }

    func replacingTemplate(_ file: SourceFile) -> (output: any Output, problems: [Diagnostic])? {
        let (template, problems) = OutputTemplate.read(file, fields: FileView.fields.descriptions)
        var copy = self
        copy.userTemplate = template
        return (copy, problems)
    }

    let ownTemplate: SourceFile? = Self.file

    private static let file = SourceFile(
        path: "swift.mustache", relativePath: "swift.mustache", source: SourceText(Array(LogTemplates.swift.utf8)))
    private static let ours = OutputTemplate.read(file, fields: FileView.fields.descriptions).0
}
