#if Scope
    import Foundation

    /// The rules for reading records and changing faults. Sending records is always allowed.
    ///
    /// A page of another site in the same browser can send requests to this server. Such a page can read the answers
    /// only with a host name that resolves to this machine (DNS rebinding). Requests must therefore use an IP address
    /// or `localhost`.
    struct ScopeAccess: Sendable {
        /// The token that requests need if other machines can connect; nil otherwise.
        var token: String?
        var port: UInt16

        enum Verdict: Equatable {
            case open
            /// The request has the token, and the answer sets it as a cookie.
            case openAndRemember
            case refused(status: Int, String)
        }

        func verdict(on request: HTTPRequest) -> Verdict {
            guard let host = request.headers["host"], Self.isOurs(Self.name(of: host)) else {
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
        var cookie: String { "\(cookieName)=\(token ?? ""); HttpOnly; SameSite=Strict; Path=/" }

        /// Returns the host without its port, in lowercase.
        private static func name(of host: String) -> String {
            let host = host.lowercased()
            if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
            return String(host.prefix { $0 != ":" })
        }

        /// Returns whether a string is `localhost` or an IP address. IPv6 addresses are in brackets.
        private static func isOurs(_ name: String) -> Bool {
            var address = in6_addr()
            return name == "localhost" || inet_pton(AF_INET, name, &address) == 1
                || name.hasPrefix("[") && name.hasSuffix("]")
                    && inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &address) == 1
        }
    }
#endif
