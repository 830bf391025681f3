package import LogDefinitions
import MarkdownSyntax

/// Something that definitions become. It is a value that tells its name, its folder, its options in `loggen.yml`, and
/// its files.
///
/// Only the output itself knows its name. `OutputRegistry` lists ours.
package protocol Output: Sendable {
    /// The name on the command line and in `loggen.yml`.
    var name: String { get }
    /// The folder that it writes to. The folder lies in `Generated/`, or in the folder that `--output` names.
    var folderName: String { get }
    /// The ending of its files, without the dot. Empty if they have none, or several.
    var fileExtension: String { get }
    /// Whether its files may stand in folders below its own. Then a run looks there for what nothing makes any more.
    var hasSubfolders: Bool { get }
    /// Whether a path from its folder has the form of those that it writes. A file of any other path is not its own,
    /// whatever its header. Nil if its paths have no form of their own: then it is not looked for in other outputs'
    /// folders.
    func mayWrite(_ path: String) -> Bool?
    /// Whether it calls `Model.earlierVersions()`. Then a run reports lines of the lock file that cannot be read.
    var readsHistory: Bool { get }
    /// Its options in `loggen.yml`, in addition to `to`.
    var options: [OutputOption] { get }
    /// Whether it is made if nothing selects the outputs.
    var isMadeUnasked: Bool { get }
    /// Whether it is of a module that this tool does not link: its name is known, and its options are not.
    var isElsewhere: Bool { get }
    /// Whether a template's author decides where the header stands in its files, and may change that.
    var movesHeader: Bool { get }

    /// The name of its file for a definition file, whatever that definition file holds. Nil if the definition file must
    /// be read first. A build plugin declares files before anything is read, so it can make only outputs that give this
    /// name.
    func fileName(ofStem stem: String) -> String?

    /// What it asks of the reading of definitions, if `loggen.yml` names it: rules that are off otherwise, say. A rule
    /// that `loggen.yml` sets itself stays as it is set.
    func prepare(_ analysis: inout AnalysisOptions, settings: OutputSettings)

    /// Names of definitions in the settings that no document has. `lint` reports them, too.
    func unknownNames(in definitions: Definitions, settings: OutputSettings) -> [Setting.Problem]

    /// Problems with definitions that are otherwise correct, such as two names that are the same name in its language.
    func problems(in definitions: Definitions, settings: OutputSettings) -> OutputProblems

    /// The same of a model, for an output to which the lock file's events are problems, too. A run calls this one.
    func problems(of model: Model, settings: OutputSettings) -> OutputProblems

    /// The files that it makes from definitions.
    func files(of model: Model, settings: OutputSettings) -> [OutputPart]

    /// Its only template, which the user's template may replace; nil if there is none.
    var ownTemplate: SourceFile? { get }

    /// The output with the user's template in place of its own; nil if it accepts none.
    func replacingTemplate(_ file: SourceFile) -> (output: any Output, problems: [Diagnostic])?
}

extension Output {
    package var options: [OutputOption] { [] }
    package var isMadeUnasked: Bool { true }
    package var isElsewhere: Bool { false }
    package var movesHeader: Bool { false }
    package func fileName(ofStem stem: String) -> String? { nil }
    package var hasSubfolders: Bool { false }
    package func mayWrite(_ path: String) -> Bool? { nil }
    package var readsHistory: Bool { false }
    package func prepare(_ analysis: inout AnalysisOptions, settings: OutputSettings) {}
    package func unknownNames(in definitions: Definitions, settings: OutputSettings) -> [Setting.Problem] { [] }
    package func problems(in definitions: Definitions, settings: OutputSettings) -> OutputProblems { OutputProblems() }
    package func problems(of model: Model, settings: OutputSettings) -> OutputProblems {
        problems(in: model.definitions, settings: settings)
    }
    package var ownTemplate: SourceFile? { nil }
    package func replacingTemplate(_ file: SourceFile) -> (output: any Output, problems: [Diagnostic])? { nil }

