import Foundation
import LogDefinitions
import Testing
import TestSupport

/// Tests of triggers and sources with `tapgen check` and `tapgen generate`.
@Suite(.enabled(if: PackageBuilds.areAsked, Comment(rawValue: PackageBuilds.way)))
struct TriggerTests {
    private static func event(_ name: String, _ target: String) -> String {
        "\n## \(name)\n\n| key | value |\n| --- | --- |\n| trigger | tap(\(target)) |\n"
    }

    private static func scratch(_ events: [(String, String)], _ swift: String) throws -> Scratch {
        try Scratch(["D/shop.md": "# shop\n" + events.map { event($0.0, $0.1) }.joined(), "S/App.swift": swift])
    }

    private static let app = """
        class CartViewController: UIViewController, TapTrackable {
            let payButton = UIButton()
            let titleLabel = UILabel()
            var sumButton: UIButton { payButton }
            let termsButton = UIButton()  // loggen:ignore
            lazy var sendButton = self.makeButton()
        }
        class GiftViewController: CartViewController { let wrapButton = UIButton() }
        class OldViewController: UIViewController { let payButton = UIButton() }
        enum Shop { class Settings: UIViewController, TapTrackable { let a = UIButton() } }
        enum Club { class Settings: UIViewController, TapTrackable { let a = UIButton() } }

        """

