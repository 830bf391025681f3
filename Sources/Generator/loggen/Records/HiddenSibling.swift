import LogProject

/// A hidden file or folder next to a target. A run writes to this item, keeps it locked, and renames it to the target
/// at the end. An item without a lock was abandoned by a killed run.
struct HiddenSibling {
    enum Kind: CaseIterable {
        case new
        /// A folder that has been moved away to make room for a new one.
        case replaced

        fileprivate var suffix: String {
            switch self {
            case .new: ".loggen"
            case .replaced: ".replaced.loggen"
            }
        }
    }

    let path: String
    /// The descriptor of the open and locked item.
    let descriptor: Int32

    /// Creates the item, and removes items that killed runs have left.
    /// - Parameter create: creates and opens the item.
    init(of target: String, _ create: (_ path: String) throws(FileError) -> Int32) throws(FileError) {
        Self.forEachAbandoned(of: target) { path, kind in
            if kind == .new, unlink(path) != 0 { FileSystem.removeStaging(path) }
        }
        path = Self.path(of: target)
        for attempt in 0..<100 {
            // Another run locks the item briefly while it searches for abandoned ones.
            if attempt > 0 { usleep(5_000) }
            let descriptor = try create(path)
            // A concurrent run may have removed the item as abandoned. On file systems without locks, no run removes
            // it.
            if Self.lock(descriptor) != .isTaken, FileSystem.identity(path) == FileSystem.identity(of: descriptor) {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
        if unlink(path) != 0 { rmdir(path) }
        throw FileError("write", target, EBUSY)
    }

    static func path(of target: String, _ kind: Kind = .new, process: Int32 = getpid()) -> String {
        joined(folder(of: target), ".\(target.split(separator: "/").last ?? "records").\(process)\(kind.suffix)")
    }

    /// Calls `body` with each abandoned item, which is locked during the call.
    static func forEachAbandoned(of target: String, _ body: (_ path: String, Kind) -> Void) {
        let parent = folder(of: target)
        for entry in (try? FileSystem.entries(parent)) ?? []
        where entry.name.hasPrefix(".") && entry.name.hasSuffix(Kind.new.suffix) {
            guard let process = entry.name.split(separator: ".").reversed().lazy.compactMap({ Int32($0) }).first else {
                continue
            }
            let path = joined(parent, entry.name)
            guard let kind = Kind.allCases.first(where: { Self.path(of: target, $0, process: process) == path }) else {
                continue
            }
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            switch lock(descriptor) {
            case .isHeld: body(path, kind)
            // Without locks, the process identifier decides: another running process cannot have ours.
            case .isMissing: if process == getpid() { body(path, kind) }
            case .isTaken: break
            }
        }
    }

    private enum Lock {
        case isHeld, isTaken
        /// The file system does not support locks, as some network file systems.
        case isMissing
    }

    private static func lock(_ descriptor: Int32) -> Lock {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return .isHeld }
        return [ENOLCK, ENOTSUP, EOPNOTSUPP, EINVAL].contains(errno) ? .isMissing : .isTaken
    }
}
