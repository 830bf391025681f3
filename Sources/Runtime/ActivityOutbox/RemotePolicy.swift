public import ActivityTracking
public import Foundation

extension Outbox {
    /// Settings that override those of a released app: a small JSON document that the app fetches and passes to
    /// ``Outbox/apply(_:)``.
    ///
    /// ```json
    /// {
    ///   "version": 1,
    ///   "expires": "2026-12-31T00:00:00Z",
    ///   "off": ["video_playback", "recipe_search.tap_recipe"],
    ///   "sampling": [{"name": "recipe_search.show_recipe", "share": 0.05}],
    ///   "batch": {"records": 200, "bytes": 262144, "interval": 60}
    /// }
    /// ```
    ///
    /// | member | content |
    /// | --- | --- |
    /// | `version` | the version of the format: 1 |
    /// | `expires` | the time until which the policy is in force (RFC 3339), at most a year ahead |
    /// | `off` | categories and events whose records are all rejected |
    /// | `sampling` | the admitted share of a category or an event, from 0 to 1, in place of the definition's |
    /// | `batch` | `records`, `bytes` and `interval`, which replace settings of the configuration |
    ///
    /// Only `version` and `expires` are required. The members of `batch` replace ``Limits/batchRecords``,
    /// ``Limits/batchBytes`` and ``Limits/deliveryInterval``, within the same bounds. An entry for an
    /// event takes precedence over one for its category. An entry for a former name applies to the event that was
    /// renamed. A document that breaks a rule is rejected as a whole. Unknown members are skipped, so that later
    /// versions can add members. Unknown members of the outermost object are listed in ``ignored``.
    public struct RemotePolicy: Sendable, Equatable {
        /// The time until which the policy is in force.
        public let expires: Date
        /// The parts of the document without effect: unknown members, and events that the app does not have.
        public let ignored: [String]
        /// The shares by category, then by event. The event `""` means the whole category.
        private let shares: [String: [String: Double]]
        let batch: Batch
        /// The document as it was passed in.
        let document: [UInt8]
        /// The time at which the document was parsed, by the wall clock.
        let read: Date

        struct Batch: Sendable, Equatable {
            var records: Int?
            var bytes: Int?
            var interval: TimeInterval?
        }

        /// The reason for which a document is not a valid policy.
        public struct Invalid: Error, Equatable, CustomStringConvertible {
            public let description: String
        }

        /// The maximum size of a document, in bytes.
        public static let mostBytes = 64 << 10
        static let mostNames = 1000
        private static let longest: TimeInterval = 366 * Outbox.Limits.day

