import Foundation
import PackagePlugin

/// A vocabulary of several modules, listed under `definitions` in a `loggen.yml` above their folders.
///
/// Plugins cannot depend on libraries, so each has a link to this file.
struct SharedVocabulary {
    /// The folder of `loggen.yml`.
    let folder: URL
    /// The targets that `loggen.yml` lists under `definitions`, with their folders. The string is empty if the file gives
    /// no folder.
    let modules: [String: String]
    /// A Boolean value that indicates whether `loggen.yml` has the key `outputs`.
    let namesOutputs: Bool
    /// The modules to read: those that a target can import. Mistakes in other modules must not stop its build.
    var read: [(target: String, definitions: TargetDefinitions)] = []

    /// Finds the vocabulary that lists a target. Only the nearest `loggen.yml` above the target is read.
    init?(above target: URL, naming name: String) {
        for file in Self.places(above: target) {
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            modules = Self.modules(in: text)
            guard modules[name] != nil else { return nil }
            folder = file.deletingLastPathComponent().standardizedFileURL
            namesOutputs = TargetDefinitions.value(of: "outputs", in: text) != nil
            return
        }
        return nil
    }

    /// The paths of `loggen.yml` in a target's folder and in the folders above it, up to the top of the repository.
    static func places(above target: URL) -> [URL] {
        var folder = target.standardizedFileURL
        var places: [URL] = []
        for _ in 0..<64 {
            places.append(folder.appending(path: "loggen.yml"))
            let isTop = FileManager.default.fileExists(
                atPath: folder.appending(path: ".git").path(percentEncoded: false))
            let above = folder.deletingLastPathComponent().standardizedFileURL
            if isTop || above.path == folder.path { break }
            folder = above
        }
        return places
    }

    /// `loggen.yml`, and the lock file if it exists.
    var settings: [URL] {
        [folder.appending(path: "loggen.yml"), folder.appending(path: "loggen.lock")].filter {
            FileManager.default.fileExists(atPath: $0.path(percentEncoded: false))
        }
    }

    /// Returns the arguments that name the folders of the modules to read. Messages show these paths unchanged.
    func arguments(_ path: (URL) -> String = { $0.path(percentEncoded: false) }) -> [String] {
        read.flatMap { ["--module", "\($0.target)=\(path($0.definitions.folder))"] + $0.definitions.exclusions }
    }

    /// All files that `loggen` reads.
    var inputs: [URL] { settings + read.flatMap(\.definitions.documents) }

    /// Adds a target's definitions to the modules to read, if `loggen.yml` lists the target.
    mutating func add(_ target: any Target) {
        guard let module = target as? any SourceModuleTarget else { return }
        add(target.name, TargetDefinitions(folder: target.directoryURL, files: module.sourceFiles.map(\.url)))
    }

    mutating func add(_ target: String, _ definitions: TargetDefinitions?) {
        guard modules[target] != nil, !read.contains(where: { $0.target == target }), let definitions else { return }
        read.append((target, definitions))
    }

    /// Returns the definition files of a target, without other Markdown files if `loggen.yml` gives a folder.
    func documents(of target: String, among documents: [URL]) -> [URL] {
        guard let named = modules[target], !named.isEmpty else { return documents }
        let prefix = folder.appending(path: named).standardizedFileURL.path(percentEncoded: false)
        return documents.filter {
            $0.standardizedFileURL.path(percentEncoded: false).hasPrefix(prefix.hasSuffix("/") ? prefix : prefix + "/")
        }
    }

    /// Returns the names in the list or mapping `definitions`, with their folders. A plugin has no YAML parser;
    /// `loggen` itself reads the whole file.
    private static func modules(in yaml: String) -> [String: String] {
        var value: [Substring] = []
        var isInside = false
        for line in yaml.split(whereSeparator: \.isNewline) {
            let line = line.prefix { $0 != "#" }
            if line.hasPrefix("definitions:") {
                isInside = true
                value.append(line.dropFirst("definitions:".count))
            } else if isInside, line.first.map({ " \t-]}".contains($0) }) ?? true {
                value.append(line)
            } else {
                isInside = false
            }
        }
        let text = value.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
        let entries: [Substring]
        if text.hasPrefix("[") || text.hasPrefix("{") {
            entries = text.split { ",[]{}\n".contains($0) }
        } else if value.first?.allSatisfy({ " \t".contains($0) }) ?? false {
            entries = text.split(separator: "\n")
        } else {
            // The value is the name of a folder.
            return [:]
        }
        let named = entries.compactMap { entry -> (String, String)? in
            let parts = entry.trimmingCharacters(in: CharacterSet(charactersIn: " \t-")).split(
                separator: ":", maxSplits: 1
            )
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"' \t")) }
            return parts.first.flatMap { $0.isEmpty ? nil : ($0, parts.count == 2 ? parts[1] : "") }
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }
}
