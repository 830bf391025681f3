/// Postpones SIGINT, SIGTERM and SIGHUP while a run stages and renames files. The run removes its staged files, or
/// renames all of them. Then the signal ends the process.
struct Interruption {
    /// The signal that has arrived; 0 before a signal. A handler may only set such a variable. A thread that reads it
    /// too early makes one more file.
    nonisolated(unsafe) private static var pending: sig_atomic_t = 0

    static var isPending: Bool { pending != 0 }

    private let postponedSignals: [Int32]

    /// Handles signals until ``end()``. Only one instance may be active.
    init() {
        Self.pending = 0
        postponedSignals = [SIGINT, SIGTERM, SIGHUP].filter { number in
            // Signals that the parent ignores stay ignored, as with `nohup` and in shell scripts.
            let former = signal(number, SIG_IGN)
            guard unsafeBitCast(former, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else { return false }
            signal(number) { Interruption.pending = $0 }
            return true
        }
    }

    /// Restores the default action of signals. If a signal has arrived, it ends the process.
    func end() {
        for number in postponedSignals { signal(number, SIG_DFL) }
        let number = Self.pending
        guard number != 0 else { return }
        // Threads of libdispatch block signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        endProcess(withCode: 128 + number)
    }
}
