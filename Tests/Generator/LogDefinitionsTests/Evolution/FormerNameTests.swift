import MarkdownSyntax
import TestSupport
import Testing

@testable import LogDefinitions

/// Tests of former names: `renamed from` in tables of columns, details and values.
struct FormerNameTests {
    struct Vocabulary {
        var files: [String: String]

        init(_ files: [String: String]) { self.files = files }

        /// A category `shop` with an event that has a table of columns.
        init(event: String = "buy", details: String = "", columns: String, types: String? = nil) {
            let details = details.isEmpty ? "" : "| key | value |\n| --- | --- |\n| \(details) |\n\n"
            let table = "| column | type | renamed from |\n| --- | --- | --- |\n\(columns)\n"
            files = ["shop.md": "# shop\n\n## \(event)\n\n\(details)\(table)"]
            if let types { files["types.md"] = "# types\n\n" + types }
        }

        var analysis: Analysis {
            get async {
                await Analysis.run(
                    files.map {
                        SourceFile(path: $0.key, relativePath: $0.key, source: SourceText(Array($0.value.utf8)))
                    })
            }
        }

        /// The messages of the analysis and of the comparison with a lock file.
        func problems(since lock: LockFile?) async -> [String] {
            var analysis = await analysis
            analysis.checkFormerNames(since: lock?.latest)
            return analysis.diagnostics.map(\.message)
        }

        /// Returns the drift since a lock file, after checking that the vocabulary has no errors.
        func drift(since lock: LockFile) async -> Drift {
            let problems = await problems(since: lock)
            #expect(problems == [])
            return await Drift.between(lock.latest, and: await analysis.definitions, scope: .everything).drift
        }

        /// Returns the lock file after `loggen lock --accept`.
        func locked(since lock: LockFile = .empty(path: "loggen.lock")) async -> LockFile {
            let definitions = await analysis.definitions
            let drift = await Drift.between(lock.latest, and: definitions, scope: .everything).drift
            let bytes = lock.recording(drift.events.filter { !$0.isRefused })
            return LockFile(
                SourceFile(path: "loggen.lock", relativePath: "loggen.lock", source: SourceText(bytes)))
        }
    }

    private func text(_ lock: LockFile) -> [String] {
        String(decoding: lock.file.source.bytes, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
    }

    @Test("A renamed column continues its versions with the next model, and its old name stays reserved")
    func columnRename() async throws {
        let lock = await Vocabulary(columns: "| key | int64 | |").locked()
        let new = Vocabulary(columns: "| item_id | int64 | `key` |")
        let drift = await new.drift(since: lock)
        let change = try #require(drift.events.first?.changes.first)
        #expect(drift.events.map(\.changes.count) == [1] && drift.deleted == [])
        #expect(change.what == "is renamed from `key`" && change.subject == .column("item_id"))
        #expect(change.breaks == [.appCode, .warehouse] && change.bump == .model)
        let second = await new.locked(since: lock)
        #expect(
            text(second) == [
                "shop.buy 1-0-0 active key:int64", "shop.buy 2-0-0 active item_id:int64 ~key=item_id",
            ])
        #expect(await new.drift(since: second).events.isEmpty)
        let again = Vocabulary(columns: "| item_id | int64 | `key` |\n| key | int64? | |")
        #expect(await again.problems(since: second).contains { $0.hasPrefix("the column `key` is still defined") })
        let forgotten = Vocabulary(columns: "| item_id | int64 | |\n| key | int64? | |")
        #expect(await forgotten.drift(since: second).events.map(\.isRefused) == [true])
    }

