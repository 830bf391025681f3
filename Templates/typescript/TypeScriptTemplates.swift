/// The folder's files, as in `KotlinTemplates`.
package enum TypeScriptTemplates {
    package static let files: [(name: String, bytes: [UInt8])] = [
        ("output.yml", PackageResources.output_yml),
        ("all.mustache", PackageResources.all_mustache),
        ("category.mustache", PackageResources.category_mustache),
        ("common.mustache", PackageResources.common_mustache),
    ]
}
