import Foundation

/// A processor that changes or drops records before they reach destinations.
public protocol LogProcessor: Sendable {
    /// Returns the record to pass on, or nil to drop it. It runs on the posting thread, so it should be fast.
    func process(_ record: consuming LogRecord) -> LogRecord?
}

/// A processor that keeps the fraction of records in their definition's `sampling`.
///
/// Destinations that deliver are sampled without this processor (``LogDestination/decide(_:)``). The processor samples
/// for all destinations, and for the processors after it.
///
/// The value of the common column that `sampling-key` in `loggen.yml` names decides whether a record is kept. All
/// events with the same fraction keep the same users, on every device and in every version. Without such a column, or
/// if its value is missing, the record's `event_id` decides. A column that a processor removes or replaces still decides
/// with its original value.
///
/// The key's JSON (strings without quotation marks) is hashed with 64-bit FNV-1a (Fowler, Noll and Vo;
/// draft-eastlake-fnv). The finalizer of MurmurHash3 (Austin Appleby) then mixes the hash, because FNV's upper bits
/// hardly depend on a key's last characters. A record is kept if the hash, as a fraction of 2⁶⁴, is below the sampling
/// fraction.
///
/// A kept record contains the fraction as `sampling_rate`, by which consumers weight the record.
public struct Sampling: LogProcessor {
    public init() {}

    public func process(_ record: consuming LogRecord) -> LogRecord? {
        guard let share = record.sampling, share < 1 else { return record }
        return record.samplingPlace < share ? record.sampled(at: share) : nil
    }
}

/// A processor that removes columns by their `privacy`.
///
/// Removed columns that are required are listed in `violations` as `column: redacted`, to explain their absence.
public struct Redaction: LogProcessor {
    private let isRedacted: @Sendable (LogDefinition.Column) -> Bool

    /// Creates a processor that removes columns of these kinds.
    public init(_ kinds: Set<LogPrivacy> = [.personal, .sensitive]) {
        isRedacted = { column in column.privacy.map(kinds.contains) ?? false }
    }

    public func process(_ record: consuming LogRecord) -> LogRecord? {
        let columns = record.columns.filter(isRedacted)
        return columns.isEmpty ? record : record.removing(columns.map(\.name))
    }
}
