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
        // A merge without conflicts runs only the second one.
        for name in ["pre-commit", "pre-merge-commit"] {
            let path = joined(folder, name)
            guard FileSystem.kind(path, followingLinks: false) == nil else {
                let bytes = try? FileSystem.read(path)
                let known = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").filter {
                    !$0.hasPrefix("#")
                }
                // No line below `exec` runs.
                let end = known.firstIndex { $0.hasPrefix("exec ") || $0.hasPrefix("cd ") && $0.holds("&& exec ") }
                let running = end.map { known[...$0] } ?? known[...]
                let isThere = running.contains { place.isCheck(String($0), below: lines[0]) }
                let lacks = language.choose(
                    "; add the line, before any `exec`: \(hook.command)",
                    "。次の行を、`exec` があればその前に加えてください: \(hook.command)")
                report += language.kept(path) + (isThere ? "" : lacks) + "\n"
                continue
            }
            let file = OutputFile(path: path, bytes: Array(hook.script.utf8))
            try FileSystem.createDirectory(folder)
            try FileSystem.create(path, file.bytes, mode: 0o755)
            written.append(file)
        }
        return report
    }
}

struct StarterLocation {
    /// The argument of later commands, such as `loggen check FOLDER`. The folder contains `loggen.yml`.
    let folder: String
    let definitions: String
    /// The target with the definitions; nil without the plugin. Then the Swift is generated and committed.
    let target: String?
    /// The targets in `Package.swift`, without those of tests; nil if the file does not exist.
    let targets: [(name: String, path: String?)]?
    let hasPlugin: Bool
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
        let manifest = joined(root, "Package.swift")
        let isPackage = FileSystem.kind(manifest) == .file
        let text = isPackage ? Self.code(String(decoding: try FileSystem.read(manifest), as: UTF8.self)) : ""
        isPrebuilt = text.holds("loggen-plugins")
        let found = Self.targets(in: text)
        targets = isPackage ? found.filter { $0.kind != "testTarget" }.map { ($0.name, $0.path) } : nil
        let chosen = found.first { $0.text.contains("LogGenPlugin") }
        hasPlugin = chosen != nil
        guard isPackage, !withoutPlugin else {
            if let chosen {
                throw FileError(
                    "the target \(chosen.name) in `\(manifest)` uses LogGenPlugin, which generates its Swift on every "
                        + "build: remove the plugin, or omit --without-plugin")
            }
            (target, folder, back, folderFromRoot) = (nil, joined(root, "Definitions"), "..", "Definitions")
            definitions = try Self.definitions(of: folder)
            return
        }
        let name = chosen?.name ?? "AppLogs"
        target = name
        let written = (chosen ?? found.first { $0.name == name })?.path ?? "Sources/\(name)"
        let path = normalized(written)
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            throw FileError("the target \(name) is outside `\(root)`: pass its folder to `loggen lint`")
        }
        (folder, folderFromRoot) = (joined(root, path), path)
        back = path == "." ? "." : path.split(separator: "/").map { _ in ".." }.joined(separator: "/")
        definitions = try Self.definitions(of: folder)
    }

    /// Returns the definition folder. An existing `loggen.yml` may name another folder than the given one.
    private static func definitions(of folder: String) throws(FileError) -> String {
        let path = joined(folder, Configuration.fileName)
        return FileSystem.kind(path) == .file ? try Configuration(path: path).definitions ?? folder : folder
    }

    private static func code(_ text: String) -> String {
        text.split(separator: "\n").filter { !$0.drop { $0 == " " || $0 == "\t" }.hasPrefix("//") }.joined(
            separator: "\n")
    }

    /// Returns the targets that the manifest contains as literals. The manifest is not evaluated.
    private static func targets(in text: String) -> [(kind: String, name: String, path: String?, text: Substring)] {
        var starts: [(kind: String, index: String.Index)] = []
        for kind in ["target", "executableTarget", "testTarget"] {
            var rest = text[...]
            while let found = rest.range(of: ".\(kind)(") {
                starts.append((kind, found.upperBound))
                rest = rest[found.upperBound...]
            }
        }
        starts.sort { $0.index < $1.index }
        let real = starts.filter { start in
            let own = text[start.index...]
            guard let name = value(of: "name", in: own), own.drop(while: \.isWhitespace).hasPrefix("name:") else {
                return false
            }
            // `.target(name: "A")` and `.target(name: "A", condition: …)` are dependencies.
            let rest = own.drop { $0 != "\"" }.dropFirst(name.count + 2).drop(while: \.isWhitespace)
            return rest.first != ")" && !rest.dropFirst().drop(while: \.isWhitespace).hasPrefix("condition:")
        }
        return real.indices.compactMap { number in
            let own = text[real[number].index..<(number + 1 < real.count ? real[number + 1].index : text.endIndex)]
            return value(of: "name", in: own).map { (real[number].kind, $0, value(of: "path", in: own), own) }
        }
    }

    private static func value(of key: String, in text: Substring) -> String? {
        guard let label = text.range(of: "\(key):") else { return nil }
        let rest = text[label.upperBound...].drop(while: \.isWhitespace)
        guard rest.first == "\"" else { return nil }
        let value = rest.dropFirst().prefix { $0 != "\"" }
        return value.isEmpty || value.contains("\\") || value.contains("\n") ? nil : String(value)
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

    /// Returns a hook, and a line for an existing one. Other lines may follow the line, also those of another folder.
    /// - Parameter prefix: the path from the repository to the folder of `loggen init`; empty, or ends with a slash.
    func hook(below prefix: String) -> (script: String, command: String) {
        let entering = prefix.isEmpty ? "" : "cd \(shellWord(prefix)) && "
        // On a branch without definitions, the folder may be missing. `--staged` reads the commit, not the folder.
        let check = check(below: prefix)
        let command =
            target == nil
            ? "\(check) || exit"
            : "(LOGGEN_STAGED_TREE=$(git write-tree) && export LOGGEN_STAGED_TREE && "
                + "unset $(git rev-parse --local-env-vars) && \(entering)exec \(check)) || exit"
        let lines =
            if target == nil {
                """
                command -v loggen >/dev/null || {
                    echo "loggen: not found, so the log definitions are not checked. Build it in a clone of loggen with" >&2
                    echo "\\`swift build -c release --product loggen\\`, and add its .build/release to PATH; or skip this hook" >&2
                    echo "once: \\`git commit --no-verify\\`" >&2
                    exit 1
                }
                \(command)
                """
            } else {
                """
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
            }
        let script = """
            #!/bin/sh
            # Rejects commits with breaking changes of the log definitions; `git commit --no-verify` skips it once.
            \(lines)

            """
        return (script, command)
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
