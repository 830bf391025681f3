import Foundation
import PackagePlugin

/// A command of `loggen`, run over the definitions of a package's or project's targets.
///
/// Each command plugin has a link to this file.
struct TargetCommand {
    let command: String
    /// The targets asked for with `--target`; empty for all.
    let targets: [String]
    let arguments: [String]

    init(_ command: String, _ arguments: [String]) {
        var extractor = ArgumentExtractor(arguments)
        targets = extractor.extractOption(named: "target")
        self.command = command
        self.arguments = extractor.remainingArguments
    }

    /// Runs the command for each target that has definitions, in the root folder; throws when one run ends with another code than 0.
    func run(_ found: [(target: String, definitions: TargetDefinitions)], root: URL, tool: URL) throws {
        let wanted = targets.isEmpty ? found : found.filter { targets.contains($0.target) }
        if let missing = targets.first(where: { name in !found.contains { $0.target == name } }) {
            throw Failure(description: "there is no target `\(missing)` with log definitions")
        }
        guard !wanted.isEmpty else {
            throw Failure(description: "no target has log definitions: Markdown files in the folder of a target that uses ActivityTracking")
        }
        var failures: [String] = []
        for (target, definitions) in wanted.sorted(by: { $0.target < $1.target }) {
            let process = Process()
            process.executableURL = tool
            process.currentDirectoryURL = root
            process.arguments = [command, path(definitions.folder, from: root)] + outputs(definitions) + arguments
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { failures.append(target) }
        }
        if !failures.isEmpty { throw Failure(description: "loggen \(command) found problems in \(failures.joined(separator: ", "))") }
    }

    /// The Swift is the build plugin's, so what is left to be made is schemas, unless `loggen.yml` says otherwise.
    private func outputs(_ definitions: TargetDefinitions) -> [String] {
        guard command == "generate" || command == "check", !definitions.namesOutputs else { return [] }
        return arguments.contains { $0 == "--only" || $0.hasPrefix("--only=") } ? [] : ["--only", "json-schema"]
    }

    /// Messages show paths as they are given.
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
    /// The targets that generated code could be part of, with their definitions.
    var targetsWithDefinitions: [(target: String, definitions: TargetDefinitions)] {
        targets.compactMap { target in
            guard let module = target as? any SourceModuleTarget, target.usesActivityTracking,
                let definitions = TargetDefinitions(folder: target.directoryURL, files: module.sourceFiles.map(\.url))
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