    @Test(
        "If a trigger does not name a button, the message names the thing, its place and a fix",
        arguments: [
            (
                "CardViewController.payButton",
                [
                    "the class `CardViewController` is not in the sources",
                    "did you mean `tap(CartViewController.payButton)`?",
                ]
            ),
            ("Nothing.at.all", ["the class `Nothing.at` is not in the sources", "conforms to `TapTrackable`"]),
            (
                "CartViewController.payButon",
                [
                    "`CartViewController` has no button `payButon`", "App.swift:1:7: note: it is declared here",
                    "did you mean `tap(CartViewController.payButton)`?",
                ]
            ),
            (
                "CartViewController.titleLabel",
                ["`titleLabel` of `CartViewController` is not a button: its type is `UILabel`", "App.swift:3:9: note"]
            ),
            ("CartViewController.sumButton", ["is not a button: it is computed", "App.swift:4:9: note"]),
            (
                "CartViewController.sendButton",
                [
                    "`sendButton` of `CartViewController` is not a button: its type is `makeButton`",
                    "App.swift:6:14: note",
                ]
            ),
            ("CartViewController.termsButton", ["is not a button: `// loggen:ignore` excludes it"]),
            (
                "GiftViewController.payButton",
                [
                    "`payButton` belongs to `CartViewController`, which `GiftViewController` inherits from",
                    "write `tap(CartViewController.payButton)`",
                ]
            ),
            (
                "OldViewController.payButton",
                [
                    "`OldViewController` does not conform to `TapTrackable`",
                    "add `extension OldViewController: TapTrackable {}`",
                ]
            ),
            (
                "Settings.a",
                [
                    "`Settings.a` is ambiguous",
                    "write the full name: `tap(Club.Settings.a)` or `tap(Shop.Settings.a)`",
                    "App.swift:10:19: note: `Shop.Settings` is declared here",
                ]
            ),
        ])
    func errors(target: String, texts: [String]) throws {
        let scratch = try Self.scratch([("tap", target)], Self.app)
        let check = try TapPackage.run("check", "D", "--sources", "S", in: scratch.url)
        #expect(check.code == 1)
        #expect(check.error.contains("D/shop.md:7:13: error: "))
        for text in texts { #expect(check.error.contains(text), "\(check.error)") }
        // A target may contain only a part of the sources, but the part must be correct.
        let generate = try TapPackage.run(
            "generate", "D", "--sources", "S", "--output", "out/TapTracking.swift", in: scratch.url)
        let isElsewhere = texts[0].hasSuffix("is not in the sources")
        #expect(generate.code == (isElsewhere ? 0 : 1), "\(generate.error)")
        #expect(scratch.contains("out/TapTracking.swift") == isElsewhere)
    }

    @Test("A button is found by its full name or a suffix, and several events for it are reported")
    func found() throws {
        let scratch = try Self.scratch(
            [("pay", "CartViewController.payButton"), ("open", "Club.Settings.a")], Self.app)
        let check = try TapPackage.run("check", "D", "--sources", "S", in: scratch.url)
        #expect(check.code == 0)
        #expect(
            check.error.contains("no event is posted by the tap of `Shop.Settings.a`")
                && !check.error.contains("`Club.Settings.a`"))
        #expect(
            check.error.contains("tapgen: 2 warnings in 1 Swift file, 4 screens, 4 buttons, 2 of them with an event"),
            "\(check.error)")
        #expect(try TapPackage.run("check", "D", "--sources", "S", "--strict", in: scratch.url).code == 1)
        let twice = try Self.scratch(
            [("pay", "CartViewController.payButton"), ("buy", "CartViewController.payButton")], Self.app)
        let result = try TapPackage.run("check", "D", "--sources", "S", in: twice.url)
        #expect(
            result.code == 1
                && result.error.contains(
                    "D/shop.md:13:13: error: two events are posted by the tap of `CartViewController.payButton`")
        )
        #expect(result.error.contains("D/shop.md:7:13: note: the other is `shop.pay`"), "\(result.error)")
    }

    @Test("loggen.yml sets sources and severities, and can disable posts of buttons without an event")
    func configuration() throws {
        let scratch = try Self.scratch([("pay", "CartViewController.payButton")], Self.app)
        #expect(
            try TapPackage.run("check", "D", in: scratch.url).error.contains(
                "no sources: name them with `--sources`, or as `sources:` in loggen.yml"))
        try scratch.write(
            "sources: ../S\ntaps: {undefined: nothing}\nrules: {tap-undefined: off}\n", to: "D/loggen.yml")
        let check = try TapPackage.run("check", "D", in: scratch.url)
        #expect(
            check.code == 0
                && check.error
                    == "tapgen: no problems in 1 Swift file, 4 screens, 4 buttons, 1 of them with an event\n",
            "\(check.error)"
        )
        let generated = try TapPackage.run("generate", "D", in: scratch.url)
        #expect(
            generated.out.contains("taps.add({ [weak self] in self?.wrapButton }) { _ in nil }")
                && !generated.out.contains("GenericTap"))
        try scratch.write("taps: {undefined: perhaps, buton: X}\n", to: "D/loggen.yml")
        let wrong = try TapPackage.run("check", "D", "--sources", "S", in: scratch.url)
        #expect(
            wrong.code == 1 && wrong.error.contains("`undefined` must be `tap` or `nothing`")
                && wrong.error.contains("did you mean `buttons`?"),
            "\(wrong.error)")
    }

    @Test(
        "Branches declare one button, active events beat deprecated ones, and conditions are kept"
    )
    func conditions() throws {
        let scratch = try Scratch([
            "D/shop.md": "# shop\n" + Self.event("pay", "A.pay") + Self.event("buy", "A.pay")
                + "| deprecated | use pay |\n",
            "S/A.swift":
                "@available(iOS 17, *)\nenum Shop { class A: UIViewController {\n#if DEBUG\n"
                + "let pay = UIButton(type: .system)\n#else\nlet pay = UIButton()\n#endif\n} }\n#if Beta\n"
                + "extension Shop.A: TapTrackable {}\n#endif\n",
        ])
        let result = try TapPackage.run("generate", "D", "--sources", "S", in: scratch.url)
        #expect(result.code == 0, "\(result.error)")
        #expect(result.out.components(separatedBy: "{ _ in Shop.pay }").count == 3, "\(result.out)")
        #expect(
            result.out.contains("#if (Beta)\n/// The requirements for posting the taps of `Shop.A`")
                && result.out.contains("@available(iOS 17, *)\nextension Shop.A: Shop_ATaps"))
        #expect(
            try TapPackage.run("check", "D", "--sources", "S", in: scratch.url).error.contains(
                "no problems in 1 Swift file, 1 screen, 2 buttons"))
    }

    @Test(
        "A private `tapEvents` is reported, and an unlisted superclass with the setting to add"
    )
    func hidden() throws {
        let scratch = try Self.scratch(
            [("pay", "B.pay")],
            "class A: UIViewController, TapTrackable {\n    let a = UIButton()\n"
                + "    private var tapEvents: [UIButton: any LogCategory] { [:] }\n}\n"
                + "class B: BaseViewController { let pay = UIButton() }\n"
        )
        let check = try TapPackage.run("check", "D", "--sources", "S", in: scratch.url)
        #expect(check.error.contains("S/App.swift:3:17: warning: `tapEvents` of `A` is private"), "\(check.error)")
        #expect(check.error.contains("list it in loggen.yml: `taps: {screens: [BaseViewController]}`"))
        try scratch.write("taps: {screens: BaseViewController}\n", to: "D/loggen.yml")
        #expect(try TapPackage.run("check", "D", "--sources", "S", in: scratch.url).code == 0)
    }

    @Test("A foreign file is not overwritten, and a file that is named twice is read once")
    func output() throws {
        let scratch = try Self.scratch([("pay", "CartViewController.payButton")], Self.app)
        try scratch.write("import UIKit\n", to: "Mine.swift")
        let refused = try TapPackage.run("generate", "D", "--sources", "S", "--output", "Mine.swift", in: scratch.url)
        #expect(refused.code == 2 && refused.error.contains("`Mine.swift` was not written by tapgen"))
        #expect(try scratch.read("Mine.swift") == "import UIKit\n")
        let written = try TapPackage.run(
            "D", "--sources", "S", "--sources", scratch.url.appendingPathComponent("S/App.swift").path, "--output",
            "S/T.swift", in: scratch.url)
        #expect(
            written.code == 0 && written.error.contains("tapgen: 1 Swift file, 4 screens, 4 buttons"),
            "\(written.error)")
        let before = try scratch.read("S/T.swift")
        #expect(
            try TapPackage.run("generate", "D", "--sources", "S", "--output", "S/T.swift", "-q", in: scratch.url).code
                == 0)
        #expect(try scratch.read("S/T.swift") == before)
    }

    @Test("Types that generated code cannot name are reported as untracked")
    func unreachable() throws {
        let scratch = try Self.scratch(
            [],
            "private enum A { class C: UIViewController, TapTrackable { let c = UIButton() } }\n"
                + "class B<T>: UIViewController { let b = UIButton() }\nextension B: TapTrackable where T == Int {}\n"
        )
        let result = try TapPackage.run("generate", "D", "--sources", "S", in: scratch.url)
        #expect(result.error.contains("the taps of `A.C` are not tracked: it is private, or in a private type"))
        #expect(
            result.error.contains("the taps of `B` are not tracked: it conforms only under conditions")
                && !result.out.contains("extension"))
        let named = try Self.scratch(
            [("pay", "A.pay")],
            "private class A: UIViewController, TapTrackable { let pay = UIButton() }\n"
                + "extension L<Int>: TapTrackable {}\nclass L<T>: UIViewController { let l = UIButton() }\n"
        )
        let check = try TapPackage.run("check", "D", "--sources", "S", in: named.url)
        #expect(
            check.code == 1 && check.error.contains("D/shop.md:7:13: error: the taps of `A` are not tracked")
                && check.error.contains("the taps of `L` are not tracked"))
    }

    @Test("Names from definitions and files are escaped in literals and comments")
    func hostile() throws {
        let scratch = try Scratch([
            "D/shop.md": "# shop\n" + Self.event("pay", "A.pay"),
            "S/a\"\\(x)\n*.swift": "class A: UIViewController, TapTrackable { private let pay = UIButton() }\n",
        ])
        let result = try TapPackage.run("generate", "D", "--sources", "S", in: scratch.url)
        #expect(result.code == 0)
        #expect(result.out.contains(#"at: "a\"\\(x)\u{a}*.swift:1""#), "\(result.out)")
    }

    @Test(
        "Invalid arguments end with exit code 2 and a message",
        arguments: [
            ["check"], ["check", "missing", "--sources", "S"], ["check", "D", "--sources", "missing"],
            ["generate", "D", "--sources", "D"],
            ["generate", "D", "--sources", "S", "--import", "a b"], ["usage", "D", "--no-such-flag"],
        ])
    func misuse(_ arguments: [String]) throws {
        let scratch = try Self.scratch([("pay", "CartViewController.payButton")], Self.app)
        let result = try Tool.launch(TapPackage.tapgen(), arguments, in: scratch.url)
        #expect(result.code == 2 && !result.error.isEmpty && result.out.isEmpty, "\(result.error)")
    }

    @Test("The help names the commands and their flags")
    func help() throws {
        let scratch = try Scratch()
        let help = try TapPackage.run("--help", in: scratch.url)
        #expect(help.code == 0)
        for word in ["generate", "check", "usage", "Exit codes"] { #expect(help.out.contains(word)) }
        #expect(try TapPackage.run("usage", "--help", in: scratch.url).out.contains("--format"))
    }

    @Test("The examples of `loggen rules` satisfy and violate their rule", arguments: Rule.tapRules)
    func rules(_ rule: Rule) throws {
        for (example, isValid) in [(rule.valid, true), (rule.invalid, false)] {
            let scratch = try Scratch(
                Dictionary(
                    uniqueKeysWithValues: example.files.map {
                        ($0.name.hasSuffix(".swift") ? "S/" + $0.name : "D/" + $0.name, $0.text)
                    }))
            let result = try TapPackage.run("check", "D", "--sources", "S", "--diagnostics", "json", in: scratch.url)
            let rules = try Set(
                result.out.split(separator: "\n").compactMap {
                    try (JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["rule"] as? String
                })
            #expect(rules.contains(rule.name) != isValid, "\(rule.name): \(rules)")
        }
    }
}
