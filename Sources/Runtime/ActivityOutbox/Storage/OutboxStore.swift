import Foundation
import GRDB
import GRDBSQLite

/// Records on disk, in an SQLite database in WAL mode. The store is used only on the outbox's disk queue.
///
/// Records are numbered in the order of writing, and numbers are never reused. Therefore a record in flight cannot be
/// confused with a later one. The sums (the numbers of records, bytes, dead letters and drops) are stored in a separate
/// row. Therefore the cost of a read or write does not grow with the number of records.
final class OutboxStore {
    /// The values of `PRAGMA user_version`. All versions have the same tables, but store values differently. An app must
    /// not send values of a version that it does not know.
    enum Version {
        static let plain: Int64 = 2
        /// Every row is sealed with its place (``SealedPlace``), and no plain text remains.
        static let sealed: Int64 = 5
        /// Every row is sealed with its place, and plain text may remain in free pages.
        static let leftovers: Int64 = 6

        static let newest = leftovers
        /// The newest version that a later app may write. A higher one is damage.
        static let highest: Int64 = 255

        /// Returns whether the outbox has written stores of this version. A file without content has version 0.
        static func isKnown(_ version: Int64) -> Bool { version == 0 || version == plain || isSealed(version) }

        /// Returns whether every row must be sealed with its place. Any other row is damage.
        static func isSealed(_ version: Int64) -> Bool { (sealed...newest).contains(version) }
    }

    /// Another process has converted the store since it was opened.
    struct Converted: Error, CustomStringConvertible {
        let description = "another process has converted the store"
    }

    struct NewerVersion: Error, CustomStringConvertible {
        let version: Int64
        var description: String { "its version is \(version), and the newest supported one is \(Version.newest)" }
    }

    /// The upper bound of record numbers. SQLite allows numbers up to 2⁶³ − 1, whose sums could overflow.
    static let lastNumber: Int64 = 1 << 60

    let database: DatabaseQueue
    let identity: Int64
    private(set) var time: OutboxTime
    /// The paths of the store's files, and their identities at the opening; nil for a missing file.
    private let files: [(path: String, identity: FileIdentity?)]
    private let form: RecordSealing
    /// A Boolean value that indicates whether the sums have been compared with the rows since the store was opened.
    private var isCounted = false
    private var watch: LogWatch

    /// Opens the store, or creates it if it does not exist.
    /// - Parameters:
    ///   - time: The outbox's time, if this process has opened the store before; otherwise nil.
    ///   - isRescue: True for a new store that no other process opens before it is complete. It has no log, so renaming
    ///     its single file moves all of its content.
    init(
        path: String, form: RecordSealing, patience: LockPatience, clock: OutboxClock, time earlier: OutboxTime?,
        plausibleGap: TimeInterval, isRescue: Bool = false
    ) throws {
        let database = try DatabaseQueue(path: path, configuration: Self.configuration(patience, isRescue: isRescue))
        do {
            let start = try database.write { database -> Start in
                let version = try Self.version(in: database)
                guard !((Version.newest + 1)...Version.highest).contains(version) else {
                    throw NewerVersion(version: version)
                }
                guard Version.isKnown(version) else { throw Damage("its version is \(version)") }
                guard form.hasSeal || !Version.isSealed(version) else { throw Outbox.Seal.KeyUnavailable.noSeal }
                if version == 0 {
                    try Self.make(in: database)
                    try database.execute(sql: "PRAGMA user_version = \(Self.version(of: form))")
                }
                return try Self.start(in: database, clock: clock, earlier: earlier, plausibleGap: plausibleGap)
            }
            try Self.convert(database, to: form, store: start.identity)
            self.database = database
            self.form = form
            (identity, time) = (start.identity, start.time)
            files = StoreFolder.suffixes.map { (path + $0, FileIdentity(path + $0)) }
            watch = LogWatch(store: path)
        } catch {
            try? database.close()
            throw error
        }
    }

