import Foundation
import Testing
import TestSupport

/// Tests of `tapgen usage`, which lists the places where events are created.
@Suite(.enabled(if: PackageBuilds.areAsked, Comment(rawValue: PackageBuilds.way)))
struct UsageTests {
    private static let names = [
        "show", "hide", "aliased", "local", "held", "argument", "returned", "computed", "defaulted", "chosen", "cast",
        "listed", "assigned", "bare",
        "handed", "closure",
        "payload", "tapped", "matched", "compared", "caught", "decoyed", "labelled", "unused",
    ]

    private static func definitions() -> String {
        "# search\n"
            + names.map { name in
                let trigger = name == "tapped" ? "\n| key | value |\n| --- | --- |\n| trigger | tap(A.button) |\n" : ""
                let columns =
                    ["show", "labelled"].contains(name)
                    ? "\n| column | type |\n| --- | --- |\n| keyword | string |\n| page | int? |\n" : ""
                return "\n## \(name)\n\(trigger)\(columns)"
            }.joined() + "\n## ~~gone~~\n"
    }

    private static let swift = """
        typealias Log = Search
        enum Other { case decoyed, labelled(Int), hide }
        struct Wrapper { init(event: Search) {} }
        enum Holder { case holds(Search) }
        func post(_ event: Search) {}
        func take(_ other: Other) {}
        func take(labelled other: Other) {}
        func make() -> Search { .returned }
        var computed: Search { .computed }
        extension Search {
            init(_ x: Int) { self = .assigned }
            static func preferred() -> Self { bare }
        }
        class A: UIViewController, TapTrackable { let button = UIButton() }
        func f(_ logger: ActivityLogger, event: Search = .defaulted) throws {
            let a: Search = .show(keyword: "x")
            logger.post(Log.aliased)
            typealias L = Search
            logger.post(L.local)
            let held = Search.self
            logger.post(held.held)
            post(.argument)
            post(event == a ? .chosen : a)
            _ = Wrapper.init(event: .hide)
            _ = .cast as Search
            let list: [Search] = [.listed]
            let made = "x".map(AppLogs.Search.handed)
            let c = { () -> Search in .closure }
            _ = Holder.holds(.payload)
            take(.decoyed)
            take(labelled: .labelled(3))
            let other: Other = .decoyed
            // logger.post(Search.unused)
            print("Search.unused", #"\\(Search.unused)"#)
            switch a { case .matched, .show: break; default: break }
            if case .compared = a {}
            do { try g() } catch Search.caught {}
        }

        """

