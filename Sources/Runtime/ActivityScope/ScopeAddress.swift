public import Foundation

/// The address of a logscope, read from the content of a QR code or from a deep link.
///
/// Anyone can print a QR code or write a link, so an address is only a proposal: ``ScopeDestination`` uses an address
/// only after a person has confirmed it.
public struct ScopeAddress: Sendable, Hashable, CustomStringConvertible {
    /// The URL to which records are posted. It contains the token that logscope requires beyond loopback.
    public let url: URL

    /// The host, port and path of the URL, without the token. Show it to the person who confirms.
    public let description: String

    /// The addresses that are accepted.
    public enum Reach: Sendable {
        /// Addresses of this device and its local network: loopback, private and link-local addresses (RFC 1918, RFC
        /// 3927, RFC 4193, RFC 4291), `localhost`, and names in `.local` (RFC 6762).
        case nearby
        /// Any host.
        case anywhere
    }

    /// The reason why a link does not contain a usable address.
    public enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        /// The link is not the address of a logscope, and has no parameter `logscope`.
        case noAddress
        /// The scheme is neither `http` nor `https`, or the host is missing or ambiguous.
        case unusable
        /// The host is not in the local network.
        case notNearby(host: String)

        public var description: String {
            switch self {
            case .noAddress: "the link has no logscope address"
            case .unusable: "the address is not one that logscope prints"
            case .notNearby(let host):
                "\(host) is not in this network: only loopback, private and .local addresses are accepted"
            }
        }
    }

    /// Parses `http://192.168.1.5:49152/?token=…`, or a link with such an address in its parameter `logscope`:
    /// `myapp://debug?logscope=http://192.168.1.5:49152/?token=…`, percent-encoded or not.
    public init(_ link: URL, reach: Reach = .nearby) throws(Problem) {
        guard let parts = URLComponents(url: link, resolvingAgainstBaseURL: false) else { throw .noAddress }
        let named = (parts.queryItems ?? []).filter { $0.name == "logscope" }
        // With two addresses, a person could confirm one while the other is used.
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
        // People misread `http://192.168.1.5@example.com` and `http://192.168.1.5%2eexample.com`.
        guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme), parts.user == nil,
            parts.password == nil,
            let host = parts.percentEncodedHost.flatMap(Self.checkedHost),
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

    private static func checkedHost(_ host: String) -> String? {
        let isValid = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || ".-_:[]".contains($0) }
        return host.isEmpty || !isValid ? nil : host.lowercased()
    }

    private static func isNearby(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".local") { return true }
        if let bytes = ipv4(host) { return isNearby(ipv4: bytes) }
        guard let bytes = ipv6(host) else { return false }
        let isLoopback = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        let isLinkLocal = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        return isLoopback || bytes[0] & 0xFE == 0xFC || isLinkLocal
    }

    /// Parses an address in brackets.
    private static func ipv6(_ host: String) -> [UInt8]? {
        guard host.hasPrefix("["), host.hasSuffix("]") else { return nil }
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { Array($0) }
    }

    /// Parses an IPv4 address. The system also accepts `10.1`, `0x0a000001`, and octal numbers such as `012.0.0.1`.
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
