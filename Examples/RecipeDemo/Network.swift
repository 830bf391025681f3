import ActivityTracking
import Foundation
import LoopbackCollector

/// The network between the app and the collector. It can fail.
final class Network: Sendable {
    private enum State: Sendable {
        case there
        /// The next batch arrives, but its answer is lost.
        case going
        case away
    }

    private struct Batches: Sendable {
        var network = State.there
        var received: [String] = []
        var known: Set<String> = []
        /// A Boolean value that indicates whether a failed attempt has been printed. The app retries often, so only one
        /// is.
        var isSaid = true
    }

    private let terminal: Terminal
    private let state: Locked<Batches>

    init(_ terminal: Terminal) {
        self.terminal = terminal
        state = Locked(Batches())
    }

    /// The records that the collector has accepted, in order of arrival.
    var received: [String] { state.withLock { $0.received } }

    /// A Boolean value that indicates whether requests fail.
    var isAway: Bool { state.withLock { if case .away = $0.network { true } else { false } } }

    func appStarts() { state.withLock { $0.isSaid = false } }

    func goes() { state.withLock { $0.network = .going } }

    func returns() { state.withLock { $0.network = .there } }

    func answer(_ request: Collector.Request) -> Collector.Answer {
        state.withLock { state in
            switch state.network {
            case .there:
                let again = take(request.records, &state)
                let dots = String(repeating: "·", count: request.records.count)
                let isAgain = again > 0 ? ", \(again) of them redelivered" : ""
                terminal.print(
                    (Progress.indent, .plain), (dots, .good), ("  \(request.records.count) delivered\(isAgain)", .good))
                return .status(204)
            case .going:
                state.network = .away
                state.isSaid = true
                _ = take(request.records, &state)
                let dots = String(repeating: "·", count: request.records.count)
                terminal.print(
                    (Progress.indent, .plain), (dots, .bad),
                    ("  \(request.records.count) delivered, but the answer is lost", .bad))
                return .lost(accepting: request.records)
            case .away:
                if !state.isSaid {
                    terminal.print((Progress.indent, .plain), ("×  a delivery fails: connection reset", .bad))
                }
                state.isSaid = true
                return .reset
            }
        }
    }

    /// Stores records. Returns the number of those that had arrived before.
    private func take(_ records: [String], _ state: inout Batches) -> Int {
        state.received += records
        return records.count { !state.known.insert(Comparison.identifier(of: $0) ?? $0).inserted }
    }
}
