import Foundation
import Testing
import TestSupport

extension PluginTests {
    /// Checks the log of a clean build.
    static func compiledNoGenerator(_ clean: Tool.Result) {
        let log = clean.out + clean.error
        for module in [
            "MarkdownSyntax", "LogDefinitions", "LogOutputs", "LogProject", "Yams", "ArgumentParser",
        ] {
            #expect(!log.contains("-module-name \(module) "), "\(module) was compiled although there is a bundle")
        }
        #expect(log.contains("-module-name ActivityTracking "), "the log does not show the compiled modules")
    }

    /// Checks that a build fails with a bundle for another machine, and with one of another version.
    static func bundlesThatDoNotFit(_ bundle: URL, _ folder: URL, _ system: String) throws {
        let scratch = try Scratch()
        func build(_ name: String, _ change: (URL) throws -> Void) throws -> Tool.Result {
            let copy = scratch.url.appendingPathComponent("\(name).artifactbundle")
            try FileManager.default.copyItem(at: bundle, to: copy)
            try change(copy)
            return try Self.build(folder, system, environment: ["LOGGEN_BUNDLE": copy.path])
        }

        let elsewhere = try build("elsewhere") { copy in
            let info = copy.appendingPathComponent("info.json")
            let text = try String(contentsOf: info, encoding: .utf8)
            let changed = text.replacing(/"[a-z0-9_]*-unknown-linux-gnu"/, with: #""riscv64-unknown-linux-gnu""#)
            try #require(changed != text)
            try Data(changed.utf8).write(to: info)
        }
        #expect(elsewhere.code == 1)
        #expect((elsewhere.out + elsewhere.error).contains("LOGGEN_BUNDLE has no loggen for this machine"))

        // An older release: the same tool with a newer plugin version.
        let older = try build("older") { copy in
            let tools = FileManager.default.enumerator(atPath: copy.path)?.compactMap { $0 as? String } ?? []
            let name = try #require(tools.first { $0.hasSuffix("/bin/loggen-swift") })
            let tool = copy.appendingPathComponent(name)
            try FileManager.default.moveItem(at: tool, to: tool.appendingPathExtension("real"))
            let script = "#!/bin/sh\nLOGGEN_PLUGIN_VERSION=99.0.0 exec '\(tool.path).real' \"$@\"\n"
            try Data(script.utf8).write(to: tool)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
        }
        let version = try Tool.text(of: "VERSION").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(older.code == 1)
        #expect(
            (older.out + older.error).contains("this loggen is \(version), but the package of its plugin is 99.0.0"),
            "\(older.out)\(older.error)")
    }
}
