public import Foundation

/// Where a logscope listens, read from a QR code's text or a deep link.
///
/// Anybody can print a QR code or write a link. So an address is only a proposal: ``ScopeDestination`` uses none that a
/// person has not confirmed.
public struct ScopeAddress: Sendable, Hashable, CustomStringConvertible {
    /// What records are posted to, with the token that logscope asks for beyond loopback.
    public let url: URL

    /// The host, port and path that records would go to, for the person who confirms; without the token.
    public let description: String

    /// Which addresses are taken.
    public enum Reach: Sendable {
        /// This device and its neighbourhood: loopback, private and link-local addresses (RFC 1918, RFC 3927, RFC 4193,
        /// RFC 4291), `localhost`, and names in `.local` (RFC 6762).
        case nearby
        /// Any host.
        case anywhere
    }

    /// Why a link gives no address.
    public enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// The link is about something else: it is neither the address of a logscope nor has it a parameter `logscope`.
        case noAddress
        /// The address is neither `http` nor `https`, or has no host that can be understood in one way only.
        case unusable
        /// The host is not in the neighbourhood.
        case notNearby(host: String)

        public var description: String {
            switch self {
            case .noAddress: "the link has no address of a logscope"
            case .unusable: "the address is none that a logscope prints"
            case .notNearby(let host):
                "\(host) is not in this network: only loopback, private and .local addresses are taken"
            }
        }
    }

    /// Reads `http://192.168.1.5:49152/?token=…`, or a link with that as its parameter `logscope`:
    /// `myapp://debug?logscope=http://192.168.1.5:49152/?token=…`, percent-encoded or not.
    public init(_ link: URL, reach: Reach = .nearby) throws(Problem) {
        guard let parts = URLComponents(url: link, resolvingAgainstBaseURL: false) else { throw .noAddress }
        let named = (parts.queryItems ?? []).filter { $0.name == "logscope" }
        // Of two addresses, a person would confirm the one that is not used.
        guard named.count < 2 else { throw .unusable }
        if let named = named.first {
            guard let address = named.value.flatMap(URLComponents.init(string:)) else { throw .unusable }
            try self.init(address, reach)
        } else {
            guard ["http", "https"].contains(parts.scheme?.lowercased()), ["", "/"].contains(parts.path) else {
                throw .noAddress
            }
            try self.init(parts, reach)
        }
    }

    private init(_ parts: URLComponents, _ reach: Reach) throws(Problem) {
        // `http://192.168.1.5@example.com` and `http://192.168.1.5%2eexample.com` are read differently by people.
        guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme), parts.user == nil,
            parts.password == nil,
            let host = parts.percentEncodedHost?.lowercased(), !host.isEmpty, host.utf8.allSatisfy(Self.isPlain),
            parts.port.map({ (1...65_535).contains($0) }) ?? true
        else { throw .unusable }
        if reach == .nearby, !Self.isNearby(host) { throw .notNearby(host: host) }
        var target = URLComponents()
        (target.scheme, target.percentEncodedHost, target.port) = (scheme, host, parts.port)
        target.path = parts.path.isEmpty ? "/" : parts.path
        target.queryItems = parts.queryItems?.first { $0.name == "token" }.map { [$0] }
        guard let url = target.url else { throw .unusable }
        self.url = url
        let path = target.percentEncodedPath
        description = host + (parts.port.map { ":\($0)" } ?? "") + (path == "/" ? "" : path)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: false
        }
    }

    private static func isNearby(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".local") { return true }
        if let bytes = ipv4(host) { return isNearby(ipv4: bytes) }
        guard host.hasPrefix("["), host.hasSuffix("]") else { return false }
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return false }
        let bytes = withUnsafeBytes(of: &address) { Array($0) }
        // An IPv4 address in IPv6's clothes (RFC 4291, section 2.5.5.2).
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return isNearby(ipv4: Array(bytes[12...]))
        }
        let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        return isLoopback || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Four decimal numbers. The system also reads `10.1`, `0x0a000001` and `012.0.0.1`, where the first number is octal:
    /// these are other hosts than they seem.
    private static func ipv4(_ host: String) -> [UInt8]? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in part.count > 1 && part.hasPrefix("0") ? nil : UInt8(part) }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func isNearby(ipv4 bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (127, _), (10, _), (172, 16...31), (192, 168), (169, 254): true
        default: false
        }
    }
}
