/// A file that could not be read or written, as a sentence. The command then ends with exit code 2.
package struct FileProblem: Error, CustomStringConvertible {
    package var description: String

    package init(_ doing: String, _ path: String, _ code: Int32) {
        description = "cannot \(doing) `\(path)`: \(String(cString: strerror(code)))"
    }

    package init(_ sentence: String) {
        description = sentence
    }
}

/// Files and folders through POSIX. It adds no time to the start of the process.
package enum FileSystem {
    package enum Kind { case file, directory, link, other }

    /// The kind of what is at a path; nil if nothing is there.
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

    /// Identifies a file, whichever path leads to it.
    package struct Identity: Hashable {
        package var device: UInt64
        package var inode: UInt64
    }

    /// The permissions of what is at a path; nil if nothing is there.
    package static func mode(_ path: String) -> UInt32? {
        var info = stat()
        return stat(path, &info) == 0 ? UInt32(info.st_mode & 0o7777) : nil
    }

    /// Seconds since the last change of what is at a path; nil if nothing is there.
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
        return stat(path, &info) == 0 ? identity(info) : nil
    }

    package static func identity(of descriptor: Int32) -> Identity? {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? identity(info) : nil
    }

    private static func identity(_ info: stat) -> Identity {
        Identity(device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(truncatingIfNeeded: info.st_ino))
    }

    /// The absolute path that a path leads to, with links followed. Parts that do not exist yet are taken as written.
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

    /// The file that a link leads to, even if that file does not exist.
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

    /// A path as a person in a folder would write it.
    package static func path(_ path: String, seenFrom folder: String) -> String {
        let target = resolved(path).split(separator: "/").map { Array($0.utf8) }
        let start = resolved(folder).split(separator: "/").map { Array($0.utf8) }
        let common = zip(target, start).prefix { $0 == $1 }.count
        let parts = [[UInt8]](repeating: Array("..".utf8), count: start.count - common) + target[common...]
        return parts.isEmpty ? "." : parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }

    /// A relative path as seen from the working directory, without `..` in its middle. An absolute path stays.
    package static func shortened(_ path: String) -> String {
        let isPlain = path.hasPrefix("/") || !path.split(separator: "/").drop { $0 == ".." }.contains("..")
        return isPlain ? path : Self.path(path, seenFrom: ".")
    }

    /// Whether `path` is a folder or is below it. Both paths must come from `resolved`.
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

    /// Waits until an open file has more, and reads what there is. Nil at its end.
    package static func readSome(_ descriptor: Int32) throws(FileProblem) -> [UInt8]? {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, initialized in
            var count = systemRead(descriptor, buffer.baseAddress, 64 << 10)
            while count < 0, errno == EINTR { count = systemRead(descriptor, buffer.baseAddress, 64 << 10) }
            if count < 0 { failure = errno }
            initialized = max(0, count)
        }
        if failure != 0 { throw FileProblem("read", "standard input", failure) }
        return bytes.isEmpty ? nil : bytes
    }

    /// Whether reading an open file would not wait.
    package static func isReadable(_ descriptor: Int32) -> Bool {
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, 0) > 0
    }

    package static func readStandardInput() throws(FileProblem) -> [UInt8] {
        try read(STDIN_FILENO, path: "<stdin>", expected: 0)
    }

    /// The whole content of an open file, even if parts of it have been read or written already.
    package static func readFromStart(_ descriptor: Int32) throws(FileProblem) -> [UInt8] {
        lseek(descriptor, 0, SEEK_SET)
        return try read(descriptor, path: "a temporary file", expected: 0)
    }

    /// Whether a file exists and holds exactly these bytes.
    package static func holds(_ path: String, _ bytes: [UInt8]) throws(FileProblem) -> Bool {
        // Reading a pipe would wait until somebody writes into it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return false }
        guard descriptor >= 0 else { throw FileProblem("read", path, errno) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileProblem("read", path, errno) }
        guard kind(info) == .file else {
            throw FileProblem("cannot write `\(path)`: something that is not a file stands there")
        }
        guard Int(info.st_size) == bytes.count else { return false }
        var failure: Int32 = 0
        // The file is read in pieces, so that its bytes stay in the processor's cache.
        let isEqual = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 15) { buffer in
            bytes.withUnsafeBytes { bytes in
                var offset = 0
                while offset < bytes.count {
                    let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
                    if count < 0 { failure = errno }
                    guard count > 0 else { return false }
                    guard offset + count <= bytes.count, let start = bytes.baseAddress, let read = buffer.baseAddress,
                        memcmp(start + offset, read, count) == 0
                    else { return false }
                    offset += count
                }
                return true
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
            // All bytes of a regular file are here now: only the end of the file follows.
            if expected > 0, result.count == expected { return result }
            wanted = max(wanted, 1 << 16)
        }
    }

    /// Reads again if a signal interrupted it.
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
        /// Links are not followed. Nil if the file system does not tell the kind.
        package var kind: Kind?
    }

    /// The entries of a folder, in bytewise order.
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
    /// - Parameters:
    ///   - mode: the file's permissions; nil for the usual ones of a new file.
    ///   - isFolderThere: whether the file's folder is likely to be there. If not, it is made before anything is tried.
    ///   - makeFolder: makes the file's folder if it is missing.
    package static func create(
        _ path: String, _ bytes: [UInt8], mode: UInt32? = nil, isFolderThere: Bool = true,
        makeFolder: (() throws(FileProblem) -> Void)? = nil
    ) throws(FileProblem) {
        // What is wrong with the place is told by what follows.
        if !isFolderThere { try? makeFolder?() }
        var descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        // Somebody may remove the folder at that very moment.
        for _ in 0..<attempts where descriptor < 0 && (errno == ENOENT || errno == ENOTDIR) {
            guard let makeFolder else { break }
            try makeFolder()
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        }
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
    /// - Returns: 0, or the reason why not all could be written. It is no failure if the reader has gone away.
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
                // Standard output may be a pipe that another process has made non-blocking.
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

    /// Makes a folder, and the folders above it.
    package static func createDirectory(_ path: String) throws(FileProblem) {
        for attempt in 0...attempts {
            if mkdir(path, 0o755) == 0 { return }
            let code = errno
            if code == EEXIST {
                guard kind(path) == .directory else { throw FileProblem("make the folder", path, ENOTDIR) }
                return
            }
            guard code == ENOENT, attempt < attempts, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
                slash > path.startIndex
            else {
                throw FileProblem("make the folder", path, code)
            }
            try createDirectory(String(path[..<slash]))
        }
    }

    /// How often a folder is made anew that somebody has removed again.
    private static let attempts = 3

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

    /// Removes a folder that a process of ours made, with all that is in it. A link in its place is somebody else's, and
    /// so is what the link leads to.
    package static func removeStaging(_ path: String) {
        guard kind(path, followingLinks: false) == .directory else { return }
        for entry in (try? entries(path)) ?? [] {
            let inside = path + "/" + entry.name
            if unlink(inside) != 0, kind(inside, followingLinks: false) == .directory { removeStaging(inside) }
        }
        rmdir(path)
    }
}

/// A path without `.`, doubled slashes and trailing slashes.
package func normalized(_ path: String) -> String {
    let isAbsolute = path.hasPrefix("/")
    let parts = path.split(separator: "/").filter { $0 != "." }
    let joined = parts.joined(separator: "/")
    return isAbsolute ? "/" + joined : joined.isEmpty ? "." : joined
}

/// A path as seen from a folder.
package func joined(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty || folder == "." { return path }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
}

/// The folder that a path is in.
package func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
