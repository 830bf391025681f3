import ActivityTracking
import Foundation

/// What one task waits for, and others give.
final class Signal: Sendable {
    private struct State: Sendable {
        var isGiven = false
        var waiting: CheckedContinuation<Void, Never>?
        var turn = 0
    }

    private let state = Locked(State())

    func give() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            if state.waiting == nil { state.isGiven = true }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Returns when the signal is given, or has been since the last time, or after so many seconds.
    func wait(atMost seconds: TimeInterval) async {
        await withCheckedContinuation { continuation in
            let turn: Int? = state.withLock { state in
                if state.isGiven {
                    state.isGiven = false
                    return nil
                }
                state.waiting = continuation
                state.turn += 1
                return state.turn
            }
            guard let turn else { return continuation.resume() }
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { [weak self] in self?.expire(turn) }
        }
    }

    private func expire(_ turn: Int) {
        let waiting = state.withLock { state in
            guard state.turn == turn else { return CheckedContinuation<Void, Never>?.none }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
