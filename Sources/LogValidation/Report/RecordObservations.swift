/// What a judge has seen of events, columns and values, over all of its records. Those of several judges add up to the
/// same, whoever judged what.
package struct RecordObservations: Sendable {
    /// By the number of the event: records that name it in a version that is known, bad ones included.
    package var events: [Int]

    init(_ rules: RecordRules) { events = Array(repeating: 0, count: rules.descriptions.count) }

    package mutating func merge(_ other: RecordObservations) {
        for index in events.indices { events[index] += other.events[index] }
    }
}
