import Dispatch

/// Cleans up when SIGINT, SIGTERM or SIGHUP ends the process while files are staged: the staged files are removed, then
/// the process ends with the same signal.
///
/// A second signal ends the process at once if it comes at least one second after the first. An earlier second signal
/// is ignored, because `timeout` and shells send the first signal twice.
struct Interruption {
    /// The work that a signal stops.
    private struct Work {
        var cancel: @Sendable () -> Void
        var signals: AsyncStream<Int32>.Continuation
        /// The time of the first signal; nil before a signal.
        var stopped: DispatchTime?
    }

    private let signals: AsyncStream<Int32>
    private let continuation: AsyncStream<Int32>.Continuation

    /// Handles signals until ``end()``. Only one instance may be active.
    /// - Parameter cancel: stops the work. The function is called on a dispatch thread, because all threads of the
    ///   concurrency pool may be busy.
    init(_ cancel: @escaping @Sendable () -> Void) {
        (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        Self.listener.begin(Work(cancel: cancel, signals: continuation))
    }

    /// Installs the signal handlers before it returns. Until the first call, signals end the process as usual.
    static func listen() { _ = listener }

    /// Returns the signal that has arrived since the last call; nil without one.
    func come() async -> Int32? {
        // The 0 ends the loop after pending signals, so that it does not wait. No signal has the number 0.
        continuation.yield(0)
        for await number in signals { return number == 0 ? nil : number }
        return nil
    }

    /// Restores the default behavior of signals, and ends the process if a signal is pending.
    func end() async {
        Self.listener.end()
        if let number = await come() { Self.endProcess(number) }
    }

    /// Ends the process by raising the signal with its default action.
    static func endProcess(_ number: Int32) -> Never {
        signal(number, SIG_DFL)
        // Threads of libdispatch block signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        exit(128 + number)
    }

    // MARK: Signal sources

    /// The listener lives as long as the process, because libdispatch on Linux does not restore a signal after its
    /// first source.
    private static let listener = Listener()

    private struct Listener: Sendable {
        private let queue = DispatchQueue(label: "loggen.interruption", qos: .userInteractive)
        /// The key of the current work in the queue's specific data.
        private let key = DispatchSpecificKey<Work>()

        init() {
            // Signals that the parent ignores stay ignored, as with `nohup` and in shell scripts.
            for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
                #if canImport(Darwin)
                    // On Darwin, a source does not replace the default action, so the signal must be ignored.
                    signal(number, SIG_IGN)
                #endif
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { [queue, key] in
                    // The handler retains its source.
                    withExtendedLifetime(source) { Self.handle(number, queue, key) }
                }
                let isRegistered = DispatchSemaphore(value: 0)
                source.setRegistrationHandler { isRegistered.signal() }
                source.resume()
                isRegistered.wait()
            }
        }

        private static func handle(_ number: Int32, _ queue: DispatchQueue, _ key: DispatchSpecificKey<Work>) {
            guard var work = queue.getSpecific(key: key) else { Interruption.endProcess(number) }
            if let stopped = work.stopped {
                if DispatchTime.now() >= stopped + .seconds(1) { Interruption.endProcess(number) }
                return
            }
            work.stopped = .now()
            queue.setSpecific(key: key, value: work)
            work.signals.yield(number)
            work.cancel()
        }

        func begin(_ work: Work) { queue.sync { queue.setSpecific(key: key, value: work) } }

        func end() { queue.sync { queue.setSpecific(key: key, value: nil) } }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #elseif canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sa_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
