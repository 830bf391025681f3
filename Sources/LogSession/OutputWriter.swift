import LogDefinitions
package import LogEmission

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
package struct OutputWriter {
    package struct Outcome {
        package var written = 0
        package var unchanged = 0
        package var removed = 0
    }

    /// Writes what a plan makes, and removes generated files from its folders that it does not make.
    package static func write(_ plan: OutputPlan) async throws(FileProblem) -> Outcome {
        let (changed, kept) = try await comparison(with: plan.files)
        let stale = try staleFiles(in: plan.outputs, keeping: kept)
        try await replace(changed)
        for path in stale { try FileSystem.remove(path) }
        return Outcome(written: changed.count, unchanged: kept.count - changed.count, removed: stale.count)
    }

    /// Writes single files.
    package static func write(_ files: [OutputFile]) async throws(FileProblem) {
        try await replace(try await comparison(with: files.map { file in { file } }).changed)
    }

    /// A file that `write` would change.
    package struct Difference: Sendable {
        package var path: String
        /// What stands there; nil where nothing does.
        package var old: [UInt8]?
        /// What is to stand there; nil where the file is to go.
        package var new: [UInt8]?
    }

    /// What `write` would change, in order of path.
    package static func differences(_ plan: OutputPlan) async throws(FileProblem) -> [Difference] {
        let (changed, kept) = try await comparison(with: plan.files)
        var differences: [Difference] = []
        for file in changed {
            let old = FileSystem.kind(file.path) == nil ? nil : try FileSystem.read(file.path)
            differences.append(Difference(path: file.path, old: old, new: file.bytes))
        }
        for path in try staleFiles(in: plan.outputs, keeping: kept) {
            differences.append(Difference(path: path, old: try FileSystem.read(path), new: nil))
        }
        return differences.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private enum State: Sendable {
        case nothing
        case unchanged(String)
        case changed(OutputFile)
        case failed(FileProblem)
    }

    /// Makes files and keeps those that do not stand on disk already; `paths` are those of all.
    private static func comparison(
        with files: [@Sendable () -> OutputFile?]
    ) async throws(FileProblem) -> (changed: [OutputFile], paths: Set<String>) {
        let states = await inParallel(sizes: files.map { _ in 4096 }) { index in files[index]().map(state) ?? .nothing }
        var changed: [OutputFile] = []
        var paths = Set<String>(minimumCapacity: files.count)
        for state in states {
            switch state {
            case .nothing: break
            case .unchanged(let path): paths.insert(path)
            case .changed(let file):
                paths.insert(file.path)
                changed.append(file)
            case .failed(let problem): throw problem
            }
        }
        return (changed, paths)
    }

    private static func state(of file: OutputFile) -> State {
        do throws(FileProblem) {
            return try FileSystem.holds(file.path, file.bytes) ? .unchanged(file.path) : .changed(file)
        } catch {
            return .failed(error)
        }
    }

    /// Files with our header that nothing produces any more.
    private static func staleFiles(in outputs: [Output], keeping kept: Set<String>) throws(FileProblem) -> [String] {
        var stale: [String] = []
        for output in outputs where FileSystem.kind(output.folder) == .directory {
            for entry in try FileSystem.entries(output.folder) {
                let path = joined(output.folder, entry.name)
                guard entry.name.hasSuffix("." + output.fileExtension), !kept.contains(path), FileSystem.kind(path) == .file,
                    GeneratedHeader.isPresent(in: try FileSystem.read(path))
                else { continue }
                stale.append(path)
            }
        }
        return stale
    }

    private static func replace(_ targets: [OutputFile]) async throws(FileProblem) {
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
        func staged(_ target: OutputFile) -> String {
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
