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
        public init(
            seal: @escaping @Sendable ([UInt8]) throws -> [UInt8], open: @escaping @Sendable ([UInt8]) throws -> [UInt8]
        ) {
            (self.seal, self.open) = (seal, open)
        }

        /// For an app that seals no more: what an earlier version of it has sealed is opened, and stored as it is.
        public init(opening open: @escaping @Sendable ([UInt8]) throws -> [UInt8]) { (seal, self.open) = (nil, open) }

        /// The key cannot be had now: a device that has not been unlocked since it started does not give it.
        public struct NotNow: Error, CustomStringConvertible {
            public init() {}
            public var description: String { "the key is not available now" }
        }
    }
}

/// The place that a sealed value belongs to. It is sealed with the value, so a value that is copied elsewhere does not
/// open: over another row, into another table, or into another store.
struct SealedPlace: Sendable {
    enum Kind: UInt8 {
        case record = 1, deadLetter, reason
    }

    var kind: Kind
    /// nil if a damaged store does not have it. Then a value of any store is accepted.
    var store: Int64?
    var number: Int64

    /// No JSON begins with it.
    fileprivate static let mark: UInt8 = 0x02
    fileprivate static let size = 18

    /// The mark, the kind, and the numbers of store and row, most significant byte first.
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

/// The stored form of a record, and back.
///
/// Sealed bytes begin with a byte that no JSON begins with, so both forms are told apart while a store is converted.
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

    func stored(_ bytes: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        isSealing ? try stored(place.bytes + bytes) : bytes
    }

    /// Records that get the numbers after one.
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

    /// The bytes of a file that was sealed as a whole. Throws `Outbox.Seal.NotNow` or `NotOpened`.
    func opened(_ stored: [UInt8]) throws -> [UInt8] {
        guard let seal else { throw NotOpened(cause: "the outbox has no seal") }
        do {
            return try seal.open(Array(stored.dropFirst()))
        } catch let error as Outbox.Seal.NotNow {
            throw error
        } catch {
            throw NotOpened(cause: "\(error)")
        }
    }

    /// The bytes of a value of a row. Throws `Outbox.Seal.NotNow`, `NotOpened` or `Damage`.
    /// - Parameters:
    ///   - place: the place where the value was found.
    ///   - isBound: whether every value of the store is sealed with its place.
    func opened(_ stored: [UInt8], at place: SealedPlace, isBound: Bool) throws -> [UInt8] {
        guard Self.isSealed(stored) else {
            if isBound { throw Damage("a row of a sealed store is not sealed") }
            return stored
        }
        let bytes = try opened(stored)
        // An earlier version sealed nothing else. What a collector has said may begin with any byte.
        guard isBound || place.kind != .reason && bytes.first == SealedPlace.mark else { return bytes }
        guard bytes.first == SealedPlace.mark, bytes.count >= SealedPlace.size else {
            throw NotOpened(cause: "they have no place")
        }
        guard place.matches(bytes[..<SealedPlace.size]) else { throw Damage("a row was sealed for another place") }
        return Array(bytes[SealedPlace.size...])
    }

    /// The record of a row. A wrong key may give bytes that are none.
    func record(_ stored: [UInt8], at place: SealedPlace, isBound: Bool) throws -> [UInt8] {
        let bytes = try opened(stored, at: place, isBound: isBound)
        guard Self.isSealed(stored) else { return bytes }
        guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}"), !bytes.contains(where: { $0 < 0x20 }),
            String(bytes: bytes, encoding: .utf8) != nil
        else { throw NotOpened(cause: "the opened bytes are not a record") }
        return bytes
    }
}
