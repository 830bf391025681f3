/// A file that could not be read or written, as a sentence. The command ends with exit code 2.
package struct FileProblem: Error, CustomStringConvertible {
    package var description: String

    package init(_ doing: String, _ path: String, _ code: Int32) {
        description = "cannot \(doing) `\(path)`: \(String(cString: strerror(code)))"
    }

    package init(_ sentence: String) {
        description = sentence
    }
}

/// Files and folders through POSIX, which costs a start of the process nothing.
package enum FileSystem {
    package enum Kind { case file, directory, link, other }

    /// What stands at a path; nil when nothing does.
    package static func kind(_ path: String, followingLinks: Bool = true) -> Kind? {
        var info = stat()
        guard (followingLinks ? stat(path, &info) : lstat(path, &info)) == 0 else { return nil }
        return kind(info)
    }

    private static func kind(_ info: stat) -> Kind {
        switch info.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFLNK: .link
        default: .other
        }
    }

    /// Identifies a file whatever path leads to it.
    package struct Identity: Hashable {
        package var device: UInt64
        package var inode: UInt64
    }

    /// The permissions of what stands at a path; nil when nothing does.
    package static func mode(_ path: String) -> UInt32? {
        var info = stat()
        return stat(path, &info) == 0 ? UInt32(info.st_mode & 0o7777) : nil
    }

    /// Seconds since what stands at a path was changed; nil when nothing stands there.
    static func age(_ path: String) -> Int? {
        var info = stat()
        guard lstat(path, &info) == 0 else { return nil }
        #if canImport(Darwin)
            return time(nil) - info.st_mtimespec.tv_sec
        #else
            return time(nil) - info.st_mtim.tv_sec
        #endif
    }

    package static func identity(_ path: String) -> Identity? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        return Identity(device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(truncatingIfNeeded: info.st_ino))
    }

    /// The absolute path to which a path leads, links followed; what does not exist yet is taken as written.
    package static func resolved(_ path: String) -> String {
        if let real = realpath(path.isEmpty ? "." : path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        guard let slash = path.lastIndex(of: "/") else { return joined(resolved("."), path) }
        let above = resolved(slash == path.startIndex ? "/" : String(path[..<slash]))
        let name = String(path[path.index(after: slash)...])
        switch name {
        case "", ".": return above
        case "..": return folder(of: above)
        default: return above == "/" ? "/" + name : above + "/" + name
        }
    }

    /// The file that a link leads to, whether there is one or not.
    package static func resolvedLink(_ path: String) -> String {
        var path = path
        for _ in 0..<40 where kind(path, followingLinks: false) == .link {
            let size = 4096
            let target = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
                let pointer = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
                initialized = pointer.map { max(0, readlink(path, $0, size)) } ?? 0
            }
            path = joined(folder(of: path), String(decoding: target, as: UTF8.self))
        }
        return resolved(path)
    }

    /// A path as one would write it in a folder.
    package static func path(_ path: String, seenFrom folder: String) -> String {
        let target = resolved(path).split(separator: "/").map { Array($0.utf8) }
        let start = resolved(folder).split(separator: "/").map { Array($0.utf8) }
        let common = zip(target, start).prefix { $0 == $1 }.count
        let parts = [[UInt8]](repeating: Array("..".utf8), count: start.count - common) + target[common...]
        return parts.isEmpty ? "." : parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }

    /// Whether `path` is a folder or stands below it; both as `resolved` has them.
    package static func isFolder(_ folder: String, at path: String) -> Bool {
        path.utf8.elementsEqual(folder.utf8) || path.utf8.starts(with: (folder == "/" ? folder : folder + "/").utf8)
    }

    /// The beginning of a file.
    package static func head(_ path: String, _ count: Int) throws(FileProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileProblem("read", path, errno) }
        defer { close(descriptor) }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let count = systemRead(descriptor, buffer.baseAddress, count)
            if count < 0 { failure = errno }
            initialized = max(0, count)
        }
        if failure != 0 { throw FileProblem("read", path, failure) }
        return bytes
    }

    package static func read(_ path: String) throws(FileProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem("read", path, errno) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileProblem("read", path, errno) }
        guard kind(info) != .directory else { throw FileProblem("read", path, EISDIR) }
        return try read(descriptor, path: path, expected: Int(info.st_size))
    }

    package static func readStandardInput() throws(FileProblem) -> [UInt8] {
        try read(STDIN_FILENO, path: "<stdin>", expected: 0)
    }

    /// All that stands in an open file, whatever has been read or written through it.
    package static func readFromStart(_ descriptor: Int32) throws(FileProblem) -> [UInt8] {
        lseek(descriptor, 0, SEEK_SET)
        return try read(descriptor, path: "a temporary file", expected: 0)
    }

    /// Whether a file is there and holds these bytes and no others.
    package static func holds(_ path: String, _ bytes: [UInt8]) throws(FileProblem) -> Bool {
        // A pipe would wait for somebody to write into it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return false }
        guard descriptor >= 0 else { throw FileProblem("read", path, errno) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileProblem("read", path, errno) }
        guard kind(info) == .file else { throw FileProblem("cannot write `\(path)`: something that is not a file stands there") }
        guard Int(info.st_size) == bytes.count else { return false }
        var failure: Int32 = 0
        // A piece at a time, so that the file's bytes stay in the processor's cache.
        let isEqual = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 15) { buffer in
            bytes.withUnsafeBytes { bytes in
                var offset = 0
                while true {
                    let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
                    if count < 0 { failure = errno }
                    guard count > 0 else { return count == 0 && offset == bytes.count }
                    guard offset + count <= bytes.count, let start = bytes.baseAddress, let read = buffer.baseAddress,
                        memcmp(start + offset, read, count) == 0
                    else { return false }
                    offset += count
                }
            }
        }
        if failure != 0 { throw FileProblem("read", path, failure) }
        return isEqual
    }

    private static func read(_ descriptor: Int32, path: String, expected: Int) throws(FileProblem) -> [UInt8] {
        var result: [UInt8] = []
        var wanted = max(expected, 4096) + 1
        while true {
            var failure: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
                let count = systemRead(descriptor, buffer.baseAddress, wanted)
                if count < 0 { failure = errno }
                initialized = max(0, count)
            }
            if failure != 0 { throw FileProblem("read", path, failure) }
            if piece.isEmpty { return result }
            if result.isEmpty { result = piece } else { result += piece }
            // A regular file that came whole has nothing behind its end but the end.
            if expected > 0, result.count == expected { return result }
            wanted = max(wanted, 1 << 16)
        }
    }

    /// Reads on where a signal came between.
    private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
        while true {
            #if canImport(Darwin)
                let result = Darwin.read(descriptor, buffer, count)
            #elseif canImport(Glibc)
                let result = Glibc.read(descriptor, buffer, count)
            #else
                let result = Musl.read(descriptor, buffer, count)
            #endif
            if result >= 0 || errno != EINTR { return result }
        }
    }

    package struct Entry {
        package var name: String
        /// Links are not followed; nil if the file system does not say.
        package var kind: Kind?
    }

    /// The entries of a folder, bytewise in order.
    package static func entries(_ path: String) throws(FileProblem) -> [Entry] {
        guard let directory = opendir(path) else { throw FileProblem("read the folder", path, errno) }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: UInt8.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
                    String(decodingCString: $0, as: UTF8.self)
                }
            }
            let kind: Kind? =
                switch Int32(entry.pointee.d_type) {
                case Int32(DT_REG): .file
                case Int32(DT_DIR): .directory
                case Int32(DT_LNK): .link
                case Int32(DT_UNKNOWN): nil
                default: .other
                }
            if name != ".", name != ".." { entries.append(Entry(name: name, kind: kind)) }
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Writes a new file and waits until the system has taken every byte.
    /// - Parameter mode: the file's permissions; nil for a new file's own.
    package static func create(_ path: String, _ bytes: [UInt8], mode: UInt32? = nil) throws(FileProblem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileProblem("write", path, errno) }
        var failure = writeAll(bytes, to: descriptor)
        if let mode, failure == 0, fchmod(descriptor, mode_t(mode)) != 0 { failure = errno }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure != 0 { throw FileProblem("write", path, failure) }
    }

    private static func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, buffer, count)
        #elseif canImport(Glibc)
            Glibc.write(descriptor, buffer, count)
        #else
            Musl.write(descriptor, buffer, count)
        #endif
    }

    /// Writes to an open file, such as standard output.
    /// - Returns: 0, or why not all could be written; a reader that has gone away is no failure.
    @discardableResult package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        let failure = writeAll(bytes, to: descriptor)
        return failure == EPIPE ? 0 : failure
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = systemWrite(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                if count < 0, errno == EINTR { continue }
                // Standard output may be a pipe that somebody has made non-blocking.
                if count < 0, errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&waiting, 1, -1)
                    continue
                }
                if count <= 0 { return count < 0 ? errno : EIO }
                written += count
            }
            return 0
        }
    }

    /// Makes a folder and those above it.
    package static func createDirectory(_ path: String) throws(FileProblem) {
        if mkdir(path, 0o755) == 0 { return }
        let code = errno
        if code == EEXIST {
            guard kind(path) == .directory else { throw FileProblem("make the folder", path, ENOTDIR) }
            return
        }
        guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw FileProblem("make the folder", path, code)
        }
        try createDirectory(String(path[..<slash]))
        if mkdir(path, 0o755) != 0, errno != EEXIST { throw FileProblem("make the folder", path, errno) }
    }

    package static func rename(_ source: String, to target: String) throws(FileProblem) {
        #if canImport(Darwin)
            let result = Darwin.rename(source, target)
        #elseif canImport(Glibc)
            let result = Glibc.rename(source, target)
        #else
            let result = Musl.rename(source, target)
        #endif
        if result != 0 { throw FileProblem("write", target, errno) }
    }

    package static func remove(_ path: String) throws(FileProblem) {
        if unlink(path) != 0, errno != ENOENT { throw FileProblem("remove", path, errno) }
    }

    /// Removes a folder of this process's own making, with the files in it.
    package static func removeStaging(_ path: String) {
        for entry in (try? entries(path)) ?? [] { unlink(path + "/" + entry.name) }
        rmdir(path)
    }
}

/// A path without `.` and doubled or trailing slashes.
package func normalized(_ path: String) -> String {
    let isAbsolute = path.hasPrefix("/")
    let parts = path.split(separator: "/").filter { $0 != "." }
    let joined = parts.joined(separator: "/")
    return isAbsolute ? "/" + joined : joined.isEmpty ? "." : joined
}

/// A path seen from a folder.
package func joined(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty || folder == "." { return path }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
}

/// The folder a path stands in.
package func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
