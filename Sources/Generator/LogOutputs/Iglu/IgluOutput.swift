import LogDefinitions
import LogTypes

/// Self-describing schemas in the layout of Iglu, Snowplow's schema registry: `VENDOR/NAME/jsonschema/VERSION`. Each
/// version of each event has a schema.
struct IgluOutput: Output {
    let name = "iglu"
    let folderName = "Iglu"
    let contents = "a self-describing JSON Schema for each version of each event"
    let readsHistory = true
    let isMadeUnasked = false

    let options = [
        OutputOption("vendor") { vendor in
            // The vendor is also a folder name. Iglu itself accepts any letters, digits, `-`, `_` and `.`.
            let parts = vendor.split(separator: ".", omittingEmptySubsequences: false)
            let isFine = parts.allSatisfy { part in
                guard let first = part.utf8.first, isLetter(first) else { return false }
                return part.utf8.allSatisfy {
                    isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
            }
            guard !isFine || vendor.utf8.count > 128 else { return nil }
            return (
                "`vendor` is words of letters, digits, `-` and `_` with dots between, not `\(vendor)`",
                "as `com.example`"
            )
        }
        .needed(by: "iglu", "a `vendor`: its schemas have it in their names", example: "vendor: com.example"),
        OutputOption("violations", oneOf: IgluViolations.allCases.map(\.rawValue)),
    ]

    func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        guard let vendor = settings["vendor"] else { return [] }
        let emitter = IgluEmitter(
            model, vendor: vendor,
            violations: settings["violations"].flatMap { IgluViolations(rawValue: $0) } ?? .accepted)
        var earlier = model.earlierVersions()
        var parts: [OutputPart] = []
        for (index, category) in model.definitions.categories.enumerated() {
            for event in category.events.indices {
                let name = emitter.name(category.name, category.events[event].name)
                if category.events[event].status != .retired {
                    let version = model.versions[category.name, category.events[event].name]
                    parts.append(
                        OutputPart(path: "\(vendor)/\(name)/jsonschema/\(version)", document: category.file) {
                            emitter.schema(index, event)
                        })
                }
                let file = model.definitions.files[category.file].relativePath
                for old in earlier.removeValue(forKey: "\(category.name).\(category.events[event].name)") ?? []
                where !old.shape.isRetired {
                    parts.append(
                        OutputPart(path: "\(vendor)/\(name)/jsonschema/\(old.version)", document: category.file) {
                            emitter.schema(old, from: file)
                        })
                }
            }
        }
        // Events that the definitions no longer contain: installed apps may still send them.
        for old in earlier.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }).flatMap(\.value)
        where !old.shape.isRetired {
            let path = "\(vendor)/\(emitter.name(old.category, old.name))/jsonschema/\(old.version)"
            parts.append(OutputPart(path: path, document: nil) { emitter.schema(old, from: "all log definitions") })
        }
        return parts
    }
}

private func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

/// The treatment of records with a list of violations (`violations`).
enum IgluViolations: String, CaseIterable {
    /// Records with violations are accepted without a check of their columns, as by the schemas of the other outputs.
    case accepted
    /// Records with violations are rejected and become Snowplow's failed events.
    case refused
}
