import Foundation
import ScenarioRunner

/// The reason why the demo cannot continue, as a sentence.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static func system(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}

/// The folder for the files of a run. It replaces only files of previous runs.
struct OutputFolder {
    private static let received = "received.ndjson"
    private static let timeline = "timeline.html"

    private let path: String

    /// Creates the folder if needed, and locks it until this process ends.
    init(_ path: String) throws(Problem) {
        guard !path.isEmpty else { throw Problem("--output needs the name of a folder") }
        self.path = path
        try Self.make(path)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Problem(
                errno == ENOTDIR
                    ? "\(path) is not a folder and is not changed; name another one with --output"
                    : "the folder \(path) cannot be opened: \(Problem.system())")
        }
        // The lock keeps two runs from writing to one folder. It ends with the process.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Problem("another run is writing to \(path); name another folder with --output, or wait")
        }
        guard access(path, W_OK | X_OK) == 0 else {
            throw Problem("the folder \(path) cannot be written: \(Problem.system())")
        }
        try check(Self.received) { $0.isEmpty || $0.starts(with: #"{"event_id":""#.utf8) }
        try check(Self.timeline) { $0.isEmpty || $0.starts(with: Timeline.pageHead.utf8) }
    }

    /// Throws if a file exists that was not written by such a run.
    private func check(_ name: String, isOurs: ([UInt8]) -> Bool) throws(Problem) {
        let file = "\(path)/\(name)"
        var status = stat()
        guard lstat(file, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG, let handle = FileHandle(forReadingAtPath: file),
            let head = try? handle.read(upToCount: 4096),
            isOurs(Array(head))
        else {
            guard status.st_size == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw Problem(
                    "\(file) was not written by recipe-demo and is not overwritten; name another folder with --output")
            }
            return
        }
    }

    /// Writes both files or neither.
    func write(received: [String], timeline: String) throws(Problem) {
        let texts = [(Self.received, received.map { $0 + "\n" }.joined()), (Self.timeline, timeline)]
        let mark = "\(getpid())"
        defer { for (name, _) in texts { unlink("\(path)/.\(name)-\(mark)") } }
        for (name, text) in texts {
            let descriptor = open("\(path)/.\(name)-\(mark)", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw Problem("\(path)/\(name) cannot be written: \(Problem.system())") }
            var code = SystemCalls.write(Array(text.utf8), to: descriptor)
            if fsync(descriptor) != 0, code == 0, errno != EINVAL { code = errno }
            if close(descriptor) != 0, code == 0 { code = errno }
            guard code == 0 else { throw Problem("\(path)/\(name) cannot be written: \(Problem.system(code))") }
        }
        for (name, _) in texts where rename("\(path)/.\(name)-\(mark)", "\(path)/\(name)") != 0 {
            throw Problem("\(path)/\(name) cannot be written: \(Problem.system())")
        }
    }

    /// Creates a folder and its parents if needed.
    private static func make(_ path: String) throws(Problem) {
        if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.dropLast().lastIndex(of: "/"), slash > path.startIndex else {
            throw Problem("the folder \(path) cannot be created: \(Problem.system())")
        }
        try make(String(path[..<slash]))
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
            throw Problem("the folder \(path) cannot be created: \(Problem.system())")
        }
    }
}
