import Foundation
import Testing

@testable import JSONSyntax

@Suite struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        body(&json)
        return String(decoding: json.document(), as: UTF8.self)
    }

    @Test("Containers are indented by two blanks and keep the order of the calls")
    func containersAreIndentedAndKeepTheOrderOfCalls() {
        let written = text { json in
            json.object { json in
                json.member("b", "x")
                json.member("a", 1)
                json.object("empty") { _ in }
                json.array("list") { json in
                    json.value(true)
                    json.null()
                    json.array { _ in }
                    json.object { $0.member("c", String?.none) }
                }
                json.object("line", inline: true) { json in
                    json.member("d", 2)
                    json.array("e") { json in
                        json.value("f")
                        json.object { $0.member("g", false) }
                    }
                }
                json.member("last", Optional("z"))
            }
        }
        #expect(
            written == """
                {
                  "b": "x",
                  "a": 1,
                  "empty": {},
                  "list": [
                    true,
                    null,
                    [],
                    {
                      "c": null
                    }
                  ],
                  "line": {"d": 2, "e": ["f", {"g": false}]},
                  "last": "z"
                }

                """)
    }

    @Test(
        "Strings are escaped",
        arguments: [
            ("quote \" backslash \\", #""quote \" backslash \\""#),
            ("\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}", #""\u0000\u0001\u0008\t\n\u000b\u000c\r\u001f""#),
            ("</script><!-- a<b & c>d", #""\u003c/script>\u003c!-- a\u003cb & c>d""#),
            ("a\u{2028}b\u{2029}", #""a\u2028b\u2029""#),
            // Neighbors of the two separators, and truncated sequences at the end of the string.
            ("\u{2027}\u{202A}…→", "\"\u{2027}\\u202a…→\""),
            ("レシピ👩🏽‍🍳é", "\"レシピ👩🏽\\u200d🍳é\""),
            ("", "\"\""),
        ])
    func textIsEscaped(_ value: String, _ expected: String) {
        #expect(text { $0.value(value) } == expected + "\n")
    }

    @Test("Every Unicode scalar survives a round trip") func everyUnicodeScalarReadsBack() throws {
        var all = String.UnicodeScalarView()
        for code in 0...UInt32(0x10FFFF) {
            if let scalar = Unicode.Scalar(code) { all.append(scalar) }
        }
        var json = JSONWriter()
        json.array { $0.value(String(all)) }
        let read = try JSONDecoder().decode([String].self, from: Data(json.document()))
        #expect(read.first.map { Array($0.utf8) } == Array(String(all).utf8))
    }

    @Test(
        "A number has its shortest exact spelling",
        arguments: [
            (2, "2"), (0.8, "0.8"), (0.1 + 0.2, "0.30000000000000004"), (-0.0, "0"), (-3, "-3"), (1e20, "1e+20"),
            (.leastNonzeroMagnitude, "5e-324"),
            (9_007_199_254_740_992, "9007199254740992"), (.infinity, "null"), (.nan, "null"),
        ])
    func numbersAreAsShortAsTheyReadBack(_ value: Double, _ expected: String) {
        #expect(text { $0.value(value) } == expected + "\n")
    }

    @Test("Integers are exact") func integersAreExact() {
        #expect(text { $0.value(Int64.min) } == "-9223372036854775808\n")
        #expect(text { $0.value(Int64.max) } == "9223372036854775807\n")
    }

    @Test("Members that were written earlier are added unchanged") func earlierMembersAreAddedUnchanged() {
        let members = JSONWriter.members(depth: 2) { json in
            json.member("a", 1)
            json.array("b") { $0.value(2) }
        }
        func write(_ body: @escaping (inout JSONWriter) -> Void) -> String {
            text { json in
                json.object { json in
                    json.object("outer") { json in
                        json.add(JSONWriter.members(depth: 2) { _ in })
                        body(&json)
                        json.member("c", 3)
                        body(&json)
                    }
                }
            }
        }
        let placed = write { json in
            json.member("a", 1)
            json.array("b") { $0.value(2) }
        }
        #expect(write { $0.add(members) } == placed)
    }
}
