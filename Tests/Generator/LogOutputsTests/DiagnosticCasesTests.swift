import Foundation
import LogDefinitions
import LogProject
import LogReporting
import MarkdownSyntax
import TestSupport
import Testing

/// Tests of every message with its text, location, caret and suggestion. `Cases/diagnostics.txt` contains documents and
/// the expected diagnostics.
///
/// To enable a rule that is off by default, a case has a name that begins with the rule's: `require-owner: …`. A
/// document `loggen.yml` is the configuration.
///
/// `RECORD_SNAPSHOTS=1` writes the file again and fails, which prevents recording by accident.
struct DiagnosticCasesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var files: [(path: String, text: String)]
        var expected: String
        var testDescription: String { name }

        var rendered: String {
            var text = "##### \(name)\n"
            for file in files { text += "--- \(file.path)\n\(file.text)" }
            return text + "===\n\(expected)\n"
        }
    }

    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Cases/diagnostics.txt")

    static let cases = TextCase.all("diagnostics.txt").map { text in
        Case(name: text.name, files: text.documents, expected: text.parts[1].isEmpty ? "" : "\(text.parts[1])\n")
    }

    static func said(of files: [(path: String, text: String)], in name: String) async -> String {
        let analysis = await analysis(of: files, in: name)
        let text = DiagnosticText(files: analysis.definitions.files, usesColor: false)
        return analysis.diagnostics.map { text.render($0) }.joined()
    }

    private static func analysis(of files: [(path: String, text: String)], in name: String) async -> Analysis {
        var options = AnalysisOptions()
        var sources: [SourceFile] = []
        for file in files {
            let source = SourceText(Array(file.text.utf8))
            if file.path == Configuration.fileName {
                options = Configuration(path: file.path, source: source).analysis
            } else {
                let name = file.path.split(separator: "/").last.map(String.init) ?? ""
                sources.append(SourceFile(path: file.path, relativePath: name, source: source))
            }
        }
        options.today = "2026-11-21"
        for rule in Rule.all where rule.defaultSeverity == nil && name.hasPrefix("\(rule.name): ") {
            options.severities[rule] = .warning
        }
        return await Analysis.run(sources, options: options)
    }

    @Test(
        "The fix for a pipe in a type escapes all of the type's pipes",
        arguments: ["enum(quick|full)", "enum(quick|full|slow)?", "`enum(a|b)`"])
    func escapedPipes(_ type: String) async throws {
        let head = "# search\n\n## show\n\n| column | type | description |\n| --- | --- | --- |\n"
        let row = "| mode | \(type) | The mode (so far :) |"
        let found = await Self.analysis(of: [("search.md", head + row + "\n")], in: "")
        let excess = try #require(found.diagnostics.first { $0.rule.name == "excess-cells" })
        let edit = try #require(excess.notes.compactMap(\.edit).first)
        let source = found.definitions.files[0].source
        let change = try #require(excess.change(edit, in: source))
        var bytes = source.bytes
        bytes.replaceSubrange(change.range, with: change.text.utf8)
        let escaped = "| mode | \(type.split(separator: "|").joined(separator: "\\|")) | The mode (so far :) |"
        #expect(String(decoding: bytes, as: UTF8.self) == head + escaped + "\n")
    }

    @Test("Applying a quick fix resolves its diagnostic", arguments: cases)
    func appliedFixResolvesItsDiagnostic(_ testCase: Case) async {
        let before = await Self.analysis(of: testCase.files, in: testCase.name)
        func like(_ diagnostic: Diagnostic, in analysis: Analysis) -> Int {
            analysis.diagnostics.count {
                $0.rule == diagnostic.rule && $0.message == diagnostic.message && $0.place.file == diagnostic.place.file
            }
        }
        for diagnostic in before.diagnostics {
            for note in diagnostic.notes {
                guard let edit = note.edit else { continue }
                let source = before.definitions.files[diagnostic.place.file].source
                guard let change = diagnostic.change(edit, in: source) else {
                    Issue.record("no change for: \(note.message)")
                    continue
                }
                var bytes = source.bytes
                bytes.replaceSubrange(change.range, with: change.text.utf8)
                var files = testCase.files
                let path = before.definitions.files[diagnostic.place.file].path
                for index in files.indices where files[index].path == path {
                    files[index].text = String(decoding: bytes, as: UTF8.self)
                }
                let after = await Self.analysis(of: files, in: testCase.name)
                #expect(
                    like(diagnostic, in: after) < like(diagnostic, in: before),
                    "\(diagnostic.message): \(note.message)\n\(files)")
            }
        }
    }

    /// Without edits, the test above could not fail.
    @Test("Many diagnostics have quick fixes") func manyDiagnosticsHaveQuickFixes() async {
        var edits = 0
        for testCase in Self.cases {
            edits += await Self.analysis(of: testCase.files, in: testCase.name).diagnostics.reduce(0) {
                $0 + $1.notes.count { $0.edit != nil }
            }
        }
        #expect(edits > 60)
    }

    @Test(
        "Messages are as recorded",
        .enabled(if: ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == nil), arguments: cases)
    func messageIsAsRecorded(_ testCase: Case) async {
        #expect(await Self.said(of: testCase.files, in: testCase.name) == testCase.expected)
    }

    @Test("Every rule of documents has a case") func everyRuleOfDocumentsHasAMessage() {
        let text = Self.cases.map(\.expected).joined()
        let ofOthers: Set<Rule> = Set([.configuration, .template, .invalidUTF8] + Rule.driftRules + Rule.tapRules)
        for rule in Rule.all where !ofOthers.contains(rule) {
            #expect(text.contains("[\(rule.name)]"), "no case for \(rule.name)")
        }
    }

    @Test("All messages are recorded", .enabled(if: ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil))
    func recording() async throws {
        var text = ""
        for var testCase in Self.cases {
            testCase.expected = await Self.said(of: testCase.files, in: testCase.name)
            text += testCase.rendered
        }
        try text.write(to: Self.path, atomically: true, encoding: .utf8)
        Issue.record("recorded \(Self.cases.count) cases: read them, then run without RECORD_SNAPSHOTS")
    }
}
