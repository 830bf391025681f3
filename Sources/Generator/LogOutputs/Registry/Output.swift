package import LogDefinitions
import MarkdownSyntax

/// A kind of generated file: its name, its folder, its options in `loggen.yml`, and its files.
///
/// Only the output itself knows its name. `OutputRegistry` lists the outputs that come with loggen.
package protocol Output: Sendable {
    var name: String { get }
    /// The output's folder in `Generated/`, or in the folder that `--output` names.
    var folderName: String { get }
    /// The content of the files, as a noun: "a JSON Schema for each category".
    var contents: String { get }
    /// Indicates whether the output calls `Model.earlierVersions()`. A run then checks all lines of the lock file.
    var readsHistory: Bool { get }
    /// The options in `loggen.yml`, in addition to `to`.
    var options: [OutputOption] { get }
    /// Indicates whether a run makes the output if neither `--only` nor `loggen.yml` names outputs.
    var isMadeUnasked: Bool { get }
    /// Indicates whether the output is in a module that this tool does not link. Then only its name is known.
    var isElsewhere: Bool { get }

    /// Changes the analysis of the definitions if `loggen.yml` names this output, for example enables rules. Severities
    /// that `loggen.yml` sets are kept.
    func prepare(_ analysis: inout AnalysisOptions, settings: OutputSettings)

    /// Returns names in the settings that the definitions do not contain. `lint` reports them, too.
    func unknownNames(in definitions: Definitions, settings: OutputSettings) -> [Setting.Problem]

    /// Returns problems with correct definitions, such as two names that are equal in the output's language, and with
    /// events that only the lock file contains.
    func problems(of model: Model, settings: OutputSettings) -> OutputProblems

    func files(of model: Model, settings: OutputSettings) -> [OutputPart]

    /// The output's only template, which the user's template can replace. Nil if the output has no template or several.
    var ownTemplate: SourceFile? { get }

    /// Returns the output with the user's template, or nil if the output does not accept a template.
    func replacingTemplate(_ file: SourceFile) -> (output: any Output, problems: [Diagnostic])?
}

extension Output {
    package var contents: String { "the result of the templates of `\(name)`" }
    package var options: [OutputOption] { [] }
    package var isMadeUnasked: Bool { true }
    package var isElsewhere: Bool { false }
    package var readsHistory: Bool { false }
    package func prepare(_ analysis: inout AnalysisOptions, settings: OutputSettings) {}
    package func unknownNames(in definitions: Definitions, settings: OutputSettings) -> [Setting.Problem] { [] }
    package func problems(of model: Model, settings: OutputSettings) -> OutputProblems { OutputProblems() }
    package var ownTemplate: SourceFile? { nil }
    package func replacingTemplate(_ file: SourceFile) -> (output: any Output, problems: [Diagnostic])? { nil }

    /// Returns problems for required options without a setting.
    package func missing(in settings: OutputSettings) -> OutputProblems {
        var problems = OutputProblems()
        for option in options where settings.setting(option.key) == nil {
            guard let need = option.need else { continue }
            let help = settings.file.exists ? need.help : "create the file `\(settings.file.path)` with `\(need.file)`"
            problems = settings.problem(need.message, help: help)
        }
        return problems
    }
}

