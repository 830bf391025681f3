// swift-tools-version: 6.1
import PackageDescription

// The tests with concurrent threads, for the thread sanitizer (.ci/stages/threads). With the sanitizer, SwiftPM would
// build the parent package and all of its tests, including the generator. The sources are links to those of the parent.
let package = Package(
    name: "Threads",
    platforms: [.macOS(.v12)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "LogTypes", path: "Shared/LogTypes"),
        .target(
            name: "ActivityTracking",
            dependencies: ["JSONSyntax", "LogTypes", .product(name: "Logging", package: "swift-log")],
            path: "Shared/ActivityTracking",
            exclude: ["PrivacyInfo.xcprivacy"]),
        .target(name: "LogValidation", dependencies: ["LogTypes"], path: "Shared/LogValidation"),
        .target(
            name: "ActivityTrackingTesting", dependencies: ["ActivityTracking", "LogValidation"],
            path: "Shared/ActivityTrackingTesting"),
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
            name: "ActivityScope",
            dependencies: ["ActivityTracking", "LogTransport", .product(name: "Logging", package: "swift-log")],
            path: "Shared/ActivityScope"),
        .target(
            name: "ContentVisibility",
            dependencies: ["ActivityTracking", .product(name: "Logging", package: "swift-log")],
            path: "Shared/ContentVisibility"),
        .target(name: "TextEncoding", path: "Shared/TextEncoding"),
        .target(name: "JSONSyntax", dependencies: ["TextEncoding"], path: "Shared/JSONSyntax"),
        .target(
            name: "ActivityInspector",
            dependencies: ["ActivityTracking", "ContentVisibility", "LogValidation", "TextEncoding"],
            path: "Shared/ActivityInspector"),
        .target(name: "RecipeLogs", dependencies: ["ActivityTracking"], path: "Shared/RecipeLogs"),
        .target(name: "TestSupport", path: "Shared/TestSupport"),
        .target(
            name: "LoopbackCollector", dependencies: ["ActivityTracking", "CZlib", "Gzip"],
            path: "Shared/LoopbackCollector"),
        .testTarget(
            name: "ActivityTrackingTests",
            dependencies: [
                "ActivityTracking", "ActivityTrackingTesting", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Shared/ActivityTrackingTests", sources: ["ActivityLoggerTests.swift"]),
        .testTarget(
            name: "ActivityScopeTests",
            dependencies: ["ActivityScope", "ActivityTracking", "LoopbackCollector", "RecipeLogs"],
            path: "Shared/ActivityScopeTests", sources: ["ScopeDestinationTests.swift"]),
        .testTarget(
            name: "ActivityInspectorTests",
            dependencies: ["ActivityInspector", "ActivityTracking", "ContentVisibility", "RecipeLogs"],
            path: "Shared/ActivityInspectorTests", sources: ["InspectorDestinationTests.swift"]),
        .testTarget(
            name: "ActivityOutboxTests",
            dependencies: [
                "ActivityOutbox", "ActivityTracking", "ActivityTrackingTesting", "LoopbackCollector", "RecipeLogs",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Shared/ActivityOutboxTests",
            sources: [
                "LifeTests.swift", "OutboxTests.swift", "PartialAnswerTests.swift", "PeerDefectTests.swift",
                "Workbench.swift",
            ]),
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
