import Foundation
import Testing
import TestSupport

/// Tests of `Screens`: screens as apps write them, and the code that loggen and tapgen generate for them.
/// Tests/Runtime/AppleInterfaces compiles and runs both.
@Suite(.enabled(if: PackageBuilds.areAsked, Comment(rawValue: PackageBuilds.way)))
struct ScreensTests {
    private static let folder = Tool.repository.appendingPathComponent("Tests/Desk/TapTests/Screens")

    @Test("The committed generated files are current")
    func generated() throws {
        let scratch = try Scratch()
        let registration = try TapPackage.run("generate", "Definitions", "--sources", ".", in: Self.folder)
        #expect(registration.code == 0, "\(registration.error)")
        #expect(
            try registration.out
                == String(
                    contentsOf: Self.folder.appendingPathComponent("Generated/TapTracking.swift"), encoding: .utf8))
        let categories = try Tool.run(
            "generate", "Definitions", "--only", "swift", "--output", scratch.url.path, in: Self.folder)
        #expect(categories.code == 0, "\(categories.error)")
        #expect(
            try scratch.read("Swift/Shop.swift")
                == String(contentsOf: Self.folder.appendingPathComponent("Generated/Shop.swift"), encoding: .utf8))
    }

    @Test("The example's generated file is current, and its definitions and sources agree")
    func example() throws {
        let app = "Examples/Recipes/App"
        let registration = try TapPackage.run(
            "generate", "Definitions", "--sources", app, "--import", "RecipeLogs", in: Tool.repository)
        #expect(
            try registration.out
                == Tool.text(of: "\(app)/Generated/TapTracking.swift"))
        let check = try TapPackage.run(
            "check", "Definitions", "--sources", app, "--diagnostics", "json", in: Tool.repository)
        #expect(check.code == 0)
        // A private lazy button is found only after it has been created.
        let rules = check.out.split(separator: "\n").compactMap {
            $0.firstMatch(of: /"rule": ?"([a-z-]+)"/).map { String($0.1) }
        }
        #expect(rules == ["tap-unreachable"], "\(check.out)")
    }
}
