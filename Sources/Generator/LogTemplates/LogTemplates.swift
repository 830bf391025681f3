/// The included templates: the files in `Templates`, embedded so that the tool is a single file.
package enum LogTemplates {
    package static let swift = EmbeddedFiles.swift_mustache

    package static let folders: [(name: String, files: [(name: String, text: String)])] = [
        (
            "index",
            [("output.yml", EmbeddedFiles.index_output_yml), ("all.mustache", EmbeddedFiles.index_all_mustache)]
        ),
        (
            "kotlin",
            [
                ("output.yml", EmbeddedFiles.kotlin_output_yml),
                ("category.mustache", EmbeddedFiles.kotlin_category_mustache),
                ("all.mustache", EmbeddedFiles.kotlin_all_mustache),
                ("common.mustache", EmbeddedFiles.kotlin_common_mustache),
                ("types.mustache", EmbeddedFiles.kotlin_types_mustache),
            ]
        ),
        (
            "typescript",
            [
                ("output.yml", EmbeddedFiles.typescript_output_yml),
                ("all.mustache", EmbeddedFiles.typescript_all_mustache),
                ("category.mustache", EmbeddedFiles.typescript_category_mustache),
                ("common.mustache", EmbeddedFiles.typescript_common_mustache),
                ("index.mustache", EmbeddedFiles.typescript_index_mustache),
            ]
        ),
    ]
}
