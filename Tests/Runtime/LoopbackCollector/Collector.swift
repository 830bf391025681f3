import ActivityTracking
import CZlib
package import Foundation
import Gzip

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A collector on 127.0.0.1 that answers as a test requires: correctly, incorrectly, late, or not at all. It uses real
/// sockets and HTTP/1.1, with a thread per connection.
package final class Collector: Sendable {
    package struct Request: Sendable {
        package var headers: [String: String]
        package var body: [UInt8]
        /// The body's records: its lines, unless the collector has another reader.
        package var records: [String]
    }

    package enum Answer: Sendable {
        /// An answer with this status. The records are accepted if the status is 2xx.
        case status(Int, retryAfter: String? = nil, headers: String = "")
        /// An answer with this status and body. These records are accepted.
        case text(Int, String, accepting: [String])
        /// A reset of the connection before the answer. These records are accepted.
        case lost(accepting: [String])
        /// An answer with this status that continues until the client closes the connection, for at most 20 seconds (3
        /// for a redirection).
        case endless(Int, Endless)
        /// An acceptance whose connection ends in the middle of the answer, after its head. If the head itself is cut
        /// off, swift-corelibs-foundation (6.3) ends the whole process with "Transfer completed, but there's no
        /// response".
        case cutOff
        case reset
        /// No answer for this time, then the end of the connection.
        case hang(seconds: Double)
    }

    /// The part of an answer that does not end.
    package enum Endless: String, Sendable, CaseIterable {
        /// A body with a `Content-Length` of three hundred gigabytes.
        case length
        case chunks
        /// A body that ends with the connection.
        case close
        /// A body of zeros in chunks, compressed to a thousandth.
        case gzip
        /// The header section.
        case headers
        /// Informational answers before the final one.
        case informational
        /// The body of a redirection.
        case redirection
    }

    /// The end of a connection before a request is answered.
    package struct Break: Sendable {
        /// The part of the request that is read before.
        package enum Point: Sendable, CaseIterable {
            /// Nothing: the connection ends when the request begins to arrive.
            case nothing
            case partOfHead, head, partOfBody, body
        }

        package enum Manner: Sendable, CaseIterable {
            case close, reset
            /// All connections end.
            case restart
        }

        package var point: Point
        package var manner: Manner

        package init(_ point: Point, _ manner: Manner) { (self.point, self.manner) = (point, manner) }
    }

    private struct State: Sendable {
        var open: Set<Int32> = []
        var broken = 0
        var accepted: [String] = []
        var requests = 0
        var brokenOff = 0
        var unreadable: [String] = []
        var connections = 0
        var isStopped = false
    }

    package let url: URL
    private let listener: Int32
    private let state = Locked(State())
    private let next: NextCollector?
    private let reader: NextCollector?
    private let breaks: @Sendable () -> Break?
    private let answer: @Sendable (Request) -> Answer

    /// Creates a collector and starts to listen.
    ///
    /// - Parameters:
    ///   - next: Another collector that must accept the records first; nil for none. If the other collector does not
    ///     accept them, the answer is 503.
    ///   - reader: A server that answers a body with its records, one per line; nil if the lines of bodies are records.
    ///     A body that it refuses is answered with 400.
    ///   - breaks: Called when a request begins to arrive. Returns the point at which its connection ends; nil to
    ///     answer it.
    package init(
        next: URL? = nil, reader: URL? = nil,
        _ answer: @escaping @Sendable (Request) -> Answer = { _ in .status(204) },
        breaks: @escaping @Sendable () -> Break? = { nil }
    ) throws {
        self.next = next.map(NextCollector.init)
        self.reader = reader.map(NextCollector.init)
        signal(SIGPIPE, SIG_IGN)
        (self.answer, self.breaks) = (answer, breaks)
        let (listener, port) = try Self.listen()
        guard let url = URL(string: "http://127.0.0.1:\(port)/logs") else { throw POSIXError(.EIO) }
        (self.url, self.listener) = (url, listener)
        Thread.detachNewThread { [weak self] in
            while true {
                var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, -1)
                guard let collector = self else { return }
                let connection = collector.state.withLock { state -> Int32? in
                    guard !state.isStopped else { return nil }
                    // A restart may have ended the connection.
                    guard Self.isReadable(listener, within: 0) else { return -1 }
                    let connection = accept(listener, nil, nil)
                    guard connection >= 0 else { return nil }
                    state.connections += 1
                    state.open.insert(connection)
                    return connection
                }
                guard let connection else { return }
                guard connection >= 0 else { continue }
                Thread.detachNewThread {
                    collector.serve(connection)
                    collector.state.withLock { $0.connections -= 1 }
                }
            }
        }
    }

    /// Listens on a free port. Returns the socket and its port.
    private static func listen() throws -> (listener: Int32, port: UInt16) {
        #if canImport(Glibc) || canImport(Musl)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutableBytes(of: &address) { bytes -> Bool in
            guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return bind(listener, pointer, length) == 0 && Foundation.listen(listener, 128) == 0
                && getsockname(listener, pointer, &length) == 0
        }
        guard listener >= 0, bound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    private static func isReadable(_ socket: Int32, within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    /// Ends all connections, also those that wait to be accepted. The port stays open: another test could take it.
    private func restart() {
        state.withLock { state in
            guard !state.isStopped else { return }
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
            while Self.isReadable(listener, within: 0) {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                reset(connection)
                close(connection)
            }
        }
    }

    package var accepted: [String] { state.withLock { $0.accepted } }

    package var acceptedCount: Int { state.withLock { $0.accepted.count } }

    package var requests: Int { state.withLock { $0.requests } }

    /// The number of endless answers whose connection the client has broken.
    package var brokenOff: Int { state.withLock { $0.brokenOff } }

    /// The number of connections that ended before their request was answered, as `breaks` required.
    package var broken: Int { state.withLock { $0.broken } }

    /// The reasons for which the reader has refused bodies.
    package var unreadable: [String] { state.withLock { $0.unreadable } }

    /// Waits until no connection is open or about to be accepted. If no process sends, nothing is in flight afterwards.
    package func waitUntilIdle() {
        while true {
            let isIdle = state.withLock { !Self.isReadable(listener, within: 0) && $0.connections == 0 }
            if isIdle { return }
            usleep(1000)
        }
    }

    package func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
        }
    }

    private func serve(_ connection: Int32) {
        defer {
            _ = state.withLock { $0.open.remove(connection) }
            close(connection)
        }
        var buffer: [UInt8] = []
        while true {
            if buffer.isEmpty, !Self.isReadable(connection, within: -1) { return }
            // The end of a connection is readable, too.
            var byte: UInt8 = 0
            if buffer.isEmpty, recv(connection, &byte, 1, Int32(MSG_PEEK)) <= 0 { return }
            let end = breaks()
            guard var request = read(connection, &buffer, until: end?.point) else {
                if let end { breakOff(connection, end.manner) }
                return
            }
            if let reader {
                let (status, text) = reader.answer(to: Data(request.body), type: "application/json")
                guard status == 200 else {
                    state.withLock { $0.unreadable.append("\(status ?? 0): \(text)") }
                    guard write(connection, "HTTP/1.1 400 Answer\r\nContent-Length: 0\r\n\r\n") else { return }
                    continue
                }
                request.records = text.utf8.split(separator: 0x0A).map { String(Substring($0)) }
            }
            var answer = answer(request)
            state.withLock { $0.requests += 1 }
            if let next, let records = answer.accepted(of: request), !records.isEmpty, !next.takes(records) {
                answer = .status(503)
            }
            switch answer {
            case .status(let status, let retryAfter, let headers):
                if (200..<300).contains(status) { keep(request.records) }
                let lines = headers + (retryAfter.map { "Retry-After: \($0)\r\n" } ?? "")
                guard write(connection, "HTTP/1.1 \(status) Answer\r\n\(lines)Content-Length: 0\r\n\r\n") else {
                    return
                }
            case .text(let status, let body, let records):
                keep(records)
                let head = "HTTP/1.1 \(status) Answer\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                guard write(connection, head + body) else { return }
            case .lost(let records):
                keep(records)
                return reset(connection)
            case .endless(let status, let kind):
                let (head, piece) = kind.bytes
                // The client reads the body of a redirection to its end, which keeps a core busy. Therefore this answer
                // ends after three seconds.
                let end = DispatchTime.now() + (kind == .redirection ? 3 : 20)
                var isOpen = write(
                    connection, Array("HTTP/1.1 \(kind == .informational ? 102 : status) Answer\r\n\(head)".utf8))
                while isOpen, DispatchTime.now() < end { isOpen = write(connection, piece) }
                if !isOpen { state.withLock { $0.brokenOff += 1 } }
                return
            case .cutOff:
                keep(request.records)
                _ = write(connection, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of")
                return
            case .reset: return reset(connection)
            case .hang(let seconds):
                Thread.sleep(forTimeInterval: seconds)
                return
            }
        }
    }

    private func keep(_ records: [String]) { state.withLock { $0.accepted += records } }

    private func breakOff(_ connection: Int32, _ manner: Break.Manner) {
        state.withLock { $0.broken += 1 }
        switch manner {
        case .close: break
        case .reset: reset(connection)
        case .restart: restart()
        }
    }

    private func reset(_ connection: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Foundation.linger>.size))
    }

    // MARK: HTTP

    /// Returns a request; nil if the connection ends, or at the point at which it is to be broken.
    private func read(_ connection: Int32, _ buffer: inout [UInt8], until point: Break.Point?) -> Request? {
        switch point {
        case .nothing: return nil
        case .partOfHead:
            var bytes = [UInt8](repeating: 0, count: 16)
            recv(connection, &bytes, bytes.count, 0)
            return nil
        case .head, .partOfBody, .body, nil: break
        }
        guard let headEnd = fill(connection, &buffer, until: { Self.endOfHead($0) }) else { return nil }
        if point == .head { return nil }
        let lines = String(decoding: buffer[..<headEnd], as: UTF8.self).components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        if headers["expect"]?.lowercased() == "100-continue" { _ = write(connection, "HTTP/1.1 100 Continue\r\n\r\n") }
        let wanted = headEnd + (point == .partOfBody ? length / 2 : length)
        guard let end = fill(connection, &buffer, until: { $0.count >= wanted ? wanted : nil }), point == nil
        else { return nil }
        var body = Array(buffer[headEnd..<end])
        buffer.removeFirst(end)
        if headers["content-encoding"] == "gzip" { body = Self.decompressed(body) ?? [] }
        let records = body.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        return Request(headers: headers, body: body, records: records)
    }

    private func fill(_ connection: Int32, _ buffer: inout [UInt8], until end: ([UInt8]) -> Int?) -> Int? {
        while true {
            if let end = end(buffer) { return end }
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { bytes, count in
                count = max(0, recv(connection, bytes.baseAddress, bytes.count, 0))
            }
            if piece.isEmpty { return nil }
            buffer += piece
        }
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in 0...(bytes.count - 4)
        where bytes[index] == 0x0D && bytes[index..<(index + 4)].elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
            return index + 4
        }
        return nil
    }

    private func write(_ connection: Int32, _ text: String) -> Bool { write(connection, Array(text.utf8)) }

    private func write(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) == $0.count }
    }

    private static func decompressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let inflater = Inflater(skipsPadding: false) else { return nil }
        var output: [UInt8] = []
        let status = bytes.withUnsafeBytes { inflater.read($0) { output += $0 } }
        return status == .good && !inflater.isInside ? output : nil
    }
}

