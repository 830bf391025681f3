import ActivityTracking
import Foundation
import GRDB
import LoopbackCollector
import TestSupport

@testable import ActivityOutbox

/// A folder, an outbox in it, and its notices. Records are numbers: `{"n":1}`.
///
/// Suites that use it are serialized. All cases at once would open about 1,400 files and sockets. From about 1,365 on,
/// `Process.run` of swift-corelibs-foundation (6.3) may read beyond the list of open files and crash.
final class OutboxFixture: Sendable {
    let folder: URL
    private let noticed = Locked([Outbox.Notice]())

    init() {
        folder = RunFolder.url.appendingPathComponent("outbox 試験 \(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the store folder without an outbox.
    func storeFolder() -> StoreFolder {
        StoreFolder(folder, protection: .completeUntilFirstUserAuthentication, faults: { _ in })
    }

    func outbox(
        _ uploader: any LogUploader, clock: OutboxClock = .system, policy: CollectionPolicy? = .enabled,
        faults: Faults = Faults(), edit: (inout Outbox.Configuration) -> Void = { _ in }
    ) -> Outbox {
        var configuration = Outbox.Configuration(folder: folder)
        configuration.writeDelay = 0.01
        // Deliveries and retries happen only when a test requests them.
        configuration.deliveryInterval = 3600
        configuration.firstRetry = 86_400
        configuration.longestRetry = 86_400
        edit(&configuration)
        let outbox = Outbox(configuration, uploader: uploader, clock: clock, faults: faults.check) { [noticed] notice in
            noticed.withLock { $0.append(notice) }
        }
        if let policy { outbox.collectionDidChange(to: policy) }
        return outbox
    }

    func outbox(
        _ collector: Collector, clock: OutboxClock = .system, policy: CollectionPolicy? = .enabled,
        faults: Faults = Faults(), edit: (inout Outbox.Configuration) -> Void = { _ in }
    ) -> Outbox {
        outbox(HTTPUploader(collector.url, timeout: 600), clock: clock, policy: policy, faults: faults, edit: edit)
    }

    /// Stores records like an earlier process that never sends.
    func leave(_ numbers: some Sequence<Int>, padding: Int = 0, edit: (inout Outbox.Configuration) -> Void = { _ in })
        async
    {
        let outbox = outbox(Nobody(), policy: .paused, edit: edit)
        outbox.post(numbers, padding: padding)
        await outbox.shutdown(within: 3600)
    }

    var notices: [Outbox.Notice] { noticed.withLock { $0 } }

    var file: URL { folder.appendingPathComponent("outbox.sqlite") }

    /// Opens a connection that waits for others: an outbox may still open, convert or close the store.
    func database() throws -> DatabaseQueue { try Self.database(file) }

    static func database(_ file: URL) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(60)
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: file.path, configuration: configuration)
    }

    var setAside: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
            $0.hasPrefix("outbox-set-aside-") && $0.hasSuffix(".sqlite")
        }
    }

    /// Returns the files of the folder, except pipes, that contain one of some strings.
    func files(holding texts: [String]) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
            let path = folder.appendingPathComponent(name).path
            let kind = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
            guard kind == .typeRegular, let data = FileManager.default.contents(atPath: path) else { return false }
            return texts.contains { data.range(of: Data($0.utf8)) != nil }
        }
    }

    func dropped(_ why: Outbox.Notice.Drop) -> Int {
        notices.reduce(0) { sum, notice in
            if case .dropped(let count, why) = notice { sum + count } else { sum }
        }
    }
}

/// Failures that a test turns on and off.
final class Faults: Sendable {
    private let failing = Locked([FileAction: Int32]())
    private let asked = Locked([FileAction: Int]())

    func fail(_ actions: FileAction..., with code: Int32) {
        failing.withLock { failing in for action in actions { failing[action] = code } }
    }

    func end() { failing.withLock { $0 = [:] } }

    func count(of action: FileAction) -> Int { asked.withLock { $0[action] ?? 0 } }

    func check(_ action: FileAction) throws {
        asked.withLock { $0[action, default: 0] += 1 }
        if let code = failing.withLock({ $0[action] }) { throw FileError("\(action)", "a file", code) }
    }
}

/// An uploader that never reaches a collector.
struct Nobody: LogUploader {
    func upload(_ batch: LogBatch) async throws -> UploadResult { .later(reason: "the collector is away", after: nil) }
}

/// An uploader whose collector refuses all records.
struct Refuser: LogUploader {
    var reason = "HTTP 404"

    func upload(_ batch: LogBatch) async throws -> UploadResult { .refused(reason: reason) }
}

struct Keeper: LogUploader {
    private let kept = Locked([[UInt8]]())

    var records: [[UInt8]] { kept.withLock { $0 } }

    func upload(_ batch: LogBatch) async throws -> UploadResult {
        kept.withLock { $0 += batch.records }
        return .accepted
    }
}

extension Locked where Value == Int {
    func next() -> Int {
        withLock { count in
            count += 1
            return count
        }
    }
}

extension DispatchSemaphore {
    /// Waits on a thread of its own.
    func waitElsewhere() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                self.wait()
                continuation.resume()
            }
        }
    }
}

extension Outbox {
    func post(_ numbers: some Sequence<Int>, padding: Int = 0) {
        let text = padding > 0 ? ",\"x\":\"\(String(repeating: "x", count: padding))\"" : ""
        for number in numbers { receive(Array("{\"n\":\(number)\(text)}".utf8)) }
    }
}

extension Collector {
    var numbers: [Int] { accepted.compactMap { Int($0.dropFirst(5).prefix { $0.isNumber }) } }
}

/// Waits until a condition holds. Returns false if it does not hold within 6,000 checks, which take a minute or more.
func eventually(_ condition: @Sendable () async -> Bool) async -> Bool {
    for _ in 0..<6000 {
        if await condition() { return true }
        try? await Task.sleep(nanoseconds: 10_000_000)
    }
    return false
}
