import Foundation
import ScenarioRunner

/// The file that a page goes to.
///
/// It is one that a page may overwrite: its name ends in `.html`, or it does not exist, is empty, or holds a page of ours. It is none of the scenarios,
/// under whatever name. A symbolic link stays one, and what it leads to is what is written and has to allow it.
struct PageFile {
    private let path: String
    private let scenarios: [String]

    init(_ path: String, scenarios: [String]) {
        self.path = path
        self.scenarios = scenarios
    }

    /// Whether a page may be written there.
    func check() throws(FileProblem) { _ = try checkedTarget() }

    /// Writes a page, whole or not at all. A file that is there keeps its mode.
    /// - Returns: whether there was something else before that is none of ours.
    func write(_ page: String) throws(FileProblem) -> Bool {
        let (target, isOthers) = try checkedTarget()
        // A signal between the two steps would leave the half behind; it comes after them.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let temporary = Self.directory(of: target) + ".trackscope-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileProblem("\(path) cannot be written: \(FileProblem.system())") }
        if let old = Files.status(target) {
            // Whose it is can be kept by the administrator alone.
            _ = fchown(descriptor, old.st_uid, old.st_gid)
            fchmod(descriptor, old.st_mode & 0o7777)
        }
        var problem = Files.write(Array(page.utf8), to: descriptor)
        if fsync(descriptor) != 0, problem == 0, errno != EINVAL { problem = errno }
        if close(descriptor) != 0, problem == 0 { problem = errno }
        if problem == 0, rename(temporary, target) != 0 { problem = errno }
        guard problem == 0 else {
            unlink(temporary)
            throw FileProblem("\(path) cannot be written: \(FileProblem.system(problem))")
        }
        return isOthers
    }

    private func checkedTarget() throws(FileProblem) -> (path: String, isOthers: Bool) {
        guard !path.isEmpty else { throw FileProblem("--html needs the name of a file, such as timeline.html") }
        let target = try target()
        for scenario in scenarios where Self.isSame(target, scenario) {
            throw FileProblem("\(path) is one of the scenarios, and a page would overwrite it; name another file after --html, such as timeline.html")
        }
        guard let status = Files.status(target) else { return (target, false) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FileProblem("\(path) is a directory; name a file after --html, such as \(path)/timeline.html")
        default: throw FileProblem("\(path) is no file that a page could be kept in; name one after --html, such as timeline.html")
        }
        // It would be replaced all the same, as that is the folder's business.
        guard access(target, W_OK) == 0 else { throw FileProblem("\(path) cannot be written: \(FileProblem.system())") }
        guard status.st_size > 0 else { return (target, false) }
        let isOthers = try !isOurs(target)
        guard !isOthers || target.hasSuffix(".html") else {
            let named = target == path ? path : "\(path), which leads to \(target),"
            throw FileProblem(
                "\(named) holds something else than a page of trackscope's, and is left as it is; name a file that ends in .html, or remove it first")
        }
        return (target, isOthers)
    }

    /// Whether a file begins as our pages do.
    private func isOurs(_ target: String) throws(FileProblem) -> Bool {
        let head = Array(Timeline.pageHead.utf8)
        let descriptor = open(target, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem("\(path) cannot be read, to see whether it may be overwritten: \(FileProblem.system())") }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: head.count)
        return pread(descriptor, &buffer, buffer.count, 0) == buffer.count && buffer == head
    }

    /// What symbolic links lead to, whether it is there or not.
    private func target() throws(FileProblem) -> String {
        var target = path
        for _ in 0..<40 {
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { return target }
            target = link.hasPrefix("/") ? link : Self.directory(of: target) + link
        }
        throw FileProblem("\(path) is a symbolic link that leads nowhere; name another file after --html")
    }

    /// With the slash at its end; empty where the path has none.
    private static func directory(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)])
    }

    /// Whether two paths are one file, or would be if it existed.
    private static func isSame(_ target: String, _ scenario: String) -> Bool {
        func isOne(_ left: stat?, _ right: stat?) -> Bool {
            left.map { left in right.map { left.st_dev == $0.st_dev && left.st_ino == $0.st_ino } ?? false } ?? false
        }
        if scenario == "-" {
            var input = stat()
            return fstat(STDIN_FILENO, &input) == 0 && isOne(Files.status(target), input)
        }
        if isOne(Files.status(target), Files.status(scenario)) { return true }
        let folders = [target, scenario].map { Files.status(Self.directory(of: $0).isEmpty ? "." : Self.directory(of: $0)) }
        return target.split(separator: "/").last == scenario.split(separator: "/").last && isOne(folders[0], folders[1])
    }
}
