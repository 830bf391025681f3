import Foundation
import PackagePlugin

/// `swift package loggen-check [--target NAME]… [option…]`: `loggen check` for every target with definitions. It writes
/// nothing, and asks for nothing.
@main
struct LogGenCheckCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        try TargetCommand("check", arguments)
            .run(context.package.targetsWithDefinitions, root: context.package.directoryURL, tool: context.tool(named: "loggen").url)
    }
}
