import PackagePlugin

/// Runs a command for every target with definitions: `swift package loggen [generate|check|lint|lock|format]
/// [--target NAME]… [option…]`. It asks for write permission.
@main
struct LogGenCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let commands = ["generate", "check", "lint", "lock", "format"]
        let named = arguments.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
        if let named, !commands.contains(named) {
            throw TargetCommand.Failure(
                description: "no command `\(named)`; the commands are \(commands.joined(separator: ", "))")
        }
        try TargetCommand(named ?? "generate", named == nil ? arguments : Array(arguments.dropFirst())).run(context)
    }
}
