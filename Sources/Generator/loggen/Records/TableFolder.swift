import LogProject

/// A folder with a file of rows for each table. The folder appears complete or not at all: the files are written to a
/// hidden folder, which is renamed at the end of the run.
final class TableFolder {
    /// The number of a table's pending bytes that causes a write. Small writes are slow: each opens the table's file.
    private static let bytesPerWrite = 1 << 18
    /// The maximum of pending bytes in memory: a thousand tables may each have fewer than `bytesPerWrite`.
    private static let maximumPendingBytes = 1 << 25

    private let path: String
    private let target: String
    private let names: [String]
    private let isForced: Bool
    /// The hidden folder; nil after it has been renamed or removed.
    private var staging: String?
    /// The descriptor of the lock, which is held until the folder is in place.
    private let lockDescriptor: Int32
    private var pendingRows: [[[UInt8]]]
    private var counts: [Int]
    private var total = 0

    /// Creates the hidden folder.
    /// - Parameter isForced: whether the files of an earlier run may be replaced.
    init(_ path: String, _ tables: [String], isForced: Bool) throws(FileError) {
        let target = FileSystem.resolved(FileSystem.resolvedLink(normalized(path)))
        (self.path, self.target, self.isForced, names) = (path, target, isForced, tables.map { $0 + ".ndjson" })
        let workingFolder = FileSystem.resolved(".")
        if workingFolder == target || workingFolder.hasPrefix(target + "/") {
            throw FileError("cannot write `\(path)`: it is the working folder; name a folder for the rows alone")
        }
        let mode = FileSystem.mode(target).map { mode_t($0) & 0o7777 }
        let sibling = try HiddenSibling(of: target) { staging throws(FileError) in
            guard mkdir(staging, mode ?? 0o777) == 0 || errno == EEXIST else { throw FileError("write", path, errno) }
            let descriptor = open(staging, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw FileError("write", path, errno) }
            return descriptor
        }
        (staging, lockDescriptor) = (sibling.path, sibling.descriptor)
        pendingRows = Array(repeating: [], count: tables.count)
        counts = Array(repeating: 0, count: tables.count)
        restoreAfterKill()
        try Self.check(path, target, names, isForced)
        if let mode = FileSystem.mode(target) { chmod(sibling.path, mode_t(mode) & 0o7777) }
    }

    deinit {
        abandon()
        close(lockDescriptor)
    }

    private func restoreAfterKill() {
        if let staging { for entry in (try? FileSystem.entries(staging)) ?? [] { unlink(joined(staging, entry.name)) } }
        let old = HiddenSibling.path(of: target, suffix: ".replaced")
        guard FileSystem.kind(old) != nil else { return }
        if FileSystem.kind(target) != nil || (try? FileSystem.rename(old, to: target)) == nil {
            Self.removeRows(old, names)
        }
    }

    /// Removes the files of rows, and the folder unless it contains other files.
    private static func removeRows(_ folder: String, _ names: [String]) {
        for name in names { unlink(joined(folder, name)) }
        rmdir(folder)
    }

    /// Throws if an existing folder must not be replaced: it contains other files, or replacement was not requested.
    private static func check(_ path: String, _ target: String, _ names: [String], _ isForced: Bool) throws(FileError) {
        switch FileSystem.kind(target) {
        case nil: return
        case .directory: break
        default: throw FileError("cannot write `\(path)`: it is not a folder")
        }
        let entries = try FileSystem.entries(target)
        let known = Set(names)
        if let other = entries.first(where: { !known.contains($0.name) || $0.kind == .directory || $0.kind == .other })
        {
            throw FileError(
                "cannot write `\(path)`: it contains `\(other.name)`, which is not a file of its tables; "
                    + "name a folder for the rows alone"
            )
        }
        if !entries.isEmpty, !isForced {
            throw FileError(
                "cannot write `\(path)`: it contains rows of an earlier run; "
                    + "move them away, or replace them with `--force`"
            )
        }
    }

    /// - Parameter rows: the bytes for each table.
    func write(_ rows: [[UInt8]]) throws(FileError) {
        for (table, bytes) in rows.enumerated() where !bytes.isEmpty {
            pendingRows[table].append(bytes)
            counts[table] += bytes.count
            total += bytes.count
            if counts[table] >= Self.bytesPerWrite { try flush(table) }
        }
        if total >= Self.maximumPendingBytes { try flush() }
    }

    private func flush() throws(FileError) {
        for table in names.indices where counts[table] > 0 { try flush(table) }
    }

    private func flush(_ table: Int) throws(FileError) {
        try withFile(of: table) { descriptor in
            for bytes in pendingRows[table] {
                let failure = FileSystem.write(bytes, to: descriptor)
                if failure != 0 { return failure }
            }
            return 0
        }
        pendingRows[table] = []
        total -= counts[table]
        counts[table] = 0
    }

    /// Opens a table's file for `work`, which returns 0 or an `errno`. A process cannot keep a thousand files open.
    private func withFile(of table: Int, _ work: (Int32) -> Int32) throws(FileError) {
        guard let staging else { throw FileError("write", path, ENOENT) }
        let descriptor = open(joined(staging, names[table]), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError("write", path, errno) }
        defer { close(descriptor) }
        let failure = work(descriptor)
        if failure != 0 { throw FileError("write", path, failure) }
    }

    /// Writes the pending rows and moves the folder into place.
    func finish() throws(FileError) {
        try flush()
        // Each table has a file, even without rows, because the load script names all files. Empty files are not
        // synchronized: `fsync` of thousands would take a minute.
        for table in names.indices {
            try withFile(of: table) { lseek($0, 0, SEEK_END) == 0 || fsync($0) == 0 ? 0 : errno }
        }
        try Self.check(path, target, names, isForced)
        guard let staging else { return }
        try place(staging)
        self.staging = nil
    }

    /// Moves the folder into place. An existing folder is moved away first and removed afterwards.
    private func place(_ staging: String) throws(FileError) {
        guard FileSystem.kind(target) == .directory else { return try FileSystem.rename(staging, to: target) }
        let old = HiddenSibling.path(of: target, suffix: ".replaced")
        do throws(FileError) { try FileSystem.rename(target, to: old) } catch {
            throw FileError("cannot replace `\(path)`: \(error)")
        }
        do throws(FileError) {
            try FileSystem.rename(staging, to: target)
        } catch {
            try? FileSystem.rename(old, to: target)
            throw error
        }
        Self.removeRows(old, names)
    }

    /// Removes the hidden folder of a failed run.
    func abandon() {
        if let staging { FileSystem.removeStaging(staging) }
        staging = nil
    }
}
