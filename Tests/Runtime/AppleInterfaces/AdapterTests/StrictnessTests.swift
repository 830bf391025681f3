import Foundation
import Testing

/// Tests that the restated declarations are as strict as Apple's, because lax ones would prove nothing.
struct StrictnessTests {
    private static let modules = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/debug/Modules")

    private func compile(_ source: String) throws -> (isFine: Bool, output: String) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift")
        try Data("import SwiftUI\nimport UIKit\n\(source)\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (compiler, pipe) = (Process(), Pipe())
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", Self.modules.path, file.path,
        ]
        compiler.standardError = pipe
        try compiler.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return (compiler.terminationStatus == 0, output)
    }

    @Test(
        "Code that Apple's toolkits reject does not compile",
        arguments: [
            (
                "final class Badge: UIView { init() { super.init(frame: .zero) } }",
                "'required' initializer 'init(coder:)' must be provided"
            ),
            ("final class Screen: UIViewController { let title = \"\" }", "cannot override mutable property 'title'"),
            (
                "final class Screen: UIViewController { init(_: Int) { super.init() }\n"
                    + "required init?(coder: NSCoder) { nil } }",
                "must call a designated initializer"
            ),
            ("func make() -> UIView { UIView() }", "call to main actor-isolated initializer"),
            (
                "@MainActor func move(_ cell: UIView, to table: UIView) { cell.superview = table }",
                "'superview' is a get-only property"
            ),
            (
                "@MainActor func wake(_ scene: UIScene) { scene.activationState = .foregroundActive }",
                "setter is inaccessible"
            ),
            ("final class Delegate: UIApplicationDelegate {}", "does not conform to protocol 'NSObjectProtocol'"),
            ("func look(at view: some View) { _ = view.body }", "main actor-isolated property 'body'"),
            (
                "@MainActor func bind(_ box: Box) -> Binding<Int> { Binding(get: { box.value }, set: { box.value = "
                    + "$0 }) }",
                "non-Sendable type 'Box'"
            ),
            (
                "func make(_ style: some PrimitiveButtonStyle, _ configuration: PrimitiveButtonStyleConfiguration) "
                    + "{ _ = style.makeBody(configuration: configuration) }",
                "main actor-isolated instance method 'makeBody"
            ),
        ])
    func refused(source: String, message: String) throws {
        let result = try compile("final class Box { var value = 1 }\n" + source)
        #expect(!result.isFine && result.output.contains(message), "\(result.output)")
    }

    @Test(
        "Code that Apple's toolkits accept compiles",
        arguments: [
            "func tell(_ view: some View) -> some View { view.onAppear {}.background(Color.clear).id(1) }",
            "func name() -> Text { Text(verbatim: \"\") }",
            "@MainActor func bind(_ box: Box) -> Binding<Int> { Binding(get: { @MainActor in box.value }, set: "
                + "{ @MainActor in box.value = $0 }) }",
            "final class Screen: UIViewController {}\n"
                + "@MainActor func make() -> [UIView: Screen] { [UIView(): Screen(), UIButton(type: .system): "
                + "Screen()] }",
            "func make(@ViewBuilder _ content: () -> some View) -> some View { VStack { content() } }",
        ])
    func taken(source: String) throws {
        let result = try compile("@MainActor final class Box { var value = 1 }\n" + source)
        #expect(result.isFine, "\(result.output)")
    }

    @Test("The adapter's branch for visionOS compiles without the form of onChange that is deprecated there")
    func visionOS() throws {
        let folder = AdapterSourcesTests.sources.appendingPathComponent("ActivityTrackingSwiftUI")
        let file = try String(contentsOf: folder.appendingPathComponent("OnNewValue.swift"), encoding: .utf8)
        let branch = file.replacing("#if os(visionOS)", with: "#if true")
        #expect(branch != file)
        // documentation/swiftui/view/onchange(of:initial:_:)-8wgw9, as of iOS 17 and visionOS 1.
        let interface = """
            extension View {
                nonisolated func onChange<V: Equatable>(
                    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
                ) -> some View { self }
                @available(*, deprecated) nonisolated func onChange<V: Equatable>(
                    of value: V, perform action: @escaping (_ newValue: V) -> Void
                ) -> some View { self }
            }
            """
        let result = try compile(branch + interface)
        #expect(result.isFine, "\(result.output)")
    }
}
