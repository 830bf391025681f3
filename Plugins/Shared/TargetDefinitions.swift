import Foundation

/// The definitions of a target: Markdown beside its sources, or in the folder that its `loggen.yml` names.
///
/// Plugins cannot depend on libraries, so each has a link to this file.
struct TargetDefinitions {
    /// The folder that `loggen` is given. It holds the definitions, or its `loggen.yml` names the folder that does.
    let folder: URL
    let documents: [URL]
    /// Arguments for the Markdown files that are in the folder and not part of the target.
    let exclusions: [String]
    /// Other files that decide what is made of the definitions.
    let settings: [URL]
    /// Whether `loggen.yml` says what is made of the definitions.
    let namesOutputs: Bool

    /// Finds the definitions among a target's files; nil if there are none.
    init?(folder: URL?, files: [URL]) {
        let markdown = files.filter { $0.pathExtension == "md" && $0.lastPathComponent != "README.md" }
        let configuration = files.filter { $0.lastPathComponent == "loggen.yml" }.min { $0.path.count < $1.path.count }
        guard
            let folder = folder ?? configuration?.deletingLastPathComponent()
                ?? markdown.first?.deletingLastPathComponent()
        else { return nil }
        let text = configuration.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? ""
        // A list names modules, and stands above them all; `loggen` says so if it stands here.
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
        // The lock file is no source, so the target excludes it from its files.
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
            $0.pathExtension == "md" && $0.lastPathComponent != "README.md"
        }
        .map { $0.standardizedFileURL.path(percentEncoded: false) }.sorted()
    }

    /// Whether the Markdown is meant as definitions. A command plugin does not learn which plugins a target uses, and
    /// the target's Markdown may be anything.
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

    /// The value of a key at the top level of a YAML file. A plugin has no YAML parser; `loggen` itself reads the whole
    /// file.
    static func value(of key: String, in yaml: String) -> String? {
        for line in yaml.split(whereSeparator: \.isNewline) where line.hasPrefix(key + ":") {
            let value = line.dropFirst(key.count + 1).prefix { $0 != "#" }
            return value.trimmingCharacters(in: CharacterSet(charactersIn: "\"' \t"))
        }
        return nil
    }
}
