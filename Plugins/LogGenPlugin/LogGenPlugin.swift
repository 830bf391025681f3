import Foundation
import PackagePlugin

/// Generates the Swift of a target's definitions on every build: one command, whose inputs are the definitions and their configuration.
@main
struct LogGenPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else { return [] }
        return try Self.commands(
            folder: target.directoryURL, files: module.sourceFiles.map(\.url), work: context.pluginWorkDirectoryURL,
            tool: context.tool(named: "loggen").url)
    }

    static func commands(folder: URL, files: [URL], work: URL, tool: URL) throws -> [Command] {
        let definitions = files.filter { $0.pathExtension == "md" && $0.lastPathComponent != "README.md" }
        guard !definitions.isEmpty else { return [] }
        let configuration = files.filter { $0.lastPathComponent == "loggen.yml" || $0.pathExtension == "mustache" }
        // Excluded from the target's sources, as it is no source.
        let lock = [folder.appending(path: "loggen.lock")].filter { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) }
        return [
            .buildCommand(
                displayName: "Generating Swift from the log definitions of \(folder.lastPathComponent)",
                executable: tool,
                arguments: [
                    "generate", folder.path(percentEncoded: false), "--only", "swift", "--output", work.path(percentEncoded: false), "--quiet",
                ],
                inputFiles: definitions + configuration + lock,
                outputFiles: definitions.map { work.appending(path: "Swift").appending(path: outputName(of: $0)) }
            )
        ]
    }

    /// The name `loggen` gives the Swift file of a definition file; it follows from the file's name alone.
    private static func outputName(of definition: URL) -> String {
        let stem = definition.deletingPathExtension().lastPathComponent
        if stem == "common" { return "CommonColumns.swift" }
        return stem.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + ".swift"
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension LogGenPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            let files = target.inputFiles.map(\.url)
            let definitions = files.filter { $0.pathExtension == "md" && $0.lastPathComponent != "README.md" }
            guard let folder = definitions.first?.deletingLastPathComponent() else { return [] }
            return try Self.commands(
                folder: folder, files: files, work: context.pluginWorkDirectoryURL, tool: context.tool(named: "loggen").url)
        }
    }
#endif
