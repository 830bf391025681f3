import Foundation
import PackagePlugin

/// `swift package loggen-check [--target NAME]… [option…]` runs `loggen check` for every target with definitions. It
/// writes nothing and asks for no permission.
@main
struct LogGenCheckCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        try TargetCommand("check", arguments)
            .run(
                context.package.targetsWithDefinitions, root: context.package.directoryURL,
                tool: LoggenTool.find { try context.tool(named: "loggen").url })
    }
}
