import LogDefinitions
import LogEmission

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Brings folders to what a plan says: all of it, or nothing.
///
/// New bytes are first written to a staging folder inside each output's folder; only when every file is there are they renamed
/// into place. A disk that fills up leaves the old files as they were.
struct OutputWriter {
    struct Target: Sendable {
        var path: String
        var bytes: [UInt8]
    }

    struct Outcome {
        var written = 0
        var unchanged = 0
        var removed = 0
    }

    /// Files by their full path, and the folders they belong to; in those, generated files that the plan lacks are removed.
    static func write(_ targets: [Target], folders: [Folder]) async throws(FileProblem) -> Outcome {
        let states = await inParallel(sizes: targets.map(\.bytes.count)) { state(of: targets[$0]) }
        var changed: [Target] = []
        for (target, state) in zip(targets, states) {
            switch state {
            case .changed: changed.append(target)
            case .unchanged: break
            case .failed(let problem): throw problem
            }
        }
        let stale = try staleFiles(in: folders, keeping: Set(targets.map(\.path)))
        try await replace(changed, folders: folders)
        for path in stale { try FileSystem.remove(path) }
        return Outcome(written: changed.count, unchanged: targets.count - changed.count, removed: stale.count)
    }

    /// A file that `write` would change.
    struct Difference: Sendable {
        var path: String
        /// What stands there; nil where nothing does.
        var old: [UInt8]?
        /// What is to stand there; nil where the file is to go.
        var new: [UInt8]?
    }

    /// What `write` would change, in order of path.
    static func differences(_ targets: [Target], folders: [Folder]) async throws(FileProblem) -> [Difference] {
        let states = await inParallel(sizes: targets.map(\.bytes.count)) { state(of: targets[$0]) }
        var differences: [Difference] = []
        for (target, state) in zip(targets, states) {
            switch state {
            case .changed:
                let old = FileSystem.kind(target.path) == nil ? nil : try FileSystem.read(target.path)
                differences.append(Difference(path: target.path, old: old, new: target.bytes))
            case .unchanged: break
            case .failed(let problem): throw problem
            }
        }
        for path in try staleFiles(in: folders, keeping: Set(targets.map(\.path))) {
            differences.append(Difference(path: path, old: try FileSystem.read(path), new: nil))
        }
        return differences.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// A folder that an output owns, with the ending its files have.
    struct Folder: Sendable {
        var path: String
        var fileExtension: String
    }

    private enum State: Sendable {
        case changed, unchanged
        case failed(FileProblem)
    }

    private static func state(of target: Target) -> State {
        switch FileSystem.kind(target.path) {
        case nil: return .changed
        case .file:
            do throws(FileProblem) {
                return try FileSystem.read(target.path) == target.bytes ? .unchanged : .changed
            } catch {
                return .failed(error)
            }
        default: return .failed(FileProblem("cannot write `\(target.path)`: something that is no file stands there"))
        }
    }

    /// Files with our header that nothing produces any more.
    private static func staleFiles(in folders: [Folder], keeping kept: Set<String>) throws(FileProblem) -> [String] {
        var stale: [String] = []
        for folder in folders where FileSystem.kind(folder.path) == .directory {
            for entry in try FileSystem.entries(folder.path) {
                let path = joined(folder.path, entry.name)
                guard entry.name.hasSuffix("." + folder.fileExtension), !kept.contains(path), FileSystem.kind(path) == .file,
                    GeneratedHeader.isPresent(in: try FileSystem.read(path))
                else { continue }
                stale.append(path)
            }
        }
        return stale
    }

    private static func replace(_ targets: [Target], folders: [Folder]) async throws(FileProblem) {
        guard !targets.isEmpty else { return }
        var stagings: [String: String] = [:]
        defer { for staging in stagings.values { FileSystem.removeStaging(staging) } }
        for target in targets {
            let folder = folder(of: target.path)
            guard stagings[folder] == nil else { continue }
            try FileSystem.createDirectory(folder)
            removeAbandonedStagings(in: folder)
            let staging = joined(folder, "\(stagingPrefix)\(getpid())")
            try FileSystem.createDirectory(staging)
            stagings[folder] = staging
        }
        let folders = stagings
        func staged(_ target: Target) -> String {
            joined(folders[folder(of: target.path)] ?? ".", target.path.split(separator: "/").last.map(String.init) ?? target.path)
        }
        let paths = targets.map { staged($0) }
        let problems = await inParallel(sizes: targets.map(\.bytes.count)) { index -> FileProblem? in
            do throws(FileProblem) {
                try FileSystem.create(paths[index], targets[index].bytes)
                return nil
            } catch {
                return error
            }
        }
        for problem in problems { if let problem { throw problem } }
        for (target, path) in zip(targets, paths) { try FileSystem.rename(path, to: target.path) }
    }

    private static let stagingPrefix = ".loggen-"

    /// Removes what processes that were killed have left.
    private static func removeAbandonedStagings(in folder: String) {
        for entry in (try? FileSystem.entries(folder)) ?? [] where entry.name.hasPrefix(stagingPrefix) {
            guard let process = pid_t(entry.name.dropFirst(stagingPrefix.count)), kill(process, 0) != 0, errno == ESRCH else { continue }
            FileSystem.removeStaging(joined(folder, entry.name))
        }
    }
}
