#if Scope
    import Foundation
    import GRDB
    import LogProject

    /// A session in an SQLite database.
    struct ScopeStore: Sendable {
        /// "scop", which identifies the files of logscope.
        private static let applicationID: Int64 = 0x7363_6F70
        private static let version: Int64 = 1

        private let pool: DatabasePool

        /// Opens a session, or creates one if the file does not exist.
        /// - Parameter mustExist: true to throw if the file does not exist.
        init(path: String, mustExist: Bool = false) throws(FileError) {
            if mustExist, !FileManager.default.fileExists(atPath: path) {
                throw FileError("the session `\(path)` does not exist")
            }
            var configuration = GRDB.Configuration()
            configuration.busyMode = .timeout(10)
            configuration.maximumReaderCount = 4
            configuration.prepareDatabase { database in
                // With `FULL`, an acknowledged batch survives a power failure.
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
            do {
                pool = try DatabasePool(path: path, configuration: configuration)
                try pool.write { database in
                    let application = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
                    let version = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                    let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
                    if application == 0, version == 0, tables == 0 { return try Self.make(in: database) }
                    guard application == Self.applicationID else {
                        throw FileError("it is another program's database")
                    }
                    guard version == Self.version else {
                        throw FileError("its version is \(version), not \(Self.version)")
                    }
                }
            } catch {
                throw FileError("the session `\(path)` cannot be opened: \(Self.words(error))")
            }
        }

        private static func make(in database: Database) throws {
            try database.execute(
                sql: """
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(version);
                    CREATE TABLE records (
                        seq INTEGER PRIMARY KEY,
                        at INTEGER NOT NULL,
                        category TEXT, event TEXT, id TEXT, session TEXT, device TEXT, version TEXT,
                        known INTEGER NOT NULL,
                        bad INTEGER NOT NULL,
                        again INTEGER NOT NULL,
                        violations TEXT,
                        raw BLOB NOT NULL
                    );
                    CREATE INDEX ids ON records (id) WHERE NOT again;
                    CREATE INDEX bad_records ON records (seq) WHERE bad;
                    CREATE INDEX events ON records (category, event, seq);
                    """)
        }

        /// Moves all records into the session's file, so that it is complete without the files beside it.
        func close() {
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try? pool.close()
        }

        static func words(_ error: any Error) -> String {
            (error as? DatabaseError).map { $0.message ?? "SQLite error \($0.resultCode)" } ?? "\(error)"
        }

        // MARK: Writing

        /// Adds all records or none. They are on disk when this method returns.
        /// - Returns: the records with their numbers, and with the violations that other records cause.
        func add(_ records: [ReceivedRecord]) async throws -> [ReceivedRecord] {
            try await pool.write { database in
                var seq = try Int64.fetchOne(database, sql: "SELECT max(seq) FROM records") ?? 0
                // The number of compared records is limited, because a hostile client may repeat an identifier. The index
                // omits redeliveries.
                let earlier = try database.cachedStatement(
                    sql: "SELECT max(raw = ?) FROM (SELECT raw FROM records WHERE id = ? AND NOT again LIMIT 100)")
                let insertion = try database.cachedStatement(
                    sql: "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                let encoder = JSONEncoder()
                return try records.map { received in
                    var received = received
                    if let identifier = received.record.id,
                        let isEqual = try Bool.fetchOne(earlier, arguments: [Data(received.raw), identifier])
                    {
                        if isEqual {
                            received.record.again = true
                        } else {
                            received.violations.append(
                                ScopeViolation(
                                    column: "event_id", rule: "unique", message: "another record has this event_id",
                                    value: "\"\(identifier)\""))
                        }
                    }
                    seq += 1
                    received.record.seq = seq
                    received.record.summarize(received.violations)
                    let record = received.record
                    let isBad = record.verdict == .bad
                    let violations =
                        isBad ? String(decoding: try encoder.encode(received.violations), as: UTF8.self) : nil
                    try insertion.execute(arguments: [
                        seq, record.at, record.category, record.event, record.id, record.session, record.device,
                        record.version, record.known, isBad, record.again, violations, Data(received.raw),
                    ])
                    return received
                }
            }
        }

        // MARK: Reading

        struct Filter: Sendable {
            var before: Int64?
            var limit = 200
            var category: String?
            var event: String?
            var session: String?
            var device: String?
            var isBad = false
            /// A string that the record must contain.
            var text: String?
        }

        /// Returns records, newest first, and whether there are more.
        func records(_ filter: Filter) async throws -> (records: [ScopeRecord], hasMore: Bool) {
            var conditions: [String] = []
            var arguments: StatementArguments = []
            func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
                guard let value else { return }
                conditions.append(condition)
                arguments += [value]
            }
            add("seq < ?", filter.before)
            add("category = ?", filter.category)
            add("event = ?", filter.event)
            add("session = ?", filter.session)
            add("device = ?", filter.device)
            add("instr(CAST(raw AS TEXT), ?) > 0", filter.text)
            if filter.isBad { conditions.append("bad") }
            let limit = min(max(filter.limit, 1), 1000)
            let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
            let sql = "SELECT \(Self.columns) FROM records \(condition) ORDER BY seq DESC LIMIT \(limit + 1)"
            let found = try await pool.read { [arguments] database in
                try Row.fetchAll(database, sql: sql, arguments: arguments).map(Self.record)
            }
            return (Array(found.prefix(limit)), found.count > limit)
        }

        private static let columns =
            "seq, at, category, event, id, session, device, version, bad, again, violations, known"

        private static func record(_ row: Row) -> ScopeRecord {
            var record = ScopeRecord(at: row[1])
            (record.seq, record.category, record.event, record.id) = (row[0], row[2], row[3], row[4])
            (record.session, record.device, record.version) = (row[5], row[6], row[7])
            (record.again, record.known) = (row[9], row[11])
            record.summarize(violations(row[10]))
            // A bad record stays bad if its violations cannot be read, as those of another version.
            record.verdict = row[8] ? .bad : .good
            return record
        }

        private static func violations(_ text: String?) -> [ScopeViolation] {
            text.flatMap { try? JSONDecoder().decode([ScopeViolation].self, from: Data($0.utf8)) } ?? []
        }

        /// Returns a whole record; nil if the number is unknown.
        func record(_ seq: Int64) async throws -> (
            record: ScopeRecord, raw: [UInt8], violations: [ScopeViolation]
        )? {
            try await pool.read { database in
                guard
                    let row = try Row.fetchOne(
                        database, sql: "SELECT \(Self.columns), raw FROM records WHERE seq = ?", arguments: [seq])
                else {
                    return nil
                }
                let raw: Data = row[12]
                return (Self.record(row), Array(raw), Self.violations(row[10]))
            }
        }

        /// Writes every record as received, in pieces, without redeliveries.
        func export(_ write: ([UInt8]) async throws -> Void) async throws {
            var last: Int64 = 0
            while true {
                let (piece, end) = try await pool.read { [last] database in
                    var piece: [UInt8] = []
                    var end = last
                    let rows = try Row.fetchCursor(
                        database, sql: "SELECT seq, raw, again FROM records WHERE seq > ? ORDER BY seq",
                        arguments: [last])
                    while piece.count < 1 << 20, let row = try rows.next() {
                        end = row[0]
                        guard !(row[2] as Bool) else { continue }
                        let raw: Data = row[1]
                        piece += raw
                        piece.append(0x0A)
                    }
                    return (piece, end)
                }
                if end == last { return }
                last = end
                if !piece.isEmpty { try await write(piece) }
            }
        }

        func state() async throws -> ScopeState {
            try await pool.read { database in
                var state = ScopeState()
                let rows = try Row.fetchCursor(
                    database,
                    sql:
                        "SELECT category, event, known, bad, again, at / 60000, count(*) FROM records "
                        + "GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 6"
                )
                while let row = try rows.next() {
                    let (category, event): (String?, String?) = (row[0], row[1])
                    let name = category.flatMap { category in event.map { "\(category).\($0)" } }
                    state.add(name: name, known: row[2], isBad: row[3], isAgain: row[4], minute: row[5], row[6])
                }
                func texts(_ column: String) throws -> [String] {
                    let sql = "SELECT \(column) FROM records WHERE \(column) IS NOT NULL GROUP BY 1 ORDER BY min(seq)"
                    return try String.fetchAll(database, sql: sql)
                }
                state.opened(
                    sessions: try texts("session"), devices: try texts("device"),
                    lastSeq: try Int64.fetchOne(database, sql: "SELECT max(seq) FROM records") ?? 0)
                return state
            }
        }
    }
#endif
