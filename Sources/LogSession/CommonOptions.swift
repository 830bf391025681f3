package import ArgumentParser

package enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, github, sarif
}

/// Flags that every command about definitions has.
package struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration; without it, loggen.yml beside the definitions.", valueName: "loggen.yml"))
    package var config: String?

    @Option(help: ArgumentHelp("A Markdown file in a definition folder that is not a definition; may be given more than once.", valueName: "file"))
    package var exclude: [String] = []

    @Option(help: "How problems are shown.")
    package var diagnostics: DiagnosticFormat = .text

    @Option(help: "Whether text is coloured; auto means on a terminal, unless NO_COLOR is set.")
    package var color: ColorMode = .auto

    @Flag(name: .shortAndLong, help: "Say nothing but problems.")
    package var quiet = false

    package init() {}

    package func validate() throws {
        if config == "" { throw ValidationError("`--config` names no file.") }
    }

    package var terminal: Terminal { Terminal(color: color, isQuiet: quiet) }
}

/// The PATH arguments.
package struct PathArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("Definition files, and folders that are searched for *.md.", valueName: "path"))
    package var paths: [String]

    package init() {}

    package func validate() throws {
        if paths.contains("") { throw ValidationError("A path is empty.") }
    }
}
