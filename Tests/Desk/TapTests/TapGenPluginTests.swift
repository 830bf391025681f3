import Foundation
import Testing
import TestSupport

@Suite(.serialized, .enabled(if: PackageBuilds.areAsked, Comment(rawValue: PackageBuilds.way)))
struct TapGenPluginTests {
    @Test(
        "Builds register screens, rescan only changed files, and report errors at the definition"
    )
    func builds() throws {
        let package = try TapPackage.shared.get()
        try #require(package.clean.code == 0, "\(package.clean.out)\(package.clean.error)")
        let output = try TapPackage.generated("TapTracking.swift")
        let text = try String(contentsOf: output, encoding: .utf8)
        #expect(
            text.contains("import ShopLogs\n")
                && text.contains("taps.add({ [weak self] in self?.payButton }) { _ in Shop.pay }"))

        // Nothing has changed, so nothing is generated.
        _ = try TapPackage.build()
        let idle = try TapPackage.build()
        #expect(idle.code == 0 && !idle.out.contains("Registering the taps"), "\(idle.out)")

        // For a file with the same bytes, the cache is used. Here it contains a button that the file never had.
        let cache = try TapPackage.generated("sources.json")
        let remembered = try String(contentsOf: cache, encoding: .utf8)
        try Data(remembered.replacingOccurrences(of: "payButton", with: "payBotton").utf8).write(to: cache)
        try TapPackage.write(
            TapPackage.definitions.replacingOccurrences(of: "payButton", with: "payBotton"),
            to: "Sources/ShopLogs/shop.md")
        try TapPackage.write("// Another.\n", to: "Sources/Shop/Empty.swift")
        #expect(try TapPackage.build().code == 0)
        #expect(try String(contentsOf: output, encoding: .utf8).contains("payBotton"))

        // A changed file is read.
        try TapPackage.write(TapPackage.screen + "// More.\n", to: "Sources/Shop/Cart.swift")
        let changed = try TapPackage.build()
        #expect(changed.code != 0)
        #expect(
            (changed.out + changed.error).contains(
                "shop.md:7:13: error: `CartViewController` has no button `payBotton`"),
            "\(changed.out)\(changed.error)")
        #expect((changed.out + changed.error).contains("help: did you mean `tap(CartViewController.payButton)`?"))
        try TapPackage.write(TapPackage.definitions, to: "Sources/ShopLogs/shop.md")
        let mended = try TapPackage.build()
        #expect(mended.code == 0, "\(mended.out)\(mended.error)")
        #expect(try String(contentsOf: output, encoding: .utf8) == text)
    }

    @Test(
        "The modules of button and event combine with shared settings; foreign Markdown is ignored"
    )
    func modules() throws {
        let package = try TapPackage.shared.get()
        try #require(package.clean.code == 0, "\(package.clean.out)\(package.clean.error)")
        defer {
            for name in [
                "Sources/Core", "Sources/Design", "Sources/ShopLogs/Logs", "Sources/ShopLogs/Notes.md", "loggen.yml",
            ] {
                try? FileManager.default.removeItem(at: TapPackage.folder.appendingPathComponent(name))
            }
        }
        let cart = "\n\n## sort\n\n| column | type |\n| --- | --- |\n| by | ListOrder |\n"
        let settings =
            "definitions: {Core: Sources/Core, ShopLogs: Sources/ShopLogs/Logs}\ntaps: {buttons: [PayControl]}\n"
        for (path, text) in [
            ("Package.swift", TapPackage.manifestOfModules), ("loggen.yml", settings),
            ("Sources/Core/Core.swift", "// Beside this file.\n"),
            ("Sources/Core/types.md", "# types\n\n## ListOrder\n\n| value |\n| --- |\n| newest |\n"),
            ("Sources/Design/Design.swift", "// Colours.\n"),
            ("Sources/Design/Colors.md", "# All colours\n\n## Of a button\n"),
            ("Sources/ShopLogs/Logs/shop.md", TapPackage.definitions + cart),
            ("Sources/ShopLogs/Notes.md", "# Notes\n\n## ToDo\n"),
            ("Sources/Shop/Cart.swift", TapPackage.screen.replacingOccurrences(of: "UIButton", with: "PayControl")),
        ] {
            try TapPackage.write(text, to: path)
        }
        try FileManager.default.removeItem(at: TapPackage.folder.appendingPathComponent("Sources/ShopLogs/shop.md"))
        let built = try TapPackage.build()
        #expect(built.code == 0, "\(built.out)\(built.error)")
        let text = try String(contentsOf: TapPackage.generated("TapTracking.swift"), encoding: .utf8)
        #expect(
            text.contains("import ShopLogs\n")
                && text.contains("taps.add({ [weak self] in self?.payButton }) { _ in Shop.pay }"), "\(text)")

        // `loggen.yml` in the package's folder applies to all modules, and a change of it triggers a build.
        try TapPackage.write(settings.replacingOccurrences(of: "PayControl", with: "OtherControl"), to: "loggen.yml")
        let other = try TapPackage.build()
        #expect(
            other.code != 0
                && (other.out + other.error).contains(
                    "Logs/shop.md:7:13: error: `payButton` of `CartViewController` is not a button: its type is "
                        + "`PayControl`"
                ),
            "\(other.out)\(other.error)")
    }

    @Test("Without the trait, tapgen reports the missing trait")
    func withoutTheTrait() throws {
        let scratch = try Scratch(["D/shop.md": TapPackage.definitions, "S/Cart.swift": TapPackage.screen])
        let result = try Tool.launch(
            Tool.executable(named: "tapgen"), ["check", "D", "--sources", "S"], in: scratch.url)
        #expect(result.code == 2)
        #expect(
            result.error.contains("this tapgen was built without swift-syntax")
                && result.error.contains("--traits Taps"))
    }
}
