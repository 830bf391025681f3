import ContentVisibility
import ScenarioRunner
import TestSupport
import Testing

struct EngagementTests {
    private static func left(_ text: String) throws -> [TimeIntegrator.Left] {
        let bytes = Array(text.utf8)
        let posted = try Scenario(bytes, file: "s.json").replay(bytes, file: "s.json").posted
        return posted.compactMap { post in
            post.engagement.map {
                TimeIntegrator.Left(
                    time: post.time, content: post.content, seconds: $0.seconds, longest: $0.longest, count: $0.count,
                    depth: $0.depth)
            }
        }
    }

    @Test("Sums are those of an independent integrator, to the millisecond", arguments: 0..<4)
    func sameAsIntegrated(part: Int) throws {
        var (count, found) = (0, 0.0)
        for seed in 0..<Depth.cases(6, deep: 250) {
            let text = RandomScenario.text(seed: UInt64(part * 1000 + seed), steps: 40, leave: true)
            let left = try Self.left(text)
            var integrator = try TimeIntegrator(text)
            var rest = integrator.run()
            for post in left {
                let index = rest.firstIndex { $0.isNear(post) }
                #expect(index != nil, "seed \(part) \(seed): \(post)")
                if let index { rest.remove(at: index) }
                let screen = left.first { $0.content == nil && abs($0.time - post.time) < 0.001 }
                #expect(post.longest <= post.seconds + 1e-9)
                #expect(post.seconds <= (screen?.seconds ?? post.time) + 0.001)
                if post.content != nil { (count, found) = (count + 1, found + post.seconds) }
            }
            #expect(rest.isEmpty, "seed \(part) \(seed): \(rest)")
        }
        #expect(count > 20 && found > 20)
    }

    @Test("A visit that a background divides has the sums of both parts, and each is at most its visit")
    func parts() throws {
        for seed in 0..<UInt64(Depth.cases(10, deep: 100)) {
            let end = 200.0
            func sums(_ steps: [(Double, String)]) throws -> [String?: Double] {
                let more = ([(end, "foreground")] + steps + [(end + 10, "background")]).map {
                    #","# + "\n" + #"{"at": \#($0), "do": "\#($1)"}"#
                }
                let left = try Self.left(RandomScenario.text(seed: seed, leave: true, more: more.joined()))
                let late = left.filter { $0.time > end }
                #expect(late.allSatisfy { $0.seconds <= $0.time + 0.001 })
                return Dictionary(grouping: left, by: \.content).mapValues { $0.reduce(0) { $0 + $1.seconds } }
            }
            let (whole, divided) = try (sums([]), sums([(end + 3, "background"), (end + 3, "foreground")]))
            for (content, seconds) in whole { #expect(abs(seconds - (divided[content] ?? 0)) < 0.001, "seed \(seed)") }
            #expect(Set(whole.keys) == Set(divided.keys))
        }
    }

    @Test("A removed content is left at once, unless a later step inserts it, alone or with its container")
    func removedForGood() throws {
        func left(_ insert: String) throws -> [String] {
            let text = """
                {"viewport": {"width": 390, "height": 800}, "screens": [{"id": "s", "contents": [
                   {"id": "box", "frame": [0, 0, 390, 300], "leave": 0.5, "contents": [
                     {"id": "a", "frame": [0, 0, 390, 100], "leave": 0.5},
                     {"id": "b", "frame": [0, 100, 390, 100], "leave": 0.5}]}]}],
                 "steps": [{"at": 0, "do": "open", "screen": "s"}, {"at": 2, "do": "remove", "content": "box"},
                   {"at": 6, "do": "insert", "content": "\(insert)", "frame": [0, 0, 390, 100], "in": "s"},
                   {"at": 8, "do": "background"}]}
                """
            return try Self.left(text).map { "\($0.content ?? "") \($0.time) \($0.seconds)" }
        }
        #expect(try left("a") == ["box 2.0 2.0", "b 2.0 2.0", "a 8.0 4.0"])
        #expect(try left("box") == ["box 8.0 4.0", "a 8.0 4.0", "b 8.0 4.0"])
    }

    @Test("A difference in the values of a left log names them, and null expects no depth")
    func differences() throws {
        let bytes = Array(
            """
            {"viewport": {"width": 390, "height": 800}, "screens": [{"id": "feed", "leave": true, "contents": [
               {"id": "a", "frame": [0, 0, 390, 1600], "leave": 0.5}]}],
             "steps": [{"at": 0, "do": "open", "screen": "feed"}, {"at": 3, "do": "background"}],
             "expect": [{"at": 0, "log": "shown", "content": "a"}, {"at": 2, "log": "seen", "content": "a"},
               {"at": 3, "log": "left", "content": "a", "seconds": 3, "count": 2},
               {"at": 3, "log": "left", "screen": "feed", "seconds": 3, "depth": null}]}
            """.utf8)
        let scenario = try Scenario(bytes, file: "s.json")
        let differences = scenario.differences(from: try scenario.replay(bytes, file: "s.json"))
        #expect(
            differences.map(\.description) == [
                "+ 3 left a (feed), seconds 3, longest 3, count 1, depth 1",
                "+ 3 left feed, seconds 3, longest 3, count 1, depth 0.5", "- 3 left a, seconds 3, count 2",
                "- 3 left feed, seconds 3, depth null",
            ])
    }
}
