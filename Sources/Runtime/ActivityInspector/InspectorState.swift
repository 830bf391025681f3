package import ActivityTracking

/// The kept records, and the counts of all records. A value, so that a view reads it without the lock.
package struct InspectorState: Sendable {
    /// The counts of an event's records, including those that are no longer kept.
    package struct EventCount: Sendable {
        package fileprivate(set) var records = 0
        package fileprivate(set) var rejected = 0
        /// The records that were dropped before they were validated.
        package fileprivate(set) var unchecked = 0
        /// The verdict on the latest record that was validated, with its first violation.
        package fileprivate(set) var last: RecordVerdict?
        fileprivate var lastNumber = -1
    }

    package struct EventName: Sendable, Hashable {
        package var category: String
        package var event: String

        package init(category: String, event: String) {
            self.category = category
            self.event = event
        }
    }

    /// The definitions of the checklist, in its order.
    package private(set) var definitions: [LogDefinition]
    package private(set) var counts: [EventName: EventCount] = [:]
    /// The records that exceed the limit by themselves.
    package private(set) var tooLarge = 0
    package private(set) var policy = CollectionPolicy.paused
    /// The size of the kept records and their violations, in bytes.
    package private(set) var bytes = 0
    /// Indicates whether a task validates records. `inFlight` is the number of records that are being validated.
    var isValidating = false
    var inFlight = 0

    private let limits: InspectorDestination.Limits
    private var known: Set<ObjectIdentifier>
    /// The records by number, modulo the limit. Numbers from `first` up to `next` are in use.
    private var slots: [InspectedRecord?] = []
    private var first = 0
    private var next = 0
    private var nextWaiting = 0

    init(_ limits: InspectorDestination.Limits, definitions: [LogDefinition]) {
        // The upper bound prevents an overflow in the arithmetic with record numbers.
        self.limits = .init(records: min(max(1, limits.records), 1_000_000), bytes: limits.bytes)
        self.definitions = definitions
        known = Set(definitions.map(ObjectIdentifier.init))
    }

    /// The kept records, the newest first.
    package var records: [InspectedRecord] { (first..<next).reversed().compactMap { slots[$0 % limits.records] } }

    /// Returns a record by its number; nil if it is no longer kept.
    package func record(_ number: Int) -> InspectedRecord? {
        number >= first && number < next ? slots[number % limits.records] : nil
    }

    /// The number of all records since the start or since the list was cleared.
    package var total: Int { counts.values.reduce(0) { $0 + $1.records } }
    package var rejected: Int { counts.values.reduce(0) { $0 + $1.rejected } }

    /// - Returns: True if the record has to be validated and no task does it.
    mutating func receive(_ record: LogRecord) -> Bool {
        guard policy != .denied else { return false }
        if known.insert(ObjectIdentifier(record.definitions)).inserted { definitions.append(record.definitions) }
        let name = EventName(category: record.category, event: record.event)
        counts[name, default: EventCount()].records += 1
        let size = InspectedRecord.overhead + record.json.count
        guard size <= limits.bytes else {
            tooLarge += 1
            counts[name]?.unchecked += 1
            return false
        }
        if next - first == limits.records { dropFirst() }
        let place = next % limits.records
        let entry = InspectedRecord(number: next, record: record, bytes: size)
        if place < slots.count { slots[place] = entry } else { slots.append(entry) }
        next += 1
        bytes += size
        shrink()
        defer { isValidating = true }
        return !isValidating
    }

    private mutating func shrink() { while bytes > limits.bytes, first < next { dropFirst() } }

    private mutating func dropFirst() {
        let place = first % limits.records
        if let entry = slots[place] {
            bytes -= entry.bytes
            if entry.verdict == nil { counts[entry.name]?.unchecked += 1 }
        }
        slots[place] = nil
        first += 1
    }

    /// Returns the next records to validate, oldest first, at most `count`. Later calls do not return them again.
    mutating func waiting(_ count: Int) -> [InspectedRecord] {
        nextWaiting = max(nextWaiting, first)
        let end = min(next, nextWaiting + count)
        defer { nextWaiting = end }
        return (nextWaiting..<end).compactMap { slots[$0 % limits.records] }
    }

    mutating func set(_ verdict: RecordVerdict, of number: Int) {
        let place = number % limits.records
        guard number >= first, number < next, var entry = slots[place], entry.verdict == nil else { return }
        entry.verdict = verdict
        let size = verdict.bytes
        entry.bytes += size
        bytes += size
        slots[place] = entry
        counts[entry.name]?.note(verdict, of: number)
        shrink()
    }

    mutating func setPolicy(_ policy: CollectionPolicy) {
        self.policy = policy
        if policy == .denied { clear() }
    }

    mutating func clear() {
        slots = []
        counts = [:]
        // Numbers are not used again: a verdict on a removed record must not reach another one.
        first = (next + limits.records - 1) / limits.records * limits.records
        next = first
        (bytes, tooLarge) = (0, 0)
    }
}

extension InspectorState.EventCount {
    fileprivate mutating func note(_ verdict: RecordVerdict, of number: Int) {
        if verdict.isRejected { rejected += 1 }
        guard number > lastNumber else { return }
        // Only the first violation is kept, because `Limits.bytes` does not apply to the counts.
        last = verdict.isRejected ? .rejected(Array(verdict.violations.prefix(1))) : verdict
        lastNumber = number
    }
}
