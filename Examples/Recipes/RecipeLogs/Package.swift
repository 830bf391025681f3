// swift-tools-version: 6.1
import PackageDescription

// The app's log definitions as a separate package. A symbolic link leads to Definitions. The plugin generates Swift
// from them on every build.
let package = Package(
    name: "RecipeLogs",
    platforms: [.macOS(.v12), .iOS(.v15)],
    products: [.library(name: "RecipeLogs", targets: ["RecipeLogs"])],
    // `name` is given because a clone's folder may have any name.
    dependencies: [.package(name: "loggen", path: "../../..")],
    targets: [
        .target(
            name: "RecipeLogs",
            dependencies: [.product(name: "ActivityTracking", package: "loggen")],
            exclude: ["README.md"],
            plugins: [.plugin(name: "LogGenPlugin", package: "loggen")]
        )
    ]
)
