import Foundation
import ScenarioRunner

/// The file to which a page is written.
///
/// A page may overwrite a file whose name ends in `.html`, an empty file, or a page of trackscope. It never overwrites
/// a scenario, whatever its name. A symbolic link stays a link; the rules apply to its target.
struct PageFile {
    private let path: String
    private let scenarios: [String]

    init(_ path: String, scenarios: [String]) {
        self.path = path
        self.scenarios = scenarios
    }

    /// Throws if a page must not be written to this path.
    func check() throws(FileError) { _ = try checkedTarget() }

    /// Writes a page, whole or not at all. An existing file keeps its mode.
    /// - Returns: whether a file that trackscope did not write was replaced.
    func write(_ page: String) throws(FileError) -> Bool {
        let (target, isOthers) = try checkedTarget()
        // Signals are blocked, because a signal between the steps would leave a temporary file.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let temporary = Self.folderWithSlash(of: target) + ".trackscope-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError("\(path) cannot be written: \(FileError.system())") }
        if let old = SystemCalls.status(target) {
            // Only root can set another owner, so a failure is ignored.
            _ = fchown(descriptor, old.st_uid, old.st_gid)
            fchmod(descriptor, old.st_mode & 0o7777)
        }
        var problem = SystemCalls.write(Array(page.utf8), to: descriptor)
        if fsync(descriptor) != 0, problem == 0, errno != EINVAL { problem = errno }
        if close(descriptor) != 0, problem == 0 { problem = errno }
        if problem == 0, rename(temporary, target) != 0 { problem = errno }
        guard problem == 0 else {
            unlink(temporary)
            throw FileError("\(path) cannot be written: \(FileError.system(problem))")
        }
        return isOthers
    }

    private func checkedTarget() throws(FileError) -> (path: String, isOthers: Bool) {
        guard !path.isEmpty else { throw FileError("--html needs the name of a file, such as timeline.html") }
        let target = try target()
        for scenario in scenarios where Self.isSame(target, scenario) {
            throw FileError(
                "\(path) is one of the scenarios, and a page would overwrite it; name another file after --html, "
                    + "such as timeline.html"
            )
        }
        guard let status = SystemCalls.status(target) else { return (target, false) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR:
            throw FileError("\(path) is a directory; name a file after --html, such as \(path)/timeline.html")
        default: throw FileError("\(path) is not a regular file; name one after --html, such as timeline.html")
        }
        // `rename` needs permission for the folder only, and would replace a file that is write-protected.
        guard access(target, W_OK) == 0 else { throw FileError("\(path) cannot be written: \(FileError.system())") }
        guard status.st_size > 0 else { return (target, false) }
        let isOthers = try !isPageOfTrackscope(target)
        guard !isOthers || target.hasSuffix(".html") else {
            let named = target == path ? path : "\(path), which leads to \(target),"
            throw FileError(
                "\(named) is not a page of trackscope and is not overwritten; name a file that ends in .html, "
                    + "or remove this one first"
            )
        }
        return (target, isOthers)
    }

    private func isPageOfTrackscope(_ target: String) throws(FileError) -> Bool {
        let head = Array(Timeline.pageHead.utf8)
        let descriptor = open(target, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw FileError("\(path) cannot be read, so it is not overwritten: \(FileError.system())")
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: head.count)
        return pread(descriptor, &buffer, buffer.count, 0) == buffer.count && buffer == head
    }

    /// Returns the path to which symbolic links lead, even if the file does not exist.
    private func target() throws(FileError) -> String {
        var target = path
        for _ in 0..<40 {
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { return target }
            target = link.hasPrefix("/") ? link : Self.folderWithSlash(of: target) + link
        }
        throw FileError("\(path) is a symbolic link without a target; name another file after --html")
    }

    private static func folderWithSlash(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)])
    }

    /// Returns whether two paths refer to the same file, or would do so if the file existed.
    private static func isSame(_ target: String, _ scenario: String) -> Bool {
        func isOne(_ left: stat?, _ right: stat?) -> Bool {
            left.map { left in right.map { left.st_dev == $0.st_dev && left.st_ino == $0.st_ino } ?? false } ?? false
        }
        if scenario == "-" {
            var input = stat()
            return fstat(STDIN_FILENO, &input) == 0 && isOne(SystemCalls.status(target), input)
        }
        if isOne(SystemCalls.status(target), SystemCalls.status(scenario)) { return true }
        let folders = [target, scenario].map {
            SystemCalls.status(Self.folderWithSlash(of: $0).isEmpty ? "." : Self.folderWithSlash(of: $0))
        }
        return target.split(separator: "/").last == scenario.split(separator: "/").last && isOne(folders[0], folders[1])
    }
}
