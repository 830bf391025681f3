#if Scope
    import ArgumentParser
    import Foundation

    /// The HTTP interface: batches at `/`, and the page with its data for clients with access.
    struct ScopeRouter: Sendable {
        let collector: Collector
        let intake: BatchIntake
        let definitions: ScopeDefinitions
        let access: ScopeAccess
        private static let secondsBetweenRecords = 0.04
        private static let secondsBetweenStates = 0.25
        private static let mostRecordsAtOnce = 500
        /// The seconds without a message after which a stream sends a comment. If that fails, the broken stream ends.
        private static let silence = 10.0

        func answer(_ request: HTTPRequest, _ body: HTTPConnection) async throws -> HTTPResponse {
            if request.path == "/", request.method == "POST" {
                var response = try await intake.take(request, body)
                if request.headers["origin"] != nil { response.headers.append(("Access-Control-Allow-Origin", "*")) }
                return response
            }
            if request.path == "/", request.method == "OPTIONS" { return Self.preflight }
            let verdict = access.verdict(on: request)
            if case .refused(let status, let reason) = verdict { return .text(status, reason) }
            var response = try await read(request, body)
            if verdict == .openAndRemember { response.headers.append(("Set-Cookie", access.cookie)) }
            response.headers += [
                ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
            ]
            return response
        }

        /// Allows an app in a browser to send records from its site, but not to read them.
        private static let preflight = HTTPResponse(
            204,
            [
                ("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Methods", "POST"),
                ("Access-Control-Allow-Headers", "Content-Type, Content-Encoding, Authorization, Sent-At"),
                ("Access-Control-Max-Age", "600"),
            ])

        private func read(_ request: HTTPRequest, _ body: HTTPConnection) async throws -> HTTPResponse {
            switch (request.method, request.path) {
            case ("GET", "/"):
                return HTTPResponse(
                    200,
                    [
                        ("Content-Type", "text/html; charset=utf-8"),
                        ("Content-Security-Policy", ScopePage.policy + "; frame-ancestors 'none'"),
                    ],
                    body: .bytes(ScopePage.bytes))
            case ("GET", "/definitions"): return try Self.json(definitions)
            case ("GET", "/records"): return try await list(request)
            case ("GET", "/stream"): return stream(request)
            case ("GET", "/export"): return export()
            case ("POST", "/faults"): return try await setFaults(request, body)
            case ("GET", let path) where path.hasPrefix("/records/"):
                guard let seq = Int64(path.dropFirst(9)), let answer = try await record(seq) else {
                    return .text(404, "The record does not exist.")
                }
                return answer
            case ("GET", _), ("POST", _):
                return .text(404, "Not found. Send records to / with POST; the page has the same address.")
            default: return .text(405, "Use GET, or POST to send records to /.", [("Allow", "GET, POST")])
            }
        }

        private static func json(_ value: some Encodable, _ status: Int = 200) throws -> HTTPResponse {
            HTTPResponse(
                status, [("Content-Type", "application/json; charset=utf-8")],
                body: .bytes(Array(try JSONEncoder().encode(value))))
        }

        // MARK: Records

        private struct Page: Encodable {
            var records: [ScopeRecord]
            var more: Bool
        }

        private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
            func text(_ name: String) -> String? { request.query[name].flatMap { $0.isEmpty ? nil : $0 } }
            var filter = ScopeStore.Filter()
            filter.before = text("before").flatMap { Int64($0) }
            filter.limit = text("limit").flatMap { Int($0) } ?? 200
            filter.category = text("category")
            filter.event = text("event")
            filter.session = text("session")
            filter.device = text("device")
            filter.isBad = text("bad") == "1"
            filter.text = text("text")
            let (records, hasMore) = try await collector.store.records(filter)
            return try Self.json(Page(records: records, more: hasMore))
        }

        private struct RecordDetails: Encodable {
            var summary: ScopeRecord
            var raw: String
            var violations: [ScopeViolation]
            var columns: [ScopeDefinitions.Column]
        }

        private func record(_ seq: Int64) async throws -> HTTPResponse? {
            guard let (record, raw, violations) = try await collector.store.record(seq) else { return nil }
            return try Self.json(
                RecordDetails(
                    summary: record, raw: String(decoding: raw, as: UTF8.self), violations: violations,
                    columns: definitions.columns(of: record.name)))
        }

        private func export() -> HTTPResponse {
            let store = collector.store
            return HTTPResponse(
                200,
                [
                    ("Content-Type", "application/x-ndjson"),
                    ("Content-Disposition", "attachment; filename=\"records.ndjson\""),
                ],
                body: .stream { stream in try await store.export { try await stream.write($0) } })
        }

        // MARK: Live updates

        private struct Updates: Encodable {
            var records: [ScopeRecord]
            var left: Int
        }

        private struct Numbers: Encodable {
            var state: ScopeState
            var faults: ScopeFaults
            /// The time of the clock that ends faults.
            var now: Double
        }

        private func stream(_ request: HTTPRequest) -> HTTPResponse {
            let asked = (request.headers["last-event-id"] ?? request.query["after"]).flatMap { Int64($0) }
            let collector = collector
            return HTTPResponse(
                200, [("Content-Type", "text/event-stream; charset=utf-8")],
                body: .stream { stream in
                    var last = asked ?? 0
                    if asked == nil { last = await collector.state.lastSeq }
                    var (shown, stateAt, saidAt) = (-1, -Double.infinity, Collector.now())
                    let encoder = JSONEncoder()
                    func text(_ event: String, _ value: some Encodable) throws -> String {
                        "id: \(last)\nevent: \(event)\ndata: "
                            + "\(String(decoding: try encoder.encode(value), as: UTF8.self))\n\n"
                    }
                    try await stream.write("retry: 1000\n\n".utf8)
                    while !Task.isCancelled {
                        var message = ""
                        let (records, left) = await collector.news(after: last, atMost: Self.mostRecordsAtOnce)
                        if let newest = records.last {
                            last = newest.seq
                            message += try text("records", Updates(records: records, left: left))
                        }
                        let now = Collector.now()
                        let (state, faults, revision) = await (collector.state, collector.faults, collector.revision)
                        if revision != shown, now - stateAt >= Self.secondsBetweenStates {
                            (shown, stateAt) = (revision, now)
                            message += try text("state", Numbers(state: state, faults: faults, now: now))
                        }
                        if message.isEmpty, now - saidAt >= Self.silence { message = ": still here\n\n" }
                        if !message.isEmpty {
                            try await stream.write(message.utf8)
                            saidAt = now
                        }
                        try await Task.sleep(nanoseconds: UInt64(Self.secondsBetweenRecords * 1e9))
                    }
                })
        }

        // MARK: Faults

        private func setFaults(_ request: HTTPRequest, _ body: HTTPConnection) async throws -> HTTPResponse {
            // A form of another site cannot send this content type without a preflight request.
            guard request.headers["content-type"]?.split(separator: ";").first.map(String.init) == "application/json"
            else {
                return .text(415, "Send application/json.")
            }
            var text: [UInt8] = []
            while let piece = try await body.next() {
                text += piece
                guard text.count <= 4096 else { return .text(413, "The body has more than 4096 bytes.") }
            }
            guard let changes = try? JSONDecoder().decode([String: String?].self, from: Data(text)) else {
                return .text(400, "The body is not a JSON object with strings, as in {\"fail\": \"503:30s\"}.")
            }
            do {
                try await collector.setFaults(changes)
            } catch let problem as ValidationError {
                return .text(400, problem.message)
            }
            return HTTPResponse(204)
        }
    }
#endif
