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

    package var files: [File]
}
