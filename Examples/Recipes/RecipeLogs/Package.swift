// swift-tools-version: 6.1
import PackageDescription

// The app's log definitions as a package of the app's own. The documents are those in Definitions, by a link; the plugin makes Swift of them on every build.
let package = Package(
    name: "RecipeLogs",
    platforms: [.macOS(.v12), .iOS(.v15)],
    products: [.library(name: "RecipeLogs", targets: ["RecipeLogs"])],
    // `name` because a clone's folder may have any.
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
