package import ArgumentParser
import LogOutputs
package import LogProject

/// The flags that select outputs and their folders.
package struct OutputArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only these outputs, separated by commas; `loggen templates` lists the built-in ones.",
            valueName: "outputs"))
    package var only: String?

    @Option(
        help: ArgumentHelp(
            "The folder for all outputs; it overrides loggen.yml. Without both, Generated.",
            valueName: "folder"))
    package var output: String?

    @Option(
        help: ArgumentHelp("A folder with templates that replace built-in ones or add outputs.", valueName: "folder"))
    package var templates: String?

    package init() {}

    package var project: OutputOptions { OutputOptions(only: distinctOnlyNames, output: output, templates: templates) }

    private var distinctOnlyNames: [String]? {
        only.map { only in
            only.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }.reduce(into: []
            ) { names, name in
                if !names.contains(name) { names.append(name) }
            }
        }
    }

    package func validate() throws {
        if let distinctOnlyNames, distinctOnlyNames.contains("") {
            let example = OutputRegistry().unaskedNames.joined(separator: ",")
            throw ValidationError("`--only` takes outputs, separated by commas: `--only \(example)`.")
        }
    }
}
