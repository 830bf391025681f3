import LogValidation
import Testing

struct RecordMembersTests {
    private func members(_ record: String) -> [String?] {
        let members = RecordMembers(["a", "b", "list"], of: Array(record.utf8))
        return [members["a"], members["b"], members.strings(in: "list").joined(separator: "|")]
    }

    @Test(
        "The strings of named members are read, whatever the other values are",
        arguments: [
            (#"{"a":"x","b":"y"}"#, ["x", "y", ""]),
            (#" { "n" : [1e400, {"a": "in"}] , "a" : "x" , "list" : [ "1" , 2, ["3"], "4" ] } "#, ["x", nil, "1|4"]),
            (#"{"\u0061":"\u0078\n","b":1,"a":"later","list":[]}"#, ["x\n", nil, ""]),
            (#"{"a":"\ud83c\udf73","b":"\ud83c"}"#, ["🍳", "\u{FFFD}\u{FFFD}\u{FFFD}", ""]),
            ("{}", [nil, nil, ""]),
        ] as [(String, [String?])])
    func strings(record: String, expected: [String?]) { #expect(members(record) == expected) }

    @Test(
        "A line that is not a JSON object has no members",
        arguments: [
            "", " ", #"["a"]"#, #"{"a":"x""#, #"{"a":"x",}"#, #"{"a":"x"} {}"#, #"{"a":"x","b"}"#,
            #"{"a":"x" "b":"y"}"#, #"{"a":"x","b":"\q"}"#, #"{"a":"x","b":tru}"#, #"{"a":"#, #"{"list":["1","#,
        ])
    func invalid(record: String) { #expect(members(record) == [nil, nil, ""]) }
}
