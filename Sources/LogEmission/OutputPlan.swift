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

/// What is to stand on disk: every path with its bytes. `generate` writes it, `check` compares it.
package struct OutputPlan: Sendable {
    package struct File: Sendable {
        package var path: String
        package var bytes: [UInt8]
    }

    package var outputs: [Output]
    package var files: [File]

    /// Makes every file of every output, on all cores.
    package static func make(of definitions: Definitions, outputs: [Output], templates: TemplateLibrary) async -> OutputPlan {
        var jobs: [@Sendable () -> File?] = []
        for output in outputs {
            if case .jsonSchema(let baseURL) = output.form {
                jobs += schemaJobs(definitions, output, JSONSchemaEmitter(definitions: definitions, baseURL: baseURL))
            } else if let template = templates.template(of: output.name) {
                jobs += templateJobs(definitions, output, template)
            }
        }
        let all = jobs
        let files = await inParallel(sizes: all.map { _ in 4096 }) { all[$0]() }
        return OutputPlan(outputs: outputs, files: files.compactMap { $0 })
    }

    private static func schemaJobs(
        _ definitions: Definitions, _ output: Output, _ emitter: JSONSchemaEmitter
    ) -> [@Sendable () -> File?] {
        func path(_ name: String) -> String { "\(output.folder)/\(name)" }
        let envelope = path(JSONSchemaEmitter.envelopeFileName)
        let types = path(JSONSchemaEmitter.typesFileName)
        var jobs: [@Sendable () -> File?] = [
            { File(path: envelope, bytes: emitter.envelope()) },
            { emitter.types().map { File(path: types, bytes: $0) } },
        ]
        for (index, category) in definitions.categories.enumerated() {
            let path = path(JSONSchemaEmitter.fileName(ofCategory: category.name))
            jobs.append { File(path: path, bytes: emitter.category(index)) }
        }
        return jobs
    }

    private static func templateJobs(
        _ definitions: Definitions, _ output: Output, _ template: OutputTemplate
    ) -> [@Sendable () -> File?] {
        let columns = SwiftColumns(definitions.types)
        let categories = Dictionary(definitions.categories.enumerated().map { ($1.file, $0) }, uniquingKeysWith: { first, _ in first })
        let access = if case .swift(let access) = output.form { access } else { "public" }
        return definitions.files.indices.map { index in
            {
                let file = definitions.files[index]
                let view = FileView(definitions: definitions, columns: columns, file: index, category: categories[index], access: access)
                let bytes = template.render(view)
                let name = if case .swift = output.form { SwiftNames.fileName(ofStem: file.stem) } else { file.stem }
                // A template that has nothing to say of a file makes none; a build that declared the Swift file expects it.
                guard !bytes.isEmpty || name != file.stem else { return nil }
                return File(path: "\(output.folder)/\(name).\(output.fileExtension)", bytes: bytes)
            }
        }
    }
}
