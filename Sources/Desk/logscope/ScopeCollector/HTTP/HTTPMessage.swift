#if Scope
    import LogTypes

    /// The head of a request. Its body is read from `HTTPConnection`.
    struct HTTPRequest: Sendable {
        var method: String
        /// The path without the query, not decoded.
        var path: String
        /// The first value of each name.
        var query: [String: String] = [:]
        /// The values by lowercase name. Lines with the same name are joined with a comma (RFC 9110, section 5.3).
        var headers: [String: String] = [:]
        var isOld = false

        var keepsConnection: Bool {
            let words = (headers["connection"] ?? "").lowercased().split(separator: ",").map(trimmed)
            return isOld ? words.contains("keep-alive") : !words.contains("close")
        }
    }

    struct HTTPResponse: Sendable {
        enum Body: Sendable {
            case bytes([UInt8])
            /// Pieces that the function writes until it returns, or until a write throws.
            case stream(@Sendable (HTTPConnection) async throws -> Void)
            /// The connection is reset without an answer.
            case reset
        }

        var status: Int
        var headers: [(name: String, value: String)]
        var body: Body

        init(_ status: Int, _ headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// Returns a response with a sentence for people.
        static func text(_ status: Int, _ text: String, _ headers: [(name: String, value: String)] = [])
            -> HTTPResponse
        {
            HTTPResponse(
                status, [("Content-Type", "text/plain; charset=utf-8")] + headers,
                body: .bytes(Array((text + "\n").utf8)))
        }
    }

    /// The reason why reading a request stops, with the status of the answer.
    struct HTTPProblem: Error {
        var status: Int
        var message: String
        /// A Boolean value that indicates whether the server has refused the request. False if the client has not sent
        /// all of it, or if a fault was requested.
        var isRefusal: Bool

        init(_ status: Int, _ message: String, isRefusal: Bool = true) {
            (self.status, self.message, self.isRefusal) = (status, message, isRefusal)
        }
    }

    /// The limits of the server. Times are in seconds.
    struct HTTPLimits: Sendable {
        var headBytes = 32 << 10
        var headerCount = 100
        var connections = 512
        /// The time for a whole head, from its first byte.
        var headTime = 10.0
        /// The time for a whole body.
        var bodyTime = 60.0
        /// The time in which the next request has to begin.
        var idleTime = 75.0
        /// The time for a write that the client does not read.
        var writeTime = 15.0
    }

    // MARK: Reading a head

    extension HTTPRequest {
        /// Reads the lines up to the empty one (RFC 9112, sections 3 and 5). Ambiguous input is rejected.
        init(head: [UInt8], limits: HTTPLimits) throws(HTTPProblem) {
            var lines = head.split(separator: 0x0A, omittingEmptySubsequences: false).map {
                $0.last == 0x0D ? $0.dropLast() : $0
            }
            while lines.last?.isEmpty == true { lines.removeLast() }
            guard let first = lines.first else { throw HTTPProblem(400, "The request is empty.") }
            let words = first.split(separator: 0x20, omittingEmptySubsequences: false)
            guard words.count == 3, first.allSatisfy({ $0 > 0x20 && $0 < 0x7F || $0 == 0x20 }), let version = words.last
            else {
                throw HTTPProblem(400, "The first line is not a request line of HTTP/1.1.")
            }
            switch String(decoding: version, as: UTF8.self) {
            case "HTTP/1.1": isOld = false
            case "HTTP/1.0": isOld = true
            case let other where other.hasPrefix("HTTP/"): throw HTTPProblem(505, "Use HTTP/1.1.")
            default: throw HTTPProblem(400, "The first line is not a request line of HTTP/1.1.")
            }
            method = String(decoding: words[0], as: UTF8.self)
            guard words[0].allSatisfy(Self.isToken), !words[0].isEmpty, words[1].first == UInt8(ascii: "/") else {
                throw HTTPProblem(400, "The request line has no valid method or path.")
            }
            let target = words[1].split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
            path = String(decoding: target[0], as: UTF8.self)
            if target.count == 2 { query = Self.query(target[1]) }
            guard lines.count - 1 <= limits.headerCount else {
                throw HTTPProblem(431, "The request has more than \(limits.headerCount) headers.")
            }
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                    line[..<colon].allSatisfy(Self.isToken),
                    line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
                else { throw HTTPProblem(400, "A header has no name and value.") }
                let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
                let value = String(trimmed(Substring(String(decoding: line[(colon + 1)...], as: UTF8.self))))
                if let known = headers[name] {
                    if ["content-length", "transfer-encoding", "host", "authorization", "content-encoding"].contains(
                        name)
                    {
                        throw HTTPProblem(400, "The header `\(name)` occurs twice.")
                    }
                    headers[name] = known + ", " + value
                } else {
                    headers[name] = value
                }
            }
        }

        /// Returns whether a byte is a token character (RFC 9110, section 5.6.2).
        private static func isToken(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }

        private static func query(_ text: ArraySlice<UInt8>) -> [String: String] {
            var query: [String: String] = [:]
            for part in text.split(separator: UInt8(ascii: "&")).prefix(50) {
                let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                let name = decoded(sides[0])
                if query[name] == nil { query[name] = sides.count == 2 ? decoded(sides[1]) : "" }
            }
            return query
        }

        /// Decodes form encoding: `%E3%81%82`, and a plus for a space. Invalid escapes are kept unchanged.
        private static func decoded(_ text: ArraySlice<UInt8>) -> String {
            let text = String(decoding: text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
            return PercentEncoding.decode(text[...]) ?? text
        }
    }
#endif
