import LogProject

/// A hidden file or folder next to a target. A run writes to this item, keeps it locked, and renames it to the target
/// at the end. The next run uses an item that a killed run has left.
struct HiddenSibling {
    let path: String
    /// The descriptor of the open and locked item.
    let descriptor: Int32

    /// Creates the item. It may have the content of a killed run.
    /// - Parameter create: opens the item, and creates it if it is missing.
    init(of target: String, _ create: (_ path: String) throws(FileError) -> Int32) throws(FileError) {
        path = Self.path(of: target)
        while true {
            let descriptor = try create(path)
            // File systems without locks, such as some network file systems, have no protection from concurrent runs.
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                close(descriptor)
                throw FileError("cannot write `\(target)`: another run of loggen is writing it")
            }
            // A run may have renamed or removed the item before it was locked here.
            if FileSystem.identity(path) == FileSystem.identity(of: descriptor) {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
    }

    /// Returns the path of a target's hidden sibling: `.records.ndjson.loggen` for `records.ndjson`.
    static func path(of target: String, suffix: String = "") -> String {
        joined(folder(of: target), ".\(target.split(separator: "/").last ?? "records")\(suffix).loggen")
    }
}
