import ContentVisibility
import ScenarioRunner
import TestSupport
import Testing

struct EngagementTests {
    @Test("A sum is at most its visit, and that of a content at most that of its screen", arguments: 0..<4)
    func sums(part: Int) throws {
        var left = 0
        for seed in 0..<Depth.cases(25, deep: 250) {
            let bytes = Array(RandomScenario.text(seed: UInt64(part * 1000 + seed), leave: true).utf8)
            let posted = try Scenario(bytes, file: "s.json").replay(bytes, file: "s.json").posted.filter {
                $0.screen == "feed"
            }
            let begins = posted.filter { $0.log == .screen }.map(\.time)
            let ends = posted.filter { $0.log == .left && $0.content == nil }
            #expect(begins.count - ends.count == 0 || begins.count - ends.count == 1, "seed \(part) \(seed)")
            for (begin, end) in zip(begins, ends) {
                #expect((end.engagement?.seconds ?? .infinity) <= end.time - begin + 0.001, "seed \(part) \(seed)")
            }
            for post in posted {
                guard let engagement = post.engagement else { continue }
                #expect(engagement.longest <= engagement.seconds + 1e-9)
                #expect(engagement.count > 0 || engagement.seconds == 0)
                #expect(engagement.depth.map { (0...1).contains($0) } ?? (post.content == nil))
                guard post.content != nil else { continue }
                left += 1
                // A content is left together with its screen, or earlier because it was removed.
                let screen = ends.filter { abs($0.time - post.time) < 0.001 }.compactMap(\.engagement?.seconds).max()
                let limit = screen ?? post.time - (begins.last { $0 <= post.time } ?? .infinity)
                #expect(engagement.seconds <= limit + 0.001, "seed \(part) \(seed): \(post.summary)")
            }
        }
        #expect(left > 50)
    }
}
