import Foundation

/// Changes or drops records before they reach destinations.
public protocol LogProcessor: Sendable {
    /// The record that goes on, or nil to drop it. It runs on the thread that posted the event, so it should be quick.
    func process(_ record: consuming LogRecord) -> LogRecord?
}

/// Keeps the share of records that the definition asks for (`sampling`).
///
/// Destinations that deliver are sampled without it (``LogDestination/isSampled``). As a processor it samples for all
/// destinations, and for the processors behind it.
///
/// The column that `sampling-key` names in `loggen.yml` decides: a user is in or out with every event of the same
/// share, on every device and in every version. If the column has no value or none is named, the record's `event_id`
/// decides.
///
/// The key's JSON text (strings without their quotation marks) is hashed with FNV-1a, 64 bits (Fowler, Noll and Vo;
/// draft-eastlake-fnv), and mixed by the finalizer of MurmurHash3 (Austin Appleby), since FNV's upper bits hardly
/// depend on a key's last letters. A record stays if the hash, as a fraction of 2⁶⁴, is below the share.
///
/// A record that stays says the share as `sampling_rate`, so that nobody has to remember by what to multiply.
public struct Sampling: LogProcessor {
    public init() {}

    public func process(_ record: consuming LogRecord) -> LogRecord? {
        guard let share = record.sampling, share < 1 else { return record }
        return Self.place(of: record) < share ? record.sampled(at: share) : nil
    }

    /// Where the record stands between 0 and 1: it belongs to every share above that.
    package static func place(of record: borrowing LogRecord) -> Double {
        fraction(record.samplingKey.flatMap { record.json(of: $0) } ?? record.id.uuidString)
    }

    /// The place of a key between 0 and 1.
    static func fraction(_ key: String) -> Double {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key.utf8 where byte != UInt8(ascii: "\"") { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        return Double(hash >> 11) * 0x1p-53
    }
}

/// Leaves out columns by their `privacy`.
///
/// A required column that is left out is noted in `violations` as `column: redacted`, so that receivers know why it is
/// missing.
public struct Redaction: LogProcessor {
    private let isRedacted: @Sendable (LogDefinition.Column) -> Bool

    /// Leaves out columns of these kinds.
    public init(_ kinds: Set<LogPrivacy> = [.personal, .sensitive]) {
        isRedacted = { column in column.privacy.map(kinds.contains) ?? false }
    }

    public func process(_ record: consuming LogRecord) -> LogRecord? {
        let columns = record.columns.filter(isRedacted)
        return columns.isEmpty ? record : record.removing(columns.map(\.name))
    }
}
