import Foundation
import ScenarioRunner
import Testing
import TestSupport

/// Tests that a step costs only as much as its changes: n steps among n contents take time proportional to n.
struct GrowthTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var size: Int
        var screens: @Sendable (Int) -> [String]
        var steps: @Sendable (Int) -> [String]
        var expect: (@Sendable (Int) -> [String])?
        var drawsTimeline = false
    }

    static func screens(_ count: Int, _ more: String = "") -> [String] {
        (0..<count).map { #"{"id":"s\#($0)"\#(more),"contents":[{"id":"c\#($0)","frame":[0,0,390,100]}]}"# }
    }

    static func opened(_ name: String, _ steps: [String]) -> [String] {
        [#"{"at":0,"do":"open","screen":"\#(name)"}"#] + steps
    }

    static func insert(_ content: Int, of count: Int, in place: String = "feed") -> String {
        #"{"at":0.5,"do":"insert","content":{"id":"c\#(content)","frame":[0,\#(800 * content / count),390,"#
            + #"\#(Double(800) / Double(count))]},"in":"\#(place)"}"#
    }

    static let feed: @Sendable (Int) -> [String] = { _ in [#"{"id":"feed"}"#] }

    static let carousels: @Sendable (Int) -> [String] = { count in
        let rows = (0..<count).map {
            #"{"id":"row\#($0)","frame":[0,\#(Double(800 * $0) / Double(count)),390,"#
                + #"\#(Double(800) / Double(count))],"scroll":"horizontal","contents":[{"id":"a\#($0)","frame":[0,0,"#
                + #"300,100]},{"id":"b\#($0)","frame":[300,0,300,100]}]}"#
        }
        return [#"{"id":"feed","contents":[\#(rows.joined(separator: ","))]}"#]
    }

    static let cases: [Case] = [
        Case(testDescription: "sheets over one another", size: 200, screens: { screens($0) }) { count in
            opened(
                "s0",
                (1..<count).map { #"{"at":\#(0.01 * Double($0)),"do":"present","screen":"s\#($0)","style":"sheet"}"# })
        },
        Case(testDescription: "covers over one another, closed at once", size: 150, screens: { screens($0) }) { count in
            opened("s0", (1..<count).map { #"{"at":1,"do":"deepLink","screen":"s\#($0)"}"# }) + [
                #"{"at":2,"do":"closeAll"}"#
            ]
        },
        Case(testDescription: "screens pushed and popped", size: 150, screens: { screens($0) }) { count in
            opened("s0", (1..<count).map { #"{"at":\#($0),"do":"push","screen":"s\#($0)"}"# })
                + (1..<count).map { _ in #"{"at":100000,"do":"pop"}"# }
        },
        Case(
            testDescription: "screens pushed in a tab", size: 150,
            screens: { screens(1, #","tabs":"bar""#) + screens($0).dropFirst() }
        ) { count in
            opened("s0", (1..<count).map { #"{"at":1,"do":"push","screen":"s\#($0)"}"# })
        },
        Case(
            testDescription: "contents moved and removed on a screen that posts how far it was scrolled", size: 400,
            screens: { count in
                let contents = (0..<count).map { #"{"id":"c\#($0)","frame":[0,\#(10 * $0),390,10]}"# }
                return [#"{"id":"feed","leave":true,"contents":[\#(contents.joined(separator: ","))]}"#]
            }
        ) { count in
            opened(
                "feed",
                (0..<count).map { #"{"at":1,"do":"move","content":"c\#($0)","frame":[0,\#(10 * $0),380,10]}"# }
                    + (0..<count).map { #"{"at":2,"do":"remove","content":"c\#($0)"}"# })
        },
        Case(testDescription: "tabs, one after the other", size: 150, screens: { screens($0, #","tabs":"bar""#) }) {
            count in
            opened("s0", (1..<count).map { #"{"at":\#($0),"do":"selectTab","screen":"s\#($0)","refresh":0.5}"# })
        },
        Case(testDescription: "background and foreground under sheets", size: 150, screens: { screens($0) }) { count in
            opened("s0", (1..<count).map { #"{"at":1,"do":"present","screen":"s\#($0)","style":"sheet"}"# })
                + (0..<count).flatMap {
                    [#"{"at":\#($0 + 2),"do":"background"}"#, #"{"at":\#($0 + 2),"do":"foreground","refresh":0.1}"#]
                }
        },
        Case(testDescription: "scrolling and refreshing over sheets", size: 60, screens: { screens($0) }) { count in
            opened("s0", (1..<count).map { #"{"at":1,"do":"present","screen":"s\#($0)","style":"sheet"}"# })
                + (0..<count).flatMap {
                    [
                        #"{"at":\#($0 + 2),"do":"scroll","in":"s\#(count - 1)","by":[0,1],"over":0.1}"#,
                        #"{"at":\#(Double($0) + 2.5),"do":"refresh","over":0.2}"#,
                    ]
                }
        },
        Case(testDescription: "contents inserted in view", size: 500, screens: feed) { count in
            opened("feed", (0..<count).map { insert($0, of: count) })
        },
        Case(testDescription: "contents inserted, moved and removed in view", size: 300, screens: feed) { count in
            opened("feed", (0..<count).map { insert($0, of: count) })
                + (0..<count).map { #"{"at":\#($0 + 3),"do":"move","content":"c\#($0)","frame":[1,0,10,10]}"# }
                + (0..<count).map { #"{"at":100000,"do":"remove","content":"c\#($0)"}"# }
        },
        Case(
            testDescription: "contents removed from a container one by one", size: 300,
            screens: { _ in [#"{"id":"feed","contents":[{"id":"box","frame":[0,0,390,800],"scroll":"vertical"}]}"#] }
        ) { count in
            opened("feed", (0..<count).map { insert($0, of: count, in: "box") })
                + (0..<count).map { #"{"at":5,"do":"remove","content":"c\#($0)"}"# }
        },
        Case(testDescription: "one carousel scrolled among others in view", size: 200, screens: carousels) { count in
            opened(
                "feed", (0..<count).map { #"{"at":\#($0 + 1),"do":"scroll","in":"row0","to":[\#($0 % 2 * 300),0]}"# })
        },
        Case(
            testDescription: "as many expectations as there are logs", size: 300, screens: feed,
            steps: { count in
                opened(
                    "feed",
                    [insert(0, of: 1)]
                        + (0..<count).flatMap {
                            [#"{"at":\#($0 + 1),"do":"background"}"#, #"{"at":\#($0 + 1),"do":"foreground"}"#]
                        })
            },
            expect: { count in
                ["0.5"].map { #"{"at":\#($0),"log":"shown","content":"c0"}"# }
                    + (0..<count).map { #"{"at":\#($0 + 1),"log":"shown","content":"c0"}"# }
            }
        ),
        Case(
            testDescription: "a timeline of contents inserted in view", size: 300, screens: feed,
            steps: { count in opened("feed", (0..<count).map { insert($0, of: count) }) }, drawsTimeline: true),
    ]

    @Test("The cost of a step is proportional to its changes", arguments: cases)
    func linear(_ example: Case) throws {
        func replay(_ count: Int) throws {
            let expect = example.expect.map { #","expect":[\#($0(count).joined(separator: ","))]"# } ?? ""
            let text =
                #"{"viewport":{"width":390,"height":800},"#
                + #""screens":[\#(example.screens(count).joined(separator: ","))],"#
                + #""steps":[\#(example.steps(count).joined(separator: ","))]\#(expect)}"#
            let bytes = Array(text.utf8)
            let scenario = try Scenario(bytes, file: "growth")
            let result = try scenario.replay(bytes, file: "growth", drawsTimeline: example.drawsTimeline)
            #expect(!result.posted.isEmpty)
            _ = scenario.differences(from: result)
        }
        let growth = try Growth.ofFourTimes(example.size, replay)
        // If each step scanned everything, the factor would be 16 or more.
        #expect(growth < 8, "\(example.testDescription): four times as much costs \(growth) times as much")
    }
}