        /// Parses a document.
        /// - Parameters:
        ///   - json: The document in UTF-8, with at most ``mostBytes`` bytes.
        ///   - categories: The categories of the app. Names of other categories and events are added to ``ignored``. If
        ///     the array is empty, names are not checked.
        ///   - now: The current time, which is compared with `expires`.
        /// - Throws: ``Invalid`` if the document breaks a rule.
        public init(_ json: Data, of categories: [any LogCategory.Type] = [], now: Date = Date()) throws {
            guard json.count <= Self.mostBytes else {
                throw Invalid(description: "it has \(json.count) bytes; \(Self.mostBytes) are allowed")
            }
            let form: Form
            do { form = try JSONDecoder().decode(Form.self, from: json) } catch let error as Invalid {
                throw error
            } catch {
                throw Invalid(description: "it does not have the form of a policy")
            }
            (document, read) = ([UInt8](json), now)
            if let name = Self.duplicate(in: document) { throw Invalid(description: "\(name) occurs twice") }
            guard form.version == 1 else { throw Invalid(description: "its version is \(form.version), not 1") }
            guard let expires = Self.date(form.expires) else {
                throw Invalid(description: "expires is not an RFC 3339 time")
            }
            let length = expires.timeIntervalSince(now)
            guard length > 0 else { throw Invalid(description: "it has expired") }
            guard length <= Self.longest else { throw Invalid(description: "it expires in more than a year") }
            self.expires = expires
            var (shares, ignored) = ([String: [String: Double]](), form.unknown.map { "the member \($0)" })
            var known = Dictionary(categories.map { ($0.definition.name, Set($0.definition.events.map(\.name))) }) {
                first, _ in first
            }
            for name in categories.flatMap({ $0.definition.events.flatMap(\.formerNames) }).compactMap(Self.parts) {
                known[name.category, default: []].insert(name.event)
            }
            let entries = (form.off ?? []).map { ($0, 0.0) } + (form.sampling ?? []).map { ($0.name, $0.share) }
            guard entries.count <= Self.mostNames else {
                throw Invalid(description: "it names more than \(Self.mostNames) events")
            }
            for (name, share) in entries {
                let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                guard (1...2).contains(parts.count), parts.allSatisfy(Self.isName) else {
                    throw Invalid(description: "an entry is not the name of a category or an event")
                }
                guard share >= 0, share <= 1 else {
                    throw Invalid(description: "the share of \(name) is not between 0 and 1")
                }
                let event = parts.count == 2 ? parts[1] : ""
                guard shares[parts[0], default: [:]].updateValue(share, forKey: event) == nil else {
                    throw Invalid(description: "\(name) occurs twice")
                }
                if !known.isEmpty, known[parts[0]].map({ event.isEmpty || $0.contains(event) }) != true {
                    ignored.append("the event \(name)")
                }
            }
            (self.shares, self.ignored) = (shares, ignored)
            batch = Batch(records: form.batch?.records, bytes: form.batch?.bytes, interval: form.batch?.interval)
            var configuration = Configuration(folder: URL(fileURLWithPath: "/"))
            configuration.batchRecords = batch.records ?? configuration.batchRecords
            configuration.batchBytes = batch.bytes ?? configuration.batchBytes
            configuration.deliveryInterval = batch.interval ?? configuration.deliveryInterval
            if let change = configuration.limits.clamped().changes.first {
                throw Invalid(description: "in batch, \(change)")
            }
        }

        /// Returns whether both policies have the same document and the same ignored parts.
        /// - Parameters:
        ///   - one: A policy.
        ///   - other: Another policy.
        public static func == (one: Self, other: Self) -> Bool {
            (one.document, one.ignored) == (other.document, other.ignored)
        }

        private static func isName(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.count <= 200
                && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
        }

        private static func date(_ text: String) -> Date? {
            let formatter = ISO8601DateFormatter()
            if let date = formatter.date(from: text) { return date }
            formatter.formatOptions.insert(.withFractionalSeconds)
            return formatter.date(from: text)
        }

        /// Returns a duplicate member of an object, if any. JSON parsers differ in which of two equal
        /// members they use.
        private static func duplicate(in json: [UInt8]) -> String? {
            var open: [Set<[UInt8]>] = []
            var index = 0
            while index < json.count {
                switch json[index] {
                case UInt8(ascii: "{"), UInt8(ascii: "["): open.append([])
                case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
                case UInt8(ascii: "\""):
                    let start = index + 1
                    index = start
                    while index < json.count, json[index] != UInt8(ascii: "\"") {
                        index += json[index] == UInt8(ascii: "\\") ? 2 : 1
                    }
                    guard index < json.count else { return "a string" }
                    var next = index + 1
                    while next < json.count, json[next] <= 0x20 { next += 1 }
                    if next < json.count, json[next] == UInt8(ascii: ":"), !open.isEmpty {
                        let name = Array(json[start..<index])
                        // Names with escapes are rejected, because an escape can spell an existing name differently.
                        guard !name.contains(UInt8(ascii: "\\")), open[open.count - 1].insert(name).inserted else {
                            return "the member \(String(decoding: name.prefix(64), as: UTF8.self))"
                        }
                    }
                default: break
                }
                index += 1
            }
            return nil
        }

        /// Returns the share that the policy admits of all records of this event; nil if the policy has no entry for
        /// the event or its category.
        /// - Parameter isSampled: True if the definition's `sampling` applies. Then an event with `sampling: 0` stays
        ///   off.
        func share(of record: borrowing LogRecord, isSampled: Bool) -> Double? {
            guard !shares.isEmpty, let share = share(of: record) else { return nil }
            return isSampled && record.sampling == 0 ? 0 : share
        }

        /// Returns the share for the record's event under its current name or a former one, or else for its category.
        private func share(of record: borrowing LogRecord) -> Double? {
            let names =
                [(category: record.category, event: record.event)]
                + (record.definition?.formerNames ?? []).compactMap(Self.parts)
            return names.lazy.compactMap { shares[$0.category]?[$0.event] }.first
                ?? names.lazy.compactMap { shares[$0.category]?[""] }.first
        }

