import Foundation
import GRDB

/// The readable content of a store that is damaged, or whose files were deleted while it was open.
struct RescuedRecords: Sendable {
    private(set) var records: [[UInt8]] = []
    private(set) var deadLetters: [DeadLetter] = []
    /// The number of dropped records, by the store's own count.
    private(set) var dropped = 0
    /// The number of records that could not be read, by the store's own count.
    private(set) var lost = 0

    /// Reads all readable records in order. The others are lost.
    /// - Throws: `Outbox.Seal.KeyUnavailable` if a record cannot be decrypted now, but may be decrypted later, or by a
    ///   process that has the seal.
    init(_ database: DatabaseQueue, _ form: RecordSealing) throws {
        var later: Outbox.Seal.KeyUnavailable?
        func opening<Value>(_ body: () throws -> Value) throws -> Value {
            do { return try body() } catch let error as Outbox.Seal.KeyUnavailable {
                later = error
                throw error
            }
        }
        database.unsafeRead { database in
            let version = (try? database.first("PRAGMA user_version") { try $0.integer(0) }) ?? 0
            let mustBeSealed = OutboxStore.Version.isSealed(version)
            guard form.hasSeal || !OutboxStore.Version.isSealed(version) else {
                later = .noSeal
                return
            }
            let store = try? database.first("SELECT store FROM state") { try $0.integer(0) }
            let sums = try? database.first("SELECT records, dead_letters, dropped FROM state") { row in
                (records: try row.count(0), deadLetters: try row.count(1), dropped: try row.count(2))
            }
            let isComplete = [
                Self.read("record", in: database) { row in
                    let place = SealedPlace(kind: .record, store: store, number: try row.integer(0))
                    let json = try opening { try form.record(try row.bytes(1), at: place, mustBeSealed: mustBeSealed) }
                    guard Self.isWhole(json) else { throw Damage("a record is not whole") }
                    records.append(json)
                },
                Self.read("dead_letter", in: database) { row in
                    let place = SealedPlace(kind: .deadLetter, store: store, number: try row.integer(0))
                    let json = try opening { try form.record(try row.bytes(1), at: place, mustBeSealed: mustBeSealed) }
                    guard Self.isWhole(json) else { throw Damage("a record is not whole") }
                    let letter = try? opening {
                        try OutboxStore.deadLetter(row, form, store: store, mustBeSealed: mustBeSealed)
                    }
                    deadLetters.append(
                        letter ?? DeadLetter(json: json, reason: "unknown: it was read from a damaged store"))
                },
            ]
            if let sums {
                dropped = sums.dropped
                if !isComplete[0] { lost += max(0, sums.records - records.count) }
                if !isComplete[1] { lost += max(0, sums.deadLetters - deadLetters.count) }
                // More than 2³⁰ lost records are implausible: the store's count is itself damaged.
                if lost > 1 << 30 { lost = 0 }
            }
        }
        if let later { throw later }
    }

    /// Creates an empty value, for a store that cannot be read at all.
    init() {}

    var isWorthKeeping: Bool { !isEmpty || dropped + lost > 0 }

    var isEmpty: Bool { records.isEmpty && deadLetters.isEmpty }

    /// Returns whether a record is one line without control characters. Only the collector checks its validity.
    private static func isWhole(_ json: [UInt8]) -> Bool { !json.contains { $0 < 0x20 } }

    /// Reads a table in the order of its numbers. If a page cannot be read, reading continues after it: the step is
    /// doubled until a number is readable, then halved to find the first readable one.
    /// - Returns: A Boolean value that indicates whether every row was read.
    private static func read(_ table: String, in database: Database, _ body: (StoredRow) throws -> Void) -> Bool {
        let columns = table == "record" ? "number, json" : "number, json, reason"
        var isComplete = true
        /// All rows up to this number have been read or given up.
        var last = Int64.min
        var seen: Set<Int64> = []
        // A file usually has few gaps. The limit of 2,000 bounds the time for a file full of gaps.
        for _ in 0..<2000 {
            do {
                try database.each("SELECT \(columns) FROM \(table) WHERE number > ? ORDER BY number", [last]) { row in
                    // An invalid row is skipped. The next one may be valid.
                    guard let number = try? row.integer(0), seen.insert(number).inserted, (try? body(row)) != nil else {
                        isComplete = false
                        return true
                    }
                    // A number that exceeds the last one by 2²⁰ or more may be damaged. The rows that follow it must
                    // still be read, so it does not become the last number.
                    if number > last, last == .min || number - last < 1 << 20 { last = number }
                    return true
                }
                return isComplete
            } catch {
                isComplete = false
            }
            guard let next = behindGap(last, in: database, table) else { return false }
            last = next
        }
        return false
    }

    /// Returns the number after which the table is readable again, if any.
    private static func behindGap(_ last: Int64, in database: Database, _ table: String) -> Int64? {
        func isReadable(_ number: Int64) -> Bool {
            (try? database.first(
                "SELECT number FROM \(table) WHERE number > ? ORDER BY number LIMIT 1", [number],
                read: { try $0.integer(0) }))
                != nil
        }
        var low = max(last, 0)
        var step: Int64 = 1
        while step < OutboxStore.lastNumber {
            if isReadable(low + step) { break }
            step *= 2
        }
        guard step < OutboxStore.lastNumber else { return nil }
        var high = low + step
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if isReadable(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
