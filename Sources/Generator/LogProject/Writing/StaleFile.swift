import LogDefinitions

/// A file that a manifest lists and no plan contains.
package struct StaleFile: Sendable {
    var path: String
    var folder: String
    var entry: FileManifest.Entry
    /// The reason to leave the file as it is. Its entry stays in the manifest, and the next run reports it again.
    var reason: String?

    /// Removes the file, and its folders if they are empty. If the removal fails, `reason` is the cause.
    mutating func remove() {
        do throws(FileError) {
            try FileSystem.remove(path)
        } catch {
            reason = "stale: \(error)"
            return
        }
        var parent = LogProject.folder(of: path)
        while rmdir(parent) == 0, !parent.isExactly(folder) { parent = LogProject.folder(of: parent) }
    }

    /// Returns notes on files that are left, one for each reason.
    package static func notes(on files: [StaleFile]) -> [String] {
        var reasons: [String] = []
        for case let reason? in files.map(\.reason) where !reasons.containsExactly(reason) { reasons.append(reason) }
        return reasons.map { reason in
            let paths = files.filter { $0.reason == reason }.map(\.path)
            let more = paths.count > 1 ? " and \(paths.count - 1) more" : ""
            return "note: `\(FileSystem.shortened(paths.first ?? ""))`\(more): \(reason)\n"
        }
    }
}
