import Foundation
import LogDefinitions
import Testing
import TestSupport

/// Runs the command on the valid and invalid examples that `loggen rules` prints.
struct RuleExamplesTests {
    @Test(
        "The examples of a rule are valid and invalid as stated",
        arguments: Rule.all.filter { $0 != .invalidUTF8 && !Rule.tapRules.contains($0) })
    func examplesAreValidAndInvalidAsStated(_ rule: Rule) throws {
        for (example, isValid) in [(rule.valid, true), (rule.invalid, false)] {
            let scratch = try Scratch(Dictionary(uniqueKeysWithValues: example.files.map { ("D/" + $0.name, $0.text) }))
            let command = rule == .template ? "generate" : Rule.driftRules.contains(rule) ? "check" : "lint"
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
