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
    /// A generated file.
    struct Entry: Sendable {
        var output: String
        /// The output's folder, relative to the manifest.
        var folder: String
        /// The file's path, relative to the output's folder.
        var path: String
        /// The definition file in the generated header.
        var source: String

        fileprivate var section: ExactString { ExactString("\(output)\t\(folder)") }
        /// The identity of the entry.
        var key: ExactString { ExactString("\(output)\t\(folder)\t\(path)") }
    }

    /// The file of an entry.
    struct ListedFile {
        var entry: Entry
        /// The output's folder as seen from the working directory.
        var folder: String
        /// The real path of the output's folder.
        var realFolder: String
        var path: String { joined(realFolder, entry.path) }
    }

    package static let fileName = ".loggen-outputs"
    private static let beginning = "# Files that loggen generated"
    private static let head = beginning + ": output, folder, file, source. Commit with the files.\n"

    package let path: String
    /// Nil if the path has something else than a manifest. Runs of one definition folder take turns, so no other run
    /// changes the entries meanwhile.
    private let entries: [Entry]?
    /// The folders of the outputs with a `to:`, relative to the manifest.
    private let folderOfOutput: [String: String]
    /// Nil for all outputs, including those that the configuration no longer has.
    private let replacedOutputs: Set<String>?
    private let makesAllFiles: Bool

    /// Reads the manifest that belongs to a configuration file.
    /// - Parameters:
    ///   - outputs: the outputs of the run with a `to:`.
    ///   - only: the outputs whose entries the run replaces; nil for all.
    ///   - isWhole: whether the run makes all files of its outputs. If not, it adds its files to existing sections.
    init(ofConfiguration configuration: String, outputs: [OutputRequest], only: Set<String>?, isWhole: Bool) {
        let name = configuration.split(separator: "/").last.map(String.init) ?? Configuration.fileName
        let folder = LogProject.folder(of: configuration)
        path = joined(folder, name == Configuration.fileName ? Self.fileName : ".\(name)\(Self.fileName)")
        entries = Self.read(path)
        folderOfOutput = Dictionary(
            outputs.map { ($0.name, FileSystem.path($0.folder, seenFrom: folder)) }, uniquingKeysWith: { $1 })
        (replacedOutputs, makesAllFiles) = (only, isWhole)
    }

    /// Returns the folder of an output as the manifest lists it; nil if the manifest does not list the output's files.
    func folder(of output: OutputRequest) -> String? { folderOfOutput[output.name] }

    /// Returns whether no entry has the folder of an output.
    func isNew(_ output: OutputRequest) -> Bool {
        guard makesAllFiles, let folder = folder(of: output) else { return false }
        return !(entries ?? []).contains { $0.folder.isExactly(folder) }
    }

    /// Indicates whether the run replaces the entries of an output.
    func covers(_ output: String) -> Bool { replacedOutputs?.contains(output) ?? true }

    /// The files of all entries.
    var files: [ListedFile] { Self.files(entries ?? [], path) }

    private static func files(_ entries: [Entry], _ path: String) -> [ListedFile] {
        var folders: [ExactString: (path: String, real: String)] = [:]
        return entries.map { entry in
            let path = normalized(joined(LogProject.folder(of: path), entry.folder))
            let folder = folders[ExactString(path)] ?? (path, FileSystem.resolved(path))
            folders[ExactString(path)] = folder
            return ListedFile(entry: entry, folder: folder.path, realFolder: folder.real)
        }
    }

    /// The files of outputs that the run does not make: those of this configuration, and of others in the same folder.
    var filesOfOtherRuns: [ListedFile] {
        let folder = LogProject.folder(of: path)
        let siblings = ((try? FileSystem.entries(folder)) ?? []).map { joined(folder, $0.name) }.filter {
            $0.hasSuffix(Self.fileName) && !$0.isExactly(path)
        }
        return files.filter { !covers($0.entry.output) }
            + siblings.flatMap { Self.files(Self.read($0) ?? [], $0) }
    }

    // MARK: Writing

    /// Adds files before they are written, so that the manifest lists the files of a killed run. A run over a part of
    /// the definitions adds files only to sections that exist.
    /// - Returns: false if the manifest cannot be written.
    func add(_ files: [Entry]) async -> Bool {
        let known = Set((entries ?? []).map(\.section))
        return await write((entries ?? []) + (makesAllFiles ? files : files.filter { known.contains($0.section) }))
    }

    /// Removes the entries of files that a complete run has not made.
    /// - Parameter left: the keys of stale files that were not removed. Their entries stay.
    func finish(_ files: [Entry], leaving left: Set<ExactString>) async {
        guard makesAllFiles else { return }
        _ = await write((entries ?? []).filter { !covers($0.output) || left.contains($0.key) } + files)
    }

    /// An empty manifest is removed.
    private func write(_ entries: [Entry]) async -> Bool {
        guard self.entries != nil else { return false }
        do {
            let bytes = Self.bytes(entries)
            if !bytes.isEmpty {
                try await OutputWriter.replaceChanged([OutputFile(path: path, bytes: bytes)])
            } else {
                try FileSystem.remove(path)
            }
            return true
        } catch {
            return false
        }
    }

    /// Of several entries for one file, the last one counts.
    private static func bytes(_ entries: [Entry]) -> [UInt8] {
        let separators: Set<UInt8> = [0x09, 0x0A, 0x0D]
        var sources: [ExactString: String] = [:]
        for entry in entries
        where [entry.folder, entry.path, entry.source].allSatisfy({ separators.isDisjoint(with: $0.utf8) }) {
            sources[entry.key] = entry.source
        }
        guard !sources.isEmpty else { return [] }
        var bytes = Array(head.utf8)
        for (key, source) in sources.sorted(by: { $0.key.precedes($1.key) }) {
            bytes += "\(key.text)\t\(source)\n".utf8
        }
        return bytes
    }

    // MARK: Reading

    /// Lines in another form, such as comments and conflict markers, are skipped.
    /// - Returns: nil if the path has a link, a folder, an unreadable file, or a file without the manifest's first
    ///   line.
    private static func read(_ path: String) -> [Entry]? {
        guard let kind = FileSystem.kind(path, followingLinks: false) else { return [] }
        guard kind == .file, let bytes = try? FileSystem.read(path),
            bytes.isEmpty || bytes.starts(with: beginning.utf8)
        else { return nil }
        return bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap { line in
            let parts = line.split(separator: 0x09, omittingEmptySubsequences: false)
            guard parts.count == 4, !parts[0].isEmpty,
                let first = parts[1].first, first != UInt8(ascii: "/"), staysInFolder(parts[2])
            else { return nil }
            let texts = parts.map { String(decoding: $0, as: UTF8.self) }
            return Entry(output: texts[0], folder: texts[1], path: texts[2], source: texts[3])
        }
    }

    private static func staysInFolder(_ path: ArraySlice<UInt8>) -> Bool {
        !path.isEmpty && path.first != UInt8(ascii: "/")
            && !path.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(Array("..".utf8)) }
    }
}

extension ExactString {
    fileprivate func precedes(_ other: ExactString) -> Bool { text.utf8.lexicographicallyPrecedes(other.text.utf8) }
}
