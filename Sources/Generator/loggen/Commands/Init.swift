import ArgumentParser
import CommandOptions
import Foundation
import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax

struct Init: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create initial definitions, their configuration and lock file, and git hooks.",
        discussion: """
            In a folder with a Package.swift, the definitions are written next to the sources of a target, and the \
            lines that Package.swift needs are printed. Elsewhere, they are written to the folder Definitions, and \
            Swift and schemas to the folder Generated, to be committed; --without-plugin chooses this for a package, \
            too. Missing folders are created. Existing files are kept and reported. Either all files are written, or \
            none.

            Exit codes: 0 all files exist now; 1 existing definitions have errors; 2 wrong usage, or a file could not be \
            read or written.
            """
    )

    enum Language: String, ExpressibleByArgument, CaseIterable {
        case en, ja

        static var preferred: Language {
            let settings = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment($0) }.first { !$0.isEmpty } ?? ""
            return settings.hasPrefix("ja") ? .ja : .en
        }

        func choose(_ english: String, _ japanese: String) -> String { self == .ja ? japanese : english }

        func written(_ path: String) -> String { choose("wrote \(path)\n", "作成: \(path)\n") }

        func kept(_ path: String) -> String { choose("kept the existing \(path)", "既存のまま: \(path)") }

        var documentation: String {
            choose(
                "\nDocumentation: README.md in loggen's repository\n",
                "\nドキュメント: loggenのリポジトリの README.ja.md\n")
        }
    }

    @Argument(help: ArgumentHelp("The folder of the package or project.", valueName: "folder"))
    var folder = "."

    @Option(help: "The language of headers and descriptions; the default is the machine's.")
    var language: Language?

    @Flag(help: "Generate the Swift now, to be committed: for Tuist, XcodeGen, Bazel, or a package without the plugin.")
    var withoutPlugin = false

    @Flag(name: .shortAndLong, help: "Print only problems.")
    var quiet = false

    func run() async throws {
        let terminal = Terminal(color: .auto, isQuiet: quiet)
        let root = normalized(folder)
        let kind = FileSystem.kind(root)
        guard kind == nil || kind == .directory else { throw FileError("`\(root)` is not a folder") }
        let place = try StarterLocation(in: root, withoutPlugin: withoutPlugin)
        if let problem = place.problem {
            terminal.error(
                "note: SwiftPM cannot read Package.swift, so the definitions are for a new target: \(problem)\n")
        }
        let language = language ?? .preferred
        let files = try StarterFiles(place: place, language: language).files
        var written = files.filter { FileSystem.kind($0.path, followingLinks: false) == nil }
        var kept = files.map(\.path).filter { path in !written.contains { $0.path == path } }
        let above = Set(written.map { LogProject.folder(of: $0.path) } + [root]).filter { FileSystem.kind($0) == nil }
        try await OutputWriter.writeNew(written)
        let (hooks, made): (String, [String])
        do {
            hooks = try writeHooks(place, root: root, language, &written)
            let (lock, outputs) = try await finish(place, terminal)
            made = outputs
            if let lock {
                written.append(lock)
            } else {
                kept.append(joined(place.definitions, LockFile.fileName))
            }
        } catch {
            // After a failure, all files and folders of this run are removed.
            for file in written { unlink(file.path) }
            for path in above.sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir(path) }
            if error is ExitCode {
                terminal.error("loggen: the definitions in `\(place.definitions)` have errors; nothing was written\n")
            }
            throw error
        }
        var text = written.map { language.written($0.path) }.joined() + kept.map { language.kept($0) + "\n" }.joined()
        text += made.map { language.written($0) }.joined()
        text += hooks
        if !quiet { try terminal.out(text + (try place.nextSteps(language)) + language.documentation) }
    }

    /// - Returns: the lock file if it is new, and the new folders of outputs and manifests.
    private func finish(_ place: StarterLocation, _ terminal: Terminal) async throws -> (
        lock: OutputFile?, outputs: [String]
    ) {
        let options = ProjectOptions(registry: .all)
        let sessions = try await Session.start([place.folder], options: options, readsLock: true, terminal: terminal)
        guard sessions.report.errors == 0 else {
            try sessions.report.show(.text, on: terminal)
            throw ExitCode(1)
        }
        var new: OutputFile?
        for session in sessions where session.lock == nil {
            let lock = LockFile.empty(path: session.lockPath)
            let drift = session.concerned(
                await Drift.between(lock.latest, and: session.analysis.definitions, scope: .everything).drift)
            new = OutputFile(path: session.lockPath, bytes: lock.recording(drift.events))
        }
        // The outputs contain versions from the lock file, which is written first.
        if let new { try await OutputWriter.writeNew([new]) }
        do {
            let locked = try await Session.start([place.folder], options: options, readsLock: true, terminal: terminal)
            let (plans, report) = try await locked.plans(OutputOptions(), terminal: terminal)
            guard let plans, report.errors == 0 else {
                try report.show(.text, on: terminal)
                throw ExitCode(1)
            }
            let places = Set(plans.flatMap { $0.folders.map { $0 + "/" } + $0.manifests.map(\.path) }).sorted()
            let absent = places.filter { FileSystem.kind($0) == nil }
            let inTheWay = try await OutputWriter.differences(plans).differences.filter(\.isInTheWay).map(\.path)
            guard inTheWay.isEmpty else {
                let shown = inTheWay.prefix(5).map { "`\(FileSystem.shortened($0))`" }.joined(separator: ", ")
                let more = inTheWay.count > 5 ? " and \(inTheWay.count - 5) more" : ""
                throw FileError(
                    "cannot write \(shown)\(more), which exist: move them away, or delete them if loggen generated them"
                )
            }
            _ = try await OutputWriter.write(plans, isForced: false)
            return (new, absent.filter { FileSystem.kind($0) != nil })
        } catch {
            if let new { unlink(new.path) }
            throw error
        }
    }

    /// Writes new hooks, and returns the report on others.
    private func writeHooks(
        _ place: StarterLocation, root: String, _ language: Language, _ written: inout [OutputFile]
    ) throws(FileError) -> String {
        let asked = try? Subprocess.run(
            "git", ["-C", root, "rev-parse", "--show-prefix", "--git-path", "hooks"], standardInput: [],
            withoutEnvironment: "GIT_")
        let lines = String(decoding: asked?.out ?? [], as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        guard let asked, asked.code == 0, lines.count >= 2 else {
            return language.choose(
                "no git repository: after `git init`, `\(place.command)` writes the hook\n",
                "gitリポジトリではありません。`git init` の後に `\(place.command)` を再度実行すると、フックを作成します\n")
        }
        let hook = place.hook(below: lines[0])
        // From a subfolder, git returns a path with `..`.
        let folder = FileSystem.shortened(joined(root, lines[1]))
        var report = ""
        var added = ""
        // A merge without conflicts runs only the second one.
        for name in ["pre-commit", "pre-merge-commit"] {
            let path = joined(folder, name)
            guard FileSystem.kind(path, followingLinks: false) == nil else {
                let bytes = try? FileSystem.read(path)
                let known = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").filter {
                    !$0.hasPrefix("#")
                }
                // No line below `exec` runs, unless the `exec` is in a subshell.
                var depth = 0
                let end = known.firstIndex { line in
                    depth += line == "(" ? 1 : line.hasPrefix(")") ? -1 : 0
                    return depth < 1 && (line.hasPrefix("exec ") || line.hasPrefix("cd ") && line.holds("&& exec "))
                }
                let running = end.map { known[...$0] } ?? known[...]
                let isThere = running.contains { place.isCheck(String($0), below: lines[0]) }
                let lacks =
                    place.target == nil
                    ? language.choose(
                        "; add the line, before any `exec`: ", "。次の行を、`exec` があればその前に加えてください: ") + hook.lines
                    : language.choose(
                        "; add the lines below, before any `exec`", "。下の行を、`exec` があればその前に加えてください")
                report += language.kept(path) + (isThere ? "" : lacks) + "\n"
                added = isThere || place.target == nil ? added : "\n\(hook.lines)\n"
                continue
            }
            let file = OutputFile(path: path, bytes: Array(hook.script.utf8))
            try FileSystem.createDirectory(folder)
            try FileSystem.create(path, file.bytes, mode: 0o755)
            written.append(file)
        }
        return report + added
    }
}

