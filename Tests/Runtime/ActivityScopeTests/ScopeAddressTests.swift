import ActivityScope
import Foundation
import Testing

struct ScopeAddressTests {
    private func address(_ text: String, _ reach: ScopeAddress.Reach = .nearby) throws -> ScopeAddress {
        try ScopeAddress(try #require(URL(string: text), "no URL: \(text)"), reach: reach)
    }

    @Test(
        "An address is read as logscope prints it, plain or in a link",
        arguments: [
            "http://192.168.1.5:49152/?token=ab-C_9", "myapp://debug?logscope=http://192.168.1.5:49152/?token=ab-C_9",
            "myapp://debug?logscope=http%3A%2F%2F192.168.1.5%3A49152%2F%3Ftoken%3Dab-C_9",
            "https://example.com/debug?x=1&logscope=http%3A%2F%2F192.168.1.5%3A49152%2F%3Ftoken%3Dab-C_9",
            "HTTP://192.168.1.5:49152?token=ab-C_9#top",
        ])
    func printed(text: String) throws {
        let address = try address(text)
        #expect(address.url.absoluteString == "http://192.168.1.5:49152/?token=ab-C_9")
        #expect(address.description == "192.168.1.5:49152", "the token is not for the eye")
    }

    @Test(
        "The confirmation shows the path, and not the token",
        arguments: [
            ("myapp://debug?logscope=http://10.0.0.1:80/collect/42?token=x", "10.0.0.1:80/collect/42"),
            ("myapp://debug?logscope=http://10.0.0.1/a%2520b/?other=1", "10.0.0.1/a%20b/"),
            ("http://10.0.0.1:80", "10.0.0.1:80"),
        ])
    func paths(text: String, shown: String) throws {
        #expect(try address(text).description == shown)
        #expect(try address(text).url.absoluteString.contains(shown))
    }

    @Test(
        "Loopback, private and .local addresses are accepted",
        arguments: [
            "http://127.0.0.1:8080/", "http://127.9.9.9/", "http://10.0.0.1/", "http://172.16.0.1/",
            "http://172.31.255.255/", "http://192.168.0.1/",
            "http://169.254.1.1/", "https://localhost:9/", "http://macbook.local:49152/", "http://[::1]:80/",
            "http://[fe80::1]/",
            "http://[fd00::1]/",
        ])
    func near(text: String) throws { #expect(try address(text).url.absoluteString == text.lowercased()) }

    @Test(
        "Addresses outside the network are rejected unless any are allowed",
        arguments: [
            "http://example.com/", "https://8.8.8.8/", "http://172.32.0.1/", "http://172.15.0.1/",
            "http://192.169.0.1/", "http://11.0.0.1/",
            "http://192.168.1.5.example.com/", "http://local/", "http://localhost.example.com/", "http://xlocal/",
            "http://[2001:db8::1]/",
            "http://[::ffff:10.0.0.1]/", "http://[fec0::1]/", "http://0.0.0.0/",
            // Forms that the system reads as another number than people do.
            "http://010.0.0.1/", "http://10.1/", "http://0x0a000001/", "http://167772161/", "http://10.0.0.256/",
            "myapp://debug?logscope=http://example.com/?token=1",
        ])
    func far(text: String) throws {
        let problem = #expect(throws: ScopeAddress.Problem.self) { try address(text) }
        guard case .notNearby = problem else { return #expect(Bool(false), "\(text): \(String(describing: problem))") }
        #expect(throws: Never.self) { try address(text, .anywhere) }
    }

    @Test(
        "Ambiguous addresses, other schemes and invalid ports are unusable everywhere",
        arguments: [
            "http://192.168.1.5@example.com/", "http://192.168.1.5:80@example.com/",
            "http://192.168.1.5%2eexample.com/", "http://127.0.0.1:0/",
            "http://127.0.0.1:65536/", "http://[fe80::1%25en0]/", "myapp://debug?logscope=ftp://127.0.0.1/",
            "myapp://debug?logscope=file:///etc/passwd",
            "myapp://debug?logscope=",
            "myapp://debug?logscope", "myapp://debug?logscope=javascript:alert(1)", "myapp://debug?logscope=http://",
            "myapp://debug?logscope=http://127.0.0.1/&logscope=http://10.0.0.1/",
        ])
    func unusable(text: String) throws {
        for reach in [ScopeAddress.Reach.nearby, .anywhere] {
            #expect(throws: ScopeAddress.Problem.unusable) { try address(text, reach) }
        }
    }

    @Test(
        "Links without an address are reported as such",
        arguments: ["myapp://recipes/1", "https://example.com/recipes/1", "mailto:a@example.com", "myapp://a?b=c"])
    func others(text: String) throws {
        #expect(throws: ScopeAddress.Problem.noAddress) { try address(text, .anywhere) }
    }
}
