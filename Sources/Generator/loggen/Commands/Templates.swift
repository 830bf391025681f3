import ArgumentParser
import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax

struct Templates: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List the built-in templates, the fields of templates, and the keys of output.yml; or copy a template.",
        discussion: """
            --templates, or `templates` in loggen.yml, names a folder with your templates. A file \
            \(OutputRegistry.all.replaceableNames.map { "`\($0)`" }.joined(separator: ", ")) replaces the built-in \
            one. A file `NAME.EXT.mustache` adds an output NAME with one file of the extension EXT for every \
            definition file. A folder NAME with output.yml \
            and templates adds an output NAME, or replaces a built-in one.
            """
    )

    @Argument(help: ArgumentHelp("A built-in template to print or copy.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Copy the template into this folder, as a starting point; files are not overwritten.", valueName: "folder"))
    var copy: String?

    func validate() throws {
        if copy != nil, name == nil {
            throw ValidationError(
                "`--copy` needs the name of a template before it: `loggen templates kotlin --copy Templates`.")
        }
        if let asked = name, Self.template(named: asked) == nil {
            let known = OutputRegistry.all.ourTemplates.map { "`\($0.name)`" }
            throw ValidationError(
                "unknown template `\(asked)`; \(known.count == 1 ? "the built-in one is" : "the built-in ones are") "
                    + "\(known.joined(separator: " and "))."
            )
        }
    }

    private static func template(named name: String) -> IncludedTemplate? {
        OutputRegistry.all.ourTemplates.first { $0.name == name }
    }

    func run() async throws {
        let terminal = Terminal(color: .never, isQuiet: false)
        guard let template = name.flatMap({ Self.template(named: $0) }) else {
            try terminal.out(TemplateListing.text(of: .all))
            return
        }
        if let copy {
            let files = template.files.map {
                OutputFile(path: joined(normalized(copy), $0.relativePath), bytes: $0.source.bytes)
            }
            try await OutputWriter.writeNew(files)
            try terminal.out(files.map { "\($0.path)\n" }.joined())
            return
        }
        for (index, file) in template.files.enumerated() {
            if template.files.count > 1 {
                try terminal.out((index == 0 ? "" : "\n") + "==> \(file.relativePath) <==\n")
            }
            try terminal.out(file.source.bytes)
        }
    }
}
