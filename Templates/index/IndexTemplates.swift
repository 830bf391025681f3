/// The folder's files, as in `KotlinTemplates`.
package enum IndexTemplates {
    package static let files: [(name: String, bytes: [UInt8])] = [
        ("output.yml", PackageResources.output_yml),
        ("all.mustache", PackageResources.all_mustache),
    ]
}
