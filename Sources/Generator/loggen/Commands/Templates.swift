import ArgumentParser
import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax

struct Templates: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List our templates, the fields that a template may name, and the keys of output.yml; or copy one of ours.",
        discussion: """
            --templates, or `templates` in loggen.yml, names a folder with templates of yours. A file \
            \(OutputRegistry.all.replaceableNames.map { "`\($0)`" }.joined(separator: ", ")) replaces ours. A file `NAME.EXT.mustache` adds an output NAME that makes one file with the ending EXT of every definition file. A folder NAME with output.yml \
            and templates is an output NAME, beside ours or in the place of one.
            """
    )

    @Argument(help: ArgumentHelp("One of our templates; its text is printed, or copied.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("Write it into this folder, to start from; nothing is written over.", valueName: "folder"))
    var copy: String?

    @Option(help: ArgumentHelp("Print the text of one of our templates, to start from.", valueName: "name"))
    var show: String?

    func validate() throws {
        if copy == "" { throw ValidationError("`--copy` names no folder.") }
        if copy != nil, name == nil {
            throw ValidationError(
                "`--copy` needs the name of a template before it: `loggen templates kotlin --copy Templates`.")
        }
        if name != nil, show != nil { throw ValidationError("name the template once, with `--show` or without.") }
        if let asked = name ?? show, Self.template(named: asked) == nil {
            let known = OutputRegistry.all.ourTemplates.map { "`\($0.name)`" }
            throw ValidationError(
                "there is no template `\(asked)`; \(known.count == 1 ? "ours is" : "ours are") \(known.joined(separator: " and "))."
            )
        }
    }

    private static func template(named name: String) -> OurTemplate? {
        OutputRegistry.all.ourTemplates.first { $0.name == name }
    }

    func run() async throws {
        let terminal = Terminal(color: .never, isQuiet: false)
        guard let template = (name ?? show).flatMap({ Self.template(named: $0) }) else {
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