struct StarterLocation {
    /// The argument of later commands, such as `loggen check FOLDER`. The folder contains `loggen.yml`.
    let folder: String
    let definitions: String
    /// The target with the definitions; nil without the plugin. Then the Swift is generated and committed.
    let target: String?
    /// The targets in `Package.swift`, without those of tests; nil if the file does not exist.
    let targets: [PackageManifest.Target]?
    let hasPlugin: Bool
    /// The reason for which the targets are unknown.
    let problem: String?
    /// The `path:` of the target, if it is new and needs one.
    let path: String?
    /// A target that has its sources in the folder where SwiftPM looks for those of all targets. Next to another target,
    /// it needs this path.
    let flatTarget: (name: String, path: String)?
    /// Indicates whether `Package.swift` depends on loggen-plugins, which has commands with the same names.
    private let isPrebuilt: Bool
    /// The relative path from the folder to the root.
    let back: String
    private let folderFromRoot: String
    let root: String
    /// The command that was given, without its options for languages and messages.
    let command: String

    init(in root: String, withoutPlugin: Bool) throws(FileError) {
        self.root = root
        command =
            "loggen init" + (withoutPlugin ? " --without-plugin" : "") + (root == "." ? "" : " " + shellWord(root))
        let shared = joined(root, Configuration.fileName)
        if FileSystem.kind(shared) == .file, let first = try Configuration(path: shared).modules.first {
            throw FileError(
                "`\(shared)` lists modules, which share their definitions: add a definition file to one of them, "
                    + "such as `\(first.name)`, or add a target to `definitions`"
            )
        }
        let manifest = PackageManifest.read(root)
        problem = manifest?.problem
        targets = manifest?.targets.filter { !$0.isTest }
        let chosen = manifest?.targets.first { $0.pluginPackage != nil }
        hasPlugin = chosen != nil
        isPrebuilt = chosen?.pluginPackage == "loggen-plugins"
        guard let manifest, !withoutPlugin else {
            if let chosen {
                throw FileError(
                    "the target \(chosen.name) in `\(joined(root, "Package.swift"))` uses LogGenPlugin, which generates "
                        + "its Swift on every build: remove the plugin, or omit --without-plugin")
            }
            (target, path, flatTarget) = (nil, nil, nil)
            (folder, back, folderFromRoot) = (joined(root, "Definitions"), "..", "Definitions")
            definitions = try Self.definitions(of: folder)
            return
        }
        let name = chosen?.name ?? "AppLogs"
        target = name
        let sources = PackageManifest.predefinedFolder(in: root)
        let flat = manifest.targets.first { manifest.folder(of: $0, in: root) == sources }
        let known = chosen ?? manifest.targets.first { $0.name == name }
        path = known == nil && flat != nil ? name : nil
        flatTarget = path != nil && flat?.path == nil ? flat.map { ($0.name, sources) } : nil
        let written = known.map { manifest.folder(of: $0, in: root) } ?? path ?? joined(sources, name)
        guard !written.hasPrefix("/"), !written.split(separator: "/").contains("..") else {
            throw FileError("the target \(name) is outside `\(root)`: pass its folder to `loggen lint`")
        }
        (folder, folderFromRoot) = (joined(root, written), written)
        back = written == "." ? "." : written.split(separator: "/").map { _ in ".." }.joined(separator: "/")
        definitions = try Self.definitions(of: folder)
    }

