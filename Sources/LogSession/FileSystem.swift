#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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

    package static func identity(_ path: String) -> Identity? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        return Identity(device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(truncatingIfNeeded: info.st_ino))
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
        guard kind(info) == .file else { throw FileProblem("cannot write `\(path)`: something that is no file stands there") }
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
        /// Links are not followed; nil where the file system does not say.
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
    package static func create(_ path: String, _ bytes: [UInt8]) throws(FileProblem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileProblem("write", path, errno) }
        var failure: Int32 = 0
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = systemWrite(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                if count < 0, errno == EINTR { continue }
                if count <= 0 {
                    failure = errno
                    return
                }
                written += count
            }
        }
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

    /// Writes to standard output or error; a reader that has gone away is no failure.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = systemWrite(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return }
                written += count
            }
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
