import Foundation
import LogDefinitions
import TestSupport
import Testing

/// The examples that `loggen rules` prints keep and break their rule, through the real command.
struct RuleExamplesTests {
    @Test(arguments: Rule.allCases.filter { $0 != .invalidUTF8 && !$0.isAboutTaps })
    func examplesAreWhatTheyClaim(_ rule: Rule) throws {
        for (files, isValid) in [(rule.examples.valid, true), (rule.examples.invalid, false)] {
            let scratch = try Scratch(Dictionary(uniqueKeysWithValues: files.map { ("D/" + $0.file, $0.text) }))
            let command = rule == .template ? "generate" : rule.isAboutDrift ? "check" : "lint"
            let result = try Tool.run(command, "D", "--diagnostics", "json", in: scratch.url)
            let rules = try result.out.split(separator: "\n").compactMap {
                (try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["rule"] as? String
            }
            if isValid {
                #expect(!rules.contains(rule.name), "the valid example of \(rule.name)")
            } else {
                #expect(Set(rules) == [rule.name], "the invalid example of \(rule.name)")
            }
        }
    }
}
