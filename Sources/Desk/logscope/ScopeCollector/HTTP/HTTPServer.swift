#if Scope
    import FlyingSocks
    import Foundation

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// An HTTP/1.1 server over FlyingFox's sockets.
    ///
    /// FlyingFox's own server reads heads of any length, waits for the rest without a timeout, drops unreadable
    /// requests without an answer, and ends when it cannot accept a connection. The collector may be open to a whole
    /// network, so this server has limits for heads, bodies and waits, and answers clients that exceed them.
    actor HTTPServer {
        typealias Handler = @Sendable (HTTPRequest, HTTPConnection) async throws -> HTTPResponse

        /// The state of a connection, which determines its deadline.
        enum Phase {
            case idle, head, body, writing, end
        }

        private struct Open {
            var socket: Socket
            var phase = Phase.idle
            var deadline = Double.infinity
            var began = 0.0
            var isLate = false
        }

        private let limits = HTTPLimits()
        #if canImport(Darwin)
            private let pool = SocketPool<kQueue>.kQueue(maxEvents: 64)
        #else
            private let pool = SocketPool<ePoll>.ePoll(maxEvents: 64)
        #endif
        private let listener: Socket
        private var open: [Int: Open] = [:]
        private var last = 0
        private var isStopped = false
        nonisolated let port: UInt16

        /// - Parameters:
        ///   - host: an address of this machine, as IPv4 or IPv6.
        ///   - port: 0 for a free one.
        init(host: String, port: UInt16) throws {
            Self.raiseDescriptorLimit()
            if host.contains(":") {
                listener = try Socket(domain: AF_INET6)
                try listener.setValue(true, for: .localAddressReuse)
                try listener.bind(to: sockaddr_in6.inet6(ip6: host, port: port))
            } else {
                listener = try Socket(domain: AF_INET)
                try listener.setValue(true, for: .localAddressReuse)
                try listener.bind(to: sockaddr_in.inet(ip4: host, port: port))
            }
            try listener.listen(maxPendingConnection: 256)
            switch try listener.sockname() {
            case .ip4(_, let port), .ip6(_, let port): self.port = port
            case .unix: self.port = port
            }
        }

        /// Serves connections until `stop` is called.
        func run(_ handler: @escaping Handler) async throws {
            try await pool.prepare()
            let pool = pool
            let polling = Task { try await pool.run() }
            let sweeping = Task { await self.shutDownLateConnections() }
            let listening = try AsyncSocket(socket: listener, pool: pool)
            while !isStopped {
                do {
                    admit(try await listening.accept(), handler)
                } catch {
                    if isStopped { break }
                    // All descriptors are in use, or the client has disconnected.
                    makeRoom()
                    try? await Task.sleep(nanoseconds: 20_000_000)
                }
            }
            sweeping.cancel()
            polling.cancel()
        }

        /// Stops accepting connections, and closes those that are open.
        func stop() {
            isStopped = true
            shutdown(listener.file.rawValue, Int32(SHUT_RDWR))
            try? listener.close()
            for connection in open.values { shutdown(connection.socket.file.rawValue, Int32(SHUT_RDWR)) }
        }

        private func admit(_ socket: AsyncSocket, _ handler: @escaping Handler) {
            if open.count >= limits.connections { makeRoom() }
            #if canImport(Darwin)
                try? socket.socket.setValue(true, for: .noSIGPIPE)
            #endif
            last += 1
            let number = last
            open[number] = Open(socket: socket.socket, deadline: Self.now() + limits.headTime, began: Self.now())
            let (server, limits) = (self, limits)
            Task {
                await HTTPConnection(socket, number: number, server: server, limits: limits).serve(handler)
                await server.close(number)
            }
        }

        /// Closes, if possible, the connection that has waited longest without a complete request.
        private func makeRoom() {
            let waiting = open.filter { [.idle, .head, .body, .end].contains($0.value.phase) && !$0.value.isLate }
            guard
                let (number, _) = waiting.min(by: { $0.value.began < $1.value.began })
                    ?? open.min(by: { $0.value.began < $1.value.began })
            else {
                return
            }
            open[number]?.isLate = true
            if let socket = open[number]?.socket { shutdown(socket.file.rawValue, Int32(SHUT_RDWR)) }
        }

        // MARK: Time

        func expect(_ number: Int, _ phase: Phase, within seconds: Double) {
            open[number]?.phase = phase
            open[number]?.began = Self.now()
            open[number]?.deadline = Self.now() + seconds
        }

        func isLate(_ number: Int) -> Bool { open[number]?.isLate ?? true }

        private func shutDownLateConnections() async {
            while !isStopped, !Task.isCancelled {
                let now = Self.now()
                for (number, connection) in open where connection.deadline < now {
                    let isReading = connection.phase == .head || connection.phase == .body
                    open[number]?.isLate = true
                    open[number]?.deadline = isReading ? now + limits.writeTime : .infinity
                    if isReading { open[number]?.phase = .writing }
                    shutdown(connection.socket.file.rawValue, Int32(isReading ? SHUT_RD : SHUT_RDWR))
                }
                try? await Task.sleep(nanoseconds: 250_000_000)
            }
        }

        private static func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

        // MARK: Ends

        func endWriting(_ number: Int) {
            open[number]?.isLate = false
            if let socket = open[number]?.socket { shutdown(socket.file.rawValue, Int32(SHUT_WR)) }
        }

        /// Closes the connection with a TCP reset, like a broken network.
        func reset(_ number: Int) {
            guard let socket = open[number]?.socket else { return }
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket.file.rawValue, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }

        private func close(_ number: Int) {
            guard let socket = open.removeValue(forKey: number)?.socket else { return }
            Task {
                // If the pool still has the descriptor, a new socket with the same number would never wake up.
                _ = await pool.isSettled
                try? socket.close()
            }
        }

        /// Raises the maximum number of open files, which is 256 in a shell on macOS.
        private static func raiseDescriptorLimit() {
            var limit = rlimit()
            #if canImport(Glibc)
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            #else
                let resource = RLIMIT_NOFILE
            #endif
            guard getrlimit(resource, &limit) == 0, limit.rlim_cur < 4096 else { return }
            limit.rlim_cur = min(4096, limit.rlim_max)
            setrlimit(resource, &limit)
        }
    }

    extension Error {
        /// The reason why the server cannot listen on a port.
        var words: String {
            guard let error = self as? SocketError, case .failed(let type, _, let message) = error else {
                return "\(self)"
            }
            return type.hasPrefix("inet_pton") ? "it is not an IP address" : message
        }
    }

    extension SocketPool {
        /// Always true. The pool is an actor, so a read of this property waits for earlier operations of the pool.
        fileprivate var isSettled: Bool { true }
    }
#endif
