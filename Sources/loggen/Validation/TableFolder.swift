import LogSession
import Synchronization

/// A folder with a file of rows for each table. It is written aside, and renamed at the end of the run: it appears as a whole
/// or not at all.
final class TableFolder: Sendable {
    /// How many bytes of a table are written at once.
    private static let blockSize = 1 << 18
    /// How many bytes of all tables wait.
    private static let mostWaiting = 1 << 25

    private struct State: ~Copyable {
        /// The hidden folder beside the target; nil once it is in its place, or removed.
        var staging: String?
        /// Locked as long as the process lives.
        var lock: Int32
        /// By table.
        var waiting: [[[UInt8]]]
        var counts: [Int]
        var total = 0
    }

    private let path: String
    private let target: String
    private let names: [String]
    private let isForced: Bool
    private let state: Mutex<State>

    /// - Parameter isForced: whether the files of an earlier run may be replaced.
    init(_ path: String, _ tables: [String], isForced: Bool) throws(FileProblem) {
        var target = path
        while target.utf8.count > 1, target.utf8.last == UInt8(ascii: "/") { target.removeLast() }
        target = FileSystem.resolvedLink(target)
        (self.path, self.target, self.isForced, names) = (path, target, isForced, tables.map { $0 + ".ndjson" })
        try Self.check(path, target, names, isForced)
        let name = target.split(separator: "/").last.map(String.init) ?? "records"
        let folder = folder(of: target)
        Self.removeRemains(of: name, in: folder)
        let staging = joined(folder, ".\(name).\(getpid()).loggen")
        guard mkdir(staging, 0o777) == 0 else { throw FileProblem("write", path, errno) }
        let lock = open(staging, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if lock >= 0 { flock(lock, LOCK_EX | LOCK_NB) }
        // A run that began at the same moment may have taken it for remains.
        if FileSystem.kind(staging) == nil, mkdir(staging, 0o777) != 0 { throw FileProblem("write", path, errno) }
        state = Mutex(
            State(
                staging: staging, lock: lock, waiting: Array(repeating: [], count: tables.count), counts: Array(repeating: 0, count: tables.count)))
    }

    /// A folder is replaced if nothing but files of these tables is in it, and if that was asked for.
    private static func check(_ path: String, _ target: String, _ names: [String], _ isForced: Bool) throws(FileProblem) {
        switch FileSystem.kind(target) {
        case nil: return
        case .directory: break
        default: throw FileProblem("cannot write `\(path)`: it is no folder")
        }
        let entries = try FileSystem.entries(target)
        let known = Set(names)
        if let other = entries.map(\.name).sorted().first(where: { !known.contains($0) }) {
            throw FileProblem("cannot write `\(path)`: it holds `\(other)`, which is no file of its tables; name a folder for the rows alone")
        }
        if !entries.isEmpty, !isForced {
            throw FileProblem("cannot write `\(path)`: there are rows of an earlier run; move them away, or let `--force` replace them")
        }
    }

    /// Removes hidden folders of runs that were killed.
    private static func removeRemains(of name: String, in folder: String) {
        guard let entries = try? FileSystem.entries(folder) else { return }
        for entry in entries.map(\.name) where entry.hasPrefix(".\(name).") && entry.hasSuffix(".loggen") {
            let id = entry.dropFirst(name.count + 2).dropLast(".loggen".count)
            guard !id.isEmpty, id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
            let remains = joined(folder, entry)
            let lock = open(remains, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard lock >= 0 else { continue }
            defer { close(lock) }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(remains) }
        }
    }

    private static func remove(_ folder: String) {
        for entry in (try? FileSystem.entries(folder)) ?? [] { unlink(joined(folder, entry.name)) }
        rmdir(folder)
    }

    /// - Parameter rows: by table.
    func write(_ rows: [[UInt8]]) throws(FileProblem) {
        let failure = state.withLock { state -> Int32 in
            for (table, bytes) in rows.enumerated() where !bytes.isEmpty {
                state.waiting[table].append(bytes)
                state.counts[table] += bytes.count
                state.total += bytes.count
                if state.counts[table] >= Self.blockSize {
                    let failure = flush(table, &state)
                    if failure != 0 { return failure }
                }
            }
            return state.total >= Self.mostWaiting ? flush(&state) : 0
        }
        if failure != 0 { throw FileProblem("write", path, failure) }
    }

    private func flush(_ state: inout State) -> Int32 {
        for table in names.indices where state.counts[table] > 0 {
            let failure = flush(table, &state)
            if failure != 0 { return failure }
        }
        return 0
    }

    /// Appends to a table's file. It is opened for each block: a thousand tables are more than a process may have open.
    private func flush(_ table: Int, _ state: inout State) -> Int32 {
        guard let staging = state.staging else { return ENOENT }
        let descriptor = open(joined(staging, names[table]), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        for bytes in state.waiting[table] {
            let failure = FileSystem.write(bytes, to: descriptor)
            if failure != 0 { return failure }
        }
        state.waiting[table] = []
        state.total -= state.counts[table]
        state.counts[table] = 0
        return 0
    }

    /// Writes what waits, and puts the folder into its place.
    func finish() throws(FileProblem) {
        let failure = state.withLock { state -> Int32 in
            var failure = flush(&state)
            for name in names where failure == 0 { failure = synchronize(name, state.staging) }
            return failure
        }
        if failure != 0 { throw FileProblem("write", path, failure) }
        try Self.check(path, target, names, isForced)
        let staging = state.withLock { $0.staging }
        guard let staging else { return }
        if FileSystem.kind(target) == .directory { Self.remove(target) }
        try FileSystem.rename(staging, to: target)
        state.withLock { state in
            state.staging = nil
            close(state.lock)
        }
    }

    /// Each table has a file, also without rows: the load names them all.
    private func synchronize(_ name: String, _ staging: String?) -> Int32 {
        guard let staging else { return ENOENT }
        let descriptor = open(joined(staging, name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        // An empty file has nothing to lose, and thousands of them would take a minute.
        return lseek(descriptor, 0, SEEK_END) == 0 || fsync(descriptor) == 0 ? 0 : errno
    }

    /// Leaves nothing behind of a run that has failed.
    func abandon() {
        state.withLock { state in
            if let staging = state.staging { Self.remove(staging) }
            state.staging = nil
        }
    }
}
