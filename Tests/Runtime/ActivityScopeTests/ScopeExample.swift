import ActivityScope
import ActivityTracking
import Foundation
import LoopbackCollector
import RecipeLogs
import Testing

/// The app of the documentation's sample.
struct ScopeExample {
    private final class App: Sendable {
        let scope: ScopeDestination
        let logger: ActivityLogger
        let told = Locked([String]())
        private let agrees: Bool

        init(agrees: Bool, outbox: some LogDestination) {
            self.agrees = agrees

            let scope = ScopeDestination()
            let logger = ActivityLogger(destinations: [outbox, scope], collection: .enabled)

            (self.scope, self.logger) = (scope, logger)
        }

        func open(_ link: URL) async {
            do {
                try await scope.switchOn(link) { address in
                    await ask("Send everything that this app logs, personal data included, to \(address)?")
                }
            } catch .noAddress {
                showScreen(for: link)
            } catch {
                tell("\(error)")
            }
        }

        private func ask(_ question: String) async -> Bool {
            tell(question)
            return agrees
        }

        private func showScreen(for link: URL) { tell("screen \(link.path)") }

        private func tell(_ text: String) { told.withLock { $0.append(text) } }
    }

    private func link(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("Records are sent only if the person accepts the displayed address") func aPersonIsAsked() async throws {
        let collector = try Collector()
        let address = "127.0.0.1:\(try #require(collector.url.port))"
        for agrees in [false, true] {
            let app = App(agrees: agrees, outbox: ConsoleDestination())
            await app.open(try link("myapp://debug?logscope=http://\(address)/?token=1"))
            #expect(app.scope.isOn == agrees)
            app.logger.post(RecipeSearch.clearHistory)
            await app.logger.shutdown(within: 300)
            #expect(
                app.told.withLock { $0 } == [
                    "Send everything that this app logs, personal data included, to \(address)?"
                ])
        }
        #expect(collector.acceptedCount == 1)
    }

    @Test("Other links open in the app, and an address outside the network is rejected")
    func otherLinksAreForTheApp() async throws {
        let app = App(agrees: true, outbox: ConsoleDestination())
        await app.open(try link("myapp://app/recipes/1"))
        await app.open(try link("myapp://debug?logscope=http://example.com/"))
        #expect(!app.scope.isOn)
        #expect(
            app.told.withLock { $0 } == [
                "screen /recipes/1",
                "example.com is not in this network: only loopback, private and .local addresses are accepted",
            ])
    }
}
