import Foundation

/// Notices that another program has truncated, overwritten or locked away the files of an open store.
///
/// SQLite does not: it knows the length of the log from the index, and writes behind the end of a truncated log. A new
/// process would then find nothing of it. Only sizes, permissions and the header of the log are compared. Overwritten
/// content behind the header is not noticed here.
struct LogWatch: Sendable {
    /// The state of a log.
    enum State: Sendable, Equatable {
        case whole
        /// Other processes may have emptied the log, or another program. The next write shows which: SQLite begins an
        /// emptied log with a header.
        case empty
        case damaged
    }

    /// The header of a log (SQLite's file format, "The WAL File Format"): 32 bytes, the last but one 8 of them before
    /// the checksum are the salts, which change when the log begins anew.
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

    /// Compares the log with its last known state.
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
        // A log only grows, until it begins anew with other salts.
        if salts == self.salts, size < logSize { return .damaged }
        (self.salts, logSize) = (salts, size)
        return .whole
    }

    /// Notes that this process has emptied the log.
    mutating func reset() { (salts, logSize) = ([], 0) }

    /// Makes the index as long as before, if another program has truncated it. A read past its end would end the process
    /// (SIGBUS), because SQLite maps it. SQLite rebuilds an index of zeros from the log. Only a truncation during an
    /// access is not noticed. `truncate` opens no descriptor, whose end would release SQLite's locks on the file.
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
