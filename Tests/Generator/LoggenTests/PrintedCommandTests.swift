import Foundation
import Testing
import TestSupport

/// Each command that a message prints works as it is printed.
struct PrintedCommandTests {
    /// Changes of a project that has generated and locked its definitions, each followed by commands whose messages
    /// suggest others.
    private static let changes: [(edit: String, commands: [String])] = [
        ("rm D/loggen.lock", ["D", "check D"]),
        ("printf '\\n## hide\\n' >>D/search.md", ["D", "check D", "lint D"]),
        ("sed -i s/int64/string/ D/search.md", ["D", "check D", "lock D"]),
        ("rm D/search.md", ["check D", "D"]),
        ("echo >>Generated/Swift/Search.swift", ["check D"]),
        ("rm -r Generated", ["check D --only swift --output Other", "D --only catalogue", "impact search.show D"]),
        ("sed -i 's/| recipe_id/|recipe_id/' D/search.md", ["format --check D"]),
        ("sed -i 's/## show/## shown/' D/search.md", ["check D", "D"]),
        ("true", ["lock --accept D search.show", "templates --copy T", "init P"]),
    ]

    @Test("Each command in a message is one of loggen or of its plugins, and its arguments are valid")
    func commands() throws {
        let manifest = try Tool.text(of: "Package.swift")
        let verbs = Set(manifest.matches(of: /verb: "([a-z-]+)"/).map { String($0.1) })
        let settled = try Scratch([
            "D/search.md": CheckTests.search("recipe_id | int64"), "D/home.md": "# home\n\n## show\n",
        ])
        try CheckTests.settle(settled)
        try settled.commit()
        var ran = Set<String>()
        var tried = Set<[String]>()
        for (edit, commands) in Self.changes {
            for environment in [[:], ["LOGGEN_PLUGIN_TARGET": ""], ["LOGGEN_PLUGIN_TARGET": "Logs"]] {
                func project() throws -> Scratch {
                    let scratch = try Scratch()
                    _ = try Tool.shell("cp -R \"$1\"/. .; \(edit)", settled.url.path, in: scratch.url)
                    return scratch
                }
                for command in commands {
                    let scratch = try project()
                    let result = try Tool.run(
                        command.split(separator: " ").map(String.init), in: scratch.url, environment: environment)
                    let parts = (result.out + result.error).split(separator: "`")
                    for part in parts where part.hasPrefix("loggen ") || part.hasPrefix("swift ") {
                        var words = part.split(separator: " ").map(String.init)
                        if words[0] == "swift" {
                            // `swift package [--allow-…] VERB …`
                            words = words.dropFirst(2).filter { !$0.hasPrefix("--allow-") }
                            #expect(verbs.contains(words[0]), "\(part)")
                            words[0] = words[0] == "loggen-check" ? "check" : words[0]
                            if words[0] == "loggen" { words.removeFirst() }
                            if let target = words.firstIndex(of: "--target") {
                                words.removeSubrange(target...(target + 1))
                            }
                            words.append("D")
                        } else {
                            words.removeFirst()
                        }
                        // The message says that the event's name follows.
                        if words.contains("--forget") || words.contains("--accept") { words.append("search.show") }
                        ran.insert(words[0])
                        guard tried.insert([edit] + words).inserted else { continue }
                        let other = try project()
                        let again = try Tool.run(words, in: other.url)
                        #expect(again.code != 2, "\(part): \(again.error)")
                    }
                }
            }
        }
        #expect(ran.isSuperset(of: ["check", "format", "generate", "lock"]), "\(ran)")
    }
}
