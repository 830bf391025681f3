import Foundation
import Testing

@testable import ActivityOutbox

/// The machine in front of the naive world, in a hundred thousand random lives.
struct OutboxMachineTests {
    /// The first seed; `OUTBOX_SEED=n swift test --filter OutboxMachineTests` tries others.
    private static let first = ProcessInfo.processInfo.environment["OUTBOX_SEED"].flatMap { UInt64($0) } ?? 1

    @Test("whatever happens in whatever order: nothing denied is sent, nothing is lost uncounted, nobody waits for ever", arguments: 0..<20)
    func agreesWithTheNaiveModel(part: Int) async {
        let seeds = (Self.first + UInt64(part) * 5_000)..<(Self.first + UInt64(part + 1) * 5_000)
        print("interleavings: seeds \(seeds.lowerBound) to \(seeds.upperBound - 1)")
        for seed in seeds {
            // Other tests share the threads.
            if seed % 50 == 0 { await Task.yield() }
            var world = OutboxWorld(seed: seed, isTraced: false)
            do { try world.live(10 + seed % 50) } catch {
                // Once more, with what led to it.
                var again = OutboxWorld(seed: seed, isTraced: true)
                try? again.live(10 + seed % 50)
                Issue.record("seed \(seed): \(error)\n  \(again.trace.joined(separator: "\n  "))")
                return
            }
        }
    }
}
