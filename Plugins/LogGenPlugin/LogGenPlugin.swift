import Foundation
import PackagePlugin

/// Generates the Swift of a target's definitions on every build: one command, whose inputs are the definitions and
/// their configuration.
///
/// It knows the output `swift` by its name, since Swift is what a target compiles, and how that output names its files,
/// since a plugin says its outputs before anything is read.
@main
struct LogGenPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else { return [] }
        return try commands(
            TargetDefinitions(folder: target.directoryURL, files: module.sourceFiles.map(\.url)), work: context.pluginWorkDirectoryURL,
            tool: context.tool(named: "loggen").url)
    }

    func commands(_ definitions: TargetDefinitions?, work: URL, tool: URL) -> [Command] {
        guard let definitions else { return [] }
        return [
            .buildCommand(
                displayName: "Generating Swift from the log definitions of \(definitions.folder.lastPathComponent)",
                executable: tool,
                arguments: ["generate", definitions.folder.path(percentEncoded: false)] + definitions.exclusions + [
                    "--only", "swift", "--output", work.path(percentEncoded: false),
                    // The folder is the plugin's alone.
                    "--force", "--quiet",
                ],
                inputFiles: definitions.documents + definitions.settings,
                outputFiles: definitions.documents.map { work.appending(path: "Swift").appending(path: outputName(of: $0)) }
            )
        ]
    }

    /// The name `loggen` gives the Swift file of a definition file; it follows from the file's name alone.
    private func outputName(of definition: URL) -> String {
        let stem = definition.deletingPathExtension().lastPathComponent
        if stem == "common" { return "CommonColumns.swift" }
        return stem.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + ".swift"
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension LogGenPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            try commands(
                TargetDefinitions(folder: nil, files: target.inputFiles.map(\.url)), work: context.pluginWorkDirectoryURL,
                tool: context.tool(named: "loggen").url)
        }
    }
#endif
