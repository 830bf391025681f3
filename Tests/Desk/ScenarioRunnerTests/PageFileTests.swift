import Foundation
import Testing
import TestSupport

/// Tests of the files that `--html` writes. It never overwrites a scenario, or a file of another kind.
struct PageFileTests {
    private static func run(_ arguments: String..., in scratch: borrowing Scratch) throws -> Tool.Result {
        try Tool.launch(Tool.executable(named: "trackscope"), arguments, in: scratch.url)
    }

    private static func scratch() throws -> Scratch {
        let scratch = try Scratch([
            "a.json": TrackscopeTests.text(), "b.json": TrackscopeTests.text(), "c.html": TrackscopeTests.text(),
            "folder/page.html": "<p>old", "notes.md": "notes", "deep/s.html": TrackscopeTests.text(),
            "deep/folder.html/page.html": "<p>old",
        ])
        for (link, target) in [
            ("link.html", "folder/../a.json"), ("folder/in.html", "../link.html"), ("notes.html", "notes.md"),
            ("page", "folder/page.html"), ("page.html", "folder/page.html"),
            ("here", "deep/folder.html"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: scratch.url.path + "/" + link, withDestinationPath: target)
        }
        return scratch
    }

    @Test(
        "A page is not written to a scenario or to a name that does not end in .html, by any path to it",
        arguments: [
            "a.json", "./a.json", "folder/../a.json", "link.html", "folder/in.html", "c.html", "folder/../c.html",
            "notes.md", "notes.html", "page", "PAGE.HTML", "/dev/null", "folder", "here/../s.html",
            "deep/folder.html",
        ])
    func otherFiles(page: String) throws {
        let scratch = try Self.scratch()
        let before = try scratch.files()
        let result = try Self.run("--html", page, "b.json", "a.json", "c.html", "deep/s.html", in: scratch)
        #expect(result.code == 2 && result.out == "")
        #expect(result.error.hasPrefix("trackscope: error: `\(page)` is "), "\(result.error)")
        #expect(result.error.hasSuffix("such as timeline.html\n"))
        #expect(try scratch.files() == before)
    }

    @Test("A page is not written to the scenario in standard input")
    func standardInput() throws {
        let scratch = try Self.scratch()
        let tool = Tool.executable(named: "trackscope").path
        let result = try Tool.shell("'\(tool)' - --html c.html <c.html", in: scratch.url)
        #expect(result.code == 2 && result.error.hasPrefix("trackscope: error: `c.html` is one of the scenarios"))
        #expect(try scratch.read("c.html") == TrackscopeTests.text())
    }

    @Test("A page replaces what has its name whole, keeps its mode, and a link stays a link")
    func replaces() throws {
        let scratch = try Self.scratch()
        let files = FileManager.default
        let page = scratch.url.path + "/folder/page.html"
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: page)
        let written = try Self.run("a.json", "--html", "page.html", in: scratch)
        #expect(written.code == 0 && written.error == TrackscopeTests.nothingSeen(in: "a.json") + "wrote page.html\n")
        let text = try scratch.read("folder/page.html")
        #expect(text.hasPrefix("<!DOCTYPE html>\n") && text.hasSuffix("</html>\n"))
        #expect(try files.destinationOfSymbolicLink(atPath: scratch.url.path + "/page.html") == "folder/page.html")
        #expect(try files.attributesOfItem(atPath: page)[.posixPermissions] as? Int == 0o640)
    }

    @Test("Rejected files are named in the page, and a page without any scenario is not written")
    func refused() throws {
        let scratch = try Self.scratch()
        try scratch.write("{", to: "<i>壊れた.json")
        let some = try Self.run("a.json", "<i>壊れた.json", "missing.json", "--html", "some.html", in: scratch)
        #expect(some.code == 2)
        let page = try scratch.read("some.html")
        for part in [
            "<title>1 scenario, 2 refused</title>", "<h2>&lt;i&gt;壊れた.json</h2>", "<h2>missing.json</h2>",
            "no such file",
            "&lt;i&gt;壊れた.json:1:2: error: expected a key in double quotation marks",
        ] {
            #expect(page.contains(part))
        }
        let none = try Self.run("<i>壊れた.json", "--html", "none.html", in: scratch)
        #expect(
            none.code == 2
                && none.error.hasSuffix("error: no scenario could be replayed, so `none.html` is not written\n"))
        #expect(try scratch.files().keys.contains("none.html") == false)
    }
}
