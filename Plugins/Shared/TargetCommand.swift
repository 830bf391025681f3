import Foundation
import PackagePlugin

/// A command of `loggen` that runs on the definitions of the targets of a package or project.
///
/// Each command plugin has a link to this file.
struct TargetCommand {
    let command: String
    /// The targets given with `--target`; empty for all targets.
    let targets: [String]
    let arguments: [String]

    init(_ command: String, _ arguments: [String]) {
        var extractor = ArgumentExtractor(arguments)
        targets = extractor.extractOption(named: "target")
        self.command = command
        self.arguments = extractor.remainingArguments
    }

    /// One run of `loggen`.
    private struct Run {
        /// The target of the run; nil for all targets that share a vocabulary.
        var target: String?
        var targets: [String]
        /// The folder argument of `loggen`.
        var folder: URL
        var arguments: [String]
        var namesOutputs: Bool
        var isShared = false
    }

    /// A call of `loggen` in the root folder.
    struct Call {
        var targets: [String]
        var arguments: [String]
        /// With these variables, messages suggest commands of this plugin.
        var environment: [String: String]
    }

    /// Runs the command for each target with definitions. Throws if a run does not exit with 0.
    func run(_ context: PluginContext) throws {
        let tool = try LoggenTool.find { try context.tool(named: "loggen").url }
        let root = context.package.directoryURL
        let calls = try calls(context.package.targetsWithDefinitions, root: root)
        var failures: [String] = []
        for call in calls {
            let process = Process()
            process.executableURL = tool
            process.currentDirectoryURL = root
            process.arguments = call.arguments
            process.environment = ProcessInfo.processInfo.environment.merging(call.environment) { $1 }
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { failures += call.targets }
        }
        StagedCheck(context: context, tool: tool).write()
        if !failures.isEmpty {
            throw Failure(description: "loggen \(command) found problems in \(failures.joined(separator: ", "))")
        }
    }

    /// Returns the calls for the targets with definitions.
    func calls(
        _ found: [(target: String, definitions: TargetDefinitions, shared: SharedVocabulary?)], root: URL
    ) throws -> [Call] {
        let wanted = targets.isEmpty ? found : found.filter { targets.contains($0.target) }
        if let missing = targets.first(where: { name in !found.contains { $0.target == name } }) {
            throw Failure(description: "no target `\(missing)` has log definitions")
        }
        guard !wanted.isEmpty else {
            throw Failure(
                description:
                    "no target has log definitions: add a dependency on ActivityTracking, and a loggen.yml, a "
                    + "loggen.lock, or a Markdown file whose first heading is its name, such as `# search` in "
                    + "search.md"
            )
        }
        // Targets that share a vocabulary need only one run, unless targets were given.
        var runs: [Run] = []
        for (target, definitions, shared) in wanted.sorted(by: { $0.target < $1.target }) {
            guard let shared else {
                runs.append(
                    Run(
                        target: target, targets: [target], folder: definitions.folder,
                        arguments: definitions.exclusions,
                        namesOutputs: definitions.namesOutputs))
                continue
            }
            let isNamed = !targets.isEmpty
            let folder = isNamed ? definitions.folder : shared.folder
            guard !runs.contains(where: { $0.folder == folder }) else { continue }
            runs.append(
                Run(
                    target: isNamed ? target : nil, targets: isNamed ? [target] : shared.read.map(\.target),
                    folder: folder,
                    arguments: shared.arguments { Self.path($0, from: root) }, namesOutputs: shared.namesOutputs,
                    isShared: true))
        }
        // With several vocabularies, each target without a shared one gets a separate folder for its schemas, because
        // their envelopes differ.
        let isAlone = Set(found.map { $0.shared?.folder ?? $0.definitions.folder }).count == 1
        let former = root.appending(path: "Generated").appending(path: "JSONSchema").path(percentEncoded: false)
        if !isAlone, found.allSatisfy({ $0.shared == nil }), command == "generate",
            FileManager.default.fileExists(atPath: former)
        {
            Diagnostics.warning(
                "Generated/JSONSchema is stale: several targets have log definitions, so their schemas have separate "
                    + "folders; remove it"
            )
        }
        return runs.map { run in
            Call(
                targets: run.targets,
                arguments: [command, Self.path(run.folder, from: root)] + run.arguments
                    + outputs(namesOutputs: run.namesOutputs)
                    + folder(
                        of: run.target, isOwn: isAlone || run.isShared || run.namesOutputs, isOnly: runs.count == 1),
                environment: LoggenTool.environment.merging(
                    ["LOGGEN_PLUGIN_TARGET": isAlone && !run.isShared ? "" : run.target ?? ""]) { $1 })
        }
    }

    /// Returns the options that select outputs. By default, this command generates only schemas, because the build
    /// plugin generates Swift.
    private func outputs(namesOutputs: Bool) -> [String] {
        guard command == "generate" || command == "check", !namesOutputs else { return [] }
        return arguments.contains { $0 == "--only" || $0.hasPrefix("--only=") } ? [] : ["--only", "json-schema"]
    }

    /// Returns the arguments with the output folder. With several targets, the target's name is appended to the given
    /// folder.
    private func folder(of target: String?, isOwn: Bool, isOnly: Bool) -> [String] {
        guard command == "generate" || command == "check" else { return arguments }
        if let index = arguments.firstIndex(where: { $0 == "--output" || $0.hasPrefix("--output=") }) {
            guard !isOnly, let target else { return arguments }
            var changed = arguments
            let value = arguments[index] == "--output" ? index + 1 : index
            if changed.indices.contains(value) { changed[value] += "/\(target)" }
            return changed
        }
        return isOwn ? arguments : ["--output", "Generated/\(target ?? "")"] + arguments
    }

    /// Returns a path relative to the root. Messages show it unchanged.
    static func path(_ folder: URL, from root: URL) -> String {
        let path = folder.standardizedFileURL.path(percentEncoded: false)
        let root = root.standardizedFileURL.path(percentEncoded: false)
        let prefix = root.hasSuffix("/") ? root : root + "/"
        if path == prefix || path + "/" == prefix { return "." }
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

extension Package {
    /// The targets that can contain generated code, with their definitions and shared vocabulary.
    var targetsWithDefinitions: [(target: String, definitions: TargetDefinitions, shared: SharedVocabulary?)] {
        targets.compactMap { target in
            guard let module = target as? any SourceModuleTarget, target.usesActivityTracking,
                let definitions = TargetDefinitions(folder: target.directoryURL, files: module.sourceFiles.map(\.url))
            else { return nil }
            var shared = SharedVocabulary(above: target.directoryURL, naming: target.name)
            for other in targets.flatMap({ [$0] + $0.recursiveTargetDependencies }) { shared?.add(other) }
            return definitions.areMeant || shared != nil ? (target.name, definitions, shared) : nil
        }
    }
}

extension Target {
    /// A Boolean value that indicates whether the target can contain generated code.
    var usesActivityTracking: Bool {
        dependencies.contains { dependency in
            switch dependency {
            case .product(let product): product.name == "ActivityTracking"
            case .target(let target): target.name == "ActivityTracking"
            @unknown default: false
            }
        }
    }
}
