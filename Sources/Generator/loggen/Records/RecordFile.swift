import LogProject

/// A file of records that appears complete at the end of the run, or not at all. The records are written to a hidden
/// file, which is renamed. A path that is not a regular file, such as a pipe, is written directly.
final class RecordFile {
    let path: String
    private var staging: String?
    private let descriptor: Int32
    private let isForced: Bool

    /// - Parameter isForced: whether an existing file may be replaced. An empty file is always replaced.
    init(_ path: String, isForced: Bool) throws(FileError) {
        (self.path, self.isForced) = (path, isForced)
        var info = stat()
        let exists = stat(path, &info) == 0
        if exists, info.st_mode & S_IFMT == S_IFDIR { throw FileError("write", path, EISDIR) }
        if exists, info.st_mode & S_IFMT != S_IFREG {
            staging = nil
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw FileError("write", path, errno) }
            return
        }
        if exists { try Self.check(path, info, isForced) }
        // A symbolic link is kept, and the file that it refers to is replaced.
        let sibling = try HiddenSibling(of: FileSystem.resolvedLink(path)) { staging throws(FileError) in
            let descriptor = open(
                staging, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, exists ? info.st_mode & 0o7777 : 0o644)
            guard descriptor >= 0 else { throw FileError("write", path, errno) }
            return descriptor
        }
        (staging, descriptor) = (sibling.path, sibling.descriptor)
        ftruncate(descriptor, 0)
    }

    private static func check(_ path: String, _ info: stat, _ isForced: Bool) throws(FileError) {
        if info.st_size > 0, !isForced {
            throw FileError("cannot write `\(path)`: the file exists; move it away, or replace it with `--force`")
        }
    }

    func write(_ bytes: [UInt8]) throws(FileError) {
        let failure = FileSystem.write(bytes, to: descriptor)
        if failure != 0 { throw FileError("write", path, failure) }
    }

    /// Renames the hidden file to its final path.
    func finish() throws(FileError) {
        guard let staging else { return }
        if fsync(descriptor) != 0 { throw FileError("write", path, errno) }
        // Another run may have written the file in the meantime.
        var info = stat()
        if stat(path, &info) == 0 { try Self.check(path, info, isForced) }
        try FileSystem.rename(staging, to: FileSystem.resolvedLink(path))
        self.staging = nil
    }

    /// Removes the hidden file, unless `finish()` has renamed it.
    func abandon() {
        if let staging { unlink(staging) }
        staging = nil
    }

    deinit {
        abandon()
        close(descriptor)
    }
}