extension Collector.Endless {
    /// The lines after the status, and the bytes that are repeated after them.
    fileprivate var bytes: (head: String, piece: [UInt8]) {
        let text = String(repeating: "x", count: 1 << 16)
        func chunk(_ bytes: [UInt8]) -> [UInt8] {
            Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
        }
        switch self {
        case .length: return ("Content-Length: 300000000000\r\n\r\n", Array(text.utf8))
        case .chunks: return ("Transfer-Encoding: chunked\r\n\r\n", chunk(Array(text.utf8)))
        case .close: return ("\r\n", Array(text.utf8))
        case .gzip: return ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n", chunk(Self.bomb))
        case .headers: return ("", Array("X-Long: \(text.prefix(1000))\r\n".utf8))
        case .informational:
            return ("\r\n", Array(String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 100).utf8))
        case .redirection: return ("Location: /elsewhere\r\n\r\n", Array(text.utf8))
        }
    }

    /// A gzip member of 64 MB of zeros (RFC 1952).
    private static let bomb: [UInt8] = {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
            return []
        }
        defer { deflateEnd(&stream) }
        var zeros = [UInt8](repeating: 0, count: 64 << 20)
        var output = [UInt8](repeating: 0, count: 1 << 20)
        let room = output.count
        zeros.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, uInt(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, uInt(room))
                _ = deflate(&stream, Z_FINISH)
            }
        }
        return Array(output.prefix(room - Int(stream.avail_out)))
    }()
}

