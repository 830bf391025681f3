import Dispatch

/// Somebody ends the process while files wait: with Ctrl-C, by closing the terminal, or because a build is stopped. What
/// waits is to be removed first. Then the process ends as it would have. If a second such signal comes a second later or
/// more, it ends the process at once: one that comes earlier is the first one's echo, as `timeout` and shells send it.
struct Interruption {
    /// The work that a signal stops.
    private struct Work {
        var cancel: @Sendable () -> Void
        var signals: AsyncStream<Int32>.Continuation
        /// When the first signal came.
        var stopped: DispatchTime?
    }

    private let signals: AsyncStream<Int32>
    private let continuation: AsyncStream<Int32>.Continuation

    /// Listens until ``end()``. There is one at a time.
    /// - Parameter cancel: stops the work. It is called on a thread of its own, as all others may be at work.
    init(_ cancel: @escaping @Sendable () -> Void) {
        (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        Self.listener.begin(Work(cancel: cancel, signals: continuation))
    }

    /// Signals are heard when this has returned. Before the first call, one ends the process as it ends any other.
    static func listen() { _ = listener }

    /// The signal that has come since somebody asked last, if one has.
    func come() async -> Int32? {
        // Behind what has come, so nobody waits. No signal is 0.
        continuation.yield(0)
        for await number in signals { return number == 0 ? nil : number }
        return nil
    }

    /// From here on a signal ends the process, and one that nobody has asked for ends it now.
    func end() async {
        Self.listener.end()
        if let number = await come() { Self.endProcess(number) }
    }

    /// Ends the process as the signal does.
    static func endProcess(_ number: Int32) -> Never {
        signal(number, SIG_DFL)
        // Threads of libdispatch hold signals back.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        exit(128 + number)
    }

    // MARK: The process's own

    /// Never ends: libdispatch on Linux takes a signal over when it is listened to for the first time, and does not give it back.
    private static let listener = Listener()

    private struct Listener: Sendable {
        private let queue = DispatchQueue(label: "loggen.interruption", qos: .userInteractive)
        /// The queue keeps the work that runs.
        private let key = DispatchSpecificKey<Work>()

        init() {
            // `nohup` and shell scripts have them ignored.
            for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
                #if canImport(Darwin)
                    // There, what is ignored is heard, and what is not ends the process.
                    signal(number, SIG_IGN)
                #endif
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { [queue, key] in
                    // The handler keeps its source.
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
