import Foundation
import PackagePlugin

/// A command of `loggen` that runs on the definitions of the targets of a package or project.
///
/// Each command plugin has a link to this file.
struct TargetCommand {
    let command: String
    /// The targets that `--target` names; empty for all targets.
    let targets: [String]
    let arguments: [String]

    init(_ command: String, _ arguments: [String]) {
        var extractor = ArgumentExtractor(arguments)
        targets = extractor.extractOption(named: "target")
        self.command = command
        self.arguments = extractor.remainingArguments
    }

    /// Runs the command in the root folder, for each target that has definitions. It throws if a run ends with another
    /// exit code than 0.
    func run(_ found: [(target: String, definitions: TargetDefinitions)], root: URL, tool: URL) throws {
        let wanted = targets.isEmpty ? found : found.filter { targets.contains($0.target) }
        if let missing = targets.first(where: { name in !found.contains { $0.target == name } }) {
            throw Failure(description: "there is no target `\(missing)` with log definitions")
        }
        guard !wanted.isEmpty else {
            throw Failure(
                description:
                    "no target has log definitions: a target that uses ActivityTracking and has a loggen.yml, a loggen.lock, or a document that begins with its file's name, as `# search` in search.md"
            )
        }
        // If there are two targets or more, the schemas of each are in a folder of their own: each target has its own
        // envelope.
        let isAlone = found.count == 1
        let former = root.appending(path: "Generated").appending(path: "JSONSchema").path(percentEncoded: false)
        if !isAlone, command == "generate", FileManager.default.fileExists(atPath: former) {
            Diagnostics.warning("Generated/JSONSchema is of the time when one target had log definitions, and nothing writes it any more: remove it")
        }
        var failures: [String] = []
        for (target, definitions) in wanted.sorted(by: { $0.target < $1.target }) {
            let process = Process()
            process.executableURL = tool
            process.currentDirectoryURL = root
            process.arguments =
                [command, path(definitions.folder, from: root)] + definitions.exclusions + outputs(definitions)
                + folder(of: target, definitions, isAlone: isAlone, isOnly: wanted.count == 1)
            // Messages that name a command to run next name this plugin's.
            process.environment = ProcessInfo.processInfo.environment.merging(["LOGGEN_PLUGIN_TARGET": isAlone ? "" : target]) { $1 }
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { failures.append(target) }
        }
        if !failures.isEmpty { throw Failure(description: "loggen \(command) found problems in \(failures.joined(separator: ", "))") }
    }

    /// The build plugin makes the Swift. So this command makes only the schemas by default, unless `loggen.yml` says
    /// otherwise.
    private func outputs(_ definitions: TargetDefinitions) -> [String] {
        guard command == "generate" || command == "check", !definitions.namesOutputs else { return [] }
        return arguments.contains { $0 == "--only" || $0.hasPrefix("--only=") } ? [] : ["--only", "json-schema"]
    }

    /// The arguments with the folder of the outputs: the folder that was asked for. If there is more than one target,
    /// the target's name comes behind it.
    private func folder(of target: String, _ definitions: TargetDefinitions, isAlone: Bool, isOnly: Bool) -> [String] {
        guard command == "generate" || command == "check" else { return arguments }
        if let index = arguments.firstIndex(where: { $0 == "--output" || $0.hasPrefix("--output=") }) {
            guard !isOnly else { return arguments }
            var changed = arguments
            let value = arguments[index] == "--output" ? index + 1 : index
            if changed.indices.contains(value) { changed[value] += "/\(target)" }
            return changed
        }
        return isAlone || definitions.namesOutputs ? arguments : ["--output", "Generated/\(target)"] + arguments
    }

    /// Messages show a path as it was given.
    private func path(_ folder: URL, from root: URL) -> String {
        let path = folder.standardizedFileURL.path(percentEncoded: false)
        let root = root.standardizedFileURL.path(percentEncoded: false)
        let prefix = root.hasSuffix("/") ? root : root + "/"
        return path.hasPrefix(prefix) && path != prefix ? String(path.dropFirst(prefix.count)) : path
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

extension Package {
    /// The targets that can contain generated code, with their definitions.
    var targetsWithDefinitions: [(target: String, definitions: TargetDefinitions)] {
        targets.compactMap { target in
            guard let module = target as? any SourceModuleTarget, target.usesActivityTracking,
                let definitions = TargetDefinitions(folder: target.directoryURL, files: module.sourceFiles.map(\.url)), definitions.areMeant
            else { return nil }
            return (target.name, definitions)
        }
    }
}

extension Target {
    fileprivate var usesActivityTracking: Bool {
        dependencies.contains { dependency in
            switch dependency {
            case .product(let product): product.name == "ActivityTracking"
            case .target(let target): target.name == "ActivityTracking"
            @unknown default: false
            }
        }
    }
}
