import Foundation
import PackagePlugin

/// Runs `loggen check` for every target with definitions: `swift package loggen-check [--target NAME]… [option…]`. It
/// does not write files and does not ask for permission.
@main
struct LogGenCheckCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        try TargetCommand("check", arguments)
            .run(
                context.package.targetsWithDefinitions, root: context.package.directoryURL,
                tool: LoggenTool.find { try context.tool(named: "loggen").url })
    }
}
