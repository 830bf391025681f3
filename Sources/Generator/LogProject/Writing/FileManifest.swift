import LogDefinitions
import LogOutputs

/// The manifest of generated files, `.loggen-outputs` next to `loggen.yml`.
///
/// The manifest lists the files of each output that has a `to:` in the configuration. A listed file is stale if the
/// current plan does not contain it. Other outputs are not listed, because their folders depend on the working
/// directory. Their files are recognized by the generated header.
///
/// Each line has the output, its folder, a file and the file's source, separated by tabs. Folders are relative to the
/// manifest, files to the folder. The lines are sorted and independent of each other: to resolve a merge conflict, keep
/// the lines of both sides. Projects that commit generated files commit the manifest, too. Each configuration has a
/// manifest: `.android.yml.loggen-outputs` belongs to `android.yml`.
package struct FileManifest: Sendable {
    /// A file of an output.
    struct File: Sendable {
        /// The path, relative to the output's folder.
        var path: String
        /// The definition file in the generated header.
        var source: String
    }

    struct Entry: Sendable {
        var output: String
        /// The output's folder, relative to the manifest.
        var folder: String
        var file: File

        /// The identity of the entry. Strings are compared byte by byte.
        var key: ExactString { ExactString("\(output)\t\(folder)\t\(file.path)") }
    }

    /// The part of the manifest that a run replaces.
    private struct Scope: Sendable {
        /// The outputs of the run with a `to:`, and their folders as seen from the working directory.
        var listed: [(output: String, folder: String)] = []
        /// The outputs whose entries the run replaces, including outputs that the configuration no longer has.
        var replaced: Set<String> = []
        /// Indicates whether the run makes all files of its outputs. If not, the files of the run are added to the
        /// existing entries.
        var isWhole = false
    }

    package static let fileName = ".loggen-outputs"
    private static let beginning = "# Files that loggen generated"
    private static let head = beginning + ": output, folder, file, source. Commit with the files.\n"

    package let path: String
    /// The entries at the start of the run.
    let entries: [Entry]
    private var scope = Scope()

    /// Reads the manifest that belongs to a configuration file.
    package init(ofConfiguration configuration: String) {
        let name = configuration.split(separator: "/").last.map(String.init) ?? Configuration.fileName
        path = joined(
            LogProject.folder(of: configuration),
            name == Configuration.fileName ? Self.fileName : ".\(name)\(Self.fileName)")
        entries = Self.read(path) ?? []
    }

    /// Sets the part of the manifest that the run replaces. `outputs` contains each output of the run with a `to:`.
    mutating func cover(_ outputs: [(output: String, folder: String)], replacing replaced: Set<String>, isWhole: Bool) {
        scope = Scope(listed: outputs, replaced: replaced, isWhole: isWhole)
    }

    /// Indicates whether the run replaces the entries of an output.
    func covers(_ output: String) -> Bool { scope.replaced.contains(output) }

    /// The files of the outputs whose entries the run replaces, by output and folder.
    var coveredSections: [(output: String, folder: String, files: [File])] {
        let groups = Dictionary(grouping: entries.filter { covers($0.output) }) {
            ExactString("\($0.output)\t\($0.folder)")
        }
        return groups.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }.compactMap { group in
            group.value.first.map { ($0.output, $0.folder, group.value.map(\.file)) }
        }
    }

    /// Returns the folder of an entry as seen from the working directory.
    func folder(_ relative: String) -> String { normalized(joined(LogProject.folder(of: path), relative)) }

    /// The files of outputs that the run does not make: those of this configuration, and of others in the same folder.
    var pathsOfOtherRuns: [String] {
        let folder = LogProject.folder(of: path)
        let siblings = ((try? FileSystem.entries(folder)) ?? []).map { joined(folder, $0.name) }.filter {
            $0.hasSuffix(Self.fileName) && !$0.isExactly(path)
        }
        let others = entries.filter { !covers($0.output) } + siblings.flatMap { Self.read($0) ?? [] }
        return others.map { joined(self.folder($0.folder), $0.file.path) }
    }

    /// The folders of this run that the manifest does not contain yet, as seen from the working directory.
    var newFolders: [String] {
        guard scope.isWhole else { return [] }
        let known = Set(entries.map { ExactString($0.folder) })
        return scope.listed.map(\.folder).filter { !known.contains(ExactString(relativeFolder($0))) }
    }

    private func relativeFolder(_ folder: String) -> String {
        FileSystem.path(folder, seenFrom: LogProject.folder(of: path))
    }

    // MARK: Writing

    /// Adds files before they are written, so that the manifest lists the files of a killed run.
    /// - Parameter files: the planned files of each listed output, by the output's name.
    /// - Returns: false if the manifest cannot be written.
    func add(_ files: [String: [File]]) async -> Bool { await update { $0 + planned(files, into: $0) } }

    /// Removes the entries of files that the plan does not contain. Entries that another run has added meanwhile stay.
    /// - Parameter left: the real paths of stale files that were not removed. Their entries stay.
    func finish(_ files: [String: [File]], leaving left: Set<ExactString>) async {
        guard scope.isWhole else { return }
        _ = await update { current in
            let planned = planned(files, into: current)
            let kept = Set(planned.map(\.key))
            let obsolete = Set(
                entries.filter { entry in
                    covers(entry.output) && !kept.contains(entry.key)
                        && (left.isEmpty
                            || !left.contains(
                                ExactString(FileSystem.resolved(joined(folder(entry.folder), entry.file.path)))))
                }.map(\.key))
            return current.filter { !obsolete.contains($0.key) } + planned
        }
    }

    private func planned(_ files: [String: [File]], into current: [Entry]) -> [Entry] {
        scope.listed.flatMap { output -> [Entry] in
            let folder = relativeFolder(output.folder)
            // A run over a part of the definitions does not make all files of an output. Such a run only adds files to
            // an output that the manifest already contains.
            guard
                scope.isWhole || current.contains(where: { $0.output == output.output && $0.folder.isExactly(folder) })
            else { return [] }
            return (files[output.output] ?? []).map { Entry(output: output.output, folder: folder, file: $0) }
        }
    }

    /// Reads the manifest again, as another run may have changed it, and writes it if it differs.
    private func update(_ change: @Sendable ([Entry]) -> [Entry]) async -> Bool {
        let isWritten = try? await FolderLock.hold([LogProject.folder(of: path)]) {
            guard let old = Self.read(path) else { return false }
            let bytes = Self.bytes(change(old))
            if !bytes.isEmpty {
                try await OutputWriter.replaceChanged([OutputFile(path: path, bytes: bytes)])
            } else if FileSystem.kind(path) != nil {
                try FileSystem.remove(path)
            }
            return true
        }
        return isWritten ?? false
    }

    /// Returns the sorted lines. Of several entries for one file, the last one counts.
    private static func bytes(_ entries: [Entry]) -> [UInt8] {
        var sources: [ExactString: String] = [:]
        for entry in entries where isListable(entry) { sources[entry.key] = entry.file.source }
        guard !sources.isEmpty else { return [] }
        var bytes = Array(head.utf8)
        for (key, source) in sources.sorted(by: { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }) {
            bytes += "\(key.text)\t\(source)\n".utf8
        }
        return bytes
    }

    private static func isListable(_ entry: Entry) -> Bool {
        let separators: Set<UInt8> = [0x09, 0x0A, 0x0D]
        return [entry.folder, entry.file.path, entry.file.source].allSatisfy { separators.isDisjoint(with: $0.utf8) }
    }

    // MARK: Reading

    /// Reads a manifest. Lines in another form, such as comments and conflict markers, are skipped.
    /// - Returns: nil if the path has a link, a folder, an unreadable file, or a file without the manifest's first
    ///   line.
    private static func read(_ path: String) -> [Entry]? {
        guard let kind = FileSystem.kind(path, followingLinks: false) else { return [] }
        guard kind == .file, let bytes = try? FileSystem.read(path),
            bytes.isEmpty || bytes.starts(with: beginning.utf8)
        else { return nil }
        return bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap { line in
            let parts = line.split(separator: 0x09, omittingEmptySubsequences: false)
            guard parts.count == 4, !parts[0].isEmpty, parts[0].allSatisfy(isNameByte),
                let first = parts[1].first, first != UInt8(ascii: "/"), isBelow(parts[2])
            else { return nil }
            let texts = parts.map { String(decoding: $0, as: UTF8.self) }
            return Entry(output: texts[0], folder: texts[1], file: File(path: texts[2], source: texts[3]))
        }
    }

    /// Indicates whether the names of outputs can contain the byte: ASCII letters, digits, `-` and `_`.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Indicates whether a relative path stays in its folder.
    private static func isBelow(_ path: ArraySlice<UInt8>) -> Bool {
        !path.isEmpty && path.first != UInt8(ascii: "/")
            && !path.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(Array("..".utf8)) }
    }
}
