import Foundation
import PackagePlugin

/// Generates Swift from a target's definitions on every build. The inputs of the command are the definitions and their
/// configuration.
///
/// The plugin repeats the folder name of the output `swift` and its rule for file names, because a plugin must declare
/// its output files before the tool runs.
@main
struct LogGenPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else { return [] }
        var shared = SharedVocabulary(above: target.directoryURL, naming: target.name)
        for module in [target] + target.recursiveTargetDependencies { shared?.add(module) }
        return try commands(
            TargetDefinitions(folder: target.directoryURL, files: module.sourceFiles.map(\.url)), of: shared,
            target: target.name,
            work: context.pluginWorkDirectoryURL, tool: LoggenTool.find { try context.tool(named: "loggen-swift").url })
    }

    func commands(_ definitions: TargetDefinitions?, of shared: SharedVocabulary?, target: String, work: URL, tool: URL)
        -> [Command]
    {
        guard let definitions else { return [] }
        let documents = shared?.documents(of: target, among: definitions.documents) ?? definitions.documents
        return [
            .buildCommand(
                displayName: "Generating Swift from the log definitions of \(definitions.folder.lastPathComponent)",
                executable: tool,
                arguments: [definitions.folder.path(percentEncoded: false)]
                    + (shared?.arguments() ?? definitions.exclusions)
                    + ["--output", work.path(percentEncoded: false)],
                environment: LoggenTool.environment,
                inputFiles: definitions.settings + (shared?.inputs ?? definitions.documents),
                outputFiles: documents.map { work.appending(path: "Swift").appending(path: outputName(of: $0)) }
            )
        ]
    }

    /// Returns the name of the Swift file that `loggen` generates. It depends only on the name of the definition file.
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
            let definitions = TargetDefinitions(folder: nil, files: target.inputFiles.map(\.url))
            var shared = definitions.flatMap { SharedVocabulary(above: $0.folder, naming: target.displayName) }
            shared?.add(target.displayName, definitions)
            for dependency in target.dependencies {
                if case .target(let other) = dependency {
                    shared?.add(other.displayName, TargetDefinitions(folder: nil, files: other.inputFiles.map(\.url)))
                } else if case .product(let product) = dependency {
                    for other in product.targets.flatMap({ [$0] + $0.recursiveTargetDependencies }) {
                        shared?.add(other)
                    }
                }
            }
            return try commands(
                definitions, of: shared, target: target.displayName, work: context.pluginWorkDirectoryURL,
                tool: LoggenTool.find { try context.tool(named: "loggen-swift").url })
        }
    }
#endif
