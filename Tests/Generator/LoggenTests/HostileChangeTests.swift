import Foundation
import Testing
import TestSupport

/// Changes that try to switch off their own review. Each one makes an event or an owner disappear from the working
/// folder, so the review of the next commit must not pass, even if the reviewers accept what can be accepted.
@Suite(.timeLimit(.minutes(10))) struct HostileChangeTests {
    struct Change: Sendable, CustomTestStringConvertible {
        var fixture: Fixture
        var name: String
        /// Commands of bash in the top of the repository. `cut FILE` deletes the event `tap` of a file.
        var script: String

        var testDescription: String { "\(fixture.rawValue): \(name)" }

        init(_ fixture: Fixture, _ name: String, _ script: String) {
            (self.fixture, self.name, self.script) = (fixture, name, script)
        }
    }

    enum Fixture: String, Sendable {
        case folder
        case modules
        /// Owners of consumers have to accept that these break. The changes delete a column, and the lock accepts that.
        case consumers

        var path: String { self == .modules ? "." : "D" }
    }

    // MARK: Fixtures

    private static func event(_ name: String, _ column: String = "position") -> String {
        "\n## \(name)\n\n| column | type | description |\n| --- | --- | --- |\n| item | int64 | A key |\n"
            + "| \(column) | int? | A number |\n"
    }

    private static let files: [Fixture: [String: String]] = [
        .folder: [
            "D/loggen.yml": "outputs: {}\n", "D/search.md": "# search\n" + event("show") + event("tap"),
            "D/home.md": "# home\n" + event("open"), "notes/README.md": "Notes\n",
        ],
        .modules: [
            "loggen.yml": "outputs: {}\ndefinitions: [AppLogs, Search]\n",
            "Sources/AppLogs/home.md": "# home\n" + event("open"),
            "Sources/Search/search.md": "# search\n" + event("show") + event("tap"),
            "Sources/Search/Search.swift": "", "Sources/AppLogs/Logs.swift": "",
        ],
        .consumers: [
            "D/loggen.yml": "outputs: {}\nacceptance: owners\nconsumers: [../analytics]\n",
            "D/search.md": "# search\n" + event("show") + event("tap"),
            "analytics/dbt_project.yml": "name: shop\n",
            "analytics/target/manifest.json": """
            {"nodes": {"model.shop.ctr": {"resource_type": "model", "name": "ctr",
              "original_file_path": "models/ctr.sql", "raw_code": "select position from search__show",
              "depends_on": {"nodes": []}}},
            "exposures": {"exposure.shop.board": {"name": "board", "original_file_path": "models/e.yml",
              "owner": {"name": "@growth"}, "depends_on": {"nodes": ["model.shop.ctr"]}}}}

            """,
        ],
    ]

    /// The repositories, which each test copies.
    private static let bases: Result<[Fixture: URL], any Error> = Result {
        let folder = RunFolder.url.appendingPathComponent("hostile")
        var bases: [Fixture: URL] = [:]
        for (fixture, files) in files {
            let url = folder.appendingPathComponent(fixture.rawValue)
            for (path, text) in files {
                let file = url.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            try bash(
                """
                git init -q -b main . && loggen lock -q \(fixture.path) && git add -A && git commit -qm before
                git tag v1 && git switch -qc change
                """, in: url)
            bases[fixture] = url
        }
        return bases
    }

    private static func bash(_ script: String, in folder: URL) throws {
        let prelude = """
            set -eu
            cut() { sed -i '/^## tap/,$d' "$1"; }
            drop() { sed -i '/^| position/d' D/search.md; loggen lock -q --accept D; }
            git() { command git -c user.name=a -c user.email=a@example.com -c protocol.file.allow=always "$@"; }

            """
        let path = Tool.executable.deletingLastPathComponent().path + ":/usr/local/bin:/usr/bin:/bin"
        let result = try Tool.launch(
            URL(fileURLWithPath: "/bin/bash"), ["-c", prelude + script], in: folder,
            environment: ["PATH": path, "GIT_CONFIG_GLOBAL": "/dev/null"])
        try #require(result.code == 0, "\(script)\n\(result.out)\(result.error)")
    }

    private static func review(_ change: Change) throws -> Tool.Result {
        let scratch = try Scratch()
        let url = scratch.url.appendingPathComponent("app")
        try FileManager.default.copyItem(at: try #require(bases.get()[change.fixture]), to: url)
        try bash(change.script + "\ngit add -A && git commit -qm change --allow-empty", in: url)
        return try Tool.run("review", change.fixture.path, "--base", "main", "--accepted", in: url)
    }

    // MARK: Changes

    /// Reads changes of a fixture: lines of a name and a script. The lines of a longer script are indented.
    private static func changes(_ fixture: Fixture, _ text: String) -> [Change] {
        text.split(separator: "\n").reduce(into: []) { changes, line in
            if line.hasPrefix("    ") {
                changes[changes.count - 1].script += line.dropFirst(4) + "\n"
            } else {
                let parts = line.split(separator: ":", maxSplits: 1)
                let script = parts.count > 1 ? parts[1].drop { $0 == " " } + "\n" : ""
                changes.append(Change(fixture, String(parts[0]), script))
            }
        }
    }

    static let folderChanges = changes(
        .folder,
        #"""
        the event is deleted: cut D/search.md
        a tag with the name of the base: cut D/search.md; git commit -qam x; git tag main
        a filter of the clone:
            cut D/search.md; git config filter.x.smudge "sed '/## tap/,\$d'"; git config filter.x.clean cat
            mkdir -p .git/info; echo '*.md filter=x' >.git/info/attributes
        a filter of the clone's settings:
            cut D/search.md; git config filter.x.smudge "sed '/## tap/,\$d'"; git config filter.x.clean cat
            echo '*.md filter=x' >.git/a; git config core.attributesFile "$PWD/.git/a"
        a replaced tree: cut D/search.md; git commit -qam x; git replace main^{tree} HEAD^{tree}
        the folder renamed, a link in its place: git mv D E; ln -s E D; cut E/search.md
        an absolute link in its place: git mv D E; ln -s "$PWD/E" D; cut E/search.md
        two links in its place: git mv D E; ln -s E F; ln -s F D; cut E/search.md
        a link that leaves the repository and returns: git mv D E; ln -s "../$(basename "$PWD")/E" D; cut E/search.md
        a link in place of a folder above:
            mkdir E; git mv D/* E; rmdir D; mkdir -p p/q; ln -s ../../E p/q/D; ln -s p/q/D D; cut E/search.md
        a file in its place: mv D ../E; cp ../E/search.md D; cut D
        the folder moved out of the repository: mv D ../D; ln -s ../D D; cut D/search.md
        a link to the top of the repository: mv D/* .; rmdir D; ln -s . D; cut search.md
        a link to a subfolder of notes: mv D notes/D; ln -s notes/D D; cut notes/D/search.md
        the files moved into a subfolder: mkdir D/in; git mv D/*.* D/in; cut D/in/search.md
        the definitions moved into a subfolder, without the lock: mkdir D/in; git mv D/*.md D/in; cut D/in/search.md
        a repository in its place:
            mv D E; git init -q -b main D; cp E/* D; cut D/search.md
            (cd D && git add -A && git commit -qm x); rm -rf E
        a clone of the repository in its place:
            git clone -q . ../C; rm -rf D; mv ../C D
            (cd D && git switch -q main && mv D/* . && rmdir D && cut search.md && git add -A && git commit -qm x)
            (cd D && git branch -f main HEAD~1 2>/dev/null || git switch -qc other && git branch -f main HEAD~1)
        a submodule in its place:
            mkdir ../S; cp D/* ../S; (cd ../S; git init -q -b main; cut search.md; git add -A; git commit -qm x)
            git rm -rq D; git submodule --quiet add "$PWD/../S" D
        a worktree in its place:
            git worktree add -q ../W -b wt; rm -rf D; mv ../W D; (cd D; mv D/* .; rmdir D; cut search.md)
            git worktree repair D >/dev/null 2>&1 || true; git rm -rq --cached D
        the file renamed to README.md: git mv D/search.md D/README.md
        the file hidden: git mv D/search.md D/.search.md
        the file in a hidden folder: mkdir D/.in; git mv D/search.md D/.in/search.md
        the file in the folder of outputs: mkdir D/Generated; git mv D/search.md D/Generated
        the file in a DocC catalog: mkdir D/a.docc; git mv D/search.md D/a.docc
        the file with another extension: git mv D/search.md D/search.markdown
        the extension in capitals: git mv D/search.md D/search.MD; cut D/search.MD
        the file's name in capitals: git mv D/search.md D/Search.md; cut D/Search.md
        the file renamed: git mv D/search.md D/find.md; cut D/find.md
        all files renamed: for f in search home; do git mv D/$f.md D/x$f.md; done; cut D/xsearch.md
        a file for a subfolder's former one: mkdir D/in; git mv D/search.md D/home.md D/in; cut D/in/search.md
        the file moved next to the folder: git mv D/search.md notes/search.md
        a link to another file: git mv D/search.md notes/x.md; cut notes/x.md; ln -s ../notes/x.md D/search.md
        a broken link: rm D/search.md; ln -s nowhere D/search.md
        a link to a folder: rm D/search.md; ln -s ../notes D/search.md
        a folder in the file's place: rm D/search.md; mkdir D/search.md; touch D/search.md/x
        an empty file: : >D/search.md
        only a title: echo '# search' >D/search.md
        the event in a code block: sed -i 's/^## tap/```\n## tap/' D/search.md; echo '```' >>D/search.md
        the event in a comment: sed -i 's/^## tap/<!--\n## tap/' D/search.md; echo '-->' >>D/search.md
        the event under another level: sed -i 's/^## tap/### tap/' D/search.md
        the event in a quotation: sed -i 's/^## tap/> ## tap/' D/search.md
        another category: sed -i 's/^# search/# find/' D/search.md
        another letter of the same look: sed -i "s/^## tap/## t$(printf '\320\260')p/" D/search.md
        attributes with export-ignore: cut D/search.md; echo '*.md export-ignore' >.gitattributes
        attributes with line ends: cut D/search.md; echo '* text eol=crlf' >.gitattributes
        attributes with a filter:
            cut D/search.md; git config filter.none.smudge 'sed "/^## tap/,\$d"'; git config filter.none.clean cat
            echo '*.md filter=none' >.gitattributes
        attributes with a required filter that fails:
            cut D/search.md; git config filter.no.smudge false; echo '*.md filter=no' >.git/info/attributes
        attributes with binary: cut D/search.md; echo '* binary -diff' >.gitattributes
        the folder is ignored: cut D/search.md; echo D >.gitignore
        a sparse checkout: cut D/search.md; git commit -qam x; git sparse-checkout set --no-cone /D/ 2>/dev/null
        `definitions` names a subfolder:
            mkdir D/in; mv D/*.md D/*.lock D/in; echo 'definitions: in' >>D/loggen.yml; cut D/in/search.md
        `definitions` names a subfolder with copies:
            mkdir D/in; cp D/*.md D/*.lock D/in; echo 'definitions: in' >>D/loggen.yml; cut D/in/search.md
        `definitions` lists a module:
            mkdir D/in; mv D/*.md D/in; echo 'definitions: {In: in}' >>D/loggen.yml; rm D/in/search.md
        `definitions` lists a module of copies:
            mkdir D/in; cp D/*.md D/in; printf 'outputs: {}\ndefinitions: {In: in}\n' >D/loggen.yml; cut D/in/search.md
        modules above the folder, the lock kept:
            rm D/loggen.yml D/search.md; printf 'outputs: {}\ndefinitions: {D: D}\n' >loggen.yml
        modules above the folder, the lock moved:
            rm D/loggen.yml D/search.md; mv D/loggen.lock .; printf 'outputs: {}\ndefinitions: {D: D}\n' >loggen.yml
        modules in the folder, from above:
            mkdir D/in; mv D/home.md D/in; rm D/loggen.yml; printf 'outputs: {}\ndefinitions: {D: D/in}\n' >loggen.yml
        loggen.yml as a broken link: ln -sf nowhere D/loggen.yml
        loggen.yml as a link to itself: ln -sf loggen.yml D/loggen.yml
        loggen.yml as a folder: rm D/loggen.yml; mkdir D/loggen.yml; touch D/loggen.yml/x
        loggen.yml as a link to `definitions`:
            mkdir D/in; cp D/*.md D/*.lock D/in; cut D/in/search.md; echo 'definitions: in' >o.yml;
            ln -sf ../o.yml D/loggen.yml
        loggen.yml without the event: rm D/loggen.yml; cut D/search.md
        rules switched off: echo 'rules: {deleted-event: off}' >>D/loggen.yml; cut D/search.md
        the lock without the event: cut D/search.md; sed -i '/search.tap/d' D/loggen.lock
        the lock as a broken link: ln -sf nowhere D/loggen.lock
        the lock as a link to another:
            cut D/search.md; sed '/search.tap/d' D/loggen.lock >other; ln -sf ../other D/loggen.lock
        the lock moved into a subfolder: mkdir D/in; git mv D/loggen.lock D/in; cut D/search.md
        the lock written again: cut D/search.md; rm D/loggen.lock; ! loggen lock -q D
        """#)

    static let moduleChanges = changes(
        .modules,
        #"""
        the event is deleted: cut Sources/Search/search.md
        a module renamed, a link in its place:
            git mv Sources/Search Other; ln -s ../Other Sources/Search; cut Other/search.md
        an absolute link in a module's place:
            git mv Sources/Search Other; ln -s "$PWD/Other" Sources/Search; cut Other/search.md
        a link in place of the folder of modules: git mv Sources Code; ln -s Code Sources; cut Code/Search/search.md
        a module with another folder:
            cp -r Sources/Search Other; cut Other/search.md;
            sed -i 's/^def.*/definitions: {AppLogs: , Search: Other}/' loggen.yml
        a module in an earlier folder of targets:
            mkdir -p src; git mv Sources/AppLogs Sources/Search src; cut src/Search/search.md
        a module left out: sed -i 's/, Search//' loggen.yml
        a module left out, and its folder deleted: rm -r Sources/Search; sed -i 's/, Search//' loggen.yml
        a folder for the modules:
            sed -i 's/^def.*/definitions: Sources\/AppLogs/' loggen.yml; cp loggen.lock Sources/AppLogs
        no `definitions`: sed -i '/^def/d' loggen.yml; cut Sources/Search/search.md
        no loggen.yml: rm loggen.yml; cut Sources/Search/search.md
        loggen.yml as a link: sed 's/, Search//' loggen.yml >o.yml; ln -sf o.yml loggen.yml
        a module's own loggen.yml: mkdir Sources/Search/in; echo 'definitions: in' >Sources/Search/loggen.yml
        a module among the checked-out packages:
            mkdir -p .build/checkouts/p; mv Sources .build/checkouts/p;
            cut .build/checkouts/p/Sources/Search/search.md; git add -f .build
        a repository in a module's place:
            (cd Sources/Search; cut search.md; git init -q; git add -A; git commit -qm x);
            git rm -rq --cached Sources/Search
        """#)

    static let consumerChanges = changes(
        .consumers,
        #"""
        the owners are not asked: drop
        an empty manifest: drop; echo '{"nodes": {}}' >analytics/target/manifest.json
        a manifest without exposures: drop; sed -i 's/"exposures"/"none"/' analytics/target/manifest.json
        another owner: drop; sed -i 's/@growth/a/' analytics/target/manifest.json
        no owner: drop; sed -i 's/"name": "@growth"//' analytics/target/manifest.json
        another name of the exposure: drop; sed -i 's/"board"/"table"/; s/@growth/a/' analytics/target/manifest.json
        another exposure with the same label:
            drop
            sed -i 's/"exposure.shop.board": {/"exposure.shop.other": {"label": "board", /; s/@growth/a/' \
                analytics/target/manifest.json
        the manifest deleted: drop; rm analytics/target/manifest.json
        the project deleted: drop; rm -r analytics; mkdir analytics; touch analytics/x
        the project's file deleted: drop; rm analytics/dbt_project.yml
        the project renamed:
            drop; git mv analytics reports; sed -i 's/analytics/notes/' D/loggen.yml; mkdir notes; touch notes/x
        a link to an empty project:
            drop; git mv analytics reports; mkdir e; echo 'name: e' >e/dbt_project.yml; mkdir e/target;
            echo '{}' >e/target/manifest.json; ln -s e analytics
        `consumers` without the project: drop; mkdir q; touch q/x; sed -i 's/analytics/q/' D/loggen.yml
        no `consumers`: drop; sed -i '/consumers/d; /acceptance/d' D/loggen.yml
        no `acceptance`: drop; sed -i '/acceptance/d' D/loggen.yml
        `acceptance` of anyone: drop; sed -i 's/owners/anyone/' D/loggen.yml
        no loggen.yml: drop; rm D/loggen.yml
        loggen.yml as a link: drop; echo 'outputs: {}' >o.yml; ln -sf ../o.yml D/loggen.yml
        loggen.yml as a link out of the repository: drop; echo 'outputs: {}' >../o.yml; ln -sf ../../o.yml D/loggen.yml
        other names of tables: drop; echo 'tables: {search__show: x.y}' >>D/loggen.yml
        the folder renamed, with another loggen.yml:
            git mv D E; ln -s E D; sed -i '/acceptance/d; /consumers/d' E/loggen.yml; drop
        """#)

    @Test("A change cannot switch off its review", arguments: folderChanges + moduleChanges + consumerChanges)
    func hostileChange(_ change: Change) throws {
        let result = try Self.review(change)
        #expect(result.code != 0, "\(result.out)\(result.error)")
    }

    @Test("A repository without a change passes", arguments: [Fixture.folder, .modules, .consumers])
    func withoutAChange(_ fixture: Fixture) throws {
        let result = try Self.review(Change(fixture, "nothing", "true"))
        #expect(result.code == 0 && result.out.contains("are the same as in `main`"), "\(result.out)\(result.error)")
    }

    /// The base of the second change has the trap of the first.
    @Test(
        "A change cannot switch off the review of the next one",
        arguments: [
            Change(.folder, "an absolute link", #"git mv D E; ln -s "$PWD/E" D"#),
            Change(
                .folder, "a link that leaves the repository and returns",
                #"git mv D E; ln -s "../$(basename "$PWD")/E" D"#),
            Change(
                .folder, "a link to the file in the clone",
                #"mkdir E; git mv D/search.md E; ln -s "$PWD/E/search.md" D/search.md"#),
            Change(
                .folder, "attributes of the base",
                "echo '*.md ident eol=crlf' >D/.gitattributes"),
            Change(.modules, "an absolute link", #"git mv Sources/Search E; ln -s "$PWD/E" Sources/Search"#),
        ])
    func twoChanges(_ change: Change) throws {
        let cut =
            "git add -A; git commit -qm first; git branch -qf main; cut \"$(git ls-files | grep search.md | tail -1)\""
        let moved =
            "; f=$(find -L . -name search.md -not -path './.git/*' | head -1); "
            + "sed -i --follow-symlinks '/^## tap/,$d' \"$f\""
        let result = try Self.review(
            Change(change.fixture, change.name, change.script + "\n" + cut.replacing(/cut .*/, with: "true") + moved))
        #expect(result.code != 0, "\(result.out)\(result.error)")
    }
}