        /// The parts of `category.event`; nil for another form.
        private static func parts(of name: String) -> (category: String, event: String)? {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }

        /// Returns the record, with its sampling rate if the policy samples it; nil if the policy rejects the record.
        func admit(_ record: LogRecord, isSampled: Bool) -> LogRecord? {
            guard let share = share(of: record, isSampled: isSampled), share < 1 else { return record }
            // The record was already sampled at this share or a smaller one.
            if let rate = record.samplingRate, rate <= share { return record }
            return record.samplingPlace < share ? record.sampled(at: share) : nil
        }
    }
}

/// The JSON form of the document.
private struct Form: Decodable {
    struct Entry: Decodable {
        var name: String
        var share: Double
    }

    struct Batch: Decodable {
        var records: Int?
        var bytes: Int?
        var interval: Double?
    }

    struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var version: Int
    var expires: String
    var off: [String]?
    var sampling: [Entry]?
    var batch: Batch?
    var unknown: [String]

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Name.self)
        version = try values.decode(Int.self, forKey: Name(stringValue: "version"))
        expires = try values.decode(String.self, forKey: Name(stringValue: "expires"))
        off = try values.decodeIfPresent([String].self, forKey: Name(stringValue: "off"))
        sampling = try values.decodeIfPresent([Entry].self, forKey: Name(stringValue: "sampling"))
        batch = try values.decodeIfPresent(Batch.self, forKey: Name(stringValue: "batch"))
        unknown = values.allKeys.map(\.stringValue).filter {
            !["version", "expires", "off", "sampling", "batch"].contains($0)
        }.sorted()
    }
}

/// A policy and the time since which it is in force, as stored for the next launch.
struct KeptPolicy: Sendable {
    var policy: Outbox.RemotePolicy
    /// Seconds since 1970, by the wall clock at that time.
    var since: TimeInterval

    init(_ policy: Outbox.RemotePolicy, since: TimeInterval) { (self.policy, self.since) = (policy, since) }

    /// The content of the policy's file: a line with the time, then the document.
    var file: [UInt8] { Array("\(Int64(Outbox.Limits.clamp(since, 0...1e12)))\n".utf8) + policy.document }

    init(file: [UInt8]) throws {
        guard file.count <= Outbox.RemotePolicy.mostBytes + 20, let end = file.firstIndex(of: 0x0A),
            let since = Int64(String(decoding: file[..<end], as: UTF8.self)), since >= 0
        else { throw Outbox.RemotePolicy.Invalid(description: "its file is damaged") }
        self.since = TimeInterval(since)
        // The time in the file is rounded down to whole seconds. Measured from it, a policy with the maximum duration
        // would last too long, and would be rejected. Therefore, one second is added.
        policy = try Outbox.RemotePolicy(Data(file[(end + 1)...]), now: Date(timeIntervalSince1970: self.since + 1))
    }

    /// Returns the remaining seconds. They never exceed the original number, even if the clock was set back.
    func left(at wall: TimeInterval) -> TimeInterval { policy.expires.timeIntervalSince1970 - max(wall, since) }
}

extension HTTPUploader {
    /// Fetches a policy with the uploader's headers, without following redirections.
    /// - Parameters:
    ///   - url: The URL of the document.
    ///   - categories: The categories of the app, as in ``Outbox/RemotePolicy/init(_:of:now:)``.
    /// - Throws: An error if the status is not 200, or the document is not a valid policy.
    public func policy(at url: URL, of categories: [any LogCategory.Type] = []) async throws -> Outbox.RemotePolicy {
        guard let answer = try await get(url) else {
            throw Outbox.RemotePolicy.Invalid(description: "the answer is not HTTP")
        }
        guard answer.status == 200 else { throw Outbox.RemotePolicy.Invalid(description: "HTTP \(answer.status)") }
        guard let body = answer.body else {
            throw Outbox.RemotePolicy.Invalid(description: "it has more than \(Outbox.RemotePolicy.mostBytes) bytes")
        }
        return try Outbox.RemotePolicy(body, of: categories)
    }
}