    /// Opens a possibly damaged file for reading.
    static func reading(_ path: String, _ patience: LockPatience) throws -> DatabaseQueue {
        var configuration = configuration(patience)
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func configuration(_ patience: LockPatience, isRescue: Bool = false) -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.label = "ActivityOutbox"
        configuration.busyMode = .callback { _ in patience.wait() }
        configuration.qos = .utility
        configuration.prepareDatabase { database in
            if !database.configuration.readonly {
                try database.execute(sql: "PRAGMA journal_mode = \(isRescue ? "MEMORY" : "WAL")")
                database.keepsFilesAtClose(true)
            }
            // With NORMAL, a commit is written to the log without a sync. A killed process loses nothing, and a power
            // failure does not corrupt the file.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // Deleted records are overwritten with zeros, in free pages, too.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // Records are not written to temporary files in other folders.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // With this check, one bad cell makes its page unreadable. Without it, a rescue reads the other cells.
            try database.execute(sql: "PRAGMA cell_size_check = \(database.configuration.readonly ? "OFF" : "ON")")
        }
        return configuration
    }

    private static func make(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE record (number INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, json BLOB NOT NULL);
                CREATE TABLE dead_letter (number INTEGER PRIMARY KEY, time REAL NOT NULL, reason TEXT NOT NULL, json BLOB NOT NULL);
                CREATE TABLE state (
                    store INTEGER NOT NULL, records INTEGER NOT NULL, bytes INTEGER NOT NULL, dead_letters INTEGER NOT NULL, dropped INTEGER NOT NULL,
                    time REAL NOT NULL, wall REAL NOT NULL, gap REAL NOT NULL, gap_counts INTEGER NOT NULL,
                    forbidden REAL NOT NULL, forbidden_wall REAL NOT NULL, agrees INTEGER NOT NULL
                );
                INSERT INTO state VALUES (random(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
                """)
    }

    /// Converts the values of an earlier process to the wanted form: seals plain rows, or decrypts sealed ones. If the
    /// process dies, the next one continues: each version is set in the same transaction as the rows that it describes.
    private static func convert(_ database: DatabaseQueue, to form: RecordSealing, store: Int64) throws {
        let wanted = version(of: form)
        var version = try database.read(version)
        guard version != wanted else { return }
        if !(form.isSealing && Version.isSealed(version)) {
            let next = form.isSealing ? Version.leftovers : wanted
            try database.write { database in
                for (kind, table, column) in [
                    (.record, "record", "json"), (.deadLetter, "dead_letter", "json"),
                    (.reason, "dead_letter", "reason"),
                ]
                    as [(SealedPlace.Kind, String, String)]
                {
                    try convert(column, of: table, kind, from: version, to: form, store: store, in: database)
                }
                try database.execute(
                    sql: "UPDATE state SET bytes = (SELECT coalesce(sum(length(json)), 0) FROM record)")
                try database.execute(sql: "PRAGMA user_version = \(next)")
            }
            version = next
        }
        guard version != wanted else { return }
        // The log, free pages and remains of rows may contain plain text: rewrite the file, truncate the log.
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM")
            try emptyLog(database)
            try database.execute(sql: "PRAGMA user_version = \(wanted)")
        }
    }

    private static func convert(
        _ column: String, of table: String, _ kind: SealedPlace.Kind, from version: Int64, to form: RecordSealing,
        store: Int64,
        in database: Database
    ) throws {
        var last = Int64.min
        while true {
            var row: (number: Int64, bytes: [UInt8])?
            let sql = "SELECT number, CAST(\(column) AS BLOB) FROM \(table) WHERE number > ? ORDER BY number LIMIT 1"
            try database.each(sql, [last]) { found in
                row = (try found.integer(0), found.blob(1))
                return false
            }
            guard let row else { return }
            last = row.number
            let place = SealedPlace(kind: kind, store: store, number: row.number)
            let plain =
                !Version.isSealed(version)
                ? row.bytes
                : kind == .reason
                    ? try form.opened(row.bytes, at: place, mustBeSealed: true)
                    : try form.record(row.bytes, at: place, mustBeSealed: true)
            let new = Data(try form.stored(plain, at: place))
            let value = kind != .reason || form.isSealing ? "?" : "CAST(? AS TEXT)"
            try database.execute(
                sql: "UPDATE \(table) SET \(column) = \(value) WHERE number = ?", arguments: [new, row.number])
        }
    }

    private static func version(in database: Database) throws -> Int64 {
        try database.first("PRAGMA user_version") { try $0.integer(0) } ?? 0
    }

    private static func version(of form: RecordSealing) -> Int64 {
        form.isSealing ? Version.sealed : Version.plain
    }

    /// Checks that the store still has the version with which it was opened. A process with another seal, or of a later
    /// version of the app, may have converted it: rows of this process would be damage there.
    private func checkVersion(in database: Database) throws {
        guard try Self.version(in: database) == Self.version(of: form) else { throw Converted() }
    }

    private func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try database.write { database in
            try checkVersion(in: database)
            return try body(database)
        }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try database.read { database in
            try checkVersion(in: database)
            return try body(database)
        }
    }

    private func place(_ kind: SealedPlace.Kind, _ number: Int64) -> SealedPlace {
        SealedPlace(kind: kind, store: identity, number: number)
    }

    /// Returns the last number that was assigned to a record.
    private static func lastGiven(in database: Database) throws -> Int64 {
        try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'record'") { try $0.integer(0) } ?? 0
    }

    /// Checkpoints the log into the database file and truncates it to zero bytes. Throws if another process is reading.
    private static func emptyLog(_ database: Database) throws {
        let isBusy = try database.first("PRAGMA wal_checkpoint(TRUNCATE)") { try $0.integer(0) } ?? 1
        guard isBusy == 0 else {
            throw DatabaseError(resultCode: .SQLITE_BUSY, message: "the log cannot be emptied yet")
        }
    }

    private struct Start: Sendable {
        var identity: Int64
        var time: OutboxTime
    }

    private static func start(
        in database: Database, clock: OutboxClock, earlier: OutboxTime?, plausibleGap: TimeInterval
    ) throws -> Start {
        let sql = "SELECT store, time, wall, gap, gap_counts, agrees FROM state"
        let wall = clock.wall()
        var start: Start?
        var (life, gap) = (0.0, WallGap())
        try database.each(sql) { row in
            guard start == nil else { throw Damage("it has two states") }
            (life, gap) = (
                try row.real(1),
                WallGap(seconds: try row.real(3), counts: try row.integer(4) != 0, agrees: try row.integer(5) != 0)
            )
            let lastWall = try row.real(2)
            var time: OutboxTime
            if let earlier {
                time = earlier
                time.reach(life)
            } else {
                life += gap.begin(wall: wall, lastWall: lastWall, plausible: plausibleGap)
                time = OutboxTime(clock, last: life)
            }
            start = Start(identity: try row.integer(0), time: time)
            return true
        }
        guard let start else { throw Damage("it has no state") }
        if let last = try database.first(
            "SELECT seq FROM sqlite_sequence WHERE name = 'record'", read: { try $0.integer(0) })
        {
            guard (0..<lastNumber).contains(last) else { throw Damage("its last number is \(last)") }
        }
        try database.execute(
            sql: "UPDATE state SET time = ?, wall = ?, gap = ?, gap_counts = ?, agrees = ?",
            arguments: [max(life, 0), wall, gap.seconds, gap.counts, gap.agrees])
        return start
    }

    /// Closes the store. Its files must still be at their paths, because SQLite may remove the log by its path.
    func close() {
        watch.restoreIndex()
        database.inDatabase { $0.keepsFilesAtClose(false) }
        try? database.close()
    }

    /// Closes the connection and keeps all files. SQLite removes a log by its name, which another store may have.
    func release() {
        watch.restoreIndex()
        try? database.close()
    }

    /// Checkpoints the log, so that the database file contains the whole store.
    func emptyLog() throws {
        watch.reset()
        // The result is ignored. If another process is reading, the checkpoint is incomplete, and that process
        // completes it when it closes the store.
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// The minimum size of free pages that are returned to the file system, in bytes.
    private static let leastFree: Int64 = 1 << 20

    /// Returns free pages to the file system, if at least three quarters of the file are free. Rewriting the remaining
    /// quarter then costs little compared with the writes that have filled the file.
    func shrink() throws {
        try database.writeWithoutTransaction { database in
            func value(_ pragma: String) throws -> Int64 {
                try database.first("PRAGMA \(pragma)") { try $0.integer(0) } ?? 0
            }
            let (free, pages) = (try value("freelist_count"), try value("page_count"))
            guard try free * value("page_size") >= Self.leastFree, free >= pages / 4 * 3 else { return }
            watch.reset()
            try database.execute(sql: "VACUUM")
            try Self.emptyLog(database)
        }
    }

    /// Returns whether a new process would find the content of the files, as far as their sizes, permissions and the
    /// log's header show. Call it while holding the lock and while the files are in place.
    func isWhole() throws -> Bool {
        watch.restoreIndex()
        for (path, identity) in files where identity != nil {
            // On a read-only file system, the content is still there.
            guard access(path, R_OK | W_OK) == 0 || errno == EROFS else { return false }
        }
        var status = stat()
        guard let path = files.first?.path, stat(path, &status) == 0, status.st_size > 0 else { return false }
        switch watch.look() {
        case .whole: return true
        case .damaged: return false
        case .empty:
            // An `UPDATE` with the same values would write nothing. Setting the version always writes a page.
            do {
                try write { try $0.execute(sql: "PRAGMA user_version = \(Self.version(of: form))") }
            } catch is Converted {
                // A conversion empties the log. The job opens the store again.
                return true
            }
            return watch.look() == .whole
        }
    }

    /// A Boolean value that indicates whether the database file at the path is still the one that was opened.
    var isUnmoved: Bool { files.first.map { FileIdentity($0.path) == $0.identity } ?? false }

    /// The identity of the database file when it was opened.
    var fileIdentity: FileIdentity? { files.first?.identity }

    /// Indicates whether a new process would open this store: all its files are still at their paths.
    var isInPlace: Bool { files.allSatisfy { $0.identity == nil || FileIdentity($0.path) == $0.identity } }

    // MARK: Records

    struct Limits: Sendable {
        var records: Int
        var bytes: Int
        var age: TimeInterval
        /// The number of dead letters. Their size and age have the limits of records.
        var deadLetters: Int
    }

    /// The maximum number of records that a transaction drops, so that the log needs little space.
    private static let dropStep = 10_000

    /// Writes records, and drops those past the limits, in one transaction.
    ///
    /// A record is sealed with its number, which SQLite assigns within the transaction. A seal may wait for a key, and
    /// a transaction blocks other processes. Records are therefore sealed before the transaction, for the expected
    /// numbers. If another process has taken these numbers meanwhile, records are sealed again within the transaction.
    /// - Returns: The number of records dropped for each limit.
    func insert(_ plain: PackedRecords, dropped: Int, limits: Limits) throws -> [Outbox.Notice.Drop: Int] {
        let expected = form.isSealing ? try read(Self.lastGiven) : 0
        var records = try form.stored(plain, in: identity, after: expected)
        return try write { database in
            let now = time.now
            let last = form.isSealing ? try Self.lastGiven(in: database) : 0
            if last != expected { records = try form.stored(plain, in: identity, after: last) }
            let statement = try database.cachedStatement(sql: "INSERT INTO record (time, json) VALUES (?, ?)")
            try records.forEach { try statement.insert(time: now, json: $0) }
            if !records.isEmpty { try checkNumbers(records.count, after: last, in: database) }
            try database.execute(
                sql:
                    "UPDATE state SET records = records + ?, bytes = bytes + ?, dropped = dropped + ?, "
                    + "time = max(time, ?), wall = ?",
                arguments: [records.count, records.bytes, dropped, now, time.wall])
            return try drop(past: limits, now: now, in: database)
        }
    }

    private func drop(past limits: Limits, now: TimeInterval, in database: Database) throws -> [Outbox.Notice.Drop: Int]
    {
        var sums = try Self.sums(in: database)
        if sums.records > limits.records || sums.bytes > limits.bytes, !isCounted {
            // A wrong sum would drop records although there is space.
            try compare(sums, in: database)
            isCounted = true
        }
        var dropped: [Outbox.Notice.Drop: Int] = [:]
        var last: Int64?
        let sql = "SELECT number, time, length(json) FROM record ORDER BY number LIMIT \(Self.dropStep)"
        try database.each(sql) { row in
            let why: Outbox.Notice.Drop
            if sums.records > limits.records {
                why = .records
            } else if sums.bytes > limits.bytes {
                why = .bytes
            } else if now - (try row.real(1)) > limits.age {
                why = .age
            } else {
                return false
            }
            last = try row.integer(0)
            dropped[why, default: 0] += 1
            sums.records -= 1
            sums.bytes -= try row.count(2)
            return true
        }
        guard let last else { return [:] }
        guard sums.records >= 0, sums.bytes >= 0 else { throw Damage("its sums are not those of its records") }
        try database.execute(sql: "DELETE FROM record WHERE number <= ?", arguments: [last])
        try database.execute(
            sql: "UPDATE state SET records = ?, bytes = ?, dropped = dropped + ?",
            arguments: [sums.records, sums.bytes, dropped.values.reduce(0, +)])
        return dropped
    }

    /// Drops records and dead letters past the limits. Records age even if none are written.
    func drop(past limits: Limits) throws -> [Outbox.Notice.Drop: Int] {
        var dropped = try write { database in
            var dropped = try drop(past: limits, now: time.now, in: database)
            if try Self.sums(in: database).deadLetters > 0 {
                dropped[.deadLetters] = try limitDeadLetters(limits, in: database)
            }
            return dropped
        }
        var isMore = dropped.values.reduce(0, +) >= Self.dropStep
        // The next run continues after a failure. The drops of earlier steps are counted.
        while isMore, let some = try? write({ try drop(past: limits, now: time.now, in: $0) }) {
            dropped.merge(some) { $0 + $1 }
            isMore = some.values.reduce(0, +) >= Self.dropStep
        }
        return dropped
    }

    /// Returns the oldest records after a number: at least one, up to a count and a size in bytes; nil without any.
    func batch(behind last: Int64, records limit: Int, bytes: Int) throws -> OutboxBatch? {
        try read { database in
            var records: [[UInt8]] = []
            var numbers: [Int64] = []
            var size = 0
            var previous = last
            try database.each(
                "SELECT number, json FROM record WHERE number > ? ORDER BY number LIMIT ?", [last, Int64(limit)]
            ) { row in
                let number = try row.integer(0)
                let json = try form.record(try row.bytes(1), at: place(.record, number), mustBeSealed: form.isSealing)
                guard number > previous, number < Self.lastNumber else {
                    throw Damage("a record's number is \(number)")
                }
                // An uploader that sends a record per line would send two.
                guard !Self.hasLineEnd(json) else { throw Damage("a record has two lines") }
                if !records.isEmpty, size + json.count + 1 > bytes { return false }
                previous = number
                size += json.count + 1
                numbers.append(number)
                records.append(json)
                return true
            }
            if records.isEmpty, last == 0, try Self.sums(in: database).records != 0 {
                throw Damage("its sums are not those of its records")
            }
            guard !records.isEmpty else { return nil }
            return OutboxBatch(
                store: identity, file: fileIdentity, log: LogBatch(records: records), numbers: numbers, bytes: size)
        }
    }

    /// Returns a batch of one record; nil if there are none.
    /// - Parameter place: The record's distance from the newest one, as a fraction of the distance to the oldest.
    func probe(at place: Double) throws -> OutboxBatch? {
        let ends = try read { database -> [Int64] in
            guard try Self.sums(in: database).records > 0 else { return [] }
            return try ["min", "max"].compactMap { end in
                try database.first("SELECT \(end)(number) FROM record") { try $0.integer(0) }
            }
        }
        guard let first = ends.first, let last = ends.last, first >= 0, first <= last, last < Self.lastNumber else {
            return nil
        }
        let wanted = last - Int64(Double(last - first) * place)
        return try batch(behind: min(last, max(first, wanted)) - 1, records: 1, bytes: 1)
    }

    private static func hasLineEnd(_ json: [UInt8]) -> Bool {
        json.withUnsafeBytes { bytes in bytes.baseAddress.map { memchr($0, 0x0A, bytes.count) != nil } ?? false }
    }

    /// Removes accepted records and turns refused ones into dead letters, in one transaction.
    ///
    /// Some records may have been dropped past a limit while they were in flight. Only those still stored are counted.
    /// - Returns: The number of new dead letters, and the numbers of dropped records: dead letters past the limit, and
    ///   records that the collector has rejected without naming them.
    func settle(_ batch: OutboxBatch, _ verdicts: [OutboxMachine.Verdict], limits: Limits) throws -> (
        buried: Int, dropped: [Outbox.Notice.Drop: Int]
    ) {
        // Numbers of another store have no meaning here.
        guard batch.store == identity else { return (0, [:]) }
        // Dead letters are sealed before the transaction, because other processes wait for it.
        let letters = try verdicts.map { verdict -> [DatabaseValue] in
            guard case .refused(let reason) = verdict.result, form.isSealing else { return [] }
            return try verdict.records.flatMap { index in
                let letter = DeadLetter(json: batch.log.records[index], reason: reason)
                let (reason, json) = try values(of: letter, number: batch.numbers[index])
                return [reason, json, batch.numbers[index].databaseValue]
            }
        }
        return try write { database in
            var (records, bytes, buried, rejected) = (0, 0, 0, 0)
            for (index, verdict) in verdicts.enumerated() {
                // The store contains no other record between two consecutive records of a batch. If their numbers have
                // a gap, the records in the gap have been deleted.
                let range = [batch.numbers[verdict.records.lowerBound], batch.numbers[verdict.records.upperBound - 1]]
                let sql = "SELECT count(*), coalesce(sum(length(json)), 0) FROM record WHERE number BETWEEN ? AND ?"
                let gone = try database.first(sql, range) { (try $0.count(0), try $0.count(1)) } ?? (0, 0)
                (records, bytes) = (records + gone.0, bytes + gone.1)
                rejected += min(verdict.rejected, gone.0)
                if case .refused(let reason) = verdict.result {
                    buried += gone.0
                    for start in stride(from: 0, to: letters[index].count, by: 3) {
                        try database.execute(
                            sql:
                                "INSERT INTO dead_letter SELECT number, time, ?, ? FROM record "
                                + "WHERE number = ?",
                            arguments: StatementArguments(letters[index][start..<(start + 3)]))
                    }
                    if !form.isSealing {
                        try database.execute(
                            sql:
                                "INSERT INTO dead_letter SELECT number, time, ?, json FROM record "
                                + "WHERE number BETWEEN ? AND ?",
                            arguments: [reason, range[0], range[1]])
                    }
                }
                try database.execute(
                    sql: "DELETE FROM record WHERE number BETWEEN ? AND ?", arguments: [range[0], range[1]])
            }
            let sums = try Self.sums(in: database)
            guard sums.records >= records, sums.bytes >= bytes else {
                throw Damage("its sums are not those of its records")
            }
            try database.execute(
                sql: "UPDATE state SET records = records - ?, bytes = bytes - ?, dropped = dropped + ?, "
                    + "time = max(time, ?), wall = ?",
                arguments: [records, bytes, rejected, time.now, time.wall])
            let excess = buried > 0 ? try limitDeadLetters(limits, in: database) : 0
            return (buried, [.deadLetters: excess, .rejected: rejected])
        }
    }

    // MARK: Dead letters

    /// Returns the columns of a dead letter. The reason is sealed, too, because a collector may quote the record.
    private func values(of letter: DeadLetter, number: Int64) throws -> (reason: DatabaseValue, json: DatabaseValue) {
        let json = Data(try form.stored(letter.json, at: place(.deadLetter, number))).databaseValue
        guard form.isSealing else { return (letter.reason.databaseValue, json) }
        return (Data(try form.stored(Array(letter.reason.utf8), at: place(.reason, number))).databaseValue, json)
    }

    /// Returns the dead letter of a row with `number`, `json` and `reason`.
    static func deadLetter(_ row: StoredRow, _ form: RecordSealing, store: Int64?, mustBeSealed: Bool) throws
        -> DeadLetter
    {
        let number = try row.integer(0)
        let place = SealedPlace(kind: .deadLetter, store: store, number: number)
        let json = try form.record(try row.bytes(1), at: place, mustBeSealed: mustBeSealed)
        guard row.isBlob(2) else {
            if mustBeSealed { throw Damage("a row of a sealed store is not sealed") }
            return DeadLetter(json: json, reason: try row.text(2))
        }
        let reason = try form.opened(
            try row.bytes(2), at: SealedPlace(kind: .reason, store: store, number: number), mustBeSealed: mustBeSealed)
        return DeadLetter(json: json, reason: String(decoding: reason, as: UTF8.self))
    }

    /// Drops the oldest dead letters past the limits, and updates the count.
    private func limitDeadLetters(_ limits: Limits, in database: Database) throws -> Int {
        let size = "length(json) + length(reason)"
        var (count, bytes) =
            try database.first("SELECT count(*), coalesce(sum(\(size)), 0) FROM dead_letter") {
                (try $0.count(0), try $0.count(1))
            } ?? (0, 0)
        var (dropped, last) = (0, Int64.min)
        try database.each("SELECT number, time, \(size) FROM dead_letter ORDER BY number") { row in
            let age = time.now - (try row.real(1))
            guard count > limits.deadLetters || bytes > limits.bytes || age > limits.age else { return false }
            last = try row.integer(0)
            (dropped, count, bytes) = (dropped + 1, count - 1, bytes - (try row.count(2)))
            return true
        }
        try database.execute(sql: "DELETE FROM dead_letter WHERE number <= ?", arguments: [last])
        try database.execute(
            sql: "UPDATE state SET dead_letters = ?, dropped = dropped + ?", arguments: [count, dropped])
        return dropped
    }

    func deadLetters() throws -> [DeadLetter] { try read(deadLetters) }

    private func deadLetters(in database: Database) throws -> [DeadLetter] {
        var letters: [DeadLetter] = []
        try database.each("SELECT number, json, reason FROM dead_letter ORDER BY number") { row in
            letters.append(try Self.deadLetter(row, form, store: identity, mustBeSealed: form.isSealing))
            return true
        }
        return letters
    }

    /// Turns dead letters into records again, after the stored records. Records are sealed within the transaction,
    /// although other processes wait for it: apps call this rarely.
    func reviveDeadLetters() throws {
        try write { database in
            let letters = try deadLetters(in: database)
            let bytes = try append(letters.map(\.json), in: database)
            try database.execute(
                sql: "UPDATE state SET records = records + ?, dead_letters = 0, bytes = bytes + ?",
                arguments: [letters.count, bytes])
            try database.execute(sql: "DELETE FROM dead_letter")
        }
    }

    /// Adds records within a transaction. Returns their stored size in bytes.
    private func append(_ records: [[UInt8]], in database: Database) throws -> Int {
        let now = time.now
        let statement = try database.cachedStatement(sql: "INSERT INTO record (time, json) VALUES (?, ?)")
        let last = try Self.lastGiven(in: database)
        var (number, bytes) = (last, 0)
        for record in records {
            number += 1
            let stored = try form.stored(record, at: place(.record, number))
            try stored.withUnsafeBytes { try statement.insert(time: now, json: $0) }
            bytes += stored.count
        }
        if !records.isEmpty { try checkNumbers(records.count, after: last, in: database) }
        return bytes
    }

    /// Checks that SQLite has assigned the numbers for which records were sealed. It assigns other numbers if its
    /// stored last number is below the number of an existing row.
    private func checkNumbers(_ count: Int, after last: Int64, in database: Database) throws {
        guard !form.isSealing || database.lastInsertedRowID == last + Int64(count) else {
            throw Damage("its last number is below a record's")
        }
    }

    // MARK: Sums and state

    func sums() throws -> OutboxSums { try database.unsafeRead { try Self.sums(in: $0) } }

    static func sums(in database: Database) throws -> OutboxSums {
        let sums = try database.first("SELECT records, bytes, dead_letters, dropped FROM state") { row in
            OutboxSums(
                records: try row.count(0), bytes: try row.count(1), deadLetters: try row.count(2),
                dropped: try row.count(3))
        }
        guard let sums else { throw Damage("it has no state") }
        return sums
    }

    private func compare(_ sums: OutboxSums, in database: Database) throws {
        let rows = try database.first("SELECT count(*), coalesce(sum(length(json)), 0) FROM record") {
            (try $0.count(0), try $0.count(1))
        }
        guard let rows, rows == (sums.records, sums.bytes) else {
            throw Damage("its sums are not those of its records")
        }
    }

    struct Wait: Equatable {
        var seconds: TimeInterval
        /// The start of the wait, by the wall clock.
        var since: TimeInterval

        /// Returns the remaining seconds. If the wall clock was set back, no time is subtracted.
        func left(at wall: TimeInterval) -> TimeInterval {
            Outbox.Limits.clamp(seconds - max(0, wall - since), 0...Outbox.Limits.day)
        }
    }

    /// Stores the wait that the collector has asked for, for other processes.
    func forbid(_ wait: Wait) throws {
        try write {
            try $0.execute(
                sql: "UPDATE state SET forbidden = ?, forbidden_wall = ?", arguments: [wait.seconds, wait.since])
        }
    }

    func forbidden() throws -> Wait {
        try read { database in
            let wait = try database.first("SELECT forbidden, forbidden_wall FROM state") {
                Wait(seconds: try $0.real(0), since: try $0.real(1))
            }
            guard let wait else { throw Damage("it has no state") }
            return wait
        }
    }

    /// Adds the records and dead letters rescued from another store to this new one.
    ///
    /// The letters take the first numbers of the records. Therefore a record that becomes a letter has another number.
    func take(_ rescued: RescuedRecords) throws {
        try database.write { database in
            let now = time.now
            for (index, letter) in rescued.deadLetters.enumerated() {
                let number = Int64(index) + 1
                let (reason, json) = try values(of: letter, number: number)
                try database.execute(
                    sql: "INSERT INTO dead_letter VALUES (?, ?, ?, ?)", arguments: [number, now, reason, json])
            }
            try database.execute(
                sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('record', ?)",
                arguments: [rescued.deadLetters.count])
            let bytes = try append(rescued.records, in: database)
            try database.execute(
                sql:
                    "UPDATE state SET records = records + ?, bytes = bytes + ?, dead_letters = dead_letters + ?, "
                    + "dropped = dropped + ?",
                arguments: [rescued.records.count, bytes, rescued.deadLetters.count, rescued.dropped + rescued.lost])
        }
    }
}

/// A record that the collector has refused permanently.
public struct DeadLetter: Sendable, Equatable {
    /// The record in UTF-8.
    public let json: [UInt8]
    /// The collector's reason.
    public let reason: String
}
