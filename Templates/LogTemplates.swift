/// The templates that come with loggen, one per output language, embedded so that the tool is a single file.
package enum LogTemplates {
    package static let swift = String(decoding: PackageResources.swift_mustache, as: UTF8.self)
}
