#if Scope
    /// The rules for reading records and changing faults. Sending records is always allowed.
    ///
    /// A page of another site in the same browser can send requests to this server. Such a page can read the answers
    /// only with a host name that resolves to this machine (DNS rebinding). Requests must therefore use an IP address,
    /// `localhost` or the given host name.
    package struct ScopeAccess: Sendable {
        /// The host on which the server was told to listen.
        package var host: String?
        /// The token that requests need if other machines can connect; nil otherwise.
        package var token: String?
        package var port: UInt16

        package init(host: String? = nil, token: String? = nil, port: UInt16) {
            self.host = host
            self.token = token
            self.port = port
        }

        package enum Verdict: Equatable, Sendable {
            case open
            /// The request has the token, and the answer sets it as a cookie.
            case openAndRemember
            case refused(status: Int, String)
        }

        package func verdict(on request: HTTPRequest) -> Verdict {
            guard let host = request.headers["host"], isOurs(Self.name(of: host)) else {
                return .refused(
                    status: 403,
                    "Use this machine's IP address or localhost: another host name may belong to another site.")
            }
            if let origin = request.headers["origin"], origin != "http://\(host)" {
                return .refused(status: 403, "Pages of other sites cannot read data here.")
            }
            guard let token else { return .open }
            if let given = request.query["token"], BatchIntake.isEqual(given, token) { return .openAndRemember }
            for cookie in (request.headers["cookie"] ?? "").split(separator: ";") {
                let sides = cookie.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
                if sides.count == 2, sides[0] == cookieName, BatchIntake.isEqual(sides[1], token) { return .open }
            }
            return .refused(status: 401, "Open the address that logscope printed: it ends in a token.")
        }

        /// The name of the cookie. It contains the port, because all ports of a host share their cookies.
        private var cookieName: String { "logscope\(port)" }
        package var cookie: String { "\(cookieName)=\(token ?? ""); HttpOnly; SameSite=Strict; Path=/" }

        private func isOurs(_ name: String) -> Bool {
            name == "localhost" || name == host?.lowercased() || Self.isAddress(name)
        }

        /// Returns the host without its port, in lowercase.
        static func name(of host: String) -> String {
            let host = host.lowercased()
            if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
            return String(host.prefix { $0 != ":" })
        }

        /// Returns whether a string is an IP address. IPv6 addresses are in brackets.
        static func isAddress(_ name: String) -> Bool {
            if name.hasPrefix("["), name.hasSuffix("]") {
                return name.dropFirst().dropLast().utf8.allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
                    && name.contains(":")
            }
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 4
                && parts.allSatisfy { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
                }
        }
    }
#endif
