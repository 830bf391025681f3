import LogTypes

/// A failure to read or write a file, described by a sentence. The failure ends the command with exit code 2.
package struct FileError: Error, CustomStringConvertible {
    package var description: String

    package init(_ doing: String, _ path: String, _ code: Int32) {
        let isMissing = code == ENOENT && doing != "run"
        let reason = isMissing ? "no such file or folder" + Self.suggestion(for: path) : String(cString: strerror(code))
        description = "cannot \(doing) `\(path)`: \(reason)"
    }

    package init(_ sentence: String) {
        description = sentence
    }

    private static func suggestion(for path: String) -> String {
        var similar = path.hasPrefix("/") ? "/" : "."
        for part in path.split(separator: "/").map(String.init) {
            let isThere = FileSystem.kind(joined(similar, part)) != nil
            let names = isThere ? [] : (try? FileSystem.entries(similar).map(\.name)) ?? []
            guard let name = isThere ? part : nearestSpelling(of: part, among: names) else { return "" }
            similar = similar == "." ? name : joined(similar, name)
        }
        return "; did you mean `\(similar)`?"
    }
}

/// Files and folders through POSIX calls, which add no time to the start of the process.
package enum FileSystem {
    package enum Kind { case file, directory, link, other }

    /// The kind of the item at a path; nil if the path does not exist.
    package static func kind(_ path: String, followingLinks: Bool = true) -> Kind? {
        information(path, followingLinks: followingLinks).map(kind)
    }

    private static func information(_ path: String, followingLinks: Bool = true) -> stat? {
        var info = stat()
        return (followingLinks ? stat(path, &info) : lstat(path, &info)) == 0 ? info : nil
    }

    /// - Throws: an error for a broken link, which would otherwise hide that a file is missing.
    static func isThere(_ path: String) throws(FileError) -> Bool {
        guard kind(path, followingLinks: false) != nil else { return false }
        guard kind(path) != nil else { throw FileError("cannot read `\(path)`: it is a broken link") }
        return true
    }

    private static func kind(_ info: stat) -> Kind {
        switch info.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        case S_IFLNK: .link
        default: .other
        }
    }

    /// The identity of a file, independent of its paths.
    package struct Identity: Hashable {
        package var device: UInt64
        package var inode: UInt64
    }

    /// The permissions of the item at a path; nil if the path does not exist.
    package static func mode(_ path: String) -> UInt32? {
        information(path).map { UInt32($0.st_mode & 0o7777) }
    }

    /// The seconds since the last modification of the item at a path; nil if the path does not exist.
    static func age(_ path: String) -> Int? {
        guard let info = information(path, followingLinks: false) else { return nil }
        #if canImport(Darwin)
            return time(nil) - info.st_mtimespec.tv_sec
        #else
            return time(nil) - info.st_mtim.tv_sec
        #endif
    }

    package static func identity(_ path: String) -> Identity? {
        information(path).map(identity)
    }

    package static func identity(of descriptor: Int32) -> Identity? {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? identity(info) : nil
    }

    /// The number of bytes of a file, following links; nil if the file does not exist.
    package static func size(_ path: String) -> Int? {
        information(path).map { Int($0.st_size) }
    }

    private static func identity(_ info: stat) -> Identity {
        Identity(device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(truncatingIfNeeded: info.st_ino))
    }

    /// The absolute path of a path, with links followed. Missing components at its end are kept as written.
    package static func resolved(_ path: String) -> String {
        if let real = realpath(path.isEmpty ? "." : path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        // A working directory that no longer exists has no absolute path.
        guard !path.isEmpty, path != "." else { return "." }
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

    /// Returns a path relative to a folder.
    package static func path(_ path: String, seenFrom folder: String) -> String {
        relativePath(to: resolved(path), from: resolved(folder))
    }

    /// Returns a relative path without `..` between other components. An absolute path is returned unchanged.
    package static func shortened(_ path: String) -> String {
        let parts = path.split(separator: "/")
        guard !path.hasPrefix("/"), parts.drop(while: { $0 == ".." }).contains(".."), let name = parts.last else {
            return path
        }
        // The last component may be a link.
        return name == ".."
            ? Self.path(path, seenFrom: ".")
            : joined(Self.path(LogProject.folder(of: path), seenFrom: "."), String(name))
    }

    /// Returns whether `path` is the folder or below it. Both paths must be results of `resolved`.
    package static func isFolder(_ folder: String, at path: String) -> Bool {
        path.utf8.elementsEqual(folder.utf8) || path.utf8.starts(with: (folder == "/" ? folder : folder + "/").utf8)
    }

    /// Reads up to `count` bytes from the start of a file. Of a pipe, nothing is read: its bytes would be lost for the
    /// next reader.
    package static func head(_ path: String, _ count: Int) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("read", path, errno) }
        defer { close(descriptor) }
        return kind(path) == .file ? try piece(of: descriptor, path: path, count) : []
    }

    package static func read(_ path: String) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("read", path, errno) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileError("read", path, errno) }
        guard kind(info) != .directory else { throw FileError("read", path, EISDIR) }
        return try read(descriptor, path: path, expected: Int(info.st_size))
    }

    /// Waits for data in an open file and returns the data that is available; nil at the end of the file.
    package static func readSome(_ descriptor: Int32) throws(FileError) -> [UInt8]? {
        let bytes = try piece(of: descriptor, path: "standard input", 64 << 10)
        return bytes.isEmpty ? nil : bytes
    }

    /// Returns whether a read of an open file would return at once.
    package static func isReadable(_ descriptor: Int32) -> Bool {
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, 0) > 0
    }

    /// The complete content of an open file, independent of the current offset.
    package static func readFromStart(_ descriptor: Int32) throws(FileError) -> [UInt8] {
        lseek(descriptor, 0, SEEK_SET)
        return try read(descriptor, path: "a temporary file", expected: 0)
    }

    /// Returns whether a file exists and contains exactly these bytes.
    package static func holds(_ path: String, _ bytes: [UInt8]) throws(FileError) -> Bool {
        // `O_NONBLOCK`: opening a pipe for reading would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return false }
        guard descriptor >= 0 else { throw FileError("read", path, errno) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileError("read", path, errno) }
        guard kind(info) == .file else {
            throw FileError("cannot write `\(path)`: it exists and is not a file; move it away")
        }
        guard Int(info.st_size) == bytes.count else { return false }
        var failure: Int32 = 0
        // Small reads keep the bytes in the processor's cache.
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
        if failure != 0 { throw FileError("read", path, failure) }
        return isEqual
    }

    /// Returns whether a file contains these lines with CRLF at their ends, as git writes them for `core.autocrlf`.
    package static func holdsWithCRLF(_ path: String, _ bytes: [UInt8]) throws(FileError) -> Bool {
        guard size(path) == bytes.count + bytes.count(where: { $0 == 0x0A }) else { return false }
        let file = try read(path)
        var rest = file[...]
        for byte in bytes {
            if byte == 0x0A, rest.popFirst() != 0x0D { return false }
            if rest.popFirst() != byte { return false }
        }
        return rest.isEmpty
    }

    private static func read(_ descriptor: Int32, path: String, expected: Int) throws(FileError) -> [UInt8] {
        var result: [UInt8] = []
        var wanted = max(expected, 4096) + 1
        while true {
            let piece = try piece(of: descriptor, path: path, wanted)
            if piece.isEmpty { return result }
            if result.isEmpty { result = piece } else { result += piece }
            // After its expected size, a regular file has no more bytes, so the read that returns 0 can be skipped.
            if expected > 0, result.count == expected { return result }
            wanted = max(wanted, 1 << 16)
        }
    }

    /// Reads up to `count` bytes that are available; none at the end of the file.
    package static func piece(of descriptor: Int32, path: String, _ count: Int) throws(FileError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let count = systemRead(descriptor, buffer.baseAddress, count)
            if count < 0 { failure = errno }
            initialized = max(0, count)
        }
        if failure != 0 { throw FileError("read", path, failure) }
        return bytes
    }

    /// Reads bytes that are available, and again after an interruption by a signal (`EINTR`).
    /// - Returns: the number of bytes, 0 at the end of the file, or -1 with the reason in `errno`.
    package static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
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
        /// Links are not followed. Nil if the file system does not report the kind.
        package var kind: Kind?
    }

    /// The entries of a folder, in bytewise order.
    package static func entries(_ path: String) throws(FileError) -> [Entry] {
        guard let directory = opendir(path) else { throw FileError("read the folder", path, errno) }
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

    /// Writes a new file. Returns when the system has accepted all bytes.
    /// - Parameters:
    ///   - target: the path that errors name; nil for that of the new file.
    ///   - mode: the file's permissions; nil for the default ones of a new file.
    ///   - makeFolder: creates the file's folder. This function is called if the folder is missing.
    package static func create(
        _ path: String, _ bytes: [UInt8], target: String? = nil, mode: UInt32? = nil,
        makeFolder: (() throws(FileError) -> Void)? = nil
    ) throws(FileError) {
        var descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        // Another process may remove the folder between its creation and `open`.
        for _ in 0..<attempts where descriptor < 0 && (errno == ENOENT || errno == ENOTDIR) {
            guard let makeFolder else { break }
            try makeFolder()
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        }
        guard descriptor >= 0 else { throw FileError("write", target ?? path, errno) }
        var failure = writeAll(bytes, to: descriptor)
        if let mode, failure == 0, fchmod(descriptor, mode_t(mode)) != 0 { failure = errno }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure != 0 { throw FileError("write", target ?? path, failure) }
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
    /// - Returns: 0, or the `errno` of the failed write. A reader that has closed its end (`EPIPE`) is not a failure.
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

    /// Creates a folder and its missing parent folders. After a failure, none of them is left.
    /// - Returns: the folders that did not exist, the outermost first.
    @discardableResult package static func createDirectory(_ path: String) throws(FileError) -> [String] {
        var made: [String] = []
        for attempt in 0...attempts {
            if mkdir(path, 0o755) == 0 { return made + [path] }
            let code = errno
            if code == EEXIST, kind(path) == .directory { break }
            guard code == ENOENT, attempt < attempts, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
                slash > path.startIndex
            else {
                for folder in made.reversed() { rmdir(folder) }
                throw FileError("make the folder", path, code == EEXIST ? ENOTDIR : code)
            }
            made += try createDirectory(String(path[..<slash]))
        }
        return made
    }

    /// The number of retries when another process removes a folder that has just been created.
    private static let attempts = 3

    package static func rename(_ source: String, to target: String) throws(FileError) {
        #if canImport(Darwin)
            let result = Darwin.rename(source, target)
        #elseif canImport(Glibc)
            let result = Glibc.rename(source, target)
        #else
            let result = Musl.rename(source, target)
        #endif
        if result != 0 { throw FileError("write", target, errno) }
    }

    /// Throws if the system refuses to replace a file because it is immutable or append-only.
    static func checkIsReplaceable(_ path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) } else if errno == EPERM { throw FileError("write", path, EPERM) }
    }

    package static func remove(_ path: String) throws(FileError) {
        if unlink(path) != 0, errno != ENOENT { throw FileError("remove", path, errno) }
    }

    /// Removes a staging folder with its content. A link at its path is kept with its target: it is not loggen's.
    package static func removeStaging(_ path: String) {
        guard kind(path, followingLinks: false) == .directory else { return }
        for entry in (try? entries(path)) ?? [] {
            let inside = path + "/" + entry.name
            if unlink(inside) != 0, kind(inside, followingLinks: false) == .directory { removeStaging(inside) }
        }
        rmdir(path)
    }
}

/// Returns the path to a target from another folder. Both are paths from the same folder, without `..`.
package func relativePath(to target: String, from start: String) -> String {
    let (target, start) = (target.split(separator: "/"), start.split(separator: "/"))
    let common = zip(target, start).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    let parts = Array(repeating: "..", count: start.count - common) + target[common...]
    return parts.isEmpty ? "." : parts.joined(separator: "/")
}

/// A path without `.`, doubled slashes and trailing slashes.
package func normalized(_ path: String) -> String {
    let isAbsolute = path.hasPrefix("/")
    let parts = path.split(separator: "/").filter { $0 != "." }
    let joined = parts.joined(separator: "/")
    return isAbsolute ? "/" + joined : joined.isEmpty ? "." : joined
}

/// Joins a path to the folder that it is relative to. An absolute path is returned unchanged.
package func joined(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty || folder == "." { return path }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
}

/// The parent folder of a path.
package func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
