import Foundation
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of the protocol of a shared folder in every order of the processes' steps.
struct FolderProtocolTests {
    /// `FOLDER_PROTOCOL=deep swift test --filter FolderProtocolTests` explores with more faults, which takes minutes.
    private static let isDeep = ProcessInfo.processInfo.environment["FOLDER_PROTOCOL"] == "deep"

    @Test(
        "All orders of steps and faults lose nothing durable, send nothing denied and mix up no log",
        arguments: Depth.some(3, of: FolderScene.allCases))
    func everyOrderIsSound(scene: FolderScene) throws {
        let begin = DispatchTime.now().uptimeNanoseconds
        var explorer = FolderExplorer(.standard)
        try explorer.explore(scene.model(isDeep: Self.isDeep), limit: Self.isDeep ? 50_000_000 : 500_000)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
        print("folder protocol: \(scene.rawValue): \(explorer.count) states, \((seconds * 10).rounded() / 10) s")
    }

    @Test("Each mutant of the protocol breaks a guarantee", arguments: Depth.some(9, of: FolderMutant.all))
    func mutantsAreCaught(mutant: FolderMutant) {
        var order = FolderProtocol.standard
        mutant.edit(&order.rows)
        var explorer = FolderExplorer(order, rescueHasLog: mutant.rescueHasLog)
        #expect(throws: FolderExplorer.Violation.self) { try explorer.explore(mutant.scene.model(), limit: 500_000) }
    }

    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil

    /// The rows of the protocol's table, in the form of the table in the article on shared folders.
    private static var rows: String {
        let order = FolderProtocol.standard
        return FolderProtocol.State.allCases.compactMap { state in
            order.rows[state].map { row in
                let next = FolderProtocol.Outcome.allCases.compactMap { outcome in
                    row.next[outcome].map { "\(outcome) → `\($0)`" }
                }
                return "| `\(state)` | \(row.step) | \(next.joined(separator: ", ")) |\n"
            }
        }.joined()
    }

    @Test("The article contains the current table")
    func theArticleHasTheTable() throws {
        let article = "Sources/Runtime/ActivityOutbox/Documentation.docc/SharedFolder.md"
        let text = try Tool.text(of: article)
        let head = "| state | step | next |\n| --- | --- | --- |\n"
        let start = try #require(text.range(of: head)).upperBound
        let end = try #require(text.range(of: "\n## How it is proved")).lowerBound
        guard Self.isRecording else {
            #expect(text[start..<end] == Self.rows, "record it with RECORD_SNAPSHOTS=1")
            return
        }
        try text.replacingCharacters(in: start..<end, with: Self.rows).write(
            to: Tool.repository.appendingPathComponent(article), atomically: true, encoding: .utf8)
        Issue.record("recorded SharedFolder.md: read it, then run without RECORD_SNAPSHOTS")
    }

    @Test("Each state except the ends has a row with a next state, and each state is reachable")
    func everyStateIsReachableAndHasARow() {
        let order = FolderProtocol.standard
        for state in FolderProtocol.State.allCases {
            #expect((order.rows[state] == nil) == (FolderProtocol.ends[state] != nil), "\(state)")
            if let row = order.rows[state] { #expect(!row.next.isEmpty, "\(state)") }
        }
        var reached = Set(FolderProtocol.Entry.allCases.map(\.state))
        var waiting = Array(reached)
        while let state = waiting.popLast() {
            for next in order.rows[state]?.next.values ?? [:].values where reached.insert(next).inserted {
                waiting.append(next)
            }
        }
        #expect(reached == Set(FolderProtocol.State.allCases))
    }
}

/// A defect in the protocol that the explorer must detect.
struct FolderMutant: Sendable, CustomTestStringConvertible {
    typealias Rows = [FolderProtocol.State: FolderProtocol.Row]

    let name: String
    let scene: FolderScene
    var rescueHasLog = false
    let edit: @Sendable (inout Rows) -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ scene: FolderScene, rescueHasLog: Bool = false, edit: @escaping @Sendable (inout Rows) -> Void
    ) {
        (self.name, self.scene, self.rescueHasLog, self.edit) = (name, scene, rescueHasLog, edit)
    }

    /// Returns a mutant that skips a state without performing its step.
    private static func without(
        _ name: String, _ state: FolderProtocol.State, to next: FolderProtocol.State, _ scene: FolderScene
    ) -> FolderMutant {
        FolderMutant(name, scene) { rows in
            // Replaces the step by one without an effect.
            rows[state] = FolderProtocol.Row(.sealAside, [.done: next])
        }
    }

