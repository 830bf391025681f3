#if Scope
    import ScopeCollector
    import Testing

    struct HTTPRequestTests {
        private static func read(_ text: String) throws -> HTTPRequest { try HTTPRequest(head: Array(text.utf8)[...]) }

        @Test("A request head is read with its query and headers") func aHeadIsReadWithItsQueryAndHeaders() throws {
            let request = try Self.read(
                "GET /records?bad=1&text=%E3%81%AA+x&text=y HTTP/1.1\r\nHost: a\r\nACCEPT: 1\r\nAccept:\t2 \r\n\r\n")
            #expect(request.method == "GET" && request.path == "/records")
            #expect(request.query == ["bad": "1", "text": "な x"])
            #expect(request.headers == ["host": "a", "accept": "1, 2"])
        }

        @Test("A percent sign without two hexadecimal digits stands for itself")
        func invalidEscapesAreKept() throws {
            let request = try Self.read("GET /records?a=%+5&b=%-1&c=%4&d=%zz&e=%4a%4A HTTP/1.1\r\n\r\n")
            #expect(request.query == ["a": "% 5", "b": "%-1", "c": "%4", "d": "%zz", "e": "JJ"])
        }

        @Test(
            "A request that two parsers could read differently is rejected",
            arguments: [
                "", "\r\n", "GET\r\n\r\n", "GET / HTTP/1.1 x\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n",
                "GET http://x/ HTTP/1.1\r\n\r\n",
                "G\u{0}T / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n",
                "GET / HTTP/1.1\r\nA b: x\r\n\r\n",
                "GET / HTTP/1.1\r\nA: \u{1}\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
            ])
        func ambiguousRequestIsRejected(text: String) {
            #expect { try Self.read(text) } throws: { ($0 as? HTTPProblem)?.status == 400 }
        }

        @Test("Too many headers have status 431, and other HTTP versions have status 505")
        func tooManyHeadersAndOtherVersionsHaveTheirStatus() {
            let many = (0..<200).map { "X\($0): 1\r\n" }.joined()
            #expect { try Self.read("GET / HTTP/1.1\r\n\(many)\r\n") } throws: { ($0 as? HTTPProblem)?.status == 431 }
            #expect { try Self.read("GET / HTTP/2.0\r\n\r\n") } throws: { ($0 as? HTTPProblem)?.status == 505 }
        }

        @Test("A connection stays open by default in HTTP/1.1, and on request in HTTP/1.0")
        func connectionsFollowTheirVersion() throws {
            #expect(try Self.read("GET / HTTP/1.1\r\n\r\n").keepsConnection)
            #expect(try !Self.read("GET / HTTP/1.1\r\nConnection: x, Close\r\n\r\n").keepsConnection)
            #expect(try !Self.read("GET / HTTP/1.0\r\n\r\n").keepsConnection)
            #expect(try Self.read("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").keepsConnection)
        }
    }

    struct ScopeAccessTests {
        private static func request(_ headers: [String: String], query: [String: String] = [:]) throws -> HTTPRequest {
            var request = try HTTPRequest(head: Array("GET /records HTTP/1.1\r\n\r\n".utf8)[...])
            (request.headers, request.query) = (headers, query)
            return request
        }

        private static func isOpen(_ verdict: ScopeAccess.Verdict) -> Bool {
            if case .refused = verdict { false } else { true }
        }

        @Test(
            "An address and the given name are allowed hosts",
            arguments: [
                "localhost:8090", "LOCALHOST", "127.0.0.1:1", "[::1]:2", "[fe80::1]", "10.0.2.2", "desk.local",
            ])
        func anAddressAndTheNameThatWasGivenAreOurs(host: String) throws {
            #expect(Self.isOpen(ScopeAccess(host: "desk.local", port: 1).verdict(on: try Self.request(["host": host]))))
        }

        @Test(
            "A name that anyone can point to this machine is not an allowed host",
            arguments: [
                "evil.example", "127.0.0.1.evil.example", "localhost.evil", "256.0.0.1", "1.2.3", "1.2.3.4.5", "",
                "0x7f.0.0.1", "[evil]", "１.2.3.4",
            ])
        func nameThatCanPointToThisMachineIsNotAllowed(host: String) throws {
            #expect(!Self.isOpen(ScopeAccess(port: 1).verdict(on: try Self.request(["host": host]))))
            #expect(!Self.isOpen(ScopeAccess(port: 1).verdict(on: try Self.request([:]))))
        }

        @Test("A request from another origin is refused, and one from its own origin is not")
        func anotherOriginIsRefusedAndOursIsNot() throws {
            let access = ScopeAccess(port: 80)
            for origin in ["http://evil.example", "null", "https://127.0.0.1:80", "http://127.0.0.1:81"] {
                #expect(!Self.isOpen(access.verdict(on: try Self.request(["host": "127.0.0.1:80", "origin": origin]))))
            }
            #expect(
                access.verdict(on: try Self.request(["host": "127.0.0.1:80", "origin": "http://127.0.0.1:80"])) == .open
            )
        }

        @Test("The correct token gives access, and so does its cookie afterwards")
        func tokenAndItsCookieGiveAccess() throws {
            let access = ScopeAccess(token: "abc", port: 80)
            let host = ["host": "10.0.0.1:80"]
            #expect(!Self.isOpen(access.verdict(on: try Self.request(host))))
            #expect(!Self.isOpen(access.verdict(on: try Self.request(host, query: ["token": "abd"]))))
            #expect(access.verdict(on: try Self.request(host, query: ["token": "abc"])) == .openAndRemember)
            #expect(
                access.verdict(on: try Self.request(host.merging(["cookie": "x=1; logscope80=abc"]) { $1 })) == .open)
            #expect(
                !Self.isOpen(
                    access.verdict(
                        on: try Self.request(host.merging(["cookie": "logscope81=abc; logscope80=ab"]) { $1 }))))
        }
    }
#endif
