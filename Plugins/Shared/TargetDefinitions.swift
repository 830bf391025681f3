import Foundation

/// The definitions of a target: Markdown next to its sources, or in the folder that its `loggen.yml` names.
///
/// Plugins cannot depend on libraries, so each has a link to this file.
struct TargetDefinitions {
    /// The folder argument of `loggen`. It contains the definitions, or a `loggen.yml` that names their folder.
    let folder: URL
    let documents: [URL]
    /// The options that exclude Markdown files of the folder that are not part of the target.
    let exclusions: [String]
    /// Other files that influence the output.
    let settings: [URL]
    /// A Boolean value that indicates whether `loggen.yml` has the key `outputs`.
    let namesOutputs: Bool

    /// Finds the definitions among a target's files. Returns nil if there are none.
    init?(folder: URL?, files: [URL]) {
        let markdown = files.filter { $0.pathExtension == "md" && !$0.lastPathComponent.hasPrefix("README") }
        let configuration = files.filter { $0.lastPathComponent == "loggen.yml" }.min { $0.path.count < $1.path.count }
        guard
            let folder = folder ?? configuration?.deletingLastPathComponent()
                ?? markdown.first?.deletingLastPathComponent()
        else { return nil }
        let text = configuration.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? ""
        // A list of modules belongs in a `loggen.yml` above them. If it is here, `loggen` reports it.
        let below = Self.value(of: "definitions", in: text).flatMap {
            $0.isEmpty || $0.hasPrefix("[") || $0.hasPrefix("{") ? nil : $0
        }
        let source = below.map { folder.appending(path: $0) } ?? folder
        let prefix = source.standardizedFileURL.path(percentEncoded: false)
        documents = markdown.filter {
            $0.standardizedFileURL.path(percentEncoded: false).hasPrefix(prefix.hasSuffix("/") ? prefix : prefix + "/")
        }
        guard !documents.isEmpty else { return nil }
        self.folder = folder
        let known = Set(documents.map { $0.standardizedFileURL.path(percentEncoded: false) })
        exclusions = Self.markdown(in: source).filter { !known.contains($0) }.flatMap { ["--exclude", $0] }
        // The target does not list the lock file, because it is not a source.
        let lock = [source.appending(path: "loggen.lock")].filter {
            FileManager.default.fileExists(atPath: $0.path(percentEncoded: false))
        }
        settings = files.filter { $0.lastPathComponent == "loggen.yml" || $0.pathExtension == "mustache" } + lock
        namesOutputs = Self.value(of: "outputs", in: text) != nil
    }

    private static func markdown(in folder: URL) -> [String] {
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        return (files?.compactMap { $0 as? URL } ?? []).filter {
            $0.pathExtension == "md" && !$0.lastPathComponent.hasPrefix("README")
        }
        .map { $0.standardizedFileURL.path(percentEncoded: false) }.sorted()
    }

    /// A Boolean value that indicates whether the Markdown files are definitions. A command plugin cannot see which
    /// plugins a target uses, and its Markdown may have another purpose.
    var areMeant: Bool {
        if !settings.filter({ $0.pathExtension != "mustache" }).isEmpty { return true }
        return documents.contains { document in
            let stem = document.deletingPathExtension().lastPathComponent
            let text = (try? String(contentsOf: document, encoding: .utf8)) ?? ""
            guard let title = text.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix("# ") }) else {
                return false
            }
            let name = title.dropFirst(2).trimmingCharacters(in: .whitespaces)
            return name == stem || name.contains("`\(stem)`")
        }
    }

    /// Returns the value of a top-level key of a YAML file. A plugin has no YAML parser; `loggen` itself reads the
    /// whole file.
    static func value(of key: String, in yaml: String) -> String? {
        for line in yaml.split(whereSeparator: \.isNewline) where line.hasPrefix(key + ":") {
            let value = line.dropFirst(key.count + 1).prefix { $0 != "#" }
            return value.trimmingCharacters(in: CharacterSet(charactersIn: "\"' \t"))
        }
        return nil
    }
}
