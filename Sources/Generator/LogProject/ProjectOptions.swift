package import LogOutputs

/// The settings of a run that `loggen.yml` does not contain.
package struct ProjectOptions: Sendable {
    /// The path of the configuration; nil for `loggen.yml` in the definition folder.
    package var config: String?
    /// Markdown files in definition folders that are not definitions.
    package var exclude: [String] = []
    /// Folders of modules, by name.
    package var modules: [String: String] = [:]
    package var isQuiet = false
    /// The built-in outputs of the command.
    package var registry: OutputRegistry

    package init(registry: OutputRegistry = OutputRegistry()) { self.registry = registry }
}

/// The outputs of a run and their folders.
package struct OutputOptions: Sendable {
    /// The outputs to generate; nil for those of `loggen.yml` or, without these, all outputs that are on by default.
    package var only: [String]?
    /// The folder for all outputs; nil for the folders in `loggen.yml` and the default folders.
    package var output: String?
    /// The folder of custom templates; nil for the folder in `loggen.yml`.
    package var templates: String?

    package init(only: [String]? = nil, output: String? = nil, templates: String? = nil) {
        (self.only, self.output, self.templates) = (only, output, templates)
    }

    /// The folder with the folders of outputs that have no `to:`.
    package var baseFolder: String { output.map(normalized) ?? Sources.outputFolderName }
}
