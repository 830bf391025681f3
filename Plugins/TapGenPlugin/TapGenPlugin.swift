import Foundation
import PackagePlugin

/// Generates the code that registers the taps of a target's screens when its sources or definitions have changed.
@main
struct TapGenPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else { return [] }
        let others = module.recursiveTargetDependencies.compactMap { $0 as? any SourceModuleTarget }
        let found = ([module] + others).compactMap { other -> ModuleDefinitions? in
            guard let definitions = TargetDefinitions(folder: other.directoryURL, files: other.sourceFiles.map(\.url))
            else { return nil }
            let shared = SharedVocabulary(above: other.directoryURL, naming: other.name)
            // The Markdown of a dependency may have another purpose.
            guard other.id == module.id || definitions.areMeant || shared != nil else { return nil }
            return ModuleDefinitions(
                module: other.moduleName,
                documents: shared?.documents(of: other.name, among: definitions.documents) ?? definitions.documents,
                settings: definitions.settings + (shared?.settings ?? []))
        }
        return try commands(
            sources: module.sourceFiles.map(\.url), found, own: module.moduleName, work: context.pluginWorkDirectoryURL,
            tool: context.tool(named: "tapgen").url)
    }

    /// The definitions of one module, with the files that influence the output.
    struct ModuleDefinitions {
        let module: String
        let documents: [URL]
        let settings: [URL]
    }

    func commands(sources: [URL], _ found: [ModuleDefinitions], own: String, work: URL, tool: URL) throws -> [Command] {
        let swift = sources.filter { $0.pathExtension == "swift" }
        guard !swift.isEmpty, !found.isEmpty else {
            Diagnostics.error(
                "\(own) and its dependencies have no log definitions; add Markdown files with definitions to the "
                    + "target's folder"
            )
            return []
        }
        func path(_ url: URL) -> String { url.path(percentEncoded: false) }
        let (documents, settings) = (found.flatMap(\.documents), found.flatMap(\.settings))
        // The `loggen.yml` of the target has precedence.
        let configuration = (sources + settings).first { $0.lastPathComponent == "loggen.yml" }
        let output = work.appending(path: "TapTracking.swift")
        var arguments = ["generate"] + documents.map(path)
        for file in swift { arguments += ["--sources", path(file)] }
        for other in found where other.module != own { arguments += ["--import", other.module] }
        if let configuration { arguments += ["--config", path(configuration)] }
        arguments += ["--output", path(output), "--cache", path(work.appending(path: "sources.json")), "--quiet"]
        return [
            .buildCommand(
                displayName: "Registering the taps of \(own)", executable: tool, arguments: arguments,
                inputFiles: swift + documents + settings + (configuration.map { [$0] } ?? []), outputFiles: [output])
        ]
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension TapGenPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            let files = target.inputFiles.map(\.url)
            let definitions = TargetDefinitions(folder: nil, files: files).map {
                ModuleDefinitions(module: target.displayName, documents: $0.documents, settings: $0.settings)
            }
            return try commands(
                sources: files, definitions.map { [$0] } ?? [], own: target.displayName,
                work: context.pluginWorkDirectoryURL,
                tool: context.tool(named: "tapgen").url)
        }
    }
#endif
