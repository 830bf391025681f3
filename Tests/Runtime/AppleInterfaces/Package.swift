// swift-tools-version: 6.2
import PackageDescription

// Compiles and runs the adapters on systems without Apple's toolkits, with restated declarations under the toolkits'
// names: each as on its page at developer.apple.com. The destinations of the documentation use restated declarations of the SDKs of vendors. This is a separate package, because those module names would conflict in the parent. The sources are links to
// those of the parent.
let package = Package(
    name: "AppleInterfaces",
    platforms: [.macOS(.v12), .iOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-log", from: "1.16.2")],
    targets: [
        .target(name: "Combine", path: "Interfaces/Combine"),
        .target(name: "CoreGraphics", path: "Interfaces/CoreGraphics"),
        .target(name: "UIKit", path: "Interfaces/UIKit"),
        // Nonisolated initializers of its views store values that are not sendable, as in SwiftUI.
        .target(
            name: "SwiftUI", dependencies: ["Combine", "UIKit"], path: "Interfaces/SwiftUI",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "XCUIAutomation", dependencies: ["UIKit"], path: "Interfaces/XCUIAutomation"),
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
        .target(
            name: "ContentVisibility",
            dependencies: ["ActivityTracking", "CoreGraphics", .product(name: "Logging", package: "swift-log")],
            path: "Shared/ContentVisibility"),
        .target(name: "TextEncoding", path: "Shared/TextEncoding"),
        .target(name: "JSONSyntax", dependencies: ["TextEncoding"], path: "Shared/JSONSyntax"),
        .target(name: "WebPage", path: "Shared/WebPage"),
        .target(
            name: "ScenarioRunner", dependencies: ["ContentVisibility", "JSONSyntax", "TextEncoding", "WebPage"],
            path: "Shared/ScenarioRunner",
            exclude: ["Page"]),
        .target(
            name: "ActivityTrackingUIKit",
            dependencies: [
                "ActivityTracking", "ContentVisibility", "Combine", "CoreGraphics", "UIKit",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Shared/ActivityTrackingUIKit"),
        .target(
            name: "ActivityTrackingSwiftUI",
            dependencies: [
                "ActivityTrackingUIKit", "ContentVisibility", "Combine", "CoreGraphics", "SwiftUI", "UIKit",
            ],
            path: "Shared/ActivityTrackingSwiftUI"),
        .target(
            name: "ActivityInspector",
            dependencies: [
                "ActivityTracking", "ContentVisibility", "LogValidation", "SwiftUI", "TextEncoding", "UIKit",
            ],
            path: "Shared/ActivityInspector"),
        // The example's categories.
        .target(
            name: "RecipeLogs", dependencies: ["ActivityTracking"], path: "Shared/RecipeLogs", packageAccess: false),
        .target(
            name: "AllScreens", dependencies: ["ActivityTrackingUIKit", "UIKit"], path: "AllScreens",
            packageAccess: false),
        .target(
            name: "RecipesUITests", dependencies: ["UIKit", "XCUIAutomation"], path: "Shared/RecipesUITests",
            packageAccess: false),
        .testTarget(
            name: "AdapterTests",
            dependencies: [
                "ActivityInspector", "ActivityTracking", "ActivityTrackingSwiftUI", "ActivityTrackingTesting",
                "ActivityTrackingUIKit", "Combine", "ContentVisibility",
                "Recipes", "RecipeLogs", "RecipesUITests", "ScenarioRunner",
                "SwiftUI", "TappedScreens", "UIKit",
            ],
            path: "AdapterTests"),
    ],
    swiftLanguageModes: [.v6]
)

// The SDKs of vendors, in the language mode in which they are compiled, and the documentation's destinations.
let vendors = ["FirebaseAnalytics", "AmplitudeSwift", "Segment", "Puree"]
package.targets += vendors.map {
    .target(name: $0, path: "Interfaces/\($0)", swiftSettings: [.swiftLanguageMode(.v5)])
}
package.targets.append(
    .testTarget(
        name: "DestinationTests", dependencies: vendors.map { .byName(name: $0) } + ["ActivityTracking", "RecipeLogs"],
        path: "DestinationTests", packageAccess: false))

// The language modes of apps: Swift 6, Swift 5, and Swift 6 with main actor isolation by default, as in new projects of
// Xcode 26. Their targets see only the public API, and their conformances of imported types are retroactive, as in
// other packages.
let modes: [(name: String, settings: [SwiftSetting])] = [
    ("", []),
    ("Swift5", [.swiftLanguageMode(.v5)]),
    (
        "MainActor",
        [
            .defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
    ),
]
for mode in modes {
    package.targets += [
        .executableTarget(
            name: "Recipes" + mode.name,
            dependencies: [
                "ActivityInspector", "ActivityTracking", "ActivityTrackingSwiftUI", "ActivityTrackingUIKit", "Combine",
                "ContentVisibility", "RecipeLogs", "SwiftUI", "UIKit",
            ],
            path: "Shared/Recipes" + mode.name, packageAccess: false, swiftSettings: mode.settings),
        // Generated code of tapgen for screens as apps write them.
        .target(
            name: "TappedScreens" + mode.name, dependencies: ["ActivityTracking", "ActivityTrackingUIKit", "UIKit"],
            path: "Shared/TappedScreens" + mode.name, exclude: ["Definitions"], packageAccess: false,
            swiftSettings: mode.settings),
    ]
    if mode.name == "MainActor" {
        package.targets.append(
            .target(
                name: "RecipeLogs" + mode.name, dependencies: ["ActivityTracking"],
                path: "Shared/RecipeLogs" + mode.name, packageAccess: false,
                swiftSettings: mode.settings))
    }
}

for target in package.targets {
    var settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    // Swift Testing has an overlay for the real UIKit.
    if target.type == .test { settings.append(.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])) }
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}
