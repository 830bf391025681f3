package import LogDefinitions

/// A user's template `NAME.EXT.mustache`, which makes one file per definition file. Empty files are omitted.
package struct FlatTemplateOutput: Output {
    package let name: String
    let fileExtension: String
    let template: OutputTemplate
    package var folderName: String { name }

    /// The fields that such a template can name.
    package static var fields: [TemplateField] { FileView.fields.descriptions }

    package func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        let definitions = model.definitions
        let views = FileView.all(of: model, access: "public")
        return definitions.files.indices.map { index in
            OutputPart(path: "\(definitions.files[index].stem).\(fileExtension)", document: index) {
                let bytes = template.render(views[index])
                return bytes.isEmpty ? nil : bytes
            }
        }
    }
}
