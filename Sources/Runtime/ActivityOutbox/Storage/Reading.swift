import Foundation
import GRDB
import GRDBSQLite

/// An error for invalid content of a store.
struct Damage: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A row of SQLite. In a damaged file, a column may contain a value of any type, so each read checks the type.
struct StoredRow {
    fileprivate let statement: SQLiteStatement

    func integer(_ column: Int32) throws -> Int64 {
        guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { throw Damage("a number is not whole") }
        return sqlite3_column_int64(statement, column)
    }

    /// Returns a count from 0 to below 2⁶⁰, so that sums of counts do not overflow.
    func count(_ column: Int32) throws -> Int {
        let value = try integer(column)
        guard value >= 0, value < 1 << 60, let count = Int(exactly: value) else { throw Damage("a count is \(value)") }
        return count
    }

    func real(_ column: Int32) throws -> Double {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_FLOAT, SQLITE_INTEGER: break
        default: throw Damage("a time is not a number")
        }
        let value = sqlite3_column_double(statement, column)
        guard value.isFinite, abs(value) < 1e15 else { throw Damage("a time is \(value)") }
        return value
    }

    func bytes(_ column: Int32) throws -> [UInt8] {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { throw Damage("a record is not a blob") }
        let bytes = blob(column)
        guard !bytes.isEmpty else { throw Damage("a record is empty") }
        return bytes
    }

    func blob(_ column: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(statement, column))
        guard count > 0, let start = sqlite3_column_blob(statement, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_BLOB }

    func text(_ column: Int32) throws -> String {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let start = sqlite3_column_text(statement, column)
        else {
            throw Damage("a column is not text")
        }
        return String(cString: start)
    }
}

extension Database {
    /// Calls a body with each row, until the body returns false.
    func each(_ sql: String, _ arguments: [Int64] = [], body: (StoredRow) throws -> Bool) throws {
        let statement = try cachedStatement(sql: sql).sqliteStatement
        sqlite3_reset(statement)
        // An unfinished statement would keep the transaction open.
        defer { sqlite3_reset(statement) }
        for (index, argument) in arguments.enumerated() { sqlite3_bind_int64(statement, Int32(index + 1), argument) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: if try !body(StoredRow(statement: statement)) { return }
            case SQLITE_DONE: return
            default:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection)),
                    message: lastErrorMessage)
            }
        }
    }

    /// Sets whether the log and its index remain when the connection closes (`SQLITE_FCNTL_PERSIST_WAL`).
    func keepsFilesAtClose(_ isWanted: Bool) {
        var value: Int32 = isWanted ? 1 : 0
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &value)
    }

    /// Returns the value that a body reads from the first row; nil if the result is empty.
    func first<Value>(_ sql: String, _ arguments: [Int64] = [], read: (StoredRow) throws -> Value) throws -> Value? {
        var value: Value?
        try each(sql, arguments) { row in
            value = try read(row)
            return false
        }
        return value
    }
}

extension Statement {
    /// Binds the values and runs the statement without GRDB's arguments, whose boxing costs more than the row.
    func insert(time: TimeInterval, json: UnsafeRawBufferPointer) throws {
        sqlite3_reset(sqliteStatement)
        sqlite3_bind_double(sqliteStatement, 1, time)
        // The nil destructor (SQLITE_STATIC) is safe: the bytes are valid until the row is written.
        sqlite3_bind_blob(sqliteStatement, 2, json.baseAddress, Int32(truncatingIfNeeded: json.count), nil)
        let code = sqlite3_step(sqliteStatement)
        sqlite3_reset(sqliteStatement)
        sqlite3_clear_bindings(sqliteStatement)
        guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
