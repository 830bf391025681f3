import Foundation
import LanguageServer
import LogProject
import Testing
import TestSupport

/// Tests of `loggen lsp` with documents that crash the server process: those that contain the string `TRAP`.
@Suite(.timeLimit(.minutes(20))) struct CrashTests {
    /// An editor that communicates with a server process through pipes.
    private final class Editor {
        let process = Process()
        private let (input, output) = (Pipe(), Pipe())
        private var reader = MessageReader()
        private(set) var messages: [[String: Any]] = []

        init(in folder: URL) throws {
            process.executableURL = Tool.executable
            process.arguments = ["lsp"]
            process.currentDirectoryURL = folder
            process.environment = ProcessInfo.processInfo.environment.merging(["LOGGEN_TRAP_ON_TEXT": "TRAP"]) { $1 }
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            // Kills a server that hangs, so that only the test of that server fails.
            let id = process.processIdentifier
            DispatchQueue.global().asyncAfter(deadline: .now() + 100) { [weak process] in
                if process?.isRunning == true { kill(id, SIGKILL) }
            }
        }

        func send(_ method: String, _ params: [String: Any], id: Int? = nil) throws {
            var message: [String: Any] = ["jsonrpc": "2.0", "method": method, "params": params]
            message["id"] = id
            input.fileHandleForWriting.write(
                Data(MessageReader.framed(try JSONSerialization.data(withJSONObject: message))))
        }

        func begin(_ folder: URL) throws {
            try send(
                "initialize",
                ["capabilities": [String: Any](), "workspaceFolders": [["uri": folder.absoluteString, "name": "D"]]],
                id: 1)
            _ = try first { $0["id"] as? Int == 1 }
            try send("initialized", [:])
        }

        func open(_ url: URL, _ text: String) throws {
            let document: [String: Any] = [
                "uri": url.absoluteString, "languageId": "markdown", "version": 1, "text": text,
            ]
            try send("textDocument/didOpen", ["textDocument": document])
        }

        func change(_ url: URL, _ text: String, version: Int) throws {
            let document: [String: Any] = ["uri": url.absoluteString, "version": version]
            try send("textDocument/didChange", ["textDocument": document, "contentChanges": [["text": text]]])
        }

        /// Returns the next message that fits, or nil if the server has ended.
        func first(_ fits: ([String: Any]) -> Bool) throws -> [String: Any]? {
            while true {
                while let message = try reader.next() {
                    guard let object = try JSONSerialization.jsonObject(with: message) as? [String: Any] else {
                        continue
                    }
                    messages.append(object)
                    if fits(object) { return object }
                }
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return nil }
                reader.append(more)
            }
        }

        /// Returns the diagnostic codes of the document's next report whose codes fit.
        func problems(_ url: URL, _ fits: ([String]) -> Bool) throws -> [String]? {
            func codes(_ message: [String: Any]) -> [String]? {
                guard message["method"] as? String == "textDocument/publishDiagnostics",
                    let params = message["params"] as? [String: Any],
                    (params["uri"] as? String).flatMap(URL.init(string:))?.lastPathComponent == url.lastPathComponent
                else { return nil }
                return (params["diagnostics"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
            }
            return try first { codes($0).map(fits) ?? false }.flatMap(codes)
        }

        func end() throws -> Int32 {
            try send("shutdown", [:], id: 99)
            #expect(try first { $0["id"] as? Int == 99 } != nil)
            try send("exit", [:])
            input.fileHandleForWriting.closeFile()
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    private static let sound = "# home\n\n## show\n"
    private static let wrong = "# home\n\n## show\n\n| column | type |\n| --- | --- |\n| size | itn |\n"

    @Test("A document that crashes the server gets a `crash` diagnostic; others are still checked")
    func otherDocumentsAreChecked() throws {
        let scratch = try Scratch([
            "D/common.md": "# common\n", "D/home.md": Self.sound, "D/menu.md": "# menu\n\n## tap\n",
        ])
        let (home, menu) = (
            scratch.url.appendingPathComponent("D/home.md"), scratch.url.appendingPathComponent("D/menu.md")
        )
        let editor = try Editor(in: scratch.url)
        try editor.begin(scratch.url)
        try editor.open(home, Self.sound)
        #expect(try editor.problems(home) { _ in true } == [])
        try editor.open(menu, "# menu\n\nTRAP\n")
        #expect(try editor.problems(menu) { !$0.isEmpty } == ["crash"])
        // The next server process reopens the first document and checks it after each change.
        try editor.change(home, Self.wrong, version: 2)
        #expect(try editor.problems(home) { !$0.isEmpty } == ["unknown-type"])
        try editor.send("textDocument/documentSymbol", ["textDocument": ["uri": home.absoluteString]], id: 2)
        #expect(try editor.first { $0["id"] as? Int == 2 }?["result"] is [Any])
        // The document still crashes the server, with the same diagnostic.
        try editor.change(menu, "# menu\n\nTRAP TRAP\n", version: 2)
        #expect(try editor.problems(menu) { !$0.isEmpty } == ["crash"])
        try editor.change(menu, "# menu\n\n## tap\n\n| column | type |\n| --- | --- |\n| size | itn |\n", version: 3)
        #expect(try editor.problems(menu) { !$0.isEmpty && $0 != ["crash"] } == ["unknown-type"])
        #expect(try editor.end() == 0)
        #expect(editor.messages.count { $0["id"] as? Int == 1 } == 1)
    }

    @Test("A document on disk that crashes the server is excluded, and requests get a response")
    func documentsOnDiskAreLeftOut() throws {
        let scratch = try Scratch([
            "D/common.md": "# common\n", "D/home.md": Self.sound, "D/menu.md": "# menu\n\nTRAP\n",
        ])
        let (home, menu) = (
            scratch.url.appendingPathComponent("D/home.md"), scratch.url.appendingPathComponent("D/menu.md")
        )
        let editor = try Editor(in: scratch.url)
        try editor.begin(scratch.url)
        try editor.open(home, Self.wrong)
        try editor.send("textDocument/documentSymbol", ["textDocument": ["uri": home.absoluteString]], id: 2)
        #expect(try editor.first { $0["id"] as? Int == 2 } != nil)
        try editor.change(home, Self.wrong + "\n## more\n", version: 2)
        #expect(try editor.problems(home) { !$0.isEmpty } == ["unknown-type"])
        #expect(try editor.end() == 0)
        let reports = editor.messages.filter { "\($0)".contains("crash") && "\($0)".contains(menu.lastPathComponent) }
        #expect(!reports.isEmpty)
    }

    @Test("An exit request ends the session even if the server crashes")
    func endsAfterACrash() throws {
        let scratch = try Scratch(["D/common.md": "# common\n", "D/menu.md": "# menu\n"])
        let editor = try Editor(in: scratch.url)
        try editor.begin(scratch.url)
        try editor.open(scratch.url.appendingPathComponent("D/menu.md"), "# menu\n\nTRAP\n")
        try editor.send("exit", [:])
        while try editor.first({ _ in true }) != nil {}
        editor.process.waitUntilExit()
        #expect(editor.process.terminationStatus == 1)
    }

    @Test("A command that crashes names the document that it was reading")
    func commandsNameTheDocument() throws {
        let scratch = try Scratch(["D/home.md": Self.sound, "D/menu.md": "# menu\n\nTRAP\n"])
        let result = try Tool.run("lint", "D", in: scratch.url, environment: ["LOGGEN_TRAP_ON_TEXT": "TRAP"])
        #expect(result.code != 0)
        #expect(
            result.error.contains(
                "loggen: error: loggen crashed while it read D/menu.md; exclude the file with `--exclude`"
            ),
            "\(result.error)")
        #expect(
            try Tool.run(
                "lint", "D", "--exclude", "D/menu.md", in: scratch.url, environment: ["LOGGEN_TRAP_ON_TEXT": "TRAP"]
            ).code == 0)
    }
}
