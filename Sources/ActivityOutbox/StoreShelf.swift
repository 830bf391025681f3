import ActivityTracking
import Foundation
import GRDB

/// Opens the store, and puts one aside that cannot be read.
final class StoreShelf: Sendable {
    private enum State: Sendable {
        case unopened
        case open(OutboxStore)
        /// Until `open` is called.
        case closed
        /// Not to be opened before that time.
        case unavailable(until: TimeInterval)
    }

    private let folder: URL
    private let clock: OutboxClock
    private let report: @Sendable (OutboxNotice) -> Void
    private let state = Locked(State.unopened)
    /// Whether what is wrong has been reported, and not been right since.
    private let isReported = Locked(false)

    init(folder: URL, clock: OutboxClock, report: @escaping @Sendable (OutboxNotice) -> Void) {
        self.folder = folder
        self.clock = clock
        self.report = report
    }

    private var file: URL { folder.appendingPathComponent("outbox.sqlite") }
    var lockPath: String { folder.appendingPathComponent("outbox.lock").path }

    /// The store; nil while it is closed or cannot be opened.
    func store() -> OutboxStore? {
        // Two threads that open at once would find the files of each other half made.
        state.withLock { state -> OutboxStore? in
            switch state {
            case .open(let store): return store
            case .closed: return nil
            case .unavailable(let until) where clock.steady() < until: return nil
            case .unopened, .unavailable: break
            }
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let store = try openOrSetAside()
                state = .open(store)
                isReported.withLock { $0 = false }
                return store
            } catch {
                state = .unavailable(until: clock.steady() + 1)
                reportOnce("\(error)")
                return nil
            }
        }
    }

    private func openOrSetAside() throws -> OutboxStore {
        do {
            return try OutboxStore(path: file.path, clock: clock)
        } catch  where Self.isUnreadable(error) {
            try setAside("\(error)")
            return try OutboxStore(path: file.path, clock: clock)
        }
    }

    /// Something that a store was asked to do has failed.
    func failed(_ error: any Error, of failed: OutboxStore?) {
        guard Self.isUnreadable(error) else { return reportOnce("\(error)") }
        state.withLock { state in
            // Its successor may be in its place already.
            guard case .open(let store) = state, store.identity == failed?.identity else { return }
            try? store.close()
            state = .unopened
            do {
                try setAside("\(error)")
            } catch {
                state = .unavailable(until: clock.steady() + 1)
                reportOnce("\(error)")
            }
        }
    }

    private static func isUnreadable(_ error: any Error) -> Bool {
        if error is OutboxStore.NewerVersion { return true }
        guard let error = error as? DatabaseError else { return false }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return true
        // A table or a column is missing.
        case .SQLITE_ERROR, .SQLITE_MISMATCH: return true
        default: return false
        }
    }

    /// Moves the store's files to names that tell when.
    private func setAside(_ reason: String) throws {
        let stamp = Int(clock.wall() * 1000)
        var target = folder.appendingPathComponent("outbox-set-aside-\(stamp).sqlite")
        var number = 0
        while FileManager.default.fileExists(atPath: target.path) {
            number += 1
            target = folder.appendingPathComponent("outbox-set-aside-\(stamp)-\(number).sqlite")
        }
        try FileManager.default.moveItem(at: file, to: target)
        for suffix in ["-wal", "-shm"] {
            let side = URL(fileURLWithPath: file.path + suffix)
            guard FileManager.default.fileExists(atPath: side.path) else { continue }
            try FileManager.default.moveItem(at: side, to: URL(fileURLWithPath: target.path + suffix))
        }
        report(.storeSetAside(target, reason: reason))
    }

    private func reportOnce(_ reason: String) {
        let isNew = isReported.withLock { isReported in
            defer { isReported = true }
            return !isReported
        }
        if isNew { report(.storeUnavailable(reason: reason)) }
    }

    /// Lets the files go, until `open`.
    func close() {
        state.withLock { state in
            if case .open(let store) = state { try? store.close() }
            state = .closed
        }
    }

    func open() {
        state.withLock { state in
            if case .closed = state { state = .unopened }
        }
    }
}
