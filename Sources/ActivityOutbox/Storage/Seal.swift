import ActivityTracking
import Foundation

extension Outbox {
    /// Encrypts what an outbox keeps on disk.
    ///
    /// Both functions are called on the outbox's own queue, one call at a time, never on the thread that posts. They
    /// may wait: for the Keychain, say.
    ///
    /// Use authenticated encryption (AES-GCM, ChaChaPoly): then `open` throws with the wrong key. What it returns is
    /// looked at all the same, and what is no record is not sent.
    public struct Seal: Sendable {
        /// Makes unreadable what is handed over; nil if records are to be stored as they are from now on.
        ///
        /// If it throws, records wait in memory, and are tried again as if the disk were full.
        let seal: (@Sendable ([UInt8]) throws -> [UInt8])?
        let open: @Sendable ([UInt8]) throws -> [UInt8]

        /// - Parameters:
        ///   - seal: encrypts bytes. If it throws, records wait in memory, and it is tried again later.
        ///   - open: decrypts what `seal` has made, with a key of an earlier version of the app, too, if there was one.
        ///     If it throws ``NotNow``, it is tried again later; after any other error, what it was given is set aside.
        public init(seal: @escaping @Sendable ([UInt8]) throws -> [UInt8], open: @escaping @Sendable ([UInt8]) throws -> [UInt8]) {
            (self.seal, self.open) = (seal, open)
        }

        /// For an app that seals no more: what an earlier version of it has sealed is opened, and stored as it is.
        public init(opening open: @escaping @Sendable ([UInt8]) throws -> [UInt8]) { (seal, self.open) = (nil, open) }

        /// The key cannot be had now: a device that has not been unlocked since it started does not give it.
        public struct NotNow: Error, CustomStringConvertible {
            public init() {}
            public var description: String { "the key cannot be had now" }
        }
    }
}

/// What is on disk of a record, and back.
///
/// What is sealed begins with a byte that no JSON begins with, so a row says itself which of the two it is, and a store
/// may hold both while it is converted.
struct StoredForm: Sendable {
    private let seal: Outbox.Seal?

    init(_ seal: Outbox.Seal?) { self.seal = seal }

    var isSealing: Bool { seal?.seal != nil }

    private static let mark: UInt8 = 0x01

    static func isSealed(_ stored: [UInt8]) -> Bool { stored.first == mark }

    /// The hook did not seal. Records wait for it.
    struct NotSealed: Error, CustomStringConvertible {
        let cause: any Error
        var description: String { "records cannot be sealed: \(cause)" }
    }

    /// The hook did not open. Others may open.
    struct NotOpened: Error, CustomStringConvertible {
        let cause: String
        var description: String { "records cannot be opened: \(cause)" }
    }

    func stored(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let seal = seal?.seal else { return bytes }
        do { return [Self.mark] + (try seal(bytes)) } catch { throw NotSealed(cause: error) }
    }

    func stored(_ records: PackedRecords) throws -> PackedRecords {
        guard isSealing else { return records }
        var sealed = PackedRecords()
        try records.forEach { sealed.append(try stored([UInt8]($0))) }
        return sealed
    }

    /// What was stored. Throws `Outbox.Seal.NotNow` or `NotOpened`.
    func opened(_ stored: [UInt8]) throws -> [UInt8] {
        guard Self.isSealed(stored) else { return stored }
        guard let seal else { throw NotOpened(cause: "the outbox has no seal") }
        do {
            return try seal.open(Array(stored.dropFirst()))
        } catch let error as Outbox.Seal.NotNow {
            throw error
        } catch {
            throw NotOpened(cause: "\(error)")
        }
    }

    /// A record that was stored. A wrong key may give bytes that are none.
    func record(_ stored: [UInt8]) throws -> [UInt8] {
        let bytes = try opened(stored)
        guard Self.isSealed(stored) else { return bytes }
        guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}"), !bytes.contains(where: { $0 < 0x20 }),
            String(bytes: bytes, encoding: .utf8) != nil
        else { throw NotOpened(cause: "what comes out is no record") }
        return bytes
    }

    func text(_ stored: [UInt8]) throws -> String { String(decoding: try opened(stored), as: UTF8.self) }
}
