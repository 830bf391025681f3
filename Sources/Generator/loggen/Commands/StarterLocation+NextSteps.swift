import Foundation
import LogOutputs
import LogProject
import MarkdownSyntax

/// The printed lines that a project still needs after `loggen init`.
extension StarterLocation {
    func nextSteps(_ language: Init.Language) throws(FileError) -> String {
        guard let target else { return try stepsWithoutPlugin(language) }
        guard !hasPlugin else {
            return language.choose(
                "\nThe target \(target) has the plugin: `swift build` generates Swift from the files in "
                    + "\(definitions).\n",
                "\nターゲット \(target) にはプラグインが設定されています。"
                    + "`swift build` で、\(definitions) の定義からSwiftが生成されます。\n") + exampleCall(target, language)
        }
        let isNew = targets?.contains { $0.name == target } != true
        let place = path.map { ",\n        path: \(SwiftText.swiftLiteral($0))" } ?? ""
        let first =
            isNew ? ".target(name: \"\(target)\"," : language.choose("to the target \(target):", "ターゲット \(target) に追加:")
        return manifestLines(
            target,
            """
            \(first)
                    dependencies: [.product(name: "ActivityTracking", package: "loggen")]\(place),
                    plugins: [.plugin(name: "LogGenPlugin", package: "loggen")]\(isNew ? ")" : ""),
            """ + flatTargetLines(language), language)
            + language.choose(
                "\n`swift build` generates the Swift.\n", "\n`swift build` で、Swiftが生成されます。\n")
            + exampleCall(target, language)
    }

    /// The path that another target needs next to a new one.
    private func flatTargetLines(_ language: Init.Language) -> String {
        guard let (name, path) = flatTarget else { return "" }
        let place = language.choose("to the target \(name)", "ターゲット \(name) に追加")
        return "\n\n    // \(place)\n    path: \(SwiftText.swiftLiteral(path)),"
    }

    private func exampleCall(_ target: String, _ language: Init.Language) -> String {
        guard FileSystem.kind(joined(definitions, "lifecycle.md")) == .file else { return "" }
        return language.choose("The app posts an event:\n", "アプリからイベントを送るコード:\n") + """

                import ActivityTracking
                import \(ModuleFolder.moduleName(ofTarget: target))

                let activityLogger = ActivityLogger(
                    common: { CommonColumns(appVersion: "1.0.0") }, destinations: [ConsoleDestination()])
                activityLogger.post(Lifecycle.launch(source: .icon))

            """
    }

    private func stepsWithoutPlugin(_ language: Init.Language) throws(FileError) -> String {
        let (path, written) = (joined(folder, Configuration.fileName), shellWord(folder))
        // An existing loggen.yml may name another folder for the Swift, or none.
        let outputs = try Configuration(path: path).outputs
        let swift = outputs?.first { $0.name == "swift" }?.output
        let code =
            outputs == nil || swift != nil ? FileSystem.path(swift?.to ?? "Generated/Swift", seenFrom: root) : nil
        var steps = ""
        if let code, let targets {
            if !targets.contains(where: { $0.path.map(normalized) == code }) {
                let name = targets.contains { $0.name == "AppLogs" } ? "GeneratedLogs" : "AppLogs"
                steps = manifestLines(
                    name,
                    """
                    .target(name: "\(name)",
                            dependencies: [.product(name: "ActivityTracking", package: "loggen")],
                            path: \(SwiftText.swiftLiteral(code))),
                    """, language)
            }
        } else if let code {
            let output = joined(root, code)
            steps = language.choose(
                "\nAdd the Swift files in \(output) to a target that links the library ActivityTracking of the package "
                    + "loggen.\nThe article OtherProjects has the lines for Tuist, XcodeGen and Bazel.\n",
                "\n\(output) のSwiftファイルを、パッケージloggenのライブラリーActivityTrackingをリンクするターゲットに追加してください。"
                    + "\nTuist、XcodeGen、Bazelの設定は、記事OtherProjectsにあります。\n")
        }
        let commands = ["", "lint ", "lock ", "check "].map { "loggen \($0)\(written)" }
        let width = commands.map(\.count).max() ?? 0
        let meanings = [
            language.choose("generates Swift and schemas", "Swiftとスキーマを生成します"),
            language.choose("shows all problems", "問題をすべて表示します"),
            language.choose("records changes in loggen.lock, to be committed", "変更をloggen.lockに記録します。一緒にコミットします"),
            language.choose(
                "reports stale files and breaking changes: run it in CI", "古いファイルと互換性のない変更を報告します。CIで実行してください"),
        ]
        return steps
            + language.choose(
                "\nEdit the files in \(definitions), generate, and commit the definitions and the generated files:\n",
                "\n\(definitions) の定義を編集したら、次のコマンドで生成し、定義と生成されたファイルをコミットします:\n")
            + zip(commands, meanings).map { command, meaning in
                "    \(command)\(String(repeating: " ", count: width - command.count + 4))\(meaning)\n"
            }.joined()
    }

    private func manifestLines(_ target: String, _ lines: String, _ language: Init.Language) -> String {
        let users = (targets ?? []).map(\.name).filter { $0 != target }.joined(separator: language.choose(", ", "、"))
        let uses = language.choose(
            "dependencies of \(users.isEmpty ? "the app's target" : users), if it posts events",
            "\(users.isEmpty ? "アプリのターゲット" : users) からイベントを送る場合は、その dependencies に追加")
        let heading = language.choose(
            "The definitions are in \(definitions). Package.swift needs:",
            "定義は \(definitions) にあります。Package.swiftに次の行を加えてください:")
        return """

            \(heading)

                // \(language.choose("platforms, or later ones", "platforms(これ以降)"))
                platforms: [.macOS(.v12), .iOS(.v15)],

                // dependencies
                \(dependencyLine(language))

                // targets
                \(lines)

                // \(uses)
                "\(target)",

            """
    }

    private func dependencyLine(_ language: Init.Language) -> String {
        guard let clone = Self.clone(around: Bundle.main.executablePath ?? "") else {
            return ".package(url: \"https://…/loggen\", from: \"\(loggenVersion)\"),  // "
                + language.choose("the address of loggen's repository", "loggenのリポジトリのURL")
        }
        let path = SwiftText.swiftLiteral(FileSystem.path(clone, seenFrom: root))
        // The folder's name is the name of the package, unless the line has another one.
        let name = clone.hasSuffix("/loggen") ? "" : "name: \"loggen\", "
        return ".package(\(name)path: \(path)),  // \(language.choose("or its URL", "またはURL"))"
    }

    /// Returns the clone of loggen around the tool; nil for an installed tool, or one that an app's package built.
    private static func clone(around tool: String) -> String? {
        var place = FileSystem.resolved(tool)
        while place.hasPrefix("/"), place != "/" {
            place = LogProject.folder(of: place)
            guard let manifest = try? FileSystem.read(joined(place, "Package.swift")) else { continue }
            return String(decoding: manifest, as: UTF8.self).holds("\n    name: \"loggen\",\n") ? place : nil
        }
        return nil
    }
}
