// swift-tools-version: 6.1
import PackageDescription

// Benchmarks of loggen. They are a separate package, so that SwiftPM does not resolve it for dependents of loggen. Most
// measured code is not in a product (scenarios, the tap scanner, an outbox whose disk fails on demand). Links to the
// parent's sources give access to its `package` declarations.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v12)],
    traits: [
        .trait(
            name: "Taps",
            description: "tap-benchmark, which parses Swift with swift-syntax. Its release build takes ten minutes.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        .executableTarget(
            name: "runtime-benchmark",
            dependencies: [
                "ActivityOutbox", "ActivityTracking", "LoopbackCollector",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Runtime"),
        .executableTarget(
            name: "visibility-benchmark", dependencies: ["AllocationCounter", "ContentVisibility", "ScenarioRunner"],
            path: "Visibility"),
        .target(name: "AllocationCounter", path: "AllocationCounter"),
        .executableTarget(
            name: "tap-benchmark",
            dependencies: [
                "LogDefinitions",
                .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: .when(traits: ["Taps"])),
                .product(name: "SwiftParser", package: "swift-syntax", condition: .when(traits: ["Taps"])),
                .product(name: "SwiftParserDiagnostics", package: "swift-syntax", condition: .when(traits: ["Taps"])),
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: .when(traits: ["Taps"])),
            ],
            path: "Taps"),

        // Targets of the parent package.
        .target(name: "LogTypes", path: "Shared/LogTypes"),
        .target(
            name: "ActivityTracking",
            dependencies: ["JSONSyntax", "LogTypes", .product(name: "Logging", package: "swift-log")],
            path: "Shared/ActivityTracking",
            exclude: ["PrivacyInfo.xcprivacy"]),
        .systemLibrary(name: "CZlib", path: "Shared/CZlib"),
        .target(name: "Gzip", dependencies: ["CZlib"], path: "Shared/Gzip"),
        .target(name: "LogTransport", dependencies: ["ActivityTracking"], path: "Shared/LogTransport"),
        .target(
            name: "ActivityOutbox",
            dependencies: [
                "ActivityTracking", "CZlib", "JSONSyntax", "LogTransport", "LogTypes",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Shared/ActivityOutbox", exclude: ["PrivacyInfo.xcprivacy"]),
        .target(
            name: "LoopbackCollector", dependencies: ["ActivityTracking", "CZlib", "Gzip"],
            path: "Shared/LoopbackCollector"),
        .target(
            name: "ContentVisibility",
            dependencies: ["ActivityTracking", .product(name: "Logging", package: "swift-log")],
            path: "Shared/ContentVisibility"),
        .target(name: "TextEncoding", path: "Shared/TextEncoding"),
        .target(name: "JSONSyntax", dependencies: ["TextEncoding"], path: "Shared/JSONSyntax"),
        .target(name: "WebPage", path: "Shared/WebPage"),
        .target(
            name: "ScenarioRunner", dependencies: ["ContentVisibility", "JSONSyntax", "TextEncoding", "WebPage"],
            path: "Shared/ScenarioRunner",
            exclude: ["Page"]),
        .systemLibrary(name: "CCMark", path: "Shared/CCMark", pkgConfig: "libcmark"),
        .target(name: "MarkdownSyntax", dependencies: ["CCMark", "TextEncoding"], path: "Shared/MarkdownSyntax"),
        .target(name: "LogDefinitions", dependencies: ["LogTypes", "MarkdownSyntax"], path: "Shared/LogDefinitions"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
