package import LogDefinitions

/// Something that definitions become. It is a value that tells its name, its folder, its options in `loggen.yml`, and
/// its files.
///
/// Only the output itself knows its name. `OutputRegistry` lists ours.
package protocol Output: Sendable {
    /// The name on the command line and in `loggen.yml`.
    var name: String { get }
    /// The folder that it writes to. The folder lies in `Generated/`, or in the folder that `--output` names.
    var folderName: String { get }
    /// The ending of its files, without the dot.
    var fileExtension: String { get }
    /// Its options in `loggen.yml`, in addition to `to`.
    var options: [OutputOption] { get }
    /// Whether it is made if nothing selects the outputs.
    var isMadeUnasked: Bool { get }
    /// Whether a template's author decides where the header stands in its files, and may change that.
    var movesHeader: Bool { get }

    /// The name of its file for a definition file, whatever that definition file holds. Nil if the definition file must
    /// be read first. A build plugin declares files before anything is read, so it can make only outputs that give this
    /// name.
    func fileName(ofStem stem: String) -> String?

    /// Problems with definitions that are otherwise correct, such as two names that are the same name in its language.
    func problems(in definitions: Definitions) -> OutputProblems

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
    package var movesHeader: Bool { false }
    package func fileName(ofStem stem: String) -> String? { nil }
    package func problems(in definitions: Definitions) -> OutputProblems { OutputProblems() }
    package var ownTemplate: SourceFile? { nil }
    package func replacingTemplate(_ file: SourceFile) -> (output: any Output, problems: [Diagnostic])? { nil }
}

/// A key of an output in `loggen.yml`. Its value is a text.
package struct OutputOption: Sendable {
    package var key: String
    /// The problem with a value; nil if the value is fine.
    package var problem: @Sendable (String) -> (message: String, help: String?)?

    package init(_ key: String, problem: @escaping @Sendable (String) -> (message: String, help: String?)?) {
        self.key = key
        self.problem = problem
    }

    /// An option whose value is one of some words.
    package init(_ key: String, oneOf words: [String]) {
        self.init(key) { text in
            guard !words.containsExactly(text) else { return nil }
            let list = words.dropLast().map { "`\($0)`" }.joined(separator: ", ") + " or `\(words.last ?? "")`"
            return ("`\(key)` is \(list), not `\(text)`", nearestSpelling(of: text, among: words).map { "did you mean `\($0)`?" })
        }
    }
}

/// The settings of an output in `loggen.yml`, by the keys of its options.
package struct OutputSettings: Sendable {
    private var values: [String: String] = [:]

    package init() {}

    package subscript(key: String) -> String? {
        get { values[key] }
        set { values[key] = newValue }
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