    static let all: [FolderMutant] = [
        // Defects that occurred in the field.
        FolderMutant("A: the marks are read before the lock, and not once more under it", .start) { rows in
            rows[.lockToClose] = .init(.lock, [.done: .closeForWipe, .failed: .failed])
            rows[.findDenied]?.next[.yes] = .lockToClose
            rows[.findWipeDue]?.next[.yes] = .lockToClose
        },
        FolderMutant("B: no mark is read before an upload", .denial) { rows in
            rows[.readDeniedBeforeUpload]?.next = [.yes: .done, .no: .done, .failed: .done]
        },
        FolderMutant("C: the new store has a log, and a failed checkpoint is ignored", .damage, rescueHasLog: true) {
            rows in
            rows[.syncRescue]?.next[.failed] = .completeRescue
        },
        FolderMutant("D: the store moves before its log, and a rescue is finished without moving the log", .replacement)
        { rows in
            rows[.releaseBeforeMoves]?.next[.done] = .moveStore
            rows[.moveStore]?.next[.done] = .moveLog
            rows[.moveLog]?.next[.done] = .moveIndex
            rows[.moveIndex]?.next[.done] = .syncMoves
            rows[.readRescued]?.next[.yes] = .placeRescue
        },
        // Locks.
        without("no lock is taken to use the store", .lock, to: .readDenied, .denial),
        FolderMutant("a failed lock is ignored", .start) { $0[.lock]?.next[.failed] = .readDenied },
        without("the lock is not given back", .unlock, to: .readBatch, .start),
        without("the right to deliver is not taken", .lockRight, to: .lock, .delivery),
        // Marks.
        without("the denial is not read under the lock", .readDenied, to: .readWipeDue, .denial),
        without("the withdrawn denial is not read under the lock", .readWipeDue, to: .needsStore, .start),
        FolderMutant("a mark that cannot be read counts as absent", .unreadable) { rows in
            rows[.readDenied]?.next[.failed] = .readWipeDue
            rows[.findDenied]?.next[.failed] = .findWipeDue
        },
        FolderMutant("a mark that cannot be read does not keep an upload back", .unreadable) { rows in
            for state in [FolderProtocol.State.readDeniedBeforeUpload, .readWipeDueBeforeUpload, .readDeniedLast] {
                let next = rows[state]?.next[.no]
                rows[state]?.next[.failed] = next
            }
        },
        without(
            "the withdrawn denial is not read before an upload", .readWipeDueBeforeUpload, to: .compareBatch, .denial),
        without("the batch is not compared with the store in place", .compareBatch, to: .readDeniedLast, .denial),
        without("the denial is not read last before an upload", .readDeniedLast, to: .done, .denial),
        // Wipes.
        FolderMutant("a wipe removes one file", .start) { $0[.removeNext]?.next[.done] = .countWipe },
        without("a wipe is not counted", .countWipe, to: .syncWipe, .denial),
        without("records in memory survive a wipe", .isPostedBeforeWipe, to: .commit, .denial),
        FolderMutant("the withdrawn denial is removed before the wipe", .start) { rows in
            rows[.readWipeDue]?.next[.yes] = .removeWipeDue
            rows[.removeWipeDue]?.next[.done] = .closeForWipe
            rows[.syncWipe]?.next[.done] = .readDeniedAgain
        },
        without("a wipe is not synchronized", .syncWipe, to: .removeWipeDue, .power),
        // The current store.
        FolderMutant("the open store is not compared with the one in place", .damage) { rows in
            for outcome in [FolderProtocol.Outcome.moved, .gone] {
                rows[.compareStore]?.next[outcome] = .isCommitted
                rows[.compareAfterCommit]?.next[outcome] = .unlock
            }
        },
        FolderMutant("a store that was moved is closed as if it were in place", .damage) { rows in
            rows[.releaseMoved] = .init(.close, [.done: .lookAtStore])
        },
        FolderMutant("a store is closed without a look at its place", .closing) { rows in
            for outcome in [FolderProtocol.Outcome.moved, .gone, .failed] {
                rows[.compareToClose]?.next[outcome] = .checkpoint
            }
        },
        FolderMutant("a store is closed without the lock as if it were in place", .closing) { rows in
            rows[.closeUnlocked] = .init(.close, [.done: .done])
        },
        // Replacements.
        without("a replacement that was interrupted is not looked for", .readRescued, to: .compareStore, .replacement),
        without("the damaged store is not read", .readDamaged, to: .discardRescue, .damage),
        FolderMutant("a failed write of the new store is ignored", .damage) {
            $0[.writeRescue]?.next[.failed] = .syncRescue
        },
        FolderMutant("the new store is discarded after it was written", .damage) { rows in
            rows[.readDamaged]?.next[.done] = .writeRescue
            rows[.writeRescue]?.next[.done] = .discardRescue
            rows[.discardRescue]?.next[.done] = .syncRescue
        },
        FolderMutant("the store moves before the new one is complete", .replacement) { rows in
            rows[.syncRescue]?.next[.done] = .releaseBeforeMoves
            rows[.syncMoves]?.next[.done] = .completeRescue
            rows[.syncCompletion]?.next[.done] = .placeRescue
        },
        FolderMutant("the new store is placed before the old one moves", .damage) { rows in
            rows[.moveIndex]?.next[.done] = .placeRescue
            rows[.placeRescue]?.next[.done] = .moveStore
            rows[.syncMoves]?.next[.done] = .lookAtStore
        },
        without("the log stays next to the new store", .moveLog, to: .moveJournal, .damage),
        without("the index of the log stays next to the new store", .moveIndex, to: .moveStore, .damage),
        without("the new store is not synchronized", .syncRescue, to: .completeRescue, .power),
        without("the name of the new store is not synchronized", .syncCompletion, to: .releaseBeforeMoves, .power),
        without("the moves are not synchronized", .syncMoves, to: .placeRescue, .power),
    ]
}
