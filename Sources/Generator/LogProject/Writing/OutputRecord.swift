import LogDefinitions
import LogOutputs

/// `.loggen-outputs` beside `loggen.yml`: the folders that its `to:` keys have named.
///
/// If a `to:` changes, files stay behind in the old folder, and only this record remembers that folder. It has one line
/// per folder: the output's name, and the folder as seen from this file. Whoever commits generated files commits this
/// file, too. A configuration of another name has a record of its own, as `.android.yml.loggen-outputs`: what one sends somewhere is not
/// left behind by the other.
package struct OutputRecord: Sendable {
    package static let fileName = ".loggen-outputs"
    private static let head =
        "# The folders that loggen.yml sends outputs to, as of the last `loggen generate`: how loggen notices that one has changed.\n"

    package let path: String
    /// Output and folder, as written in the file.
    private(set) var entries: [(output: String, folder: String)] = []
    /// The new entries, and the outputs whose old entries they replace. Nil if the run remembers nothing.
    private var remembered: (entries: [(output: String, folder: String)], forgotten: Set<String>)?

    /// Reads the record beside a configuration. A record that cannot be read counts as empty.
    package init(besideConfiguration configuration: String) {
        let name = configuration.split(separator: "/").last.map(String.init) ?? Configuration.fileName
        path = joined(
            folder(of: configuration), name == Configuration.fileName ? Self.fileName : ".\(name)\(Self.fileName)")
        entries = Self.read(path)
    }

    private static func read(_ path: String) -> [(output: String, folder: String)] {
        guard let bytes = try? FileSystem.read(path) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard !line.hasPrefix("#"), words.count == 2, !words[1].hasPrefix("/") else { return nil }
            return (words[0], words[1])
        }
    }

    /// The folders that the record names, as seen from the working directory.
    package var folders: [(output: String, path: String)] { entries.map { ($0.output, seenFromHere($0.folder)) } }

    /// The folders that the record does not name yet.
    var newFolders: [String] {
        (remembered?.entries ?? []).filter { new in !entries.contains { $0.folder == new.folder } }.map {
            seenFromHere($0.folder)
        }
    }

    private func seenFromHere(_ entry: String) -> String { normalized(joined(folder(of: path), entry)) }

    /// Sets what the record holds: the new folders for this run's outputs, and the old entries for all others.
    package mutating func remember(_ outputs: [(output: String, path: String)], forgetting forgotten: Set<String>) {
        let entries = outputs.map { (output: $0.output, folder: FileSystem.path($0.path, seenFrom: folder(of: path))) }
        remembered = (entries, forgotten)
    }

    /// Writes the records of plans. If a folder cannot be written to, the run does not fail: its outputs have been made.
    ///
    /// Each record is read again first. Another run may have written it since, for other outputs.
    static func update(_ plans: [OutputSurvey.Plan]) async {
        for record in plans.compactMap(\.record) {
            guard let remembered = record.remembered else { continue }
            try? await FolderLock.hold([folder(of: record.path)]) {
                let old = read(record.path)
                let kept = old.filter { entry in
                    !remembered.forgotten.contains(entry.output)
                        && !remembered.entries.contains { $0.output == entry.output }
                }
                let new = (kept + remembered.entries).sorted {
                    $0.output.utf8.lexicographicallyPrecedes($1.output.utf8)
                }
                guard !new.isEmpty else {
                    if !old.isEmpty { try FileSystem.remove(record.path) }
                    return
                }
                let text = head + new.map { "\($0.output) \($0.folder)\n" }.joined()
                try await OutputWriter.replaceChanged([OutputFile(path: record.path, bytes: Array(text.utf8))])
            }
        }
    }
}
