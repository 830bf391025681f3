package import LogDefinitions

/// An output that is asked for: where it goes, and its settings in `loggen.yml`.
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

/// The intended contents of a file.
package struct OutputFile: Sendable {
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// The intended files on disk. `generate` writes them, `check` compares them.
///
/// Each file is made when it is asked for, from any thread. In most runs, nearly all files are already on disk, so
/// memory need not hold them all.
package struct OutputPlan: Sendable {
    package struct File: Sendable {
        /// The index in the plan's outputs.
        package var output: Int
        /// Whether it depends only on the document of one category.
        package var isOfCategory: Bool
        package var path: String
        /// How much work it is to make it, beside others. What is made of all documents is much work.
        package var weight: Int
        fileprivate var bytes: @Sendable () -> [UInt8]?

        /// Makes the file; nil if there is nothing to write.
        package func make() -> OutputFile? { bytes().map { OutputFile(path: path, bytes: $0) } }
    }

    package let outputs: [OutputRequest]
    package private(set) var files: [File] = []
    /// Files made from all documents that are left out, because some documents have errors.
    package private(set) var leftOut: [String] = []

    /// - Parameters:
    ///   - given: the indices of the documents whose files are made; nil for all documents.
    ///   - isSound: whether all documents are free of errors. If not, files made from all documents are left out.
    package init(of model: Model, outputs: [OutputRequest], given: Set<Int>? = nil, isSound: Bool = true) async {
        self.outputs = outputs
        let categories = Set(model.definitions.categories.map(\.file))
        let parts = await inParallel(sizes: outputs.map { _ in 1 << 20 }) { index in
            outputs[index].output.files(of: model, settings: outputs[index].settings)
        }
        for (index, parts) in parts.enumerated() {
            for part in parts {
                if let document = part.document {
                    guard given?.contains(document) ?? true else { continue }
                } else if !isSound {
                    leftOut.append(part.path)
                    continue
                }
                files.append(
                    File(
                        output: index, isOfCategory: part.document.map(categories.contains) ?? false,
                        path: "\(outputs[index].folder)/\(part.path)",
                        weight: part.document == nil ? 1 << 22 : 1 << 12, bytes: part.make))
            }
        }
    }
}
