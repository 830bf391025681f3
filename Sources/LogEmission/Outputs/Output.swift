package import LogDefinitions

/// Something that definitions become: a value that says how it is called, where it goes, what `loggen.yml` may say of
/// it, and its files.
///
/// Nothing outside of an output knows its name; `OutputRegistry` lists ours.
package protocol Output: Sendable {
    /// As the command line and `loggen.yml` call it.
    var name: String { get }
    /// The folder that it writes to, in `Generated/` or in what `--output` names.
    var folderName: String { get }
    /// The ending of its files, without the dot.
    var fileExtension: String { get }
    /// What `loggen.yml` may say of it beside `to`.
    var options: [OutputOption] { get }
    /// Whether it is made if nothing says what to make.
    var isMadeUnasked: Bool { get }
    /// Whether the author of a template decides where its files bear the header, and may decide anew.
    var movesHeader: Bool { get }

    /// Its file of a definition file, whatever that holds; nil if that has to be read first. A build plugin declares
    /// files before anything is read, so it can make only outputs that say them.
    func fileName(ofStem stem: String) -> String?

    /// What it has against definitions that are right by themselves: names that are one name in its language.
    func problems(in definitions: Definitions) -> OutputProblems

    /// The files that it makes of definitions.
    func files(of model: Model, settings: OutputSettings) -> [OutputPart]

    /// The single template that it is made with and that the user's may replace; nil if there is none.
    var ownTemplate: SourceFile? { get }

    /// The output with a template of the user's in place of its own; nil if it takes none.
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
    /// What is wrong with a value; nil if nothing is.
    package var problem: @Sendable (String) -> (message: String, help: String?)?

    package init(_ key: String, problem: @escaping @Sendable (String) -> (message: String, help: String?)?) {
        self.key = key
        self.problem = problem
    }

    /// An option that takes one of some words.
    package init(_ key: String, oneOf words: [String]) {
        self.init(key) { text in
            guard !words.containsExactly(text) else { return nil }
            let list = words.dropLast().map { "`\($0)`" }.joined(separator: ", ") + " or `\(words.last ?? "")`"
            return ("`\(key)` is \(list), not `\(text)`", nearestSpelling(of: text, among: words).map { "did you mean `\($0)`?" })
        }
    }
}

/// What `loggen.yml` says of an output, by the keys of its options.
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
    /// As seen from the output's folder.
    package var path: String
    /// The document that it is made of, by index; nil if it is made of all.
    package var document: Int?
    /// Its bytes; nil if there is nothing to say.
    package var make: @Sendable () -> [UInt8]?

    package init(path: String, document: Int?, make: @escaping @Sendable () -> [UInt8]?) {
        self.path = path
        self.document = document
        self.make = make
    }
}

/// What an output has against definitions, with the files that the places count from.
package struct OutputProblems: Sendable {
    package var files: [SourceFile] = []
    package var diagnostics: [Diagnostic] = []

    package init(files: [SourceFile] = [], diagnostics: [Diagnostic] = []) {
        self.files = files
        self.diagnostics = diagnostics
    }
}

/// A template of the user's that cannot be read: an output all the same, or `--only` would not know its name.
struct UnreadableOutput: Output {
    let name: String
    let fileExtension = ""
    var folderName: String { name }
    func files(of model: Model, settings: OutputSettings) -> [OutputPart] { [] }
}
