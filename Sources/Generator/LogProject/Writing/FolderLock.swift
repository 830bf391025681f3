import LogDefinitions

/// An advisory lock on folders (`flock`). Runs that read a file there and write it back take turns.
///
/// The system releases a lock when its process ends. Folders without locks, as on some network file systems, stay
/// unlocked.
package enum FolderLock {
    /// Runs the work while this process alone holds the locks of all folders. Waits until other processes release them.
    ///
    /// The work must not lock another folder: two runs could deadlock.
    package static func hold<Result>(_ folders: [String], _ work: () async throws -> Result) async throws -> Result {
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        // The same order in all runs prevents deadlocks. A folder with two names is locked once, because a second lock
        // of the same folder would never be granted.
        for folder in Set(folders.map { ExactString(FileSystem.resolved($0)) }).map(\.text).sorted(by: {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }) {
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            descriptors.append(descriptor)
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        }
        return try await work()
    }
}