    /// The options that the settings leave out and that it cannot do without.
    package func missing(in settings: OutputSettings) -> OutputProblems {
        var problems = OutputProblems()
        for option in options where settings.setting(option.key) == nil {
            guard let need = option.need else { continue }
            let help = settings.file.exists ? need.help : "make the file `\(settings.file.path)` with `\(need.file)`"
            problems = settings.problem(need.message, help: help)
        }
        return problems
    }
}

/// A key of an output in `loggen.yml`.
package struct OutputOption: Sendable {
    package var key: String
    /// Whether its value is the path of a file that the output reads, seen from the configuration's folder.
    package var isFile = false
    /// The message if it is left out, the fix, and a whole `loggen.yml` that has it; nil if it may be left out.
    package var need: (message: String, help: String, file: String)?
    /// The problems with a value; none if the value is fine.
    package var problems: @Sendable (Setting) -> [Setting.Problem]

    /// An option whose value may have any form.
    package init(_ key: String, problems: @escaping @Sendable (Setting) -> [Setting.Problem]) {
        self.key = key
        self.problems = problems
    }

    /// An option whose value is a text.
    package init(_ key: String, problem: @escaping @Sendable (String) -> (message: String, help: String?)?) {
        self.init(key) { setting in
            guard let text = setting.text else { return [Setting.Problem("`\(key)` takes a text", at: setting.range)] }
            return problem(text).map { [Setting.Problem($0.message, at: setting.range, help: $0.help)] } ?? []
        }
    }

    /// An option whose value is the path of a file. A run that makes the output reads the file and hands it over in
    /// `OutputSettings`.
    package init(fileOf key: String) {
        self.init(key) { text in
            // The same rule as for `to`: the file is a part of the project.
            guard text.hasPrefix("/") || text.hasPrefix("~") else { return nil }
            return ("`\(key)` is a file seen from this file's folder, and `\(text)` is one of this machine's", nil)
        }
        isFile = true
    }

    /// An option whose value is one of some words.
    package init(_ key: String, oneOf words: [String]) {
        self.init(key, problem: { Self.problem(with: $0, key, words) })
    }

    /// An option whose value is one of some words, or a list of them.
    package init(_ key: String, someOf words: [String]) {
        self.init(key) { setting in
            guard let texts = setting.texts else {
                return [
                    Setting.Problem(
                        "`\(key)` takes a word or a list of words", at: setting.range,
                        help: "there are \(Self.list(words, "and"))")
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

    /// The same option, without which nothing can be made.
    /// - Parameters:
    ///   - need: what the output needs, and why, as the end of a sentence.
    ///   - example: the option with a value, as `loggen.yml` has it.
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
            nearestSpelling(of: text, among: words).map { "did you mean `\($0)`?" }
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
    /// What `loggen.yml` says of all outputs, by their names.
    package var all: [String: OutputSettings] = [:]
    /// `loggen.yml`, for messages about a setting.
    package var file = SourceFile(path: "loggen.yml", relativePath: "loggen.yml", source: SourceText([]))
    /// The bytes of `loggen.yml` that name the output.
    package var range = 0..<0

    package init() {}

    /// A text of an option that takes one.
    package subscript(key: String) -> String? { values[key]?.text }

    package func setting(_ key: String) -> Setting? { values[key] }

    package mutating func set(_ key: String, to setting: Setting) { values[key] = setting }

    /// A problem with what the settings say, or leave out.
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

/// A file that an output makes.
package struct OutputPart: Sendable {
    /// The path from the output's folder.
    package var path: String
    /// The index of the document that it is made from; nil if it is made from all documents.
    package var document: Int?
    /// Makes its bytes; nil if there is nothing to write.
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

/// A template of the user that cannot be read. It is still an output, so that `--only` knows its name.
struct UnreadableOutput: Output {
    let name: String
    let fileExtension = ""
    var folderName: String { name }
    func files(of model: Model, settings: OutputSettings) -> [OutputPart] { [] }
}

/// An output that `loggen.yml` may name and this tool does not make.
struct OutputElsewhere: Output {
    let name: String
    let folderName: String
    let fileExtension = ""
    let isMadeUnasked = false
    let isElsewhere = true
    func files(of model: Model, settings: OutputSettings) -> [OutputPart] { [] }
}
