package import ArgumentParser
package import LogOutputs
package import LogProject

extension DiagnosticFormat: ExpressibleByArgument {}
extension ColorMode: ExpressibleByArgument {}

/// The flags that all commands on definitions share.
package struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file; the default is loggen.yml next to the definitions.", valueName: "loggen.yml")
    )
    package var config: String?

    @Option(
        help: ArgumentHelp(
            "A Markdown file that is not a definition, relative to the working directory; may be given more than once.",
            valueName: "file"))
    package var exclude: [String] = []

    @Option(
        name: .customLong("module"),
        help: ArgumentHelp(
            "The folder of a module that loggen.yml lists; may be given more than once. With it, other modules are not read.",
            valueName: "name=folder"))
    package var modules: [String] = []

    @Option(help: "The format of diagnostics.")
    package var diagnostics: DiagnosticFormat = .text

    @Option(help: "The use of colors; `auto` uses them on a terminal, unless NO_COLOR is set.")
    package var color: ColorMode = .auto

    @Flag(name: .shortAndLong, help: "Print only problems.")
    package var quiet = false

    package init() {}

    package func validate() throws {
        for file in exclude where FileSystem.kind(file, followingLinks: false) == nil {
            throw ValidationError("`--exclude \(file)` names no file. The path is relative to the working directory.")
        }
        for module in modules where module.split(separator: "=", maxSplits: 1).count != 2 {
            throw ValidationError("`--module \(module)` does not have the form `--module Search=Sources/Search`.")
        }
        let names = modules.map { $0.prefix { $0 != "=" } }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw ValidationError("`--module \(twice)=…` is given twice: a module has one folder.")
        }
    }

    /// Returns the options of a project from the options of the command line.
    /// - Parameter registry: the outputs that come with the command.
    package func project(_ registry: OutputRegistry = OutputRegistry()) -> ProjectOptions {
        var options = ProjectOptions(registry: registry)
        (options.config, options.exclude, options.isQuiet) = (config, exclude, quiet)
        for module in modules {
            let parts = module.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { options.modules[String(parts[0])] = String(parts[1]) }
        }
        return options
    }

    package var terminal: Terminal { Terminal(color: color, isQuiet: quiet) }
}

package struct PathArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("Definition files, and folders that are searched for *.md.", valueName: "path"))
    package var paths: [String]

    package init() {}
}
