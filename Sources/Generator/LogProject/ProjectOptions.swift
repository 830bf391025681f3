package import LogOutputs

/// The settings of a run that are not those of `loggen.yml`.
package struct ProjectOptions: Sendable {
    /// The path of the configuration; nil for the one beside the definitions.
    package var config: String?
    /// Markdown files in definition folders that are not definitions.
    package var exclude: [String] = []
    /// Folders of modules, by name.
    package var modules: [String: String] = [:]
    package var isQuiet = false
    /// The outputs that come with the command.
    package var registry: OutputRegistry

    package init(registry: OutputRegistry = OutputRegistry()) { self.registry = registry }
}

/// The outputs that a run makes, and where.
package struct OutputOptions: Sendable {
    /// The outputs to make; nil for those of `loggen.yml`, or all that need no request.
    package var only: [String]?
    /// The folder for all outputs.
    package var output: String?
    /// The folder of the user's templates.
    package var templates: String?

    package init(only: [String]? = nil, output: String? = nil, templates: String? = nil) {
        (self.only, self.output, self.templates) = (only, output, templates)
    }
}
