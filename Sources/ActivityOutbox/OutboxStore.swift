import Foundation
import GRDB
import GRDBSQLite

/// Records on disk: an SQLite database in WAL mode.
///
/// Records are numbered in the order they were written, and numbers are never given twice, so that what is sent and what is dropped meanwhile
/// cannot be confused. Sums are kept in a row of their own: nothing here takes longer the more is stored.
struct OutboxStore: Sendable {
    /// What `PRAGMA user_version` says.
    static let version = 1

    struct NewerVersion: Error, CustomStringConvertible {
        let version: Int
        var description: String { "it is of version \(version), and this is \(OutboxStore.version)" }
    }

    struct Batch: Sendable {
        /// The store that gave the numbers; another one counts for itself.
        var store: Int64
        var records: [[UInt8]]
        var numbers: ClosedRange<Int64>
    }

    struct Limits: Sendable {
        var records: Int
        var bytes: Int
        var age: TimeInterval
    }

    struct Sums: Sendable {
        var records = 0
        var bytes = 0
        var deadLetters = 0
        var dropped = 0
    }

    private let database: DatabaseQueue
    let identity: Int64
    private let time: OutboxTime

    /// Opens the store, and makes it where there is none.
    init(path: String, clock: OutboxClock) throws {
        var configuration = GRDB.Configuration()
        configuration.label = "ActivityOutbox"
        // Another process writes for milliseconds.
        configuration.busyMode = .timeout(5)
        configuration.qos = .utility
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            // A commit reaches the disk's cache with the log; killing the process loses nothing, and power failing leaves the file sound.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // Debian's SQLite overwrites with zeros whatever is deleted, at the cost of writing every page twice.
            try database.execute(sql: "PRAGMA secure_delete = FAST")
        }
        database = try DatabaseQueue(path: path, configuration: configuration)
        (identity, time) = try database.write { database in
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            guard version <= Self.version else { throw NewerVersion(version: version) }
            if version == 0 {
                try database.execute(
                    sql: """
                        CREATE TABLE record (number INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, json BLOB NOT NULL);
                        CREATE TABLE dead_letter (number INTEGER PRIMARY KEY, time REAL NOT NULL, reason TEXT NOT NULL, json BLOB NOT NULL);
                        CREATE TABLE state (
                            store INTEGER NOT NULL, records INTEGER NOT NULL, bytes INTEGER NOT NULL, dead_letters INTEGER NOT NULL, dropped INTEGER NOT NULL,
                            time REAL NOT NULL, wall REAL NOT NULL
                        );
                        INSERT INTO state VALUES (random(), 0, 0, 0, 0, 0, 0);
                        PRAGMA user_version = \(Self.version);
                        """)
            }
            guard let row = try Row.fetchOne(database, sql: "SELECT store, time, wall FROM state") else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            let wall: TimeInterval = row["wall"]
            return (row["store"], OutboxTime(clock, last: row["time"], lastWall: wall == 0 ? clock.wall() : wall))
        }
    }

    func close() throws { try database.close() }

    // MARK: Records

    /// Writes records and drops what is past the limits, in one transaction.
    /// - Returns: how many were dropped for each limit.
    func insert(_ records: PackedRecords, dropped: Int, limits: Limits) throws -> [OutboxNotice.Drop: Int] {
        try database.write { database in
            let now = time.now
            let statement = try database.cachedStatement(sql: "INSERT INTO record (time, json) VALUES (?, ?)")
            try records.forEach { try statement.insert(time: now, json: $0) }
            try database.execute(
                sql: "UPDATE state SET records = records + ?, bytes = bytes + ?, dropped = dropped + ?, time = max(time, ?), wall = ?",
                arguments: [records.count, records.bytes, dropped, now, time.wall])
            return try drop(past: limits, now: now, in: database)
        }
    }

    private func drop(past limits: Limits, now: TimeInterval, in database: Database) throws -> [OutboxNotice.Drop: Int] {
        var sums = try sums(in: database)
        var dropped: [OutboxNotice.Drop: Int] = [:]
        var last: Int64?
        let rows = try Row.fetchCursor(database, sql: "SELECT number, time, length(json) AS bytes FROM record ORDER BY number")
        while let row = try rows.next() {
            let why: OutboxNotice.Drop
            if sums.records > limits.records {
                why = .records
            } else if sums.bytes > limits.bytes {
                why = .bytes
            } else if now - row["time"] > limits.age {
                why = .age
            } else {
                break
            }
            last = row["number"]
            dropped[why, default: 0] += 1
            sums.records -= 1
            sums.bytes -= row["bytes"]
        }
        guard let last else { return [:] }
        try database.execute(sql: "DELETE FROM record WHERE number <= ?", arguments: [last])
        try database.execute(
            sql: "UPDATE state SET records = ?, bytes = ?, dropped = dropped + ?",
            arguments: [sums.records, sums.bytes, dropped.values.reduce(0, +)])
        return dropped
    }

    /// Drops what is past the limits, as age comes without anything being written.
    func drop(past limits: Limits) throws -> [OutboxNotice.Drop: Int] {
        try database.write { try drop(past: limits, now: time.now, in: $0) }
    }

    /// The oldest records behind a number, at most so many and so many bytes, but one at least; nil where there is none.
    func batch(behind last: Int64, records limit: Int, bytes: Int) async throws -> Batch? {
        try await database.read { database in
            var records: [[UInt8]] = []
            var size = 0
            var numbers: ClosedRange<Int64>?
            let statement = try database.cachedStatement(sql: "SELECT number, json FROM record WHERE number > ? ORDER BY number LIMIT ?")
            let rows = try Row.fetchCursor(statement, arguments: [last, max(1, limit)])
            while let row = try rows.next() {
                let number: Int64 = row["number"]
                let json = try row.bytes("json")
                if !records.isEmpty, size + json.count > bytes { break }
                size += json.count + 1
                records.append(json)
                numbers = (numbers?.lowerBound ?? number)...number
            }
            return numbers.map { Batch(store: identity, records: records, numbers: $0) }
        }
    }

    /// Removes records that the collector has.
    func remove(_ batch: Batch) async throws {
        try await database.write { try remove(batch, from: $0) }
    }

    /// What was dropped meanwhile is gone already, so what goes is counted here.
    private func remove(_ batch: Batch, from database: Database) throws {
        guard batch.store == identity else { return }
        let range: StatementArguments = [batch.numbers.lowerBound, batch.numbers.upperBound]
        let row = try Row.fetchOne(
            database, sql: "SELECT count(*) AS records, coalesce(sum(length(json)), 0) AS bytes FROM record WHERE number BETWEEN ? AND ?",
            arguments: range)
        guard let row else { return }
        try database.execute(sql: "DELETE FROM record WHERE number BETWEEN ? AND ?", arguments: range)
        let records: Int = row["records"]
        let bytes: Int = row["bytes"]
        try database.execute(sql: "UPDATE state SET records = records - ?, bytes = bytes - ?", arguments: [records, bytes])
    }

    // MARK: Dead letters

    /// Sets records aside that the collector will never take.
    func bury(_ batch: Batch, reason: String, limit: Int) async throws {
        guard batch.store == identity else { return }
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO dead_letter SELECT number, time, ?, json FROM record WHERE number BETWEEN ? AND ?",
                arguments: [reason, batch.numbers.lowerBound, batch.numbers.upperBound])
            try remove(batch, from: database)
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM dead_letter") ?? 0
            let excess = max(0, count - limit)
            try database.execute(
                sql: "DELETE FROM dead_letter WHERE number IN (SELECT number FROM dead_letter ORDER BY number LIMIT ?)", arguments: [excess])
            try database.execute(sql: "UPDATE state SET dead_letters = ?, dropped = dropped + ?", arguments: [count - excess, excess])
        }
    }

    func deadLetters() async throws -> [DeadLetter] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT reason, json FROM dead_letter ORDER BY number").map {
                DeadLetter(json: try $0.bytes("json"), reason: $0["reason"])
            }
        }
    }

    /// Stores dead letters as records once more, behind what waits.
    func reviveDeadLetters() async throws {
        try await database.write { database in
            try database.execute(sql: "INSERT INTO record (time, json) SELECT ?, json FROM dead_letter ORDER BY number", arguments: [time.now])
            try database.execute(
                sql: """
                    UPDATE state SET records = records + dead_letters, dead_letters = 0,
                        bytes = bytes + (SELECT coalesce(sum(length(json)), 0) FROM dead_letter);
                    DELETE FROM dead_letter
                    """)
        }
    }

    // MARK: All of it

    func sums() async throws -> Sums {
        try await database.read { try sums(in: $0) }
    }

    var isNotEmpty: Bool { (try? database.read { try sums(in: $0).records > 0 }) ?? false }

    private func sums(in database: Database) throws -> Sums {
        guard let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT records, bytes, dead_letters, dropped FROM state")) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return Sums(records: row["records"], bytes: row["bytes"], deadLetters: row["dead_letters"], dropped: row["dropped"])
    }

    /// Forgets every record and dead letter; how many there were.
    func clear() throws -> Int {
        try database.write { database in
            let sums = try sums(in: database)
            let count = sums.records + sums.deadLetters
            try database.execute(
                sql: """
                    DELETE FROM record;
                    DELETE FROM dead_letter;
                    UPDATE state SET records = 0, bytes = 0, dead_letters = 0, dropped = dropped + \(count)
                    """)
            return count
        }
    }
}

/// A record that the collector refuses for good.
public struct DeadLetter: Sendable, Equatable {
    /// UTF-8.
    public let json: [UInt8]
    /// What the collector said.
    public let reason: String
}

extension Statement {
    /// Binds and runs by hand: boxes around the arguments would cost more than the row.
    fileprivate func insert(time: TimeInterval, json: UnsafeRawBufferPointer) throws {
        sqlite3_reset(sqliteStatement)
        sqlite3_bind_double(sqliteStatement, 1, time)
        // The bytes stay where they are until the row is written.
        sqlite3_bind_blob(sqliteStatement, 2, json.baseAddress, Int32(json.count), nil)
        let code = sqlite3_step(sqliteStatement)
        sqlite3_reset(sqliteStatement)
        sqlite3_clear_bindings(sqliteStatement)
        guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}

extension Row {
    fileprivate func bytes(_ column: String) throws -> [UInt8] {
        try withUnsafeData(named: column) { $0.map { [UInt8]($0) } ?? [] }
    }
}
