#if Scope
    import FlyingSocks
    import Foundation

    /// A client's connection. It reads requests one after the other, within limits, and answers each.
    actor HTTPConnection {
        private let socket: AsyncSocket
        private let number: Int
        private let server: HTTPServer
        private let limits: HTTPLimits
        private var buffer: [UInt8] = []
        private var consumed = 0
        private var framing = Framing.length(0)

        private enum Framing {
            case length(Int)
            /// The remaining bytes of the chunk; nil before the line with its size.
            case chunk(Int?)
            case lineEndAfterChunk
            case over
        }

        init(_ socket: AsyncSocket, number: Int, server: HTTPServer, limits: HTTPLimits) {
            self.socket = socket
            self.number = number
            self.server = server
            self.limits = limits
        }

        /// Serves requests until either side closes the connection.
        func serve(_ handler: HTTPServer.Handler) async {
            do {
                while let request = try await nextRequest() {
                    await server.expect(number, .body, within: limits.bodyTime)
                    var response: HTTPResponse
                    do {
                        response = try await handler(request, self)
                    } catch let problem as HTTPProblem {
                        response = .text(problem.status, problem.message)
                    }
                    if case .reset = response.body { return await server.reset(number) }
                    let isWhole = isBodyRead
                    guard try await send(response, to: request, keeps: isWhole && request.keepsConnection) else {
                        break
                    }
                }
            } catch let problem as HTTPProblem {
                _ = try? await send(.text(problem.status, problem.message), to: nil, keeps: false)
            } catch {
                // The client has disconnected, or the server stops.
            }
            await linger()
        }

        /// Closes the connection for writing, and continues reading for two seconds or 16 MiB at most. A client that
        /// still writes would not receive the answer if the connection were reset immediately (RFC 9112, section 9.6).
        private func linger() async {
            await server.expect(number, .end, within: 2)
            await server.endWriting(number)
            var left = 16 << 20
            while left > 0, let piece = try? await socket.read(atMost: 4096), !piece.isEmpty { left -= piece.count }
        }

        // MARK: Reading

        private func nextRequest() async throws -> HTTPRequest? {
            await server.expect(number, .idle, within: limits.idleTime)
            var head: [UInt8] = []
            while head.suffix(2) != [0x0A, 0x0A] && head.suffix(3) != [0x0A, 0x0D, 0x0A] {
                guard consumed < buffer.count else {
                    guard try await fill() else {
                        if head.isEmpty { return nil }
                        throw await server.isLate(number)
                            ? HTTPProblem(
                                408, "The request's head did not arrive within \(Int(limits.headTime)) seconds.")
                            : HTTPProblem(400, "The request's head is truncated.")
                    }
                    if head.isEmpty { await server.expect(number, .head, within: limits.headTime) }
                    continue
                }
                let end = buffer[consumed...].firstIndex(of: 0x0A).map { $0 + 1 } ?? buffer.count
                head += buffer[consumed..<end]
                consumed = end
                // Empty lines before a request are allowed (RFC 9112, section 2.2).
                if head == [0x0A] || head == [0x0D, 0x0A] { head = [] }
                guard head.count <= limits.headBytes else {
                    throw HTTPProblem(431, "The request's head has more than \(limits.headBytes) bytes.")
                }
            }
            let request = try HTTPRequest(head: head, limits: limits)
            try begin(request)
            if request.headers["expect"]?.lowercased() == "100-continue", !isBodyRead {
                try await socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            }
            return request
        }

        /// Determines the length of the body (RFC 9112, section 6.3).
        private func begin(_ request: HTTPRequest) throws(HTTPProblem) {
            if let encoding = request.headers["transfer-encoding"] {
                guard request.headers["content-length"] == nil else {
                    throw HTTPProblem(400, "The request has both `Content-Length` and `Transfer-Encoding`.")
                }
                guard encoding.lowercased() == "chunked" else {
                    throw HTTPProblem(501, "The only supported transfer encoding is `chunked`.")
                }
                framing = .chunk(nil)
            } else if let text = request.headers["content-length"] {
                guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
                    throw HTTPProblem(400, "`Content-Length` is not a number of bytes.")
                }
                framing = length == 0 ? .over : .length(length)
            } else {
                framing = .over
            }
        }

        private var isBodyRead: Bool { if case .over = framing { true } else { false } }

        /// Returns the next piece of a request's body; nil after the last. Throws if the body is incomplete or late.
        func next() async throws -> [UInt8]? {
            while true {
                switch framing {
                case .over:
                    await server.expect(number, .writing, within: .infinity)
                    return nil
                case .length(let left):
                    let piece = try await take(atMost: left)
                    framing = piece.count == left ? .over : .length(left - piece.count)
                    return piece
                case .chunk(nil):
                    let line = try await readLine(longest: 1024)
                    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
                    guard digits.count <= 8, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
                        size >= 0,
                        digits.first.map({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) ?? false
                    else { throw HTTPProblem(400, "A chunk has no size.") }
                    if size > 0 {
                        framing = .chunk(size)
                    } else {
                        var fields = 0
                        while try await !readLine(longest: 1024).isEmpty {
                            fields += 1
                            guard fields < limits.headerCount else {
                                throw HTTPProblem(431, "The request has too many trailers.")
                            }
                        }
                        framing = .over
                    }
                case .chunk(let left?):
                    let piece = try await take(atMost: left)
                    framing = piece.count == left ? .lineEndAfterChunk : .chunk(left - piece.count)
                    return piece
                case .lineEndAfterChunk:
                    guard try await readLine(longest: 2).isEmpty else {
                        throw HTTPProblem(400, "A chunk is longer than its size.")
                    }
                    framing = .chunk(nil)
                }
            }
        }

        private func take(atMost count: Int) async throws -> [UInt8] {
            if consumed == buffer.count, try await !fill() { throw await cutOff() }
            let end = min(buffer.count, consumed + count)
            defer { consumed = end }
            return Array(buffer[consumed..<end])
        }

        private func readLine(longest: Int) async throws -> [UInt8] {
            var line: [UInt8] = []
            while true {
                if consumed == buffer.count, try await !fill() { throw await cutOff() }
                let byte = buffer[consumed]
                consumed += 1
                if byte == 0x0A {
                    if line.last == 0x0D { line.removeLast() }
                    return line
                }
                line.append(byte)
                guard line.count <= longest else {
                    throw HTTPProblem(400, "A line between the chunks is too long.")
                }
            }
        }

        private func cutOff() async -> HTTPProblem {
            await server.isLate(number)
                ? HTTPProblem(
                    408, "The body did not arrive within \(Int(limits.bodyTime)) seconds.",
                    isRefusal: false)
                : HTTPProblem(400, "The body is truncated.", isRefusal: false)
        }

        /// Reads more bytes into the buffer. Returns false at the end of the connection, or if the connection is late.
        private func fill() async throws -> Bool {
            if consumed == buffer.count {
                buffer.removeAll(keepingCapacity: true)
                consumed = 0
            } else if consumed > 1 << 16 {
                buffer.removeFirst(consumed)
                consumed = 0
            }
            do {
                let piece = try await socket.read(atMost: 4096)
                // On Linux, bytes still arrive at a socket that is shut down for reading.
                if await server.isLate(number) { return false }
                buffer += piece
                return !piece.isEmpty
            } catch SocketError.disconnected {
                return false
            }
        }

        // MARK: Writing

        /// Sends a response. Returns whether the connection stays open.
        private func send(_ response: HTTPResponse, to request: HTTPRequest?, keeps: Bool) async throws -> Bool {
            // A reason phrase may be empty (RFC 9112, section 4).
            var head = "HTTP/1.1 \(response.status) \r\n"
            for (name, value) in response.headers {
                head += "\(name): \(value.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" })\r\n"
            }
            await server.expect(number, .writing, within: limits.writeTime)
            switch response.body {
            case .bytes(let bytes):
                if response.status != 204 { head += "Content-Length: \(bytes.count)\r\n" }
                head += keeps ? (request?.isOld == true ? "Connection: keep-alive\r\n" : "") : "Connection: close\r\n"
                try await write(Array((head + "\r\n").utf8) + (request?.method == "HEAD" ? [] : bytes))
                return keeps
            case .stream(let body):
                try await write((head + "Connection: close\r\n\r\n").utf8)
                try await body(self)
                return false
            case .reset: return false
            }
        }

        /// Writes a piece of a response. Throws if the client has disconnected.
        func write(_ bytes: some Sequence<UInt8> & Sendable) async throws {
            await server.expect(number, .writing, within: limits.writeTime)
            try await socket.write(Data(bytes))
            await server.expect(number, .writing, within: .infinity)
        }
    }
#endif
