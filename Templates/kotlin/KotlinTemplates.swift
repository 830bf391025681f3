/// The folder's files. SwiftPM calls an embedded file by its name alone, so each folder is a target of its own.
package enum KotlinTemplates {
    package static let files: [(name: String, bytes: [UInt8])] = [
        ("output.yml", PackageResources.output_yml),
        ("category.mustache", PackageResources.category_mustache),
        ("all.mustache", PackageResources.all_mustache),
        ("common.mustache", PackageResources.common_mustache),
        ("types.mustache", PackageResources.types_mustache),
    ]
}
