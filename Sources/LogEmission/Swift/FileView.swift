import LogDefinitions

/// What a template renders: one definition file.
struct FileView: TemplateView {
    let definitions: Definitions
    let file: Int

    static let fields = TemplateFields<FileView>()
        .text("header", "says what made the file from what") { GeneratedHeader.text(from: $0.definitions.files[$0.file].relativePath) }
}