    /// Returns the definition folder. An existing `loggen.yml` may name another folder than the given one.
    private static func definitions(of folder: String) throws(FileError) -> String {
        let path = joined(folder, Configuration.fileName)
        return FileSystem.kind(path) == .file ? try Configuration(path: path).definitions ?? folder : folder
    }

    private func check(below prefix: String) -> String {
        if target == nil { return "loggen check --staged \(shellWord(prefix + "Definitions"))" }
        return "swift package " + (isPrebuilt ? "--package loggen-plugins " : "") + "loggen-check --staged"
    }

    /// Returns whether a line of a hook checks the definitions.
    func isCheck(_ line: String, below prefix: String) -> Bool {
        let isInFolder =
            target == nil || (prefix.isEmpty ? !line.holds("cd ") : line.holds("cd \(shellWord(prefix)) "))
        return line.holds(check(below: prefix)) && isInFolder
    }

    /// Returns a hook, and its lines for an existing one. Other lines may follow them, also those of another folder.
    /// - Parameter prefix: the path from the repository to the folder of `loggen init`; empty, or ends with a slash.
    func hook(below prefix: String) -> (script: String, lines: String) {
        let entering = prefix.isEmpty ? "" : "cd \(shellWord(prefix)) && "
        // On a branch without definitions, the folder may be missing. `--staged` reads the commit, not the folder.
        let check = check(below: prefix)
        guard target != nil else {
            let command = "\(check) || exit"
            let tool = """
                command -v loggen >/dev/null || {
                    echo "loggen: not found, so the log definitions are not checked. Build it in a clone of loggen with" >&2
                    echo "\\`swift build -c release --product loggen\\`, and add its .build/release to PATH; or skip this hook" >&2
                    echo "once: \\`git commit --no-verify\\`" >&2
                    exit 1
                }

                """
            return (Self.script(tool + command), command)
        }
        let lines = """
            (
            LOGGEN_STAGED_TREE=$(git write-tree) || exit
            export LOGGEN_STAGED_TREE
            definitions=\(shellWord(normalized(prefix + folderFromRoot)))
            git cat-file -e "$LOGGEN_STAGED_TREE:$definitions" 2>/dev/null || git cat-file -e "HEAD:$definitions" 2>/dev/null || {
                echo "loggen: the commit does not contain \\`$definitions\\`; nothing to check" >&2
                exit 0
            }
            grep -qi loggen \(shellWord(prefix + "Package.swift")) || {
                echo "loggen: Package.swift lacks the lines that \\`loggen init\\` printed, so the log definitions are not" >&2
                echo "checked. Add them, or skip this hook once: \\`git commit --no-verify\\`" >&2
                exit 1
            }
            # A build fetches packages with git, and must not use the repository of this hook for them.
            unset $(git rev-parse --local-env-vars)
            # After the first run, this script checks without SwiftPM if there is nothing to build.
            check=.build/plugins/LogGenCheckCommand/outputs/staged-check
            [ ! -e \(prefix.isEmpty ? "" : shellWord(prefix))$check ] || { \(entering)exec sh $check; }
            \(entering)exec \(check)
            ) || exit
            """
        return (Self.script(lines), lines)
    }

