package import LogDefinitions

/// An output that is asked for: where it goes, and what `loggen.yml` says of it.
package struct OutputRequest: Sendable {
    package var output: any Output
    package var folder: String
    package var settings: OutputSettings

    package init(_ output: any Output, folder: String, settings: OutputSettings = OutputSettings()) {
        self.output = output
        self.folder = folder
        self.settings = settings
    }

    package var name: String { output.name }
}

/// What is to stand in a file.
package struct OutputFile: Sendable {
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// What is to stand on disk: `generate` writes it, `check` compares it.
///
/// Files are made one by one when asked for, from any thread: most runs find that nearly all of them stand there
/// already, and need not hold them.
package struct OutputPlan: Sendable {
    package struct File: Sendable {
        /// By index of the plan's outputs.
        package var output: Int
        /// Whether it says what one category's document says, and nothing of others.
        package var isOfCategory: Bool
        package var path: String
        fileprivate var bytes: @Sendable () -> [UInt8]?

        /// Makes the file, or finds that there is nothing to make.
        package func make() -> OutputFile? { bytes().map { OutputFile(path: path, bytes: $0) } }
    }

    package let outputs: [OutputRequest]
    package private(set) var files: [File] = []
    /// Files that are made of all documents, and are not, since some of those have errors.
    package private(set) var leftOut: [String] = []

    /// - Parameters:
    ///   - given: the documents, by index, whose files are to be made; nil for all.
    ///   - isSound: whether all documents are free of errors: what is made of all of them is left out otherwise.
    package init(of model: Model, outputs: [OutputRequest], given: Set<Int>? = nil, isSound: Bool = true) {
        self.outputs = outputs
        let categories = Set(model.definitions.categories.map(\.file))
        for (index, request) in outputs.enumerated() {
            for part in request.output.files(of: model, settings: request.settings) {
                if let document = part.document {
                    guard given?.contains(document) ?? true else { continue }
                } else if !isSound {
                    leftOut.append(part.path)
                    continue
                }
                files.append(
                    File(
                        output: index, isOfCategory: part.document.map(categories.contains) ?? false, path: "\(request.folder)/\(part.path)",
                        bytes: part.make))
            }
        }
    }
}
