import IndexTemplates
import KotlinTemplates
import TypeScriptTemplates

/// The templates that come with loggen, embedded so that the tool is a single file.
package enum LogTemplates {
    package static let swift = String(decoding: PackageResources.swift_mustache, as: UTF8.self)

    /// Outputs that are folders, with their files.
    package static let folders: [(name: String, files: [(name: String, text: String)])] = [
        ("index", IndexTemplates.files.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }),
        ("kotlin", KotlinTemplates.files.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }),
        ("typescript", TypeScriptTemplates.files.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }),
    ]
}