extension Collector.Answer {
    /// Returns the accepted records of a request, or nil if it is not accepted.
    fileprivate func accepted(of request: Collector.Request) -> [String]? {
        switch self {
        case .status(let status, _, _): (200..<300).contains(status) ? request.records : nil
        case .text(_, _, let accepting), .lost(let accepting): accepting
        case .cutOff: request.records
        case .endless, .reset, .hang: nil
        }
    }
}

/// A second collector, to which this collector forwards the records that it accepts, as NDJSON, or that reads bodies.
private struct NextCollector: Sendable {
    let url: URL

    /// Sends records and waits for the answer. Returns whether the answer is 2xx.
    func takes(_ records: [String]) -> Bool {
        let body = Data((records.joined(separator: "\n") + "\n").utf8)
        return answer(to: body, type: "application/x-ndjson").status.map((200..<300).contains) ?? false
    }

    /// Sends a body and waits for the answer. The status is nil if there is none.
    func answer(to body: Data, type: String) -> (status: Int?, text: String) {
        var request = URLRequest(url: url, timeoutInterval: 10)
        request.httpMethod = "POST"
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        request.httpBody = body
        let answer = Locked<(status: Int?, text: String)>((nil, ""))
        let answered = DispatchSemaphore(value: 0)
        URLSession.shared.dataTask(with: request) { data, response, error in
            let text = data.map { String(decoding: $0, as: UTF8.self) } ?? error.map { "\($0)" } ?? ""
            answer.withLock { $0 = ((response as? HTTPURLResponse)?.statusCode, text) }
            answered.signal()
        }.resume()
        answered.wait()
        return answer.withLock { $0 }
    }
}
