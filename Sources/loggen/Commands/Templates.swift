import ArgumentParser
import LogEmission
import LogSession

struct Templates: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the templates there are and the fields that a template may name.",
        discussion: """
            A file `swift.mustache` in the folder given by --templates, or by `templates` in loggen.yml, replaces ours. A file \
            `NAME.EXT.mustache` adds an output NAME that makes one file with the ending EXT of every definition file.
            """
    )

    @Option(help: ArgumentHelp("Print the text of one of our templates, to start from.", valueName: "name"))
    var show: String?

    func validate() throws {
        if let show, show != "swift" { throw ValidationError("there is no template `\(show)`; ours is `swift`.") }
    }

    func run() throws {
        let terminal = Terminal(color: .never, isQuiet: false)
        if show != nil {
            try terminal.out(Array(TemplateLibrary.builtIn.utf8))
            return
        }
        try terminal.out("swift.mustache\n\nFields, sections with what they hold indented:\n\n")
        try terminal.out(listing(TemplateLibrary.fields, indent: "  "))
    }

    private func listing(_ fields: [TemplateField], indent: String) -> String {
        let width = fields.map(\.name.count).max() ?? 0
        var text = ""
        for field in fields {
            text += indent + field.name + String(repeating: " ", count: width - field.name.count) + "  " + field.meaning + "\n"
            switch field.kind {
            case .list(let children), .view(let children): text += listing(children, indent: indent + "    ")
            default: break
            }
        }
        return text
    }
}
