import Foundation
import Testing
import TestSupport

/// An app's package with the trait `Taps` and the plugin, in a path with a space and Japanese characters. It stays
/// below `.build`, because swift-syntax takes minutes to build.
final class TapPackage: Sendable {
    static let folder = Tool.repository.appendingPathComponent(".build/taps 試験")
    static let scratch = ".build"

    static let manifest = """
        // swift-tools-version: 6.1
        import PackageDescription

        let package = Package(
            name: "Shop",
            platforms: [.macOS(.v12), .iOS(.v15)],
            dependencies: [.package(name: "loggen", path: "\(Tool.repository.path)", traits: ["Taps"])],
            targets: [
                .target(
                    name: "ShopLogs", dependencies: [.product(name: "ActivityTracking", package: "loggen")],
                    plugins: [.plugin(name: "LogGenPlugin", package: "loggen")]),
                .target(
                    name: "Shop", dependencies: ["ShopLogs", .product(name: "ActivityTrackingUIKit", package: "loggen")],
                    plugins: [.plugin(name: "TapGenPlugin", package: "loggen")]),
            ]
        )

        """

    static let manifestOfModules = manifest.replacingOccurrences(
        of: "targets: [\n",
        with: """
            targets: [
                    .target(
                        name: "Core", dependencies: [.product(name: "ActivityTracking", package: "loggen")],
                        plugins: [.plugin(name: "LogGenPlugin", package: "loggen")]),
                    .target(name: "Design", resources: [.copy("Colors.md")]),

            """
    ).replacingOccurrences(
        of: #"name: "ShopLogs", dependencies: ["#, with: #"name: "ShopLogs", dependencies: ["Core", "#
    ).replacingOccurrences(
        of: #"name: "Shop", dependencies: ["#, with: #"name: "Shop", dependencies: ["Design", "Core", "#)

    static let definitions =
        "# shop\n\n## pay\n\n| key | value |\n| --- | --- |\n| trigger | tap(CartViewController.payButton) |\n"
    static let screen =
        "#if canImport(UIKit)\nimport UIKit\nclass CartViewController: UIViewController, TapTrackable {\n"
        + "    let payButton = UIButton()\n}\n#endif\n"

    static let shared = Result { try TapPackage() }

    let clean: Tool.Result
    /// A hard link to the built command. Other tests build the package again, and the linker may then replace the
    /// original. A process that is started from it at that moment fails with "Text file busy" or "not found".
    let tapgen: URL?

    private init() throws {
        for name in ["Sources", "loggen.yml"] {
            try? FileManager.default.removeItem(at: Self.folder.appendingPathComponent(name))
        }
        for (path, text) in [
            ("Package.swift", Self.manifest), ("Sources/ShopLogs/shop.md", Self.definitions),
            ("Sources/ShopLogs/Logs.swift", "// Below.\n"),
            ("Sources/Shop/Cart.swift", Self.screen), ("Sources/Shop/Empty.swift", "// Nothing.\n"),
        ] {
            try Self.write(text, to: path)
        }
        clean = try Self.build()
        let bin = Self.folder.appendingPathComponent(Self.scratch).appendingPathComponent("debug")
        let built = ["tapgen", "tapgen-tool"].map(bin.appendingPathComponent).first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        let own = Self.folder.appendingPathComponent("tapgen of the tests")
        try? FileManager.default.removeItem(at: own)
        if let built { try FileManager.default.linkItem(at: built, to: own) }
        tapgen = built == nil ? nil : own
    }

    static func write(_ text: String, to path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    static func build() throws -> Tool.Result {
        try Tool.command(["swift", "build", "--build-system", "native", "--scratch-path", scratch], in: folder)
    }

    static func generated(_ name: String) throws -> URL {
        let outputs = folder.appendingPathComponent(scratch).appendingPathComponent("plugins/outputs")
        let found = FileManager.default.enumerator(atPath: outputs.path)?.compactMap { $0 as? String }.first {
            $0.hasSuffix("/" + name)
        }
        return outputs.appendingPathComponent(try #require(found, "the plugin has not written \(name)"))
    }

    static func tapgen() throws -> URL {
        let package = try shared.get()
        return try #require(package.tapgen, "tapgen was not built: \(package.clean.out)\(package.clean.error)")
    }

    static func run(_ arguments: String..., in folder: URL) throws -> Tool.Result {
        try Tool.launch(tapgen(), arguments, in: folder)
    }
}
