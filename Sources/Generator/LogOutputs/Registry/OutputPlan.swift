package import LogDefinitions

/// A requested output with its folder and its settings in `loggen.yml`.
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
    /// What must be at the path when the file is put there.
    package var former: Former

    package enum Former: Sendable {
        /// A generated file, or none.
        case anything
        case nothing
        /// A person's file with the bytes that were read.
        case bytes([UInt8])
    }

    package init(path: String, bytes: [UInt8], former: Former = .anything) {
        self.path = path
        self.bytes = bytes
        self.former = former
    }
}

/// The intended files on disk. `generate` writes them, `check` compares them.
///
/// Files are made on demand and from any thread. In most runs, nearly all files on disk are current, so the plan does
/// not hold their contents in memory.
package struct OutputPlan: Sendable {
    package struct File: Sendable {
        /// The index in the plan's outputs.
        package var output: Int
        package var path: String
        package var pathInFolder: String
        /// The relative cost of making the file. The cost is high for a file made from all definition files.
        package var weight: Int
        fileprivate var bytes: @Sendable () -> [UInt8]?

        package func make() -> OutputFile? { bytes().map { OutputFile(path: path, bytes: $0) } }
    }

    package let outputs: [OutputRequest]
    package private(set) var files: [File] = []
    /// The files that are omitted because they are made from all definition files, some of which have errors.
    package private(set) var leftOut: [String] = []

    /// - Parameters:
    ///   - given: the indices of the definition files whose outputs are made; nil for all.
    ///   - isSound: whether all definition files are free of errors. If not, files made from all of them are omitted.
    package init(of model: Model, outputs: [OutputRequest], given: Set<Int>? = nil, isSound: Bool = true) async {
        self.outputs = outputs
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
                        output: index, path: "\(outputs[index].folder)/\(part.path)", pathInFolder: part.path,
                        weight: part.document == nil ? 1 << 22 : 1 << 12, bytes: part.make))
            }
        }
    }
}
