import ActivityTracking
import Foundation

extension Outbox {
    /// The encryption of an outbox's records on disk.
    ///
    /// Both functions are called on the outbox's queue, one call at a time, and never on the posting thread. They may
    /// block, for example on the Keychain.
    ///
    /// Use authenticated encryption (AES-GCM, ChaChaPoly), so that `open` throws for the wrong key. The outbox still
    /// checks the returned bytes, and does not send bytes that are not a record.
    public struct Seal: Sendable {
        /// Encrypts bytes; nil if new records are stored unencrypted.
        ///
        /// If this function throws, records wait in memory, and the write is retried as for a full disk.
        let seal: (@Sendable ([UInt8]) throws -> [UInt8])?
        let open: @Sendable ([UInt8]) throws -> [UInt8]

        /// - Parameters:
        ///   - seal: Encrypts bytes. If this function throws, records wait in memory, and the write is retried.
        ///   - open: Decrypts bytes that `seal` has encrypted, including those encrypted with keys of earlier versions
        ///     of the app. If this function throws ``KeyUnavailable``, the read is retried later. After any other
        ///     error, the store is set aside.
        public init(
            seal: @escaping @Sendable ([UInt8]) throws -> [UInt8], open: @escaping @Sendable ([UInt8]) throws -> [UInt8]
        ) {
            (self.seal, self.open) = (seal, open)
        }

        /// Creates a seal for an app that no longer encrypts. Records that an earlier version has encrypted are
        /// decrypted and stored unencrypted.
        public init(opening open: @escaping @Sendable ([UInt8]) throws -> [UInt8]) { (seal, self.open) = (nil, open) }

        /// The key is not available now, for example before the first unlock after the device has started.
        public struct KeyUnavailable: Error, CustomStringConvertible {
            public let description: String

            public init() { description = "the key is not available now" }

            private init(_ description: String) { self.description = description }

            /// The outbox has no seal, and the store is sealed. A process with the seal can read it.
            static let noSeal = KeyUnavailable("the store is sealed, and this outbox has no seal")
        }
    }
}

/// The place of a sealed value: its store, table, column and row. The place is encrypted with the value, so a value
/// that is copied to another row, table or store is rejected.
struct SealedPlace: Sendable {
    enum Kind: UInt8 {
        case record = 1, deadLetter, reason
    }

    var kind: Kind
    /// The identifier of the store; nil if a damaged store has lost it. Then values of any store are accepted.
    var store: Int64?
    var number: Int64

    /// The first byte of an encoded place. No JSON begins with this byte.
    fileprivate static let mark: UInt8 = 0x02
    fileprivate static let size = 18

    /// The mark, the kind, and the numbers of store and row in big-endian order.
    fileprivate var bytes: [UInt8] {
        func bytes(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        return [Self.mark, kind.rawValue] + bytes(store ?? 0) + bytes(number)
    }

    fileprivate func matches(_ sealed: ArraySlice<UInt8>) -> Bool {
        let bytes = bytes
        return sealed.prefix(2).elementsEqual(bytes[..<2]) && sealed.suffix(8).elementsEqual(bytes[10...])
            && (store == nil || sealed.dropFirst(2).prefix(8).elementsEqual(bytes[2..<10]))
    }
}

/// Converts values to their stored form and back.
///
/// Sealed bytes begin with a byte that no JSON begins with. This distinguishes the forms during a conversion.
struct RecordSealing: Sendable {
    private let seal: Outbox.Seal?

    init(_ seal: Outbox.Seal?) { self.seal = seal }

    var isSealing: Bool { seal?.seal != nil }
    var hasSeal: Bool { seal != nil }

    private static let mark: UInt8 = 0x01

    static func isSealed(_ stored: [UInt8]) -> Bool { stored.first == mark }

    /// The app's `seal` function has thrown. Records wait in memory.
    struct NotSealed: Error, CustomStringConvertible {
        let cause: any Error
        var description: String { "records cannot be sealed: \(cause)" }
    }

    /// The app's `open` function has failed for a value. Other values may be readable.
    struct NotOpened: Error, CustomStringConvertible {
        let cause: String
        var description: String { "records cannot be opened: \(cause)" }
    }

    func stored(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let seal = seal?.seal else { return bytes }
        do { return [Self.mark] + (try seal(bytes)) } catch { throw NotSealed(cause: error) }
    }

    func stored(_ bytes: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        isSealing ? try stored(place.bytes + bytes) : bytes
    }

    /// Returns the stored form of records that receive the numbers after `last`.
    func stored(_ records: PackedRecords, in store: Int64, after last: Int64) throws -> PackedRecords {
        guard isSealing else { return records }
        var sealed = PackedRecords()
        var number = last
        try records.forEach {
            number += 1
            sealed.append(try stored([UInt8]($0), at: SealedPlace(kind: .record, store: store, number: number)))
        }
        return sealed
    }

    /// Decrypts sealed bytes, without a check of their place. Throws `Outbox.Seal.KeyUnavailable` or `NotOpened`.
    func opened(_ stored: [UInt8]) throws -> [UInt8] {
        guard let seal else { throw NotOpened(cause: "the outbox has no seal") }
        do {
            return try seal.open(Array(stored.dropFirst()))
        } catch let error as Outbox.Seal.KeyUnavailable {
            throw error
        } catch {
            throw NotOpened(cause: "\(error)")
        }
    }

    /// Returns the plain bytes of a row's value. Throws `Outbox.Seal.KeyUnavailable`, `NotOpened` or `Damage`.
    /// - Parameters:
    ///   - place: The place where the value was found.
    ///   - mustBeSealed: True if every value of the store is sealed. If not, a value is sealed if it has the mark.
    func opened(_ stored: [UInt8], at place: SealedPlace, mustBeSealed: Bool) throws -> [UInt8] {
        guard Self.isSealed(stored) else {
            if mustBeSealed { throw Damage("a row of a sealed store is not sealed") }
            return stored
        }
        let bytes = try opened(stored)
        guard bytes.first == SealedPlace.mark, bytes.count >= SealedPlace.size else {
            throw NotOpened(cause: "the decrypted bytes have no place; the key may be wrong")
        }
        guard place.matches(bytes[..<SealedPlace.size]) else {
            throw Damage("an encrypted value belongs to another row or store")
        }
        return Array(bytes[SealedPlace.size...])
    }

    /// Returns the record of a row. The decrypted bytes are checked, because a wrong key may produce other bytes.
    func record(_ stored: [UInt8], at place: SealedPlace, mustBeSealed: Bool) throws -> [UInt8] {
        let bytes = try opened(stored, at: place, mustBeSealed: mustBeSealed)
        guard Self.isSealed(stored) else { return bytes }
        guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}"), !bytes.contains(where: { $0 < 0x20 }),
            String(bytes: bytes, encoding: .utf8) != nil
        else { throw NotOpened(cause: "the decrypted bytes are not a record; the key may be wrong") }
        return bytes
    }
}
