package import LogDefinitions

/// A template of the user: `NAME.EXT.mustache`. It makes one file per definition file for which it writes something.
package struct FlatTemplateOutput: Output {
    package let name: String
    package let fileExtension: String
    let template: OutputTemplate
    package let movesHeader = true
    package var folderName: String { name }

    /// What such a template may name.
    package static var fields: [TemplateField] { FileView.fields.descriptions }

    package func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        let definitions = model.definitions
        let views = FileViews(of: model, access: "public")
        return definitions.files.indices.map { index in
            OutputPart(path: "\(definitions.files[index].stem).\(fileExtension)", document: index) {
                let bytes = template.render(views[index])
                return bytes.isEmpty ? nil : bytes
            }
        }
    }
}
