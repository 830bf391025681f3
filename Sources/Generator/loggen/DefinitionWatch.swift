import CommandOptions
import LogDefinitions
import LogProject

/// A watch on the files that a run reads.
///
/// The watch polls modification times and sizes. This works on every system and detects editors that save by renaming.
/// A poll of 1,000 files takes a few milliseconds.
struct DefinitionWatch {
    fileprivate struct Stamp: Equatable {
        var path: String
        var inode: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    /// The state of all files that are read, or the problem that prevents reading.
    struct State: Equatable {
        fileprivate var stamps: [Stamp] = []
        fileprivate(set) var problem: String?
    }

    let paths: [String]
    let options: CommonOptions
    let templates: String?

    /// The interval between polls in nanoseconds. A change is reported after two polls with the same result.
    static let interval: UInt64 = 250_000_000

    func state() -> State {
        do throws(FileError) {
            var files: [String] = []
            for folder in try DefinitionFolder.find(paths, options.project) {
                files += folder.documents.map(\.path)
                files.append(joined(folder.root, "loggen.lock"))
                if let path = folder.configuration.path { files.append(path) }
                files += folder.configuration.outputs?.flatMap { $0.output.files.map(\.path) } ?? []
                if let templates = templates ?? folder.configuration.templates {
                    try files += Self.files(in: templates)
                }
            }
            return State(stamps: files.compactMap(Self.stamp))
        } catch {
            // A problem may be temporary, for example while a file is renamed, or permanent, such as a removed folder.
            return State(problem: "\(error)")
        }
    }

    /// Waits until the state differs from `old` and is the same in two polls.
    func change(since old: State) async throws -> State {
        var last = old
        while true {
            try await Task.sleep(nanoseconds: Self.interval)
            let now = state()
            if now == last, now != old { return now }
            last = now
        }
    }

    /// Returns the files in a folder and below. Each folder is read once, because a link may lead to a parent folder.
    private static func files(in folder: String) throws(FileError) -> [String] {
        var files: [String] = []
        var folders = [folder]
        var seen: Set<ExactString> = []
        while let folder = folders.popLast() {
            guard seen.insert(ExactString(FileSystem.resolved(folder))).inserted else { continue }
            for entry in try FileSystem.entries(folder) where !entry.name.hasPrefix(".") {
                let path = joined(folder, entry.name)
                if FileSystem.kind(path) == .directory { folders.append(path) } else { files.append(path) }
            }
        }
        return files
    }

    private static func stamp(_ path: String) -> Stamp? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        #if canImport(Darwin)
            let time = info.st_mtimespec
        #else
            let time = info.st_mtim
        #endif
        return Stamp(
            path: path, inode: UInt64(truncatingIfNeeded: info.st_ino), size: Int64(info.st_size),
            seconds: Int(time.tv_sec),
            nanoseconds: Int(time.tv_nsec))
    }
}