    private static func script(_ lines: String) -> String {
        """
        #!/bin/sh
        # Rejects commits with breaking changes of the log definitions; `git commit --no-verify` skips it once.
        \(lines)

        """
    }
}

private struct StarterFiles {
    var files: [OutputFile]

    init(place: StarterLocation, language: Init.Language) throws(FileError) {
        func file(_ name: String, _ english: String, _ japanese: String, in folder: String? = nil) -> OutputFile {
            OutputFile(
                path: joined(folder ?? place.definitions, name), bytes: Array(language.choose(english, japanese).utf8))
        }
        let configuration = Self.configuration(place, language)
        files = [file(Configuration.fileName, configuration, configuration, in: place.folder)]
        // An example category would disturb an existing vocabulary, and a required common column would break its events.
        let known =
            FileSystem.kind(place.definitions) == .directory
            ? try Sources.walk(place.definitions).map(\.relativePath) : []
        let hasCategories = known.contains { !["common.md", "types.md", "lifecycle.md"].contains($0) }
        if !hasCategories {
            files.append(file("common.md", Self.common, Self.commonJapanese))
            files.append(file("types.md", Self.types, Self.typesJapanese))
            files.append(file("lifecycle.md", Self.app, Self.appJapanese))
        }
        guard let target = place.target else { return }
        let hasFolder = FileSystem.kind(place.folder) == .directory
        let sources = hasFolder ? try Sources.walk(place.folder, .swift) : []
        if sources.isEmpty {
            files.append(
                file(
                    "\(target).swift", "// The code of this target is generated from the files next to this one.\n",
                    "// このターゲットのコードは、同じフォルダーの定義ファイルから生成される。\n", in: place.folder))
        }
    }

