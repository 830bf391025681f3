import LogDefinitions
import LogOutputs

/// A manifest of generated files, `.loggen-outputs`. Only files that it lists are overwritten or removed.
///
/// Outputs with a `to:` are listed next to their configuration: `.android.yml.loggen-outputs` belongs to `android.yml`.
/// The folders of other outputs depend on the command line. These outputs are listed in the folder that contains theirs:
/// that of `--output`, or `Generated`. Several definition folders may have files there.
///
/// Each line has the output, its folder, a file and the file's source, separated by tabs, and the definition folder if
/// the manifest does not belong to a configuration. Folders are relative to the manifest, files to the output's folder.
/// The lines are sorted and independent of each other: to resolve a merge conflict, keep the lines of both sides.
/// Projects that commit generated files commit the manifest, too.
package struct FileManifest: Sendable {
    struct Entry: Sendable {
        let line: ExactString
        let output: String
        /// The output's folder, relative to the manifest.
        let folder: String
        /// The file's path, relative to the output's folder.
        let path: String
        /// The definition folder, relative to the manifest; nil next to a configuration.
        let definitions: String?
        /// An identity that the entries of one file share.
        let file: ExactString

        fileprivate init(_ parts: [String]) {
            line = ExactString(parts.joined(separator: "\t"))
            (output, folder, path) = (parts[0], parts[1], parts[2])
            definitions = parts.count > 4 ? parts[4] : nil
            file = Self.file(folder, path)
        }

        fileprivate static func file(_ folder: String, _ path: String) -> ExactString {
            ExactString("\(folder)\t\(path)")
        }
    }

    package static let fileName = ".loggen-outputs"
    private static let beginning = "# Files that loggen generated"
    private static let head = beginning + ": output, folder, file, source. Commit with the files.\n"

    private static let separators: [UInt8] = [0x09, 0x0A, 0x0D]

    package let path: String
    /// The definition folder of the run's entries; nil next to a configuration.
    private let definitions: String?
    /// The folders of the outputs that this manifest lists, relative to it.
    private let folderOfOutput: [String: String]
    /// The outputs whose entries the run replaces; nil for all, including those that the configuration no longer has.
    private let replacedOutputs: Set<String>?
    private let makesAllFiles: Bool
    private let entries: [Entry]
    private let lines: Set<ExactString>
    private let ownFiles: Set<ExactString>
    /// The definition folders that no longer exist. Their files belong to the next run.
    private let goneDefinitions: Set<String>

    /// - Parameters:
    ///   - definitions: the definition folder; nil if the manifest belongs to a configuration.
    ///   - outputs: the outputs of the run that it lists.
    ///   - replaced: the outputs whose entries the run replaces; nil for all.
    ///   - isWhole: whether the run makes all files of its outputs. If not, it only adds files.
    init(
        at path: String, of definitions: String?, _ outputs: [OutputRequest], replacing replaced: Set<String>?,
        isWhole: Bool
    )
        throws(FileError)
    {
        let folder = LogProject.folder(of: path)
        let own = definitions.map { FileSystem.path($0, seenFrom: folder) }
        let entries = try Self.read(path)
        let gone = Set(entries.compactMap(\.definitions)).filter { FileSystem.kind(joined(folder, $0)) != .directory }
        self.path = path
        self.definitions = own
        self.entries = entries
        folderOfOutput = Dictionary(
            outputs.map { ($0.name, FileSystem.path($0.folder, seenFrom: folder)) }, uniquingKeysWith: { $1 })
        (replacedOutputs, makesAllFiles, goneDefinitions) = (replaced, isWhole, gone)
        lines = Set(entries.map(\.line))
        ownFiles = Set(entries.filter { Self.isOwn($0, own, gone) }.map(\.file))
    }

    static func path(ofConfiguration configuration: String) -> String {
        let name = configuration.split(separator: "/").last.map(String.init) ?? Configuration.fileName
        return joined(
            LogProject.folder(of: configuration), name == Configuration.fileName ? fileName : ".\(name)\(fileName)")
    }

    private static func isOwn(_ entry: Entry, _ definitions: String?, _ gone: Set<String>) -> Bool {
        guard let definitions, let other = entry.definitions else {
            return (definitions == nil) == (entry.definitions == nil)
        }
        return other.isExactly(definitions) || gone.contains(other)
    }

    func isManifest(of output: OutputRequest) -> Bool { folderOfOutput[output.name] != nil }

    /// Returns whether the configuration names the folder of an output, and the manifest has no files there.
    func isNew(_ output: OutputRequest) -> Bool {
        guard definitions == nil, makesAllFiles, let folder = folderOfOutput[output.name] else { return false }
        return !entries.contains { $0.folder.isExactly(folder) }
    }

    /// Returns whether the manifest lists a file for the definitions of the run.
    /// - Parameter path: the path relative to the output's folder.
    func lists(_ path: String, of output: OutputRequest) -> Bool {
        folderOfOutput[output.name].map { ownFiles.contains(Entry.file($0, path)) } ?? false
    }

    /// Returns the entry of a planned file; nil if a separator in its parts would make another line of it.
    func entry(_ path: String, of output: OutputRequest, source: [UInt8]) -> Entry? {
        guard let folder = folderOfOutput[output.name] else { return nil }
        var parts = [output.name, folder, path, String(decoding: source, as: UTF8.self)]
        if let definitions { parts.append(definitions) }
        for part in parts {
            for separator in Self.separators where part.utf8.contains(separator) { return nil }
        }
        return Entry(parts)
    }

    /// Returns the entries that the run replaces although it does not make their files.
    func stale(without made: [Entry]) -> [Entry] {
        guard makesAllFiles else { return [] }
        let files = Set(made.map(\.file))
        return entries.filter { replaces($0) && !files.contains($0.file) }
    }

    private func replaces(_ entry: Entry) -> Bool {
        Self.isOwn(entry, definitions, goneDefinitions) && replacedOutputs?.contains(entry.output) ?? true
    }

    /// Returns the output folder of an entry, and whether the run writes to it.
    func folder(of entry: Entry) -> (path: String, isCurrent: Bool) {
        (
            normalized(joined(LogProject.folder(of: path), entry.folder)),
            folderOfOutput.values.contains { $0.isExactly(entry.folder) }
        )
    }

    /// The files that other runs make: of other outputs and definitions, and other configurations in the folder.
    var filesOfOtherRuns: [String] {
        let folder = LogProject.folder(of: path)
        let siblings = ((try? FileSystem.entries(folder)) ?? []).map { joined(folder, $0.name) }.filter {
            $0.hasSuffix(Self.fileName) && !$0.isExactly(path)
        }
        return (entries.filter { !replaces($0) } + siblings.flatMap { (try? Self.read($0)) ?? [] }).map {
            joined(joined(folder, $0.folder), $0.path)
        }
    }

    // MARK: Writing

    /// Returns whether the manifest lists the files, for any source and any definitions.
    func lists(_ made: [Entry]) -> Bool {
        let files = Set(entries.map(\.file))
        return made.allSatisfy { files.contains($0.file) }
    }

    /// Returns whether the manifest is as the run would write it.
    func isCurrent(_ made: [Entry]) -> Bool {
        made.allSatisfy { lines.contains($0.line) } && (!makesAllFiles || entries.count(where: replaces) == made.count)
    }

    /// Adds files before they are written, so that the manifest lists the files of a killed run.
    func add(_ made: [Entry]) async throws(FileError) {
        try await write { $0 + made }
    }

    /// Removes the entries of files that a complete run has not made.
    func finish(_ made: [Entry], leaving left: Set<ExactString>) async throws(FileError) {
        try await write { finished($0, made, leaving: left) }
    }

    /// Returns the entries after a run.
    /// - Parameters:
    ///   - entries: the entries in the file; nil for those that were read.
    ///   - left: the lines of stale files that were not removed.
    func finished(_ entries: [Entry]?, _ made: [Entry], leaving left: Set<ExactString>) -> [Entry] {
        (entries ?? self.entries).filter { !makesAllFiles || !replaces($0) || left.contains($0.line) } + made
    }

    /// Returns the bytes of a manifest; nil without entries.
    static func bytes(of entries: [Entry]) -> [UInt8]? {
        let lines = Set(entries.map(\.line)).map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return lines.isEmpty ? nil : Array((head + lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Changes the file, which another manifest of the same run may have changed. An empty manifest is removed.
    private func write(_ change: ([Entry]) -> [Entry]) async throws(FileError) {
        guard let bytes = Self.bytes(of: change(try Self.read(path))) else { return try FileSystem.remove(path) }
        try await OutputWriter.replaceChanged([OutputFile(path: path, bytes: bytes)])
    }

    // MARK: Reading

    /// Reads the entries. Lines in another form, such as comments and conflict markers, are skipped.
    private static func read(_ path: String) throws(FileError) -> [Entry] {
        guard let kind = FileSystem.kind(path, followingLinks: false) else { return [] }
        let lines = kind == .file ? try FileSystem.read(path).split { $0 == 0x0A || $0 == 0x0D } : []
        guard kind == .file, lines.isEmpty || lines.contains(where: { $0.starts(with: beginning.utf8) }) else {
            throw FileError(
                "`\(path)` is not a manifest of generated files, a file with the line `\(beginning)`: "
                    + "restore it from git, or move it away")
        }
        return lines.compactMap { line in
            let parts = line.split(separator: 0x09, omittingEmptySubsequences: false)
            guard (4...5).contains(parts.count), !parts[0].isEmpty,
                let first = parts[1].first, first != UInt8(ascii: "/"), staysInFolder(parts[2])
            else { return nil }
            return Entry(parts.map { String(decoding: $0, as: UTF8.self) })
        }
    }

    private static func staysInFolder(_ path: ArraySlice<UInt8>) -> Bool {
        !path.isEmpty && path.first != UInt8(ascii: "/")
            && !path.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(Array("..".utf8)) }
    }
}
