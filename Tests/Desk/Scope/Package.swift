// swift-tools-version: 6.1
import PackageDescription

// The tests of logscope's collector. In the root package, the trait `Scope` would compile everything again. The sources
// are links to those of the root.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .define("Scope"),
]

func shared(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude, swiftSettings: settings)
}

let package = Package(
    name: "Scope",
    platforms: [.macOS(.v12)],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .systemLibrary(name: "CCMark", path: "Shared/CCMark", pkgConfig: "libcmark"),
        .systemLibrary(name: "CZlib", path: "Shared/CZlib"),
        shared("Gzip", ["CZlib"]),
        shared("LogTypes", []),
        shared("LogValidation", ["LogTypes"]),
        shared("TextEncoding", []),
        shared("WebPage", []),
        shared("MarkdownSyntax", ["CCMark", "TextEncoding"]),
        shared("LogDefinitions", ["LogTypes", "MarkdownSyntax"]),
        shared(
            "ScopeCollector",
            [
                "Gzip", "LogDefinitions", "LogTypes", "LogValidation", "MarkdownSyntax", "TextEncoding", "WebPage",
                .product(name: "FlyingSocks", package: "FlyingFox"), .product(name: "GRDB", package: "GRDB.swift"),
            ], exclude: ["Page"]),
        .testTarget(
            name: "ScopeCollectorTests",
            dependencies: ["LogTypes", "ScopeCollector", .product(name: "GRDB", package: "GRDB.swift")],
            path: "ScopeCollectorTests", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