    @Test("A renamed event continues the versions of its old name, which is not deleted")
    func eventRename() async throws {
        let lock = await Vocabulary(columns: "| key | int64 | |\n| row | int? | |").locked()
        let new = Vocabulary(event: "purchase", details: "renamed from | buy", columns: "| key | int64 | |")
        let drift = await new.drift(since: lock)
        let event = try #require(drift.events.first)
        #expect(drift.deleted == [] && event.formerName == "shop.buy" && event.newVersion.description == "2-0-0")
        #expect(event.changes.map(\.what) == ["is renamed from `shop.buy`", "was optional and is deleted"])
        let second = await new.locked(since: lock)
        #expect(text(second).last == "shop.purchase 2-0-0 active @renamed-from=shop.buy key:int64")
        #expect(await new.drift(since: second).events.isEmpty)
        // Without its former name, the old event counts as deleted.
        let forgotten = await Vocabulary(event: "purchase", columns: "| key | int64 | |").drift(since: second)
        #expect(forgotten.deleted == ["shop.buy"])
    }

    @Test("The former name of an event cannot be defined again")
    func reservedEvent() async throws {
        let columns = "| key | int64 | |"
        let lock = await Vocabulary(columns: columns).locked()
        let second = await Vocabulary(event: "purchase", details: "renamed from | buy", columns: columns)
            .locked(since: lock)
        let drift = await Vocabulary(columns: columns).drift(since: second)
        // The event probably continues the deleted one.
        #expect(drift.events.map(\.isRefused) == [true] && drift.renames == ["shop.purchase": "shop.buy"])
        let table = "\n\n| column | type |\n| --- | --- |\n| key | int64 |\n\n"
        let both = await Vocabulary(["shop.md": "# shop\n\n## buy\(table)## purchase\(table)"]).drift(since: second)
        #expect(
            both.events.map { $0.changes.map(\.what) } == [
                ["was renamed to `shop.purchase` and is defined again, but its name stays reserved"]
            ])
    }

    @Test("A former name that follows from one of the category may be written")
    func repeatedName() async throws {
        let text =
            "# store\n\n| key | value |\n| --- | --- |\n| renamed from | shop |\n\n## get\n\n"
            + "| key | value |\n| --- | --- |\n| renamed from | buy, shop.buy |\n"
        let analysis = await Vocabulary(["store.md": text]).analysis
        #expect(analysis.diagnostics.isEmpty)
        let event = try #require(analysis.definitions.categories.first?.events.first)
        #expect(event.formerNames.map(\.name) == ["store.buy", "shop.buy", "shop.get"])
    }

    @Test("The events of a renamed category, and a moved event, continue their versions")
    func moves() async throws {
        let columns = "| column | type |\n| --- | --- |\n| key | int64 |\n"
        let old = Vocabulary([
            "shop.md": "# shop\n\n## buy\n\n\(columns)\n## look\n\n\(columns)", "home.md": "# home\n\n## open\n",
        ])
        let lock = await old.locked()
        let new = Vocabulary([
            "store.md": "# store\n\n| key | value |\n| --- | --- |\n| 旧名 | shop |\n\n## buy\n\n\(columns)",
            "home.md":
                "# home\n\n## open\n\n## browse\n\n| key | value |\n| --- | --- |\n| renamed from | `shop.look` |\n\n\(columns)",
        ])
        let drift = await new.drift(since: lock)
        #expect(drift.deleted == [])
        let moved = drift.events.map { "\($0.formerName ?? "") -> \($0.name) \($0.newVersion)" }
        #expect(moved == ["shop.look -> home.browse 2-0-0", "shop.buy -> store.buy 2-0-0"])
    }

    @Test("A renamed value breaks code and queries, and its old name stays reserved")
    func valueRename() async throws {
        let types = "## Order\n\n| value | renamed from |\n| --- | --- |\n"
        func vocabulary(_ rows: String) -> Vocabulary {
            Vocabulary(columns: "| order | Order | |", types: types + rows)
        }
        let lock = await vocabulary("| newest | |\n| old, odd | |\n").locked()
        let new = vocabulary("| latest | newest |\n| odd | `old, odd` |\n")
        let drift = await new.drift(since: lock)
        #expect(
            drift.events.first?.changes.map(\.what) == [
                "renames the value `newest` to `latest`", "renames the value `old, odd` to `odd`",
            ])
        #expect(drift.events.first?.changes.breaks == [.appCode, .warehouse])
        let second = await new.locked(since: lock)
        #expect(
            text(second).last
                == "shop.buy 2-0-0 active order:Order=enum(latest,odd) ~Order.newest=latest ~Order.old%2C%20odd=odd")
        #expect(await new.drift(since: second).events.isEmpty)
        let again = await vocabulary("| latest | |\n| odd | `old, odd` |\n| newest | |\n").drift(since: second)
        #expect(again.events.map(\.isRefused) == [true])
    }

    @Test("Renamed values keep their history if their type is renamed, gets a name or a column moves to it")
    func typeRename() async throws {
        func vocabulary(_ type: String, _ rows: String, column: String = "order") -> Vocabulary {
            Vocabulary(
                columns: "| \(column) | \(type) | \(column == "order" ? "" : "order") |",
                types: rows.isEmpty ? nil : "## \(type)\n\n| value | renamed from |\n| --- | --- |\n\(rows)")
        }
        let plain = await vocabulary("enum(newest, popular)", "").locked()
        let named = vocabulary("Order", "| latest | newest |\n| popular | |\n")
        #expect(
            await named.drift(since: plain).events.first?.changes.map(\.what) == [
                "has a type with another name: `enum(newest, popular)` → `Order`",
                "renames the value `newest` to `latest`",
            ])
        let lock = await named.locked(since: plain)
        let renamed = vocabulary("Sort", "| latest | newest |\n| popular | |\n")
        #expect(
            await renamed.drift(since: lock).events.first?.changes.map(\.what) == [
                "has a type with another name: `Order` → `Sort`"
            ])
        let second = await renamed.locked(since: lock)
        #expect(text(second).last == "shop.buy 2-0-0 active order:Sort=enum(latest,popular) ~Sort.newest=latest")
        #expect(await renamed.drift(since: second).events.isEmpty)
        #expect(second.linesLost(since: lock).isEmpty)
        let moved = vocabulary("Rank", "| best | popular |\n| latest | newest |\n", column: "sort")
        #expect(
            await moved.drift(since: second).events.first?.changes.map(\.what) == [
                "is renamed from `order`", "has a type with another name: `Sort` → `Rank`",
                "renames the value `popular` to `best`",
            ])
        for forgotten in ["| latest | |\n| popular | |\n", ""] {
            let type = forgotten.isEmpty ? "enum(latest, popular)" : "Sort"
            let drift = await vocabulary(type, forgotten).drift(since: lock)
            #expect(
                drift.events.first?.changes.map(\.what).last == "no longer has the former value `newest`", "\(type)")
            #expect(drift.events.first?.isBreaking == true)
        }
        let unknown = await vocabulary("Rank", "| latest | odd |\n| popular | |\n").problems(since: lock)
        #expect(unknown == ["loggen.lock has no value `odd`"])
    }

    @Test("A column, an event and a value can return to their former names, also through another one")
    func returns() async throws {
        func vocabulary(_ event: String, _ column: String, _ value: String, from former: [String] = ["", "", ""])
            -> Vocabulary
        {
            Vocabulary(
                event: event, details: former[0].isEmpty ? "" : "renamed from | \(former[0])",
                columns: "| \(column) | int64 | \(former[1]) |\n| order | Order | |",
                types: "## Order\n\n| value | renamed from |\n| --- | --- |\n| \(value) | \(former[2]) |\n| none | |\n")
        }
        let first = await vocabulary("buy", "key", "newest").locked()
        let second = await vocabulary("purchase", "item_id", "latest", from: ["buy", "key", "newest"])
            .locked(since: first)
        let back = vocabulary("buy", "key", "newest", from: ["purchase", "item_id", "latest"])
        let drift = await back.drift(since: second)
        #expect(drift.deleted == [] && drift.events.map(\.newVersion.description) == ["3-0-0"])
        #expect(
            drift.events.first?.changes.map(\.what) == [
                "is renamed from `shop.purchase`", "is renamed from `item_id`",
                "renames the value `latest` to `newest`",
            ])
        let third = await back.locked(since: second)
        #expect(
            text(third).contains(
                "shop.buy 3-0-0 active @renamed-from=shop.purchase key:int64 order:Order=enum(newest,none) "
                    + "~Order.latest=newest ~item_id=key"))
        #expect(await back.drift(since: third).events.isEmpty)
        // Through a third name.
        let other = vocabulary("order", "ref", "new", from: ["purchase, buy", "item_id, key", "latest, newest"])
        let fourth = vocabulary("buy", "key", "newest", from: ["order, purchase", "ref, item_id", "new, latest"])
        let lock = await fourth.locked(since: other.locked(since: second))
        #expect(await fourth.drift(since: lock).events.isEmpty)
        #expect(text(lock).contains { $0.hasPrefix("shop.buy 4-0-0 ") })
        // The way there again.
        let again = vocabulary("purchase", "item_id", "latest", from: ["buy", "key", "newest"])
        let drifted = await again.drift(since: third)
        #expect(drifted.events.map(\.newVersion.description) == ["4-0-0"] && drifted.deleted == [])
        #expect(await again.drift(since: again.locked(since: third)).events.isEmpty)
        let short = Vocabulary(
            event: "purchase", details: "renamed from | buy", columns: "| key | int32 | item_id |\n| order | string | |"
        )
        #expect(
            await short.problems(since: second) == [
                "`key` is `int32`, which does not accept all values of `item_id`: `int64`"
            ])
        // Another event does not get the name.
        let stranger = await vocabulary("buy", "key", "newest", from: ["", "", "latest"]).drift(since: second)
        #expect(stranger.events.map(\.isRefused) == [true])
        #expect(stranger.renames == ["shop.purchase": "shop.buy"])
    }

    @Test("A chain of renames keeps all names, and one that is left out is reported")
    func chains() async throws {
        let first = await Vocabulary(columns: "| a | int64 | |").locked()
        let second = await Vocabulary(columns: "| b | int64 | a |").locked(since: first)
        let third = Vocabulary(columns: "| c | int64 | b, a |")
        #expect(await third.drift(since: second).events.first?.changes.map(\.what) == ["is renamed from `b`"])
        let lock = await third.locked(since: second)
        #expect(text(lock).last == "shop.buy 3-0-0 active c:int64 ~a=c ~b=c")
        let short = Vocabulary(columns: "| c | int64 | b |")
        let drift = await short.drift(since: lock)
        #expect(drift.events.first?.changes.map(\.what) == ["no longer has the former name `a`"])
        #expect(drift.events.first?.changes.breaks == .warehouse)
        let later = await short.locked(since: lock)
        #expect(text(later).last == "shop.buy 3-1-0 active c:int64 ~a ~b=c")
        #expect(await short.drift(since: later).events.isEmpty)
    }

    @Test(
        "Former names that cannot be right are errors at their places",
        arguments: [
            ("| b | int64 | x |", "loggen.lock has no column `x`"),
            ("| a | int64 | |\n| b | int64 | a |", "the column `a` is still defined, so `b` cannot continue it"),
            ("| ~~a~~ | int64 | |\n| b | int64 | a |", "the column `a` is still defined, so `b` cannot continue it"),
            ("| b | int64 | a |\n| c | int64 | a |", "the former name `a` has two heirs, `b` and `c`"),
            ("| a | int64 | a |", "`a` is its own former name"),
            ("| b | int32 | a |", "`b` is `int32`, which does not accept all values of `a`: `int64`"),
            ("| b | int64 | o |", "`b` is `int64`, which does not accept all values of `o`: `int64?`"),
            ("| b | int64 | A b |", "`A b` is not the name of a column"),
        ])
    func errors(columns: String, message: String) async {
        let lock = await Vocabulary(columns: "| a | int64 | |\n| o | int64? | |").locked()
        let problems = await Vocabulary(columns: columns).problems(since: lock)
        #expect(problems == [message])
    }

    @Test("A common column with a former name of several events' columns is one error at the common column")
    func takenByCommonColumn() async {
        let table = "| column | type | renamed from |\n| --- | --- | --- |\n| place | int | rank |\n"
        let analysis = await analyse([
            "common.md": "# common\n\n| column | type |\n| --- | --- |\n| rank | int |\n",
            "shop.md": "# shop\n\n## buy\n\n\(table)\n## sell\n\n\(table)",
        ])
        #expect(
            analysis.diagnostics.map(\.message) == [
                "the common column `rank` has the former name of `place` in 2 events"
            ])
    }

    @Test("After an accepted change of its type, a column can have all of its former names")
    func namesBeforeAnotherType() async {
        let first = await Vocabulary(columns: "| b | double? | |").locked()
        let second = await Vocabulary(columns: "| a | double? | b |").locked(since: first)
        let third = await Vocabulary(columns: "| a | string? | b |").locked(since: second)
        #expect(await Vocabulary(columns: "| c | string? | a, b |").problems(since: third) == [])
        #expect(
            await Vocabulary(columns: "| c | string? | a, b |").problems(since: second) == [
                "`c` is `string?`, which does not accept all values of `a`: `double?`"
            ])
    }

    @Test("Before the first lock file, a former name is a warning; afterwards it is recorded")
    func firstLock() async throws {
        let new = Vocabulary(event: "purchase", details: "renamed from | buy", columns: "| item_id | int64 | key |")
        var analysis = await new.analysis
        analysis.checkFormerNames(since: nil)
        #expect(analysis.diagnostics.map(\.severity) == [.warning, .warning])
        let lock = await new.locked()
        #expect(await new.drift(since: lock).events.isEmpty)
    }

    @Test("A former name stays with its heir", arguments: ["events", "columns", "common columns", "values"])
    func formerNamesStayWithTheirHeirs(_ kind: String) async {
        func vocabulary(_ rows: [(name: String, former: String)]) -> Vocabulary {
            let table = rows.map { "| \($0.name) | int | \($0.former) |\n" }.joined()
            switch kind {
            case "columns": return Vocabulary(columns: table)
            case "values":
                let values = rows.map { "| \($0.name) | \($0.former) |\n" }.joined()
                return Vocabulary(
                    columns: "| t | T | |", types: "## T\n\n| value | renamed from |\n| --- | --- |\n" + values)
            case "events":
                let sections = rows.map { row in
                    "\n## \(row.name)\n"
                        + (row.former.isEmpty
                            ? "" : "\n| key | value |\n| --- | --- |\n| renamed from | \(row.former) |\n")
                }
                return Vocabulary(["shop.md": "# shop\n" + sections.joined()])
            default:
                let header = "# common\n\n| column | type | renamed from |\n| --- | --- | --- |\n"
                return Vocabulary(["shop.md": "# shop\n\n## buy\n", "common.md": header + table])
            }
        }
        let lock = await vocabulary([("one", "a"), ("two", "b")]).locked(
            since: vocabulary([("a", ""), ("b", "")]).locked())
        let base = Baseline(await vocabulary([("one", "a"), ("two", "b")]).analysis.definitions)
        for (first, second) in [("b", "a"), ("b", ""), ("a, b", "")] {
            let new = await vocabulary([("one", first), ("two", second)]).analysis.definitions
            for baseline in [lock.latest, base] {
                let drift = await Drift.between(baseline, and: new, scope: .everything).drift
                #expect(drift.events.contains { $0.isRefused }, "\(first) and \(second)")
            }
        }
        // A dropped name is reported with its next heir, too.
        guard kind != "events" else { return }
        let dropped = await vocabulary([("one", ""), ("two", "b")]).locked(since: lock)
        let next = await vocabulary([("one", ""), ("two", "b, a")]).analysis.definitions
        let drift = await Drift.between(dropped.latest, and: next, scope: .everything).drift
        #expect(drift.events.first?.changes.breaks == .warehouse)
    }

    @Test("A retired event that becomes a former name is a rename")
    func aRetiredEventCanBeContinued() async {
        let retired = Vocabulary(["shop.md": "# shop\n\n## ~~old~~\n\n## buy\n"])
        let table = "| key | value |\n| --- | --- |\n| renamed from | old |\n"
        let new = Vocabulary(["shop.md": "# shop\n\n## buy\n\n" + table])
        let lock = await retired.locked()
        let changes = await new.drift(since: lock).events.flatMap(\.changes)
        #expect(changes.map(\.what) == ["is renamed from `shop.old`"] && changes.bump == .model)
        #expect(await new.drift(since: new.locked(since: lock)).events.isEmpty)
    }

    @Test("Two columns of one version cannot become one")
    func merging() async {
        let lock = await Vocabulary(columns: "| a | int64? | |\n| b | int64? | |").locked()
        let one = await Vocabulary(columns: "| b | int64? | a |").problems(since: lock)
        let two = await Vocabulary(columns: "| c | int64? | a, b |").problems(since: lock)
        #expect(one == ["records have both `a` and `b`, which cannot become one column"])
        #expect(two == ["records have both `a` and `b`, which cannot become one column"])
    }

    @Test("An event with more than half of the columns of a deleted one probably continues it")
    func likeness() async {
        let lock = await Vocabulary(columns: "| a | int | |\n| b | int | |\n| c | int? | |").locked()
        let most = Vocabulary(event: "order", columns: "| a | int | |\n| b | int | |")
        let few = Vocabulary(event: "order", columns: "| a | int | |\n| d | bool | |")
        #expect(await most.drift(since: lock).renames == ["shop.buy": "shop.order"])
        #expect(await few.drift(since: lock).renames == [:])
    }

    @Test("The details of a category are inherited without its former names")
    func inheritance() async throws {
        let text = "# store\n\n| key | value |\n| --- | --- |\n| owner | @shop |\n| renamed from | shop |\n\n## buy\n"
        let definitions = await Vocabulary(["store.md": text]).analysis.definitions
        let event = try #require(definitions.categories.first?.events.first)
        #expect(event.details.texts.map(\.key) == [.owner])
        #expect(event.formerNames.map(\.name) == ["shop.buy"])
    }

    /// The former names of an event, of columns and of values, and the definitions that have them.
    enum Many: String, CaseIterable {
        case ofEvent, ofColumns, ofValues

        func vocabulary(_ count: Int) -> Vocabulary {
            let rows = (0..<count).map { "| a\($0) | int | b\($0) |" }.joined(separator: "\n")
            let names = (0..<count).map { "b\($0)" }.joined(separator: ", ")
            return switch self {
            case .ofEvent: Vocabulary(details: "renamed from | \(names)", columns: "| a | int | |")
            case .ofColumns: Vocabulary(columns: rows)
            case .ofValues:
                Vocabulary(
                    columns: "| a | Order | |",
                    types: "## Order\n\n| value | description | renamed from |\n| --- | --- | --- |\n\(rows)\n")
            }
        }
    }

    @Test("Reading and checking former names takes linear time", arguments: Many.allCases)
    func manyFormerNamesTakeLinearTime(_ many: Many) async {
        let growth = await Growth.ofSixteenTimes(500) { count in
            let problems = await many.vocabulary(count).problems(since: nil)
            #expect(problems.allSatisfy { $0.hasSuffix("cannot be checked: there is no loggen.lock yet") })
        }
        #expect(growth < 96)
    }
}
