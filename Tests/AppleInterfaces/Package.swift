// swift-tools-version: 6.1
import PackageDescription

// The adapters, compiled and run where Apple's toolkits are not: against declarations of our own with the toolkits' names. A package of its own, since the
// modules' names would not do in the parent's; the sources are the parent's, by links.
let package = Package(
    name: "AppleInterfaces",
    platforms: [.macOS(.v12), .iOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-log", from: "1.16.2")],
    targets: [
        .target(name: "Combine", path: "Interfaces/Combine"),
        .target(name: "UIKit", path: "Interfaces/UIKit"),
        .target(name: "SwiftUI", dependencies: ["Combine", "UIKit"], path: "Interfaces/SwiftUI"),
        .target(name: "XCUIAutomation", dependencies: ["UIKit"], path: "Interfaces/XCUIAutomation"),
        .target(name: "ActivityTracking", dependencies: [.product(name: "Logging", package: "swift-log")], path: "Shared/ActivityTracking"),
        .target(name: "ActivityTrackingTesting", dependencies: ["ActivityTracking"], path: "Shared/ActivityTrackingTesting"),
        .target(name: "ContentVisibility", dependencies: ["ActivityTracking"], path: "Shared/ContentVisibility"),
        .target(name: "ScenarioRunner", dependencies: ["ContentVisibility"], path: "Shared/ScenarioRunner"),
        .target(
            name: "ActivityTrackingUIKit",
            dependencies: ["ActivityTracking", "ContentVisibility", "Combine", "UIKit", .product(name: "Logging", package: "swift-log")],
            path: "Shared/ActivityTrackingUIKit"),
        .target(
            name: "ActivityTrackingSwiftUI", dependencies: ["ActivityTrackingUIKit", "ContentVisibility", "Combine", "SwiftUI", "UIKit"],
            path: "Shared/ActivityTrackingSwiftUI"),
        // The example; its categories are what `loggen Definitions/` writes into Generated/Swift.
        .target(name: "RecipeLogs", dependencies: ["ActivityTracking"], path: "Shared/RecipeLogs"),
        .executableTarget(
            name: "Recipes",
            dependencies: [
                "ActivityTracking", "ActivityTrackingSwiftUI", "ActivityTrackingUIKit", "Combine", "ContentVisibility", "RecipeLogs", "SwiftUI",
                "UIKit",
            ],
            path: "Shared/Recipes"),
        // What tapgen makes of screens as apps write them.
        .target(
            name: "TappedScreens", dependencies: ["ActivityTracking", "ActivityTrackingUIKit", "UIKit"], path: "Shared/TappedScreens",
            exclude: ["Definitions"]),
        .target(name: "RecipesUITests", dependencies: ["UIKit", "XCUIAutomation"], path: "Shared/RecipesUITests"),
        .testTarget(
            name: "AdapterTests",
            dependencies: [
                "ActivityTracking", "ActivityTrackingSwiftUI", "ActivityTrackingTesting", "ActivityTrackingUIKit", "Combine", "ContentVisibility",
                "Recipes", "RecipeLogs", "RecipesUITests", "ScenarioRunner",
                "SwiftUI", "TappedScreens", "UIKit",
            ],
            path: "AdapterTests"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Swift Testing brings an overlay for the real UIKit.
package.targets.last?.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"]))
