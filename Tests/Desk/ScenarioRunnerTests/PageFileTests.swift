import Foundation
import Testing
import TestSupport

/// Tests of the files that `--html` overwrites. It never overwrites a file that a person wrote.
struct PageFileTests {
    static func run(_ arguments: String..., in scratch: borrowing Scratch) throws -> Tool.Result {
        try Tool.launch(Tool.executable(named: "trackscope"), arguments, in: scratch.url)
    }

    private static func scratch() throws -> Scratch {
        try Scratch(["a.json": TrackscopeTests.text(), "b.json": TrackscopeTests.text()])
    }

    static func isPage(_ text: String) -> Bool { text.hasPrefix("<!DOCTYPE html>\n") && text.hasSuffix("</html>\n") }

    @Test(
        "A scenario is never overwritten, by any path to it",
        arguments: ["a.json", "./a.json", "folder/../a.json", "link.html", "hard.html", "folder/in.html"])
    func scenarios(page: String) throws {
        let scratch = try Self.scratch()
        try scratch.write("x", to: "folder/x")
        let files = FileManager.default
        try files.createSymbolicLink(atPath: scratch.url.path + "/link.html", withDestinationPath: "folder/../a.json")
        try files.linkItem(atPath: scratch.url.path + "/a.json", toPath: scratch.url.path + "/hard.html")
        try files.createSymbolicLink(atPath: scratch.url.path + "/folder/in.html", withDestinationPath: "../link.html")
        let before = try scratch.files()
        let result = try Self.run("--html", page, "b.json", "a.json", in: scratch)
        #expect(result.code == 2 && result.out == "")
        #expect(
            result.error
                == "error: \(page) is one of the scenarios, and a page would overwrite it; name another file after "
                + "--html, such as timeline.html\n"
        )
        #expect(try scratch.files() == before)
        // The order of a shell's wildcard.
        #expect(try Self.run("--html", "a.json", "b.json", in: scratch).code == 2)
        #expect(try scratch.files() == before)
    }

    @Test("A missing scenario and one from standard input are not overwritten either")
    func otherScenarios() throws {
        let scratch = try Self.scratch()
        #expect(
            try Self.run("a.json", "c.json", "--html", "./c.json", in: scratch).error.contains(
                "./c.json is one of the scenarios"))
        try scratch.write(TrackscopeTests.text(), to: "in.html")
        let tool = Tool.executable(named: "trackscope").path
        let input = try Tool.launch(
            URL(fileURLWithPath: "/bin/sh"), ["-c", "'\(tool)' - --html in.html <in.html"], in: scratch.url)
        #expect(input.code == 2 && input.error.contains("in.html is one of the scenarios"))
        #expect(try scratch.read("in.html") == TrackscopeTests.text())
        #expect(try scratch.files().count == 3)
    }

    @Test("A foreign file is kept unless its name ends in .html, and its replacement is reported")
    func notOurs() throws {
        let scratch = try Self.scratch()
        let page =
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            + "<p><meta name=\"generator\" content=\"trackscope\">\n"
        for (name, text) in [
            ("notes.md", "notes"), ("c.json", TrackscopeTests.text()), ("PAGE.HTML", page), ("html", page),
        ] {
            try scratch.write(text, to: name)
            let result = try Self.run("a.json", "--html", name, in: scratch)
            #expect(result.code == 2)
            #expect(
                result.error
                    == "error: \(name) is not a page of trackscope and is not overwritten; name a file that ends in "
                    + ".html, or remove this one first\n"
            )
            #expect(try scratch.read(name) == text)
        }
        try FileManager.default.createSymbolicLink(
            atPath: scratch.url.path + "/link.html", withDestinationPath: "notes.md")
        let link = try Self.run("a.json", "--html", "link.html", in: scratch)
        #expect(
            link.code == 2 && link.error.contains("link.html, which leads to notes.md, is not a page of trackscope"))
        #expect(try scratch.read("notes.md") == "notes")

        try scratch.write(page, to: "others.html")
        let others = try Self.run("a.json", "--html", "others.html", in: scratch)
        #expect(
            others.code == 0
                && others.error
                    == TrackscopeTests.nothingSeen(in: "a.json")
                    + "note: others.html was not a page of trackscope; it has been overwritten\nwrote others.html\n"
        )
        #expect(Self.isPage(try scratch.read("others.html")))
        #expect(
            try Self.run("a.json", "--html", "others.html", in: scratch).error.hasSuffix(
                TrackscopeTests.reason + "wrote others.html\n"))
    }

    @Test("A new file, an empty file and a page of trackscope are written under any name")
    func ours() throws {
        let scratch = try Self.scratch()
        try scratch.write("", to: "empty")
        for name in ["page", "page", "empty", "empty", "timeline.html", "timeline.html"] {
            let result = try Self.run("a.json", "--html", name, in: scratch)
            #expect(result.code == 0 && result.error == TrackscopeTests.nothingSeen(in: "a.json") + "wrote \(name)\n")
            #expect(Self.isPage(try scratch.read(name)))
        }
        #expect(try scratch.files().keys.sorted() == ["a.json", "b.json", "empty", "page", "timeline.html"])
    }

    @Test("Symbolic links and modes are preserved")
    func linksAndModes() throws {
        let scratch = try Self.scratch()
        let files = FileManager.default
        try scratch.write("x", to: "folder/x")
        try files.createSymbolicLink(atPath: scratch.url.path + "/link", withDestinationPath: "folder/page.html")
        #expect(try Self.run("a.json", "--html", "link", in: scratch).code == 0)
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: scratch.url.path + "/folder/page.html")
        try scratch.write("<p>old", to: "folder/page.html")
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: scratch.url.path + "/folder/page.html")
        #expect(try Self.run("a.json", "--html", "link", in: scratch).code == 0)
        #expect(try files.destinationOfSymbolicLink(atPath: scratch.url.path + "/link") == "folder/page.html")
        #expect(Self.isPage(try scratch.read("folder/page.html")))
        let mode = try files.attributesOfItem(atPath: scratch.url.path + "/folder/page.html")[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try files.contentsOfDirectory(atPath: scratch.url.path + "/folder").sorted() == ["page.html", "x"])

        try files.createSymbolicLink(atPath: scratch.url.path + "/round.html", withDestinationPath: "round.html")
        #expect(
            try Self.run("a.json", "--html", "round.html", in: scratch).error.contains(
                "is a symbolic link without a target"))
    }

    @Test("A failed write leaves no file behind and keeps the previous one intact")
    func unwritable() throws {
        let scratch = try Self.scratch()
        try scratch.write("x", to: "folder/x")
        let folder = try Self.run("a.json", "--html", "folder", in: scratch)
        #expect(
            folder.code == 2
                && folder.error
                    == "error: folder is a directory; name a file after --html, such as folder/timeline.html\n"
        )
        let device = try Self.run("a.json", "--html", "/dev/null", in: scratch)
        #expect(device.code == 2 && device.error.contains("/dev/null is not a regular file"))
        #expect(
            try Self.run("a.json", "--html", "", in: scratch).error
                == "error: --html needs the name of a file, such as timeline.html\n")
        // A page of some kilobytes, with a limit of one block per file.
        try scratch.write("<p>old", to: "old.html")
        let tool = Tool.executable(named: "trackscope").path
        let limited = try Tool.launch(
            URL(fileURLWithPath: "/bin/sh"), ["-c", "ulimit -f 1; trap '' XFSZ; '\(tool)' a.json --html old.html"],
            in: scratch.url)
        #expect(limited.code == 2 && limited.error.hasSuffix("error: old.html cannot be written: File too large\n"))
        #expect(try scratch.read("old.html") == "<p>old")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted() == [
                "a.json", "b.json", "folder", "old.html",
            ])
    }

    @Test("Rejected files are named in the page, and a page without any scenario is not written")
    func refused() throws {
        let scratch = try Self.scratch()
        try scratch.write("{", to: "<i>壊れた.json")
        let some = try Self.run("a.json", "<i>壊れた.json", "missing.json", "--html", "some.html", in: scratch)
        #expect(some.code == 2)
        let page = try scratch.read("some.html")
        #expect(page.contains("<title>1 scenario, 2 refused</title>"))
        #expect(
            page.contains("<h2>&lt;i&gt;壊れた.json</h2>")
                && page.contains("&lt;i&gt;壊れた.json:1:2: error: expected a key in double quotation marks")
        )
        #expect(page.contains("<h2>missing.json</h2>") && page.contains("No such file"))
        let none = try Self.run("<i>壊れた.json", "--html", "none.html", in: scratch)
        #expect(
            none.code == 2
                && none.error.hasSuffix(
                    "error: no scenario could be replayed, so none.html is not written\n")
        )
        #expect(try scratch.files().keys.contains("none.html") == false)
    }
}
