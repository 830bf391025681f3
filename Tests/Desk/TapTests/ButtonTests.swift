import Foundation
import LogDefinitions
import Testing
import TestSupport

/// Tests of the detection of buttons with the real command, which lists the buttons that no definition names.
@Suite(.enabled(if: PackageBuilds.areAsked, Comment(rawValue: PackageBuilds.way)))
struct ButtonTests {
    private static let definitions = "# shop\n\n## open\n"

    /// Returns the buttons of sources, as `Type.property`, in the order of files and lines.
    private static func buttons(_ files: [String: String], configuration: String? = nil) throws -> [String] {
        let scratch = try Scratch(
            ["D/shop.md": definitions].merging(files.map { ("S/" + $0.key, $0.value) }, uniquingKeysWith: { $1 }))
        if let configuration { try scratch.write(configuration, to: "D/loggen.yml") }
        let result = try TapPackage.run("check", "D", "--sources", "S", "--diagnostics", "json", in: scratch.url)
        return try result.out.split(separator: "\n").compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard object?["rule"] as? String == "tap-undefined" else { return nil }
            return (object?["message"] as? String)?.firstMatch(of: /tap of `(.+)`/).map { String($0.1) }
        }
    }

    private static func members(_ text: String, configuration: String? = nil) throws -> [String] {
        try buttons(
            ["A.swift": "class A: UIViewController, TapTrackable {\n\(text)\n}\n"], configuration: configuration
        ).map {
            String($0.dropFirst(2))
        }
    }

    /// Members of a screen, and the names of the buttons among them.
    private static let declarations: [(String, [String])] = [
        ("let a = UIButton()", ["a"]), ("let a = UIButton(type: .system)", ["a"]),
        ("let a = UIButton.init(frame: .zero)", ["a"]),
        ("let a = UIKit.UIButton()", ["a"]), ("let a: UIButton", ["a"]), ("var a: UIButton?", ["a"]),
        ("var a: UIButton!", ["a"]),
        ("var a: Optional<UIButton>", ["a"]), ("var a: Swift.Optional<UIKit.UIButton>", ["a"]),
        ("lazy var a = UIButton()", ["a"]),
        ("private lazy var a: UIButton = { makeButton() }()", ["a"]), ("@IBOutlet weak var a: UIButton!", ["a"]),
        ("@IBOutlet private weak var a: UIButton?", ["a"]), ("unowned let a: UIButton", ["a"]),
        ("private(set) var a = UIButton()", ["a"]),
        ("fileprivate let a: UIButton", ["a"]), ("public internal(set) var a: UIButton", ["a"]),
        ("let a: [UIButton]", ["a"]),
        ("let a: Array<UIButton>", ["a"]), ("var a: [UIButton]?", ["a"]), ("let a: [UIButton?] = []", ["a"]),
        ("let a = [UIButton(), UIButton()]", ["a"]),
        ("let a = [UIButton]()", ["a"]), ("let a: (UIButton)", ["a"]), ("let a: UIButton & Shiny", ["a"]),
        ("let a, b: UIButton", ["a", "b"]),
        ("let a = UIButton(), b = UIButton()", ["a", "b"]), ("let a = { let b = UIButton(); return b }()", ["a"]),
        ("let a = { () -> UIButton in make() }()", ["a"]), ("let a = { UIButton() }()", ["a"]),
        ("let a = make() as UIButton", ["a"]),
        ("let a = make() as! UIButton", ["a"]), ("var a = UIButton() { didSet { } }", ["a"]),
        ("var a: UIButton { willSet { } }", ["a"]),
        ("@Wrapped var a: UIButton", ["a"]), ("let `default` = UIButton()", ["default"]),
        ("let ボタン = UIButton()", ["ボタン"]),
        ("#if DEBUG\nlet a = UIButton()\n#else\nlet b = UIButton()\n#endif", ["a", "b"]),
    ]

    @Test("A cache does not replace another file, and excerpts keep characters whole")
    func cacheAndExcerpt() throws {
        let scratch = try Scratch([
            "D/shop.md": Self.definitions, "note.txt": "mine", "empty.json": "",
            "S/A.swift": "class A: UIViewController, TapTrackable {\n    let ボタン = UIButton()\n}\n",
        ])
        func generate(_ cache: String) throws -> Tool.Result {
            try TapPackage.run("generate", "D", "--sources", "S", "--cache", cache, in: scratch.url)
        }
        let refused = try generate("note.txt")
        #expect(refused.code == 2 && refused.error.contains("`note.txt` is no cache of tapgen"), "\(refused)")
        #expect(try scratch.read("note.txt") == "mine")
        for cache in ["empty.json", "empty.json", "new.json"] { #expect(try generate(cache).code == 0) }
        let check = try TapPackage.run("check", "D", "--sources", "S", in: scratch.url)
        #expect(check.error.contains("    let ボタン = UIButton()"), "\(check)")
    }

    @Test("A property is a button if its declared or evident type is a button", arguments: declarations)
    func found(_ text: String, _ names: [String]) throws {
        #expect(try Self.members(text) == names)
    }

    @Test(
        "Other properties, computed ones, locals and ignored ones are not buttons",
        arguments: [
            "let a = UILabel()", "let a = makeButton()", "var a: UIButton { UIButton() }",
            "var a: UIButton { get { b } set { } }",
            "static let a = UIButton()",
            "class var a: UIButton { UIButton() }", "func a() -> UIButton { let b = UIButton(); return b }",
            "let a: () -> UIButton",
            "let a: [String: UIButton]",
            "let a: Set<UIButton>", "let a: [[UIButton]]", "let (a, b) = (UIButton(), UIButton())",
            "let a = UIButton.self",
            "let a: UIButton.Configuration",
            "let a = UIButton.Configuration.plain()", "// let a = UIButton()", "/* let a = UIButton() */",
            "let a = \"let a = UIButton()\"",
            "let a = \"\"\"\nlet b = UIButton()\n\"\"\"", "let a = UIButton() // loggen:ignore",
            "// loggen:ignore\nlet a = UIButton()",
            "/// A button.\n// loggen:ignore: nobody counts it\nprivate let a = UIButton()",
            "/* loggen:ignore */ let a = UIButton()",
            "let a = PrimaryButton()",
            "struct Inner { let a = UIButton() }", "#Preview { let a = UIButton() }", "let a: UIBarButtonItem",
            "subscript(a: Int) -> UIButton { UIButton() }",
            "func f() { class B: UIViewController, TapTrackable { let a = UIButton() } }",
            "enum UIButton {}\nlet a: UIButton", "let a: Button<Text>",
        ])
    func leftAlone(_ text: String) throws {
        #expect(try Self.members(text) == [])
    }

    @Test("An ignore comment applies to one property, not to its neighbours")
    func ignored() throws {
        #expect(
            try Self.members(
                "let a = UIButton() // loggen:ignore\nlet b = UIButton()\n// loggen:ignore\nlet c = UIButton()\n\n"
                    + "let d = UIButton()"
            )
                == ["b", "d"])
    }

    /// The sources of one or two files, with ` | ` between them, and the buttons.
    private static let screens: [(String, [String])] = [
        ("class A: UIViewController { let a = UIButton() } | extension A: TapTrackable {}", ["A.a"]),
        ("class A: UIViewController { let a = UIButton() } | extension UIViewController: TapTrackable {}", ["A.a"]),
        (
            "class A: UIViewController { let a = UIButton() } | extension UIViewController: @retroactive TapTrackable {}",
            ["A.a"]
        ),
        (
            "class A: UITableViewController { let a = UIButton() }; class B: A { let b = UIButton() } | "
                + "extension UIViewController: TapTrackable {}", ["A.a", "B.b"]
        ),
        ("class A: UIView { let a = UIButton() } | extension UIViewController: TapTrackable {}", []),
        ("class A: Base { let a = UIButton() } | class Base: UIViewController, TapTrackable {}", ["A.a"]),
        (
            "class A: UIViewController, Screen { let a = UIButton() } | protocol Screen: UIViewController, TapTrackable {}",
            ["A.a"]
        ),
        ("typealias T = UIViewController & TapTrackable; class A: T { let a = UIButton() }", ["A.a"]),
        (
            "enum Shop { class A: UIViewController { let a = UIButton() } }; extension Shop.A: TapTrackable {}",
            ["Shop.A.a"]
        ),
        (
            "enum Shop {}; extension Shop { class A: UIViewController, TapTrackable { let a = UIButton() } }",
            ["Shop.A.a"]
        ),
        ("class A<T: P>: UIViewController, TapTrackable where T: Q { let a = UIButton() }", ["A.a"]),
        ("class A: UIViewController, @preconcurrency TapTrackable { let a = UIButton() }", ["A.a"]),
        ("class A: UIViewController, ActivityTrackingUIKit.TapTrackable { let a = UIButton() }", ["A.a"]),
        (
            "#if os(iOS)\nclass A: UIViewController { let a = UIButton() }\n#endif\n"
                + "#if DEBUG\nextension A: TapTrackable {}\n#endif", ["A.a"]
        ),
        ("@Observable @MainActor final class A: UIViewController, TapTrackable { let a = UIButton() }", ["A.a"]),
        (
            "class A: UIViewController { let a = UIButton() }; "
                + "class B: UIViewController, TapTrackable { let b = UIButton() }", ["B.b"]
        ),
        ("class A: UIViewController, TapTrackableOther { let a = UIButton() }", []),
        // Two types with one name: a button's type is the one that is visible at its declaration.
        (
            "enum X { class Tile: UIButton {}; class A: UIViewController, TapTrackable { let a = Tile() } } | "
                + "typealias Tile = UIButton; class B: UIViewController, TapTrackable { let b = Tile() }", ["B.b"]
        ),
        (
            "typealias L = [UIButton]; class A: UIViewController, TapTrackable { let a: L; let b: [L] }", ["A.a"]
        ),
        (
            "typealias L = L; class A: UIViewController, TapTrackable { let a: L; let b: UIButton }", ["A.b"]
        ),
        ("class A: B {}; class B: A { let b = UIButton() }", []),
        (
            "typealias T = T & T & T & T & T & T; class A: UIViewController, TapTrackable { let a: T; let b: UIButton }",
            ["A.b"]
        ),
    ]

    @Test("A type is a screen if it conforms, in whichever file and form", arguments: screens)
    func types(_ sources: String, _ names: [String]) throws {
        let files = zip(["A.swift", "B.swift"], sources.components(separatedBy: " | "))
        #expect(try Self.buttons(Dictionary(uniqueKeysWithValues: files.map { ($0, $1) })) == names)
    }

    @Test("Classes of other modules are screens if the configuration lists them")
    func foreignScreens() throws {
        let files = [
            "A.swift":
                "import Core\nclass A: BaseViewController { let a = UIButton() }\n"
                + "class B: Kit.Screen { let b = UIButton() }"
        ]
        #expect(try Self.buttons(files) == [])
        #expect(
            try Self.buttons(files, configuration: "taps: {screens: [BaseViewController, Screen]}\n") == ["A.a", "B.b"])
    }

    @Test("Extremely deep sources are read")
    func depth() throws {
        let texts = [
            String(repeating: "#if A\n", count: 3000) + String(repeating: "#endif\n", count: 3000),
            "let x: A" + String(repeating: ".B", count: 20_000),
            "func f() { x" + String(repeating: ".b()", count: 10_000) + " }",
            "func f() { if a {}" + String(repeating: " else if a {}", count: 10_000) + " }",
            "let x = " + String(repeating: "(", count: 20_000), "let x: A" + String(repeating: "?", count: 20_000),
        ]
        var files = ["D/shop.md": Self.definitions]
        for (number, text) in texts.enumerated() {
            files["S/\(number).swift"] = "class A: UIViewController, TapTrackable {\n" + text + "\n}\n"
        }
        let scratch = try Scratch(files)
        for command in [["generate", "D", "--sources", "S", "-q"], ["usage", "D", "--sources", "S"]] {
            let result = try Tool.launch(TapPackage.tapgen(), command, in: scratch.url)
            #expect(result.code == 0, "\(result.code): \(result.error.prefix(300))")
        }
    }

    @Test("Subclasses are buttons if the configuration lists them")
    func subclasses() throws {
        let text = "let a = PrimaryButton()\nlet b: [Kit.LinkButton]\nlet c = OtherButton()"
        #expect(
            try Self.members(text, configuration: "taps: {buttons: [PrimaryButton, Kit.LinkButton]}\n") == ["a", "b"])
        #expect(
            try Self.members(text, configuration: "taps: {buttons: [Kit.PrimaryButton, LinkButton]}\n") == ["a", "b"])
        let nested = [
            "A.swift":
                "class PrimaryButton: UIButton {}\nclass A: UIViewController, TapTrackable { let a = PrimaryButton() }"
        ]
        #expect(try Self.buttons(nested) == [])
        #expect(try Self.buttons(nested, configuration: "taps:\n  buttons: PrimaryButton\n") == ["A.a"])
    }

    @Test("A file with syntax errors is read as far as possible; the errors have source locations")
    func syntaxErrors() throws {
        let scratch = try Scratch([
            "D/shop.md": Self.definitions,
            "S/A.swift":
                "class A: UIViewController, TapTrackable {\n    let a = UIButton()\n    let = 3\n"
                + "    let b = UIButton()\n}\n",
            "S/B.swift": "class B: UIViewController, TapTrackable { let c = UIButton( }",
        ])
        let result = try TapPackage.run("generate", "D", "--sources", "S", in: scratch.url)
        #expect(result.code == 0)
        #expect(
            result.error.contains("S/A.swift:3:9: warning: expected pattern in variable [swift-syntax]"),
            "\(result.error)")
        #expect(result.error.contains("S/B.swift:1:"))
        for name in ["a", "b", "c"] { #expect(result.out.contains("{ [weak self] in self?.\(name) }")) }
    }

    @Test("A file with arbitrary tokens is read", arguments: 1...8)
    func anyBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "class A: UIViewController, TapTrackable {", "}", "let a = UIButton()", "#if X", "#endif", "#else",
            "\"\"\"", "\"", "/*", "*/", "(", ")",
            "extension A.B:",
            "TapTrackable", "= {", "}()", "`", "\u{0}", "あ", "typealias A = A", "\\(", "<", ">", "// loggen:ignore",
            "\n", " ",
        ]
        var files: [String: String] = ["D/shop.md": Self.definitions]
        for number in 0..<40 {
            files["S/\(number).swift"] = (0..<60).map { _ in pieces.randomElement(using: &random) ?? "" }.joined(
                separator: Bool.random(using: &random) ? " " : "\n")
        }
        let scratch = try Scratch(files)
        let result = try TapPackage.run("generate", "D", "--sources", "S", "--quiet", in: scratch.url)
        #expect(
            result.code == 0 && result.out.hasSuffix("#endif\n"),
            "seed \(seed): \(result.code) \(result.error.suffix(300))")
    }
}
