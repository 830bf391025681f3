import ActivityTracking
import Foundation
import LoopbackCollector
import TestSupport

@testable import ActivityOutbox

/// A folder, an outbox in it, and what it reports. Records are numbers, `{"n":1}`.
final class Workbench: Sendable {
    let folder: URL
    private let noticed = Locked([OutboxNotice]())

    init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("outbox 試験 \(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func outbox(
        _ uploader: any LogUploader, clock: OutboxClock = .system, edit: (inout Outbox.Configuration) -> Void = { _ in }
    ) -> Outbox {
        var configuration = Outbox.Configuration(folder: folder)
        configuration.writeDelay = 0.01
        // Deliveries happen when a test asks for them.
        configuration.deliveryInterval = 3600
        configuration.firstRetry = 0
        edit(&configuration)
        return Outbox(configuration, uploader: uploader, clock: clock) { [noticed] notice in noticed.withLock { $0.append(notice) } }
    }

    func outbox(
        _ collector: Collector, clock: OutboxClock = .system, edit: (inout Outbox.Configuration) -> Void = { _ in }
    ) -> Outbox {
        outbox(HTTPUploader(collector.url, timeout: 600), clock: clock, edit: edit)
    }

    var notices: [OutboxNotice] { noticed.withLock { $0 } }

    var file: URL { folder.appendingPathComponent("outbox.sqlite") }

    var setAside: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
            $0.hasPrefix("outbox-set-aside-") && $0.hasSuffix(".sqlite")
        }
    }

    func dropped(_ why: OutboxNotice.Drop) -> Int {
        notices.reduce(0) { sum, notice in
            if case .dropped(let count, why) = notice { sum + count } else { sum }
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
    /// The numbers accepted, in order.
    var numbers: [Int] { accepted.compactMap { Int($0.dropFirst(5).prefix { $0.isNumber }) } }
}

/// Waits until something holds, for at least a minute.
func eventually(_ condition: @Sendable () async -> Bool) async -> Bool {
    for _ in 0..<6000 {
        if await condition() { return true }
        try? await Task.sleep(nanoseconds: 10_000_000)
    }
    return false
}
