import ActivityOutbox
import ActivityTracking
import Foundation
import LoopbackCollector
import RecipeLogs
import Testing
import TestSupport

#if canImport(CryptoKit)
    import CryptoKit
#else
    // The parts of CryptoKit that the documentation's sample uses, so that it compiles and runs here. This is not
    // encryption.
    private struct SymmetricKey: Sendable {
        var byte: UInt8 = 0x5A

        enum Size { case bits256 }
        init(size: Size) {}
    }

    private enum AES {
        enum GCM {
            struct SealedBox {
                var combined: Data?

                init(combined: some DataProtocol) throws { self.combined = Data(combined) }
            }

            struct Wrong: Error {}

            static func seal(_ message: some DataProtocol, using key: SymmetricKey) throws -> SealedBox {
                try SealedBox(combined: [key.byte] + message.map { $0 ^ key.byte })
            }

            static func open(_ box: SealedBox, using key: SymmetricKey) throws -> Data {
                guard let combined = box.combined, combined.first == key.byte else { throw Wrong() }
                return Data(combined.dropFirst().map { $0 ^ key.byte })
            }
        }
    }
#endif

/// The documentation's seal and switches, with a collector on this machine.
struct SealExample {
    private struct Keychain: Sendable {
        private let known = SymmetricKey(size: .bits256)

        func key() throws -> SymmetricKey { known }
    }

    @Test("Records are sealed on disk, and a later outbox delivers them as plain text")
    func sealedRecordsAreDelivered() async throws {
        let collector = try Collector { _ in .status(503) }
        let scratch = try Scratch()
        let (folder, keychain) = (scratch.url, Keychain())

        var configuration = Outbox.Configuration(folder: folder)
        configuration.seal = Outbox.Seal(
            seal: { bytes in
                guard let sealed = try AES.GCM.seal(bytes, using: keychain.key()).combined else {
                    throw Outbox.Seal.KeyUnavailable()
                }
                return Array(sealed)
            },
            open: { bytes in Array(try AES.GCM.open(AES.GCM.SealedBox(combined: bytes), using: keychain.key())) })

        let away = ActivityLogger(
            destinations: [Outbox(configuration, uploader: HTTPUploader(collector.url))], collection: .enabled)
        away.post(RecipeSearch.tapSuggestion(suggestion: "卵焼き", suggestionSource: .history, position: 7))
        await away.shutdown(within: 5)
        let stored = try scratch.files().values
        #expect(!stored.isEmpty)
        for text in ["卵焼き", "tap_suggestion", "recipe_search"] {
            #expect(stored.allSatisfy { $0.range(of: Data(text.utf8)) == nil })
        }

        let taking = try Collector()
        let logger = ActivityLogger(
            destinations: [Outbox(configuration, uploader: HTTPUploader(taking.url))], collection: .enabled)
        await logger.shutdown(within: 300)
        #expect(taking.accepted.count == 1 && taking.accepted.allSatisfy { $0.contains("卵焼き") })
    }

    private final class Flags: Sendable {
        private let values = Locked((off: Set<String>(), interval: 10.0))
        var switchedOff: Set<String> { values.withLock { $0.off } }
        var interval: Double { values.withLock { $0.interval } }
        func set(off: Set<String>, interval: Double) { values.withLock { $0 = (off, interval) } }
    }

    private struct Switches: LogProcessor {
        let flags: Flags

        func process(_ record: consuming LogRecord) -> LogRecord? {
            flags.switchedOff.contains("\(record.category).\(record.event)") ? nil : record
        }
    }

    @Test("A flag of the app drops an event and sets the interval of a running outbox")
    func flagsDecide() async throws {
        let collector = try Collector()
        let scratch = try Scratch()
        let flags = Flags()
        let outbox = Outbox(.init(folder: scratch.url), uploader: HTTPUploader(collector.url))

        let logger = ActivityLogger(
            processors: [Switches(flags: flags)], destinations: [outbox], collection: .enabled)
        outbox.limits.deliveryInterval = flags.interval

        #expect(outbox.limits.deliveryInterval == 10)
        flags.set(off: ["recipe_search.clear_history"], interval: 60)
        outbox.limits.deliveryInterval = flags.interval
        #expect(outbox.limits.deliveryInterval == 60)
        logger.post(RecipeSearch.clearHistory)
        logger.post(RecipeSearch.tapSuggestion(suggestion: "卵焼き", suggestionSource: .history, position: 7))
        await logger.shutdown(within: 300)
        #expect(collector.accepted.count == 1 && collector.accepted.allSatisfy { $0.contains("tap_suggestion") })
    }
}
