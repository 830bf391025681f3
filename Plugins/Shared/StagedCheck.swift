import Foundation
import PackagePlugin

/// A script that does what `swift package loggen-check --staged` does, without SwiftPM: it needs seconds to find that
/// nothing has to be built. Git hooks run the script if it exists (see the article Building).
///
/// The command plugins write it after SwiftPM has built the tool. If a file that decides about the tool or its arguments
/// has changed since, the script runs SwiftPM, which writes it again. Each command plugin has a link to this file.
struct StagedCheck {
    let context: PluginContext
    let tool: URL

    /// Writes the script into the work folder of the plugin `LogGenCheckCommand`. Without it, hooks run SwiftPM.
    func write() {
        let package = context.package
        let folder = context.pluginWorkDirectoryURL.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "LogGenCheckCommand/outputs")
        guard
            let calls = try? TargetCommand("check", ["--staged"])
                .calls(package.targetsWithDefinitions, root: package.directoryURL),
            (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil
        else { return }
        let places = package.targets.filter(\.usesActivityTracking).flatMap { target in
            [target.directoryURL] + SharedVocabulary.places(above: target.directoryURL)
        }
        let names =
            "find \(words(places)) \\( -name '*.md' -o -name loggen.yml -o -name '*.mustache' \\)"
            + " 2>/dev/null | LC_ALL=C sort -u"
        let sources = package.dependencies.map(\.package).filter { $0.displayName == "loggen" }.flatMap { loggen in
            ["Package.swift", "Plugins", "Sources"].map { loggen.directoryURL.appending(path: $0) }
        }
        let known = output(of: names)
        let settings = known.split(separator: "\n").map(String.init).filter { $0.hasSuffix("/loggen.yml") }
        let option = LoggenTool.isPrebuilt ? "--package loggen-plugins " : ""
        let lines = calls.map { call in
            let environment = call.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\(quoted($0.value))" }
            return
                "\(environment.joined(separator: " ")) \(words([tool])) \(call.arguments.map(quoted).joined(separator: " "))"
                + " || code=1\n"
        }
        let script = """
            # `swift package loggen-check --staged` without SwiftPM, until a file changes that one of them reads.
            known=\(quoted(known.trimmingCharacters(in: .newlines)))
            [ . -ef \(words([package.directoryURL], isAbsolute: true)) ] && [ -x \(words([tool])) ] &&
                [ "${LOGGEN_BUNDLE-}" = \(quoted(LoggenTool.bundle ?? "")) ] && [ "$(\(names))" = "$known" ] &&
                [ -z "$(find Package* \(words(sources)) \(settings.map(quoted).joined(separator: " ")) -cnewer "$0" 2>&1 | head -n 1)" ] ||
                exec swift package --scratch-path "${0%/plugins/*}" \(option)loggen-check --staged
            code=0
            \(lines.joined())exit $code

            """
        try? script.write(to: folder.appending(path: "staged-check"), atomically: true, encoding: .utf8)
    }

    /// Returns the output of a command for a shell, which runs in the package's folder.
    private func output(of command: String) -> String {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = context.package.directoryURL
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return "" }
        return String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Returns paths for a shell. Those in the package are relative to its folder.
    private func words(_ places: [URL], isAbsolute: Bool = false) -> String {
        places.map { place in
            quoted(
                isAbsolute
                    ? place.path(percentEncoded: false)
                    : TargetCommand.path(place, from: context.package.directoryURL))
        }.joined(separator: " ")
    }

    private func quoted(_ word: String) -> String { "'\(word.replacingOccurrences(of: "'", with: "'\\''"))'" }
}
