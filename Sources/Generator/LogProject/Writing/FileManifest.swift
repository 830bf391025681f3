import LogDefinitions
import LogOutputs

/// The manifest of generated files, `.loggen-outputs` next to `loggen.yml`.
///
/// It lists the files of each output that has a `to:` in the configuration. A listed file is stale if the current plan
/// does not contain it. Other outputs are not listed, because their folders depend on the working directory. Their
/// files are recognized by the generated header.
///
/// A line with an output and its folder is followed by a line per file, with the file's path and source:
///
///     swift ../Generated/Swift
///     	Home.swift	home.md
///
/// Folders are relative to the manifest, files to the folder. The lines are sorted, and a union of both sides resolves
/// a merge conflict. Projects that commit generated files commit the manifest. Each configuration has a manifest:
/// `.android.yml.loggen-outputs` belongs to `android.yml`.
package struct FileManifest: Sendable {
    struct File: Sendable {
        /// The path relative to the output's folder.
        var path: String
        /// The definition file that the header names.
        var source: String
    }

    /// The files that an output has in a folder.
    struct Section: Sendable {
        var output: String
        /// The path relative to the manifest.
        var folder: String
        var files: [File] = []
    }

    /// The part of the manifest that a run replaces.
    private struct Scope: Sendable {
        /// The listed outputs and their folders, relative to the working directory.
        var listed: [(output: String, folder: String)] = []
        /// The outputs whose sections are replaced. They include outputs that the configuration no longer has.
        var replaced: Set<String> = []
        /// Indicates whether the run generates all files of its outputs. If not, its files are added to existing
        /// sections.
        var isWhole = false
    }

    package static let fileName = ".loggen-outputs"
    private static let head =
        "# Files that loggen generated, by output and folder: file, source. Commit with the files.\n"

    package let path: String
    private(set) var sections: [Section]
    private var scope = Scope()

    /// Reads the manifest of a configuration. An unreadable manifest counts as empty.
    package init(ofConfiguration configuration: String) {
        let name = configuration.split(separator: "/").last.map(String.init) ?? Configuration.fileName
        path = joined(
            LogProject.folder(of: configuration),
            name == Configuration.fileName ? Self.fileName : ".\(name)\(Self.fileName)")
        sections = Self.read(path)
    }

    /// Sets the part of the manifest that the run replaces.
    mutating func cover(_ outputs: [(output: String, folder: String)], replacing replaced: Set<String>, isWhole: Bool) {
        scope = Scope(listed: outputs, replaced: replaced, isWhole: isWhole)
    }

    /// The folder of a section, relative to the working directory.
    func folder(of section: Section) -> String { normalized(joined(LogProject.folder(of: path), section.folder)) }

    /// The files that the manifest lists for outputs of this run, and those that it lists for other outputs.
    var covered: (current: [Section], other: [Section]) {
        (
            sections.filter { scope.replaced.contains($0.output) },
            sections.filter { !scope.replaced.contains($0.output) }
        )
    }

    /// The folders of this run that are missing in the manifest, relative to the working directory.
    var newFolders: [String] {
        guard scope.isWhole else { return [] }
        return scope.listed.map(\.folder).filter { folder in
            let relative = relativeFolder(folder)
            return !sections.contains { $0.folder.isExactly(relative) }
        }
    }

    private func relativeFolder(_ folder: String) -> String {
        FileSystem.path(folder, seenFrom: LogProject.folder(of: path))
    }

    // MARK: Writing

    /// Adds files to the manifest before they are written: a killed run leaves no file that the manifest lacks.
    /// - Parameter files: the planned files of each listed output, by name.
    func add(_ files: [String: [File]]) async {
        await update { old in scope.listed.isEmpty ? old : Self.united(old + planned(files, into: old)) }
    }

    /// Replaces the sections of the run's outputs with their planned files.
    func finish(_ files: [String: [File]]) async {
        guard scope.isWhole else { return }
        await update { old in
            Self.united(old.filter { !scope.replaced.contains($0.output) } + planned(files, into: old))
        }
    }

    /// Takes back ``add(_:)`` after a run that wrote nothing.
    func withdraw() async {
        await update { current in
            let names = Set(scope.listed.map(\.output))
            return Self.united(
                current.filter { !names.contains($0.output) } + sections.filter { names.contains($0.output) })
        }
    }

    private func planned(_ files: [String: [File]], into old: [Section]) -> [Section] {
        scope.listed.compactMap { output in
            let folder = relativeFolder(output.folder)
            // A run for some definition files does not produce a complete section.
            guard scope.isWhole || old.contains(where: { $0.output == output.output && $0.folder.isExactly(folder) })
            else { return nil }
            return Section(output: output.output, folder: folder, files: files[output.output] ?? [])
        }
    }

    /// Reads the manifest again, since another run may have changed it, and writes it if it differs. A folder without
    /// write permission does not fail the run.
    private func update(_ change: @Sendable ([Section]) -> [Section]) async {
        try? await FolderLock.hold([LogProject.folder(of: path)]) {
            let old = Self.read(path)
            let bytes = Self.bytes(change(old))
            if bytes.isEmpty {
                if FileSystem.kind(path) != nil { try FileSystem.remove(path) }
            } else {
                try await OutputWriter.replaceChanged([OutputFile(path: path, bytes: bytes)])
            }
        }
    }

    /// Merges sections with the same output and folder. The writer keeps the last entry of each file.
    private static func united(_ sections: [Section]) -> [Section] {
        var result: [Section] = []
        var indices: [ExactText: Int] = [:]
        for section in sections {
            let key = ExactText("\(section.output) \(section.folder)")
            if let index = indices[key] {
                result[index].files += section.files
            } else {
                indices[key] = result.count
                result.append(section)
            }
        }
        return result
    }

    private static func bytes(_ sections: [Section]) -> [UInt8] {
        guard !sections.isEmpty else { return [] }
        var bytes = Array(head.utf8)
        let sorted = sections.sorted {
            ($0.output + " " + $0.folder).utf8.lexicographicallyPrecedes(($1.output + " " + $1.folder).utf8)
        }
        for section in sorted {
            bytes += "\(section.output) \(section.folder)\n".utf8
            var lines: [ExactText: String] = [:]
            for file in section.files where isListable(file) { lines[ExactText(file.path)] = file.source }
            for (path, source) in lines.sorted(by: { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }) {
                bytes += "\t\(path.text)\t\(source)\n".utf8
            }
        }
        return bytes
    }

    private static func isListable(_ file: File) -> Bool {
        let separators: Set<UInt8> = [0x09, 0x0A, 0x0D]
        return separators.isDisjoint(with: file.path.utf8) && separators.isDisjoint(with: file.source.utf8)
    }

    // MARK: Reading

    private static func read(_ path: String) -> [Section] {
        guard let bytes = try? FileSystem.read(path) else { return [] }
        var sections: [Section] = []
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.first == 0x09 {
                let parts = line.dropFirst().split(separator: 0x09, omittingEmptySubsequences: false)
                guard !sections.isEmpty, parts.count == 2, isBelow(parts[0]) else { continue }
                sections[sections.count - 1].files.append(
                    File(
                        path: String(decoding: parts[0], as: UTF8.self),
                        source: String(decoding: parts[1], as: UTF8.self)))
            } else if let section = section(line) {
                sections.append(section)
            }
        }
        return united(sections)
    }

    /// Parses the first line of a section; nil for other lines, such as comments and conflict markers.
    private static func section(_ line: ArraySlice<UInt8>) -> Section? {
        guard let blank = line.firstIndex(of: 0x20), blank > line.startIndex,
            line[..<blank].allSatisfy(isNameByte)
        else { return nil }
        let folder = line[(blank + 1)...]
        guard let first = folder.first, first != UInt8(ascii: "/") else { return nil }
        return Section(
            output: String(decoding: line[..<blank], as: UTF8.self), folder: String(decoding: folder, as: UTF8.self))
    }

    /// Returns true if the names of outputs contain the byte: ASCII letters, digits, `-` and `_`.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Returns true if a relative path stays in its folder.
    private static func isBelow(_ path: ArraySlice<UInt8>) -> Bool {
        !path.isEmpty && path.first != UInt8(ascii: "/")
            && !path.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(Array("..".utf8)) }
    }
}