/// A key of an output in `loggen.yml`.
package struct OutputOption: Sendable {
    package var key: String
    /// Indicates whether the value is the path of a file that the output reads, relative to the configuration's folder.
    package var isFile = false
    /// The message if the option is missing, the fix, and a complete `loggen.yml`. Nil for an optional option.
    package var need: (message: String, help: String, file: String)?
    package var problems: @Sendable (Setting) -> [Setting.Problem]

    package init(_ key: String, problems: @escaping @Sendable (Setting) -> [Setting.Problem]) {
        self.key = key
        self.problems = problems
    }

    /// Creates an option whose value is a string.
    package init(_ key: String, problem: @escaping @Sendable (String) -> (message: String, help: String?)?) {
        self.init(key) { setting in
            guard let text = setting.text else {
                return [Setting.Problem("`\(key)` takes a string", at: setting.range)]
            }
            return problem(text).map { [Setting.Problem($0.message, at: setting.range, help: $0.help)] } ?? []
        }
    }

    /// Creates an option with the path of a file. A run that makes the output passes the file in `OutputSettings`.
    package init(fileOf key: String) {
        self.init(key) { text in
            // The file has to be a part of the project, like the folder in `to`.
            guard text.hasPrefix("/") || text.hasPrefix("~") else { return nil }
            return ("`\(key)` is relative to this file's folder, but `\(text)` is an absolute path", nil)
        }
        isFile = true
    }

    /// Creates an option whose value is one of some words.
    package init(_ key: String, oneOf words: [String]) {
        self.init(key, problem: { Self.problem(with: $0, key, words) })
    }

    /// Creates an option whose value is one of some words, or a list of them.
    package init(_ key: String, someOf words: [String]) {
        self.init(key) { setting in
            guard let texts = setting.texts else {
                return [
                    Setting.Problem(
                        "`\(key)` takes a word or a list of words", at: setting.range,
                        help: "choose from \(Self.list(words, "and"))")
                ]
            }
            var seen: Set<String> = []
            return texts.flatMap { text -> [Setting.Problem] in
                let range =
                    if case .list(let items) = setting.content { items.first { $0.text == text }?.range } else {
                        setting.range
                    }
                if let problem = Self.problem(with: text, key, words) {
                    return [Setting.Problem(problem.message, at: range ?? setting.range, help: problem.help)]
                }
                return seen.insert(text).inserted
                    ? [] : [Setting.Problem("`\(key)` names `\(text)` twice", at: range ?? setting.range)]
            }
        }
    }

    /// Returns this option as a required one.
    /// - Parameters:
    ///   - need: the need of the output and its reason, as the end of a sentence.
    ///   - example: the option with a value, as in `loggen.yml`.
    package func needed(by output: String, _ need: String, example: String) -> OutputOption {
        var option = self
        option.need = (
            "the output `\(output)` needs \(need)", "as `\(example)`, in `outputs: {\(output): …}`",
            "outputs: {\(output): {\(example)}}"
        )
        return option
    }

    private static func problem(with text: String, _ key: String, _ words: [String]) -> (
        message: String, help: String?
    )? {
        guard !words.containsExactly(text) else { return nil }
        return (
            "`\(key)` is \(list(words, "or")), not `\(text)`",
            didYouMean(text, among: words)
        )
    }

    private static func list(_ words: [String], _ last: String) -> String {
        words.dropLast().map { "`\($0)`" }.joined(separator: ", ") + " \(last) `\(words.last ?? "")`"
    }
}

/// The settings of an output in `loggen.yml`, by the keys of its options.
package struct OutputSettings: Sendable {
    private var values: [String: Setting] = [:]
    /// The files that options name, by the options' keys.
    package var files: [String: SourceFile] = [:]
    /// The settings of all outputs, by output name.
    package var all: [String: OutputSettings] = [:]
    /// `loggen.yml`, for messages about a setting.
    package var file = SourceFile(path: "loggen.yml", relativePath: "loggen.yml", source: SourceText([]))
    /// The range of the output's name in `loggen.yml`, in bytes.
    package var range = 0..<0

    package init() {}

    package subscript(key: String) -> String? { values[key]?.text }

    package func setting(_ key: String) -> Setting? { values[key] }

    package mutating func set(_ key: String, to setting: Setting) { values[key] = setting }

    /// Returns a problem with a setting, or with a missing one.
    func problem(_ message: String, at range: Range<Int>? = nil, help: String? = nil) -> OutputProblems {
        OutputProblems(
            files: [file],
            diagnostics: [
                Diagnostic(
                    .configuration, message, at: Place(file: 0, range: range ?? self.range),
                    notes: help.map { [.help($0)] } ?? [])
            ])
    }
}

package struct OutputPart: Sendable {
    /// The path relative to the output's folder.
    package var path: String
    /// The index of the definition file that the file is made from; nil if it is made from all definition files.
    package var document: Int?
    /// Makes the file's bytes. Returns nil if the file is not written.
    package var make: @Sendable () -> [UInt8]?

    package init(path: String, document: Int?, make: @escaping @Sendable () -> [UInt8]?) {
        self.path = path
        self.document = document
        self.make = make
    }
}

/// An output's problems with definitions, and the files that their places refer to.
package struct OutputProblems: Sendable {
    package var files: [SourceFile] = []
    package var diagnostics: [Diagnostic] = []

    package init(files: [SourceFile] = [], diagnostics: [Diagnostic] = []) {
        self.files = files
        self.diagnostics = diagnostics
    }
}

/// An output without files, whose name is known: of a user's template that cannot be read, or of another module.
struct NamedOutput: Output {
    let name: String
    let folderName: String
    var isElsewhere = false
    var isMadeUnasked: Bool { !isElsewhere }
    func files(of model: Model, settings: OutputSettings) -> [OutputPart] { [] }
}
