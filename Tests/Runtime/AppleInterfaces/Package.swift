// swift-tools-version: 6.2
import PackageDescription

// The adapters, compiled and run where Apple's toolkits are not: against declarations of our own with the toolkits' names. A package of its own, since the
// modules' names would not do in the parent's; the sources are the parent's, by links.
let package = Package(
    name: "AppleInterfaces",
    platforms: [.macOS(.v12), .iOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-log", from: "1.16.2")],
    targets: [
        .target(name: "Combine", path: "Interfaces/Combine"),
        .target(name: "CoreGraphics", path: "Interfaces/CoreGraphics"),
        .target(name: "UIKit", path: "Interfaces/UIKit"),
        // Its views keep what is not sendable from initializers that are nobody's, as SwiftUI does.
        .target(
            name: "SwiftUI", dependencies: ["Combine", "UIKit"], path: "Interfaces/SwiftUI",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(name: "XCUIAutomation", dependencies: ["UIKit"], path: "Interfaces/XCUIAutomation"),
        .target(name: "LogTypes", path: "Shared/LogTypes"),
        .target(
            name: "ActivityTracking", dependencies: ["LogTypes", .product(name: "Logging", package: "swift-log")],
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
        .target(name: "JSONSyntax", path: "Shared/JSONSyntax"),
        .target(name: "WebPage", path: "Shared/WebPage"),
        .target(
            name: "ScenarioRunner", dependencies: ["ContentVisibility", "JSONSyntax", "WebPage"],
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
                "ActivityTracking", "ActivityTrackingSwiftUI", "ActivityTrackingTesting", "ActivityTrackingUIKit",
                "Combine", "ContentVisibility",
                "Recipes", "RecipeLogs", "RecipesUITests", "ScenarioRunner",
                "SwiftUI", "TappedScreens", "UIKit",
            ],
            path: "AdapterTests"),
    ],
    swiftLanguageModes: [.v6]
)

// What apps compile as: in Swift 6 mode, in Swift 5 mode, and with everything on the main actor unless it says otherwise, as new projects of Xcode 26.
// They see what is public alone, and their conformances of imported types are retroactive, as in another package.
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
                "ActivityTracking", "ActivityTrackingSwiftUI", "ActivityTrackingUIKit", "Combine", "ContentVisibility",
                "RecipeLogs", "SwiftUI",
                "UIKit",
            ],
            path: "Shared/Recipes" + mode.name, packageAccess: false, swiftSettings: mode.settings),
        // What tapgen makes of screens as apps write them.
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
    // Swift Testing brings an overlay for the real UIKit.
    if target.type == .test { settings.append(.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])) }
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}
