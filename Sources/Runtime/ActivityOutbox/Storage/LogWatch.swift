import Foundation

/// Detects that another program has truncated, overwritten or locked away the files of an open store.
///
/// SQLite does not detect this. It takes the length of the log from the index, and continues to write after the former
/// end of a truncated log. A new process could not read these writes. The watch compares only sizes, permissions and
/// the header of the log. It does not detect overwritten content after the header.
struct LogWatch: Sendable {
    enum State: Sendable, Equatable {
        case whole
        /// Another process of the app, or another program, has emptied the log. The next write shows which one: SQLite
        /// begins a log that it has emptied with a header.
        case empty
        case damaged
    }

    /// The size of a log's header in bytes (SQLite's file format, "The WAL File Format"). Bytes 16 to 23 are the salts,
    /// which change when SQLite restarts the log.
    private static let headerSize = 32
    /// The first bytes of every log, except for the lowest bit, which is the byte order of the checksums.
    private static let magic: [UInt8] = [0x37, 0x7F, 0x06]

    private let log: String
    private let index: String
    private var salts: [UInt8] = []
    private var logSize: Int64 = 0
    private var indexSize: Int64 = 0

    init(store: String) {
        (log, index) = (store + "-wal", store + "-shm")
        indexSize = Self.size(index) ?? 0
        _ = look()
    }

    mutating func look() -> State {
        let descriptor = open(log, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return errno == ENOENT && logSize == 0 ? .whole : .damaged }
        defer { close(descriptor) }
        var status = stat()
        var header = [UInt8](repeating: 0, count: Self.headerSize)
        guard fstat(descriptor, &status) == 0 else { return .damaged }
        guard pread(descriptor, &header, header.count, 0) == header.count else {
            return logSize == 0 ? .whole : .empty
        }
        guard header.starts(with: Self.magic) else { return .damaged }
        let (salts, size) = (Array(header[16..<24]), Int64(status.st_size))
        // A log only grows, until SQLite restarts it with other salts.
        if salts == self.salts, size < logSize { return .damaged }
        (self.salts, logSize) = (salts, size)
        return .whole
    }

    mutating func reset() { (salts, logSize) = ([], 0) }

    /// Restores the length of the index if another program has truncated it. SQLite maps the index into memory, so a
    /// read after its end would end the process (SIGBUS). SQLite rebuilds an index of zeros from the log. A truncation
    /// during an access is not detected. `truncate` opens no descriptor, whose closing would release SQLite's locks.
    mutating func restoreIndex() {
        guard let size = Self.size(index) else { return }
        if size < indexSize { truncate(index, off_t(indexSize)) }
        indexSize = max(size, indexSize)
    }

    private static func size(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }
}
