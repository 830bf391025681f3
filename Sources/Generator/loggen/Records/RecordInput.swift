import LogProject
import LogValidation

/// The records of files in chunks. A file is NDJSON or a JSON array, with or without gzip.
actor RecordInput {
    struct Piece: Sendable {
        /// The index of the chunk in the run.
        var number: Int
        var file: Int
        var chunk: RecordChunk
    }

    /// The decompressed beginning of a file.
    struct Head: Sendable {
        var path: String
        var isPacked = false
        var bytes: [UInt8] = []
    }

    /// The way in which files that consist of a JSON array are read.
    enum Arrays {
        case read
        /// An array is read. Bytes after it are an error.
        case readStrictly
        /// Each line is a record, even if it begins with a bracket.
        case none
    }

    static let standardInput = "-"
    static func shown(_ path: String) -> String { path == standardInput ? "<stdin>" : path }
    private static let bytesPerRead = 1 << 19
    /// The maximum size of a record, in bytes. A longer one would exhaust memory and is an error.
    private static let longestRecord = 1 << 30

    private let paths: [String]
    private let arrays: Arrays
    private var file = -1
    private var number = 0
    private var source: RecordSource?
    /// The advice for files whose lines are not records.
    private(set) var help: [String] = []
    private var failure: FileError?

    init(_ paths: [String], arrays: Arrays = .read) { (self.paths, self.arrays) = (paths, arrays) }

    func next() throws(FileError) -> Piece? {
        if let failure { throw failure }
        do throws(FileError) {
            while true {
                if let source {
                    if let chunk = try source.next() {
                        defer { number += 1 }
                        return Piece(number: number, file: file, chunk: chunk)
                    }
                    if let advice = source.head.help { help.append(advice) }
                    self.source = nil
                }
                guard file + 1 < paths.count else { return nil }
                file += 1
                source = try RecordSource(
                    paths[file], arrays, blockSize: Self.bytesPerRead, longestRecord: Self.longestRecord)
            }
        } catch {
            // Later calls throw the same problem.
            failure = error
            throw error
        }
    }
}

private final class RecordSource {
    private let path: String
    private(set) var head: RecordInput.Head
    private static let headSize = 1 << 12
    private let descriptor: Int32
    private let arrays: RecordInput.Arrays
    private let block: UnsafeMutableRawBufferPointer
    /// The unread bytes of a regular file, by its size at the opening: it may grow without end. Nil for other inputs.
    private var unreadBytes: Int?
    private var isAtEnd = false
    private var isFirst = true
    private var gzip: GzipFile?
    private var splitter: RecordSplitter
    private var chunks = RecordChunks()
    private var ready: [RecordChunk] = []

    init(_ path: String, _ arrays: RecordInput.Arrays, blockSize: Int, longestRecord: Int) throws(FileError) {
        self.arrays = arrays
        let isStandardInput = path == RecordInput.standardInput
        head = RecordInput.Head(path: path)
        self.path = isStandardInput ? "standard input" : path
        splitter = RecordSplitter(arrays == .none ? .lines : .detected, longestRecord: longestRecord)
        descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("read", path, errno) }
        block = .allocate(byteCount: blockSize, alignment: 16)
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw FileError("read", path, errno) }
        guard info.st_mode & S_IFMT != S_IFDIR else { throw FileError("read", path, EISDIR) }
        if info.st_mode & S_IFMT == S_IFREG { unreadBytes = Int(info.st_size) - Int(lseek(descriptor, 0, SEEK_CUR)) }
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
        block.deallocate()
    }

    func next() throws(FileError) -> RecordChunk? {
        while ready.isEmpty, !isAtEnd { try readBlock() }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    private func readBlock() throws(FileError) {
        // The file may grow during the run. Beyond its size at opening, only the rest of the last line is read. An
        // array or gzip data ends at that size.
        let isPast = unreadBytes.map { $0 <= 0 } ?? false
        var count = isPast && (gzip != nil || !splitter.isInLine) ? 0 : try read()
        if isPast, let newline = block[..<count].firstIndex(of: 0x0A) {
            count = newline + 1
            isAtEnd = true
        }
        unreadBytes = unreadBytes.map { $0 - count }
        if count == 0 { isAtEnd = true }
        let bytes = UnsafeRawBufferPointer(rebasing: block[..<count])
        if isFirst {
            isFirst = false
            if count > 1, bytes[0] == 0x1F, bytes[1] == 0x8B { gzip = try GzipFile(path: path, pieceSize: block.count) }
            head.isPacked = gzip != nil
        }
        if let gzip {
            try gzip.read(bytes) { bytes throws(FileError) in try take(bytes) }
            if isAtEnd { try gzip.finish() }
        } else {
            try take(bytes)
        }
        guard isAtEnd else { return }
        splitter.finish(into: &chunks)
        if arrays == .readStrictly, splitter.hasRest {
            throw FileError("cannot read `\(path)`: its array is followed by other content")
        }
        ready += chunks.take()
    }

    private func read() throws(FileError) -> Int {
        var filled = 0
        // A byte of gzip may expand to a thousand bytes, which are all in memory until they are validated.
        var wanted = gzip == nil ? block.count : min(block.count, 1 << 14)
        if let unreadBytes, unreadBytes > 0 { wanted = min(wanted, unreadBytes) }
        // The signature of gzip needs two bytes.
        repeat {
            let count = FileSystem.systemRead(
                descriptor, block.baseAddress?.advanced(by: filled), wanted - filled)
            if count < 0 { throw FileError("read", path, errno) }
            if count == 0 { break }
            filled += count
        } while filled < min(2, wanted)
        return filled
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        if head.bytes.count < Self.headSize { head.bytes += bytes.prefix(Self.headSize - head.bytes.count) }
        splitter.read(bytes, into: &chunks)
        ready += chunks.take()
        if splitter.hasLongRecord { throw FileError("cannot read `\(path)`: a record is longer than 1 GiB") }
    }
}

extension RecordInput.Head {
    /// The advice for a file whose lines are not records: its records span several lines, one object contains all
    /// records, or the encoding is UTF-16. Nil for NDJSON.
    var help: String? {
        let head = bytes
        guard head.count > 1 else { return nil }
        let isStandardInput = path == RecordInput.standardInput
        let name = isStandardInput ? "standard input" : "`\(path)`"
        func command(_ words: String) -> String {
            if isStandardInput { return "`\(isPacked ? "zcat | " : "")\(words)` before it" }
            let word = shellWord(path)
            return isPacked ? "`zcat \(word) | \(words)`" : "`\(words) \(word)`"
        }
        let isWide = (head[0] == 0) != (head[1] == 0)
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) || isWide {
            return "\(name) is UTF-16: \(command("iconv -f UTF-16 -t UTF-8")) converts it to UTF-8"
        }
        let text = head.drop {
            $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF
        }
        guard text.first == UInt8(ascii: "{") else { return nil }
        // Detects an object whose first member is an array of objects: `{"records": [{`.
        let dense = text.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        if let end = dense.dropFirst(2).firstIndex(of: UInt8(ascii: "\"")), dense[(end + 1)...].starts(with: ":[{".utf8)
        {
            let key = String(decoding: dense[2..<end], as: UTF8.self)
            let isPlain =
                !key.isEmpty
                && key.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) }
            return
                "\(name) is one object that contains its records: "
                + "\(command("jq -c '.\(isPlain ? key : "[]")[]'")) prints one per line"
        }
        let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.count < text.count, line.filter({ $0 != 0x20 }).count == 1 else { return nil }
        return "\(name) has records that span several lines: \(command("jq -c .")) prints one per line"
    }
}
