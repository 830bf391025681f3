package import LogDefinitions

/// One kind of output: what is made, and the folder it goes to.
package struct Output: Sendable {
    package enum Form: Sendable {
        /// Swift through `swift.mustache`.
        case swift(access: String)
        case jsonSchema(baseURL: String?)
        /// A template of the user's own.
        case template
    }

    package var isTemplate: Bool { if case .template = form { true } else { false } }

    /// As the command line and `loggen.yml` call it.
    package var name: String
    package var form: Form
    /// The ending of its files, without the dot.
    package var fileExtension: String
    package var folder: String

    package init(name: String, form: Form, fileExtension: String, folder: String) {
        self.name = name
        self.form = form
        self.fileExtension = fileExtension
        self.folder = folder
    }
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
/// Files are made one by one when asked for, from any thread: most runs find that nearly all of them stand there already, and need
/// not hold them.
package struct OutputPlan: Sendable {
    package struct File: Sendable {
        /// By index of the plan's outputs.
        package var output: Int
        /// Whether it says what one category's document says, and nothing of others.
        package var isOfCategory: Bool
        /// Makes the file, or finds that there is nothing to make.
        package var make: @Sendable () -> OutputFile?
    }

    package let outputs: [Output]
    package private(set) var files: [File] = []

    /// - Parameters:
    ///   - given: the documents, by index, whose files are to be made; nil for all.
    ///   - isSound: whether all documents are free of errors: what is made of all of them is left out otherwise.
    package init(of model: Model, outputs: [Output], templates: TemplateLibrary, given: Set<Int>? = nil, isSound: Bool = true) {
        self.outputs = outputs
        let definitions = model.definitions
        for (index, output) in outputs.enumerated() {
            func add(_ files: [Made]) {
                for file in files where file.document.map({ given?.contains($0) ?? true }) ?? isSound {
                    let isOfCategory = file.document.map { document in definitions.categories.contains { $0.file == document } } ?? false
                    self.files.append(File(output: index, isOfCategory: isOfCategory, make: file.make))
                }
            }
            if case .jsonSchema(let baseURL) = output.form {
                add(Self.schemas(definitions, output, JSONSchemaEmitter(model, baseURL: baseURL)))
            } else if let template = templates.template(of: output.name) {
                add(Self.texts(model, output, template))
            }
        }
    }

    /// A file with the document that it comes from; nil where it comes from all.
    private typealias Made = (document: Int?, make: @Sendable () -> OutputFile?)

    private static func schemas(
        _ definitions: Definitions, _ output: Output, _ emitter: JSONSchemaEmitter
    ) -> [Made] {
        func path(_ name: String) -> String { "\(output.folder)/\(name)" }
        let envelope = path(JSONSchemaEmitter.envelopeFileName)
        let types = path(JSONSchemaEmitter.typesFileName)
        var files: [Made] = [
            (nil, { OutputFile(path: envelope, bytes: emitter.envelope()) }),
            (definitions.typesFile, { emitter.types().map { OutputFile(path: types, bytes: $0) } }),
        ]
        for (index, category) in definitions.categories.enumerated() {
            let path = path(JSONSchemaEmitter.fileName(ofCategory: category.name))
            files.append((category.file, { OutputFile(path: path, bytes: emitter.category(index)) }))
        }
        return files
    }

    private static func texts(
        _ model: Model, _ output: Output, _ template: OutputTemplate
    ) -> [Made] {
        let definitions = model.definitions
        let columns = SwiftColumns()
        let categories = Dictionary(definitions.categories.enumerated().map { ($1.file, $0) }, uniquingKeysWith: { first, _ in first })
        let access = if case .swift(let access) = output.form { access } else { "public" }
        return definitions.files.indices.map { index in
            let make: @Sendable () -> OutputFile? = {
                let file = definitions.files[index]
                let view = FileView(model: model, columns: columns, file: index, category: categories[index], access: access)
                let bytes = template.render(view)
                let name = if case .swift = output.form { SwiftNames.fileName(ofStem: file.stem) } else { file.stem }
                // A template that has nothing to say of a file makes none; a build that declared the Swift file expects it.
                guard !bytes.isEmpty || name != file.stem else { return nil }
                return OutputFile(path: "\(output.folder)/\(name).\(output.fileExtension)", bytes: bytes)
            }
            return (index, make)
        }
    }
}