    @Test("Creating a case in any form uses its event; matching it or another type's case does not")
    func usage() throws {
        let scratch = try Scratch(["Definitions/search.md": Self.definitions(), "App/App.swift": Self.swift])
        let result = try TapPackage.run("usage", "--sources", "App", "--format", "json", in: scratch.url)
        #expect(result.code == 0, "\(result.error)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
        let never = ["matched", "compared", "caught", "decoyed", "labelled", "unused"]
        #expect(json["unused"] as? [String] == never.map { "search.\($0)" })
        let events = try #require(json["events"] as? [[String: Any]])
        #expect(events.count == Self.names.count)
        for (event, name) in zip(events, Self.names) {
            let places = event["places"] as? [[String: Any]] ?? []
            #expect(
                event["event"] as? String == "search.\(name)"
                    && (event["defined_at"] as? String)?.hasPrefix("Definitions/search.md:") == true)
            #expect(places.count == (never.contains(name) ? 0 : 1), "\(name): \(places)")
            for place in places {
                #expect(
                    place["file"] as? String == "App/App.swift" && place["certain"] as? Bool == true,
                    "\(name): \(place)")
                let line = Self.swift.split(separator: "\n", omittingEmptySubsequences: false)[
                    (place["line"] as? Int ?? 1) - 1]
                #expect(
                    name == "tapped" ? place["tap"] as? String == "A.button" : line.contains(name), "\(name): \(line)")
            }
        }
    }

    @Test("If the sources do not determine a case's type, its place is possible if its arguments fit")
    func possible() throws {
        let scratch = try Scratch([
            "Definitions/search.md": Self.definitions(),
            "App/App.swift":
                "func f() { elsewhere(.hide); elsewhere(.show(keyword: \"x\", page: 2)); elsewhere(.show(animated: "
                + "true)); elsewhere(.labelled(page: 1)) }\n",
        ])
        let result = try TapPackage.run("usage", "Definitions", "--sources", "App", in: scratch.url)
        #expect(
            result.out.hasPrefix(
                "search.show\n  App/App.swift:1:41 (possibly)\nsearch.hide\n  App/App.swift:1:23 (possibly)\n"),
            "\(result.out)")
        #expect(
            result.out.contains("22 of 24 events are never created:\n  search.aliased  Definitions/search.md:")
        )
        #expect(try TapPackage.run("usage", "Definitions", "--sources", "App", "--strict", in: scratch.url).code == 1)
    }

    @Test("Calls by the former names of an event and of its columns are its places, and marked")
    func formerNames() throws {
        let scratch = try Scratch([
            "Definitions/shop.md": """
            # shop

            | key | value |
            | --- | --- |
            | renamed from | store |

            ## purchase

            | key | value |
            | --- | --- |
            | renamed from | buy |

            | column | type | renamed from |
            | --- | --- | --- |
            | item_id | int | key, code |
            """,
            "App/App.swift": """
            func f(_ logger: ActivityLogger) {
                logger.post(Shop.purchase(itemId: 1))
                logger.post(Shop.purchase(key: 1))
                logger.post(Store.buy(code: 1))
                elsewhere(.buy(itemId: 1))
                elsewhere(.buy(other: 1))
            }

            """,
        ])
        let result = try TapPackage.run("usage", "--sources", "App", in: scratch.url)
        #expect(
            result.out == """
                shop.purchase
                  App/App.swift:2:22
                  App/App.swift:3:22 (former name)
                  App/App.swift:4:23 (former name)
                  App/App.swift:5:16 (possibly, former name)
                Each of the 1 events is created somewhere.

                """, "\(result.out) \(result.error)")
        let json = try TapPackage.run("usage", "--sources", "App", "--format", "json", in: scratch.url)
        #expect(json.out.components(separatedBy: "\"former_name\": true").count == 4, "\(json.out)")
    }

    @Test(
        "Generics, other modules' types and functions, and wrong labels are at most possible places"
    )
    func unknown() throws {
        let scratch = try Scratch([
            "Definitions/shop.md": "# shop\n" + "abcdefghijklmnop".map { "\n## \($0)\n" }.joined(),
            "App/App.swift": """
            class Base<Event: LogCategory> { func log(_ e: Event) {} }
            class Sub: Base<Shop> { func f() { log(.a) } }
            struct Wrapper { let event: Shop }
            extension Wrapper { init(code: Int) { self.init(event: .c) } }
            enum Holder { enum Shop { case d } }
            func send(_ data: Data) {}
            func f(m: Model, x: AppEvent) {
                _ = Wrapper(event: .b)
                _ = Holder.Shop.d
                m.send(.e)
                let y: AppEvent = .f
                if x == Shop.g {}
                guard x != .h else { return }
            }
            extension Shop { static func add(i: Int, j: Int) -> Int { let k = 1; return i + j + k }
                    static func all() -> [Shop] { [1].map { other in o } }
                    static func none() -> [Int] { [1].map { p in p } + [2].map { (p: Int) -> Int in p } } }
            func g() { typealias L = Shop; log(L.l) }
            func h() { typealias L = Holder; log(L.m) }
            """,
        ])
        let result = try TapPackage.run("usage", "--sources", "App", "--format", "json", in: scratch.url)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
        #expect(json["unused"] as? [String] == ["d", "g", "h", "i", "j", "k", "m", "n", "p"].map { "shop.\($0)" })
        let certain = try #require(json["events"] as? [[String: Any]]).filter {
            ($0["places"] as? [[String: Any]])?.contains { $0["certain"] as? Bool == true } ?? false
        }
        #expect(certain.compactMap { $0["event"] as? String } == ["shop.l", "shop.o"])
    }

    @Test("The buttons whose taps post an event are in the order of the sources in every run")
    func order() throws {
        let buttons = (0..<8).map { "\($0 == 0 ? "#if" : "#elseif") B\($0)\nlet button = UIButton()\n" }.joined()
        let scratch = try Scratch([
            "Definitions/shop.md": "# shop\n\n## pay\n\n| key | value |\n| --- | --- |\n| trigger | tap(A.button) |\n",
            "App/App.swift": "class A: UIViewController, TapTrackable {\n\(buttons)#endif\n}\n",
        ])
        let result = try TapPackage.run("usage", "--sources", "App", in: scratch.url)
        let places = (1...8).map { "  App/App.swift:\(2 * $0 + 1):5 (tap of A.button)\n" }.joined()
        #expect(result.out.hasPrefix("shop.pay\n" + places), "\(result.out)")
    }

    @Test("In the example app, an event without a post is found, and events of taps count as used")
    func example() throws {
        let result = try TapPackage.run(
            "usage", "Definitions", "--sources", "Examples/Recipes/App", in: Tool.repository)
        #expect(result.out.contains("recipe_detail.save_recipe\n  Examples/Recipes/App/ButtonScreens.swift:"))
        #expect(
            result.out.contains("(tap of RecipeViewController.saveButton)")
                && result.out.contains("home.see_feed_recipe\n  Examples/Recipes/App/"))
        #expect(
            result.out.contains("\n  recipe_detail.share_recipe  Definitions/recipe_detail.md:")
                && !result.out.contains("show_calorie_chart"))
    }
}
