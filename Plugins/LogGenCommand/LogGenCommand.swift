import Foundation
import PackagePlugin

/// Runs a command for every target with definitions: `swift package loggen [generate|lock|format] [--target NAME]…
/// [option…]`. It asks for write permission.
@main
struct LogGenCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let named = arguments.first.flatMap { ["generate", "lock", "format"].contains($0) ? $0 : nil }
        try TargetCommand(named ?? "generate", named == nil ? arguments : Array(arguments.dropFirst()))
            .run(
                context.package.targetsWithDefinitions, root: context.package.directoryURL,
                tool: LoggenTool.find { try context.tool(named: "loggen").url })
    }
}