    private static func configuration(_ place: StarterLocation, _ language: Init.Language) -> String {
        let own = place.target.map { "/\($0)" } ?? ""
        let comment =
            place.target == nil
            ? language.choose("# The outputs of `loggen generate`.", "# `loggen generate` が生成する出力。")
            : language.choose(
                "# The outputs of `swift package loggen`. The plugin generates the Swift on every build.",
                "# `swift package loggen` が生成する出力。Swiftはビルドのたびにプラグインが生成する。")
        let swift = place.target == nil ? "  swift:\n    to: \(place.back)/Generated/Swift\n" : ""
        return "\(comment)\noutputs:\n\(swift)  json-schema:\n    to: \(place.back)/Generated/JSONSchema\(own)\n"
    }

    private static let common = """
        # common

        Columns of every event. The app sets them once, when it starts.

        | column      | type       | description                     | example | privacy  |
        | ----------- | ---------- | ------------------------------- | ------- | -------- |
        | app_version | string(32) | the app's version               | `1.0.0` |          |
        | user_id     | int64?     | signed-in user; otherwise empty | `42`    | personal |

        """
    private static let commonJapanese = """
        # 共通カラム `common`

        すべてのイベントに付くカラム。値はアプリの起動時に一度だけ設定する。

        | カラム      | 型         | 説明                                       | 例      | 個人情報 |
        | ----------- | ---------- | ------------------------------------------ | ------- | -------- |
        | app_version | string(32) | アプリのバージョン                         | `1.0.0` |          |
        | user_id     | int64?     | ログイン中のユーザーのID。未ログインなら空 | `42`    | personal |

        """
    private static let types = """
        # types

        Types that several events share.

        ## LaunchSource

        The way in which the app was opened.

        | value        | description         |
        | ------------ | ------------------- |
        | icon         | the home screen     |
        | notification | a push notification |
        | link         | a link              |

        """
    private static let typesJapanese = """
        # 共通の型 `types`

        複数のイベントで使う型。

        ## LaunchSource

        アプリの起動元。

        | 値           | 説明         |
        | ------------ | ------------ |
        | icon         | ホーム画面   |
        | notification | プッシュ通知 |
        | link         | リンク       |

        """
    private static let app = """
        # lifecycle

        Events of the app as a whole.

        ## launch

        The app was opened.

        | column | type         | description    | example |
        | ------ | ------------ | -------------- | ------- |
        | source | LaunchSource | what opened it | `icon`  |

        """
    private static let appJapanese = """
        # アプリ `lifecycle`

        アプリ全体で起きる出来事。

        ## アプリの起動 `launch`

        アプリが開かれた。

        | カラム | 型           | 説明   | 例     |
        | ------ | ------------ | ------ | ------ |
        | source | LaunchSource | 起動元 | `icon` |

        """
}
