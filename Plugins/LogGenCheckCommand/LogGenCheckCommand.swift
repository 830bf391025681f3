import PackagePlugin

/// Runs `loggen check` for every target with definitions: `swift package loggen-check [--target NAME]… [option…]`. It
/// does not write files and does not ask for permission.
@main
struct LogGenCheckCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        try TargetCommand("check", arguments).run(context)
    }
}
