import Foundation

/// The file to which a page is written. Its name ends in `.html`, also behind links, and it is none of the scenarios.
struct PageFile {
    private let path: String
    private let target: String

    /// Throws if a page must not be written to this path.
    init(_ path: String, scenarios: [String]) throws(FileError) {
        let real = realpath(path, nil)
        defer { free(real) }
        (self.path, target) = (path, real.map { String(cString: $0) } ?? path)
        var old = stat()
        let exists = lstat(target, &old) == 0
        guard !exists || !scenarios.contains(where: { Self.isFile($0, old) }) else {
            throw FileError(
                "\(path) is one of the scenarios, and a page would overwrite it; name another file after --html, "
                    + "such as timeline.html")
        }
        guard path.hasSuffix(".html"), target.hasSuffix(".html") else {
            throw FileError("\(path) is not a page; name a file that ends in .html, such as timeline.html")
        }
        // `rename` replaces links, devices and files that are write-protected, too.
        guard !exists || old.st_mode & S_IFMT == S_IFREG && access(target, W_OK) == 0 else {
            throw FileError("\(path) is not a file that can be overwritten; name another one, such as timeline.html")
        }
    }

    private static func isFile(_ scenario: String, _ status: stat) -> Bool {
        var other = stat()
        return (scenario == "-" ? fstat(STDIN_FILENO, &other) : stat(scenario, &other)) == 0
            && (other.st_dev, other.st_ino) == (status.st_dev, status.st_ino)
    }

    /// Writes a page, whole or not at all. An existing file keeps its mode.
    func write(_ page: String) throws(FileError) {
        let folder = target[..<(target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex)]
        let temporary = "\(folder).trackscope-\(UInt64.random(in: 0 ... .max))"
        let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError("\(path) cannot be written: \(FileError.system())") }
        var old = stat()
        if stat(target, &old) == 0 { fchmod(descriptor, old.st_mode & 0o7777) }
        var problem = SystemCalls.write(Array(page.utf8), to: descriptor)
        if close(descriptor) != 0, problem == 0 { problem = errno }
        if problem == 0, rename(temporary, target) != 0 { problem = errno }
        guard problem != 0 else { return }
        unlink(temporary)
        throw FileError("\(path) cannot be written: \(FileError.system(problem))")
    }
}
