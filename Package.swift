// swift-tools-version: 6.1
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
    name: "loggen",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .executable(name: "loggen", targets: ["loggen"]),
        .plugin(name: "LogGenPlugin", targets: ["LogGenPlugin"]),
        .plugin(name: "TapGenPlugin", targets: ["TapGenPlugin"]),
        .plugin(name: "LogGenCommands", targets: ["LogGenCommand", "LogGenCheckCommand"]),
        .library(name: "ActivityTracking", targets: ["ActivityTracking"]),
        .library(name: "ActivityOutbox", targets: ["ActivityOutbox"]),
        .library(name: "ActivityScope", targets: ["ActivityScope"]),
        .library(name: "ActivityTrackingTesting", targets: ["ActivityTrackingTesting"]),
        .library(name: "ContentVisibility", targets: ["ContentVisibility"]),
        .library(name: "ActivityTrackingUIKit", targets: ["ActivityTrackingUIKit"]),
        .library(name: "ActivityTrackingSwiftUI", targets: ["ActivityTrackingSwiftUI"]),
        .executable(name: "trackscope", targets: ["trackscope"]),
        .executable(name: "tapgen", targets: ["tapgen"]),
        .executable(name: "logscope", targets: ["logscope"]),
    ],
    // Packages that do not ask for a trait do not fetch its dependencies.
    traits: [
        .trait(
            name: "Taps", description: "tapgen and its build plugin, with swift-syntax, which takes minutes to build."),
        .trait(name: "Scope", description: "logscope, the collector for development and QA, with FlyingFox."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    swiftLanguageModes: [.v6]
)

// MARK: Shared

package.targets += [
    // Column types, triggers and the record's members: the knowledge of both sides.
    .target(name: "LogTypes", path: "Sources/Shared/LogTypes"),
    // Judges records. It reads bytes, and no files and documents: apps test with it.
    .target(name: "LogValidation", dependencies: ["LogTypes"], path: "Sources/Shared/LogValidation"),
    // JSON, read with places and written.
    .target(name: "JSONSyntax", path: "Sources/Shared/JSONSyntax"),
    // The frame of our pages: a policy under which only their own script runs.
    .target(name: "WebPage", path: "Sources/Shared/WebPage"),
    // Every SDK of Apple's has zlib. Neither `pkgConfig` nor Homebrew is named here: they would link a Mac's library into apps.
    .systemLibrary(name: "CZlib", path: "Sources/Shared/CZlib", providers: [.apt(["zlib1g-dev"])]),
]

// MARK: Generator: CCMark → MarkdownSyntax → LogDefinitions → LogOutputs → LogProject → commands

package.targets += [
    .systemLibrary(
        name: "CCMark", path: "Sources/Generator/CCMark", pkgConfig: "libcmark",
        providers: [.apt(["libcmark-dev"]), .brew(["cmark"])]),
    generator("MarkdownSyntax", ["CCMark"]),
    generator("LogDefinitions", ["LogTypes", "MarkdownSyntax"]),
    generator("LogReporting", ["JSONSyntax", "LogDefinitions", "MarkdownSyntax"]),
    generator("LogTemplates", [], exclude: ["index", "kotlin", "typescript", "swift.mustache"]),
    // Swift, JSON Schema and the folders of templates.
    generator("LogOutputs", ["JSONSyntax", "LogDefinitions", "LogTemplates", "LogTypes", "MarkdownSyntax", yams]),
    generator("LogWarehouse", ["LogDefinitions", "LogOutputs", "LogTypes", "MarkdownSyntax"]),
    generator(
        "LogCatalogue",
        ["JSONSyntax", "LogDefinitions", "LogOutputs", "LogTypes", "LogWarehouse", "MarkdownSyntax", "WebPage"],
        exclude: ["Page"]),
    generator(
        "LogReview",
        [
            "JSONSyntax", "LogCatalogue", "LogDefinitions", "LogOutputs", "LogReporting", "LogWarehouse",
            "MarkdownSyntax",
        ]),
    // Definitions on disk, and what is written of them.
    generator(
        "LogProject",
        ["JSONSyntax", "LogDefinitions", "LogOutputs", "LogReporting", "LogTypes", "MarkdownSyntax", yams]),
    // Definitions from what there is: records, schemas, spreadsheets, tracking plans. No files: texts in, documents out.
    generator("LogInference", ["JSONSyntax", "LogDefinitions", "LogOutputs", "MarkdownSyntax", yams]),
    // For editors: messages in, messages out.
    generator(
        "LanguageServer",
        ["JSONSyntax", "LogDefinitions", "LogOutputs", "LogProject", "LogReporting", "LogTypes", "MarkdownSyntax"]),
    // The options that the commands share.
    generator("CommandOptions", ["JSONSyntax", "LogDefinitions", "LogOutputs", "LogProject", argumentParser]),
    .executableTarget(
        name: "loggen",
        dependencies: [
            "CZlib", "CommandOptions", "JSONSyntax", "LanguageServer", "LogCatalogue", "LogDefinitions", "LogInference",
            "LogOutputs", "LogProject",
            "LogReporting", "LogReview", "LogValidation", "LogWarehouse", "MarkdownSyntax", argumentParser,
        ],
        path: "Sources/Generator/loggen"),
    // The build plugin's tool: it makes Swift, and builds in half of the time that `loggen` takes.
    .executableTarget(
        name: "loggen-swift", dependencies: ["LogDefinitions", "LogOutputs", "LogProject", "LogReporting"],
        path: "Sources/Generator/loggen-swift"),
    // The files that plugins share are in Plugins/Shared and are linked into each: a plugin cannot depend on a library.
    .plugin(name: "LogGenPlugin", capability: .buildTool(), dependencies: ["loggen-swift"]),
    .plugin(
        name: "LogGenCommand",
        capability: .command(
            intent: .custom(verb: "loggen", description: "Write what log definitions become, or lock or format them."),
            permissions: [
                .writeToPackageDirectory(
                    reason: "loggen writes generated files, loggen.lock and formatted definitions.")
            ]),
        dependencies: ["loggen"]),
    .plugin(
        name: "LogGenCheckCommand",
        capability: .command(
            intent: .custom(
                verb: "loggen-check",
                description: "Say what loggen would write, and which changes of log definitions break whom.")),
        dependencies: ["loggen"]),
]

func generator(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/Generator/\(name)", exclude: exclude)
}

// MARK: Runtime: generated code → ActivityTracking ← ActivityOutbox

// Xcode collects the privacy manifests of an app's libraries from their resources.
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
package.targets += [
    runtime("ActivityTracking", ["LogTypes", logging], resources: privacyManifest),
    // HTTP of the outbox and the mirror: no redirections, no cookies, short answers.
    runtime("LogTransport", ["ActivityTracking"]),
    runtime(
        "ActivityOutbox",
        [
            "ActivityTracking", "CZlib", "LogTransport", grdb, .product(name: "GRDBSQLite", package: "GRDB.swift"),
            logging,
        ], resources: privacyManifest),
    // For TestFlight and internal builds: records are mirrored to a logscope.
    runtime("ActivityScope", ["ActivityTracking", "LogTransport", logging]),
    runtime("ActivityTrackingTesting", ["ActivityTracking", "LogValidation"]),
    runtime("ContentVisibility", ["ActivityTracking", logging]),
    // Thin adapters: empty where Apple's toolkits are not. Tests/Runtime/AppleInterfaces compiles and runs them there.
    runtime("ActivityTrackingUIKit", ["ActivityTracking", "ContentVisibility", logging]),
    runtime("ActivityTrackingSwiftUI", ["ActivityTracking", "ActivityTrackingUIKit", "ContentVisibility"]),
]

func runtime(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/Runtime/\(name)", resources: resources)
}

// MARK: Tools. Without their trait, tapgen and logscope say so, and their libraries are empty.

func ifTaps(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-syntax", condition: .when(traits: ["Taps"]))
}

package.targets += [
    .target(
        name: "ScenarioRunner", dependencies: ["ContentVisibility", "JSONSyntax", "WebPage"],
        path: "Sources/Tools/trackscope/ScenarioRunner",
        exclude: ["Page"]),
    .executableTarget(
        name: "trackscope", dependencies: ["ScenarioRunner", argumentParser], path: "Sources/Tools/trackscope/Command"),
    .target(
        name: "TapScanning",
        dependencies: [
            "LogDefinitions", ifTaps("SwiftDiagnostics"), ifTaps("SwiftParser"), ifTaps("SwiftParserDiagnostics"),
            ifTaps("SwiftSyntax"),
        ],
        path: "Sources/Tools/tapgen/TapScanning"),
    .executableTarget(
        name: "tapgen",
        dependencies: [
            "CommandOptions", "JSONSyntax", "LogDefinitions", "LogOutputs", "LogProject", "LogReporting",
            "MarkdownSyntax", "TapScanning",
            argumentParser,
        ],
        path: "Sources/Tools/tapgen/Command"),
    .plugin(name: "TapGenPlugin", capability: .buildTool(), dependencies: ["tapgen"]),
    .target(
        name: "ScopeCollector",
        dependencies: [
            "CZlib", "LogDefinitions", "LogTypes", "LogValidation", "MarkdownSyntax", "WebPage",
            .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Scope"])),
            .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Scope"])),
        ],
        path: "Sources/Tools/logscope/ScopeCollector", exclude: ["Page"]),
    .executableTarget(
        name: "logscope",
        dependencies: [
            "CommandOptions", "LogDefinitions", "LogProject", "LogTypes", "LogValidation", "ScopeCollector",
            argumentParser,
        ],
        path: "Sources/Tools/logscope/Command"),
]

// MARK: The sample and the tests. No target of this package uses the plugin: it would have loggen compiled twice.

let parts: [Target.Dependency] = ["LogDefinitions", "LogOutputs", "LogProject", "MarkdownSyntax", "TestSupport"]
package.targets += [
    .target(name: "RecipeLogs", dependencies: ["ActivityTracking"], path: "Generated/Swift"),
    // The sample app's session without a screen: `swift run recipe-demo`.
    .executableTarget(
        name: "recipe-demo",
        dependencies: [
            "ActivityOutbox", "ActivityTracking", "ContentVisibility", "LoopbackCollector", "RecipeLogs",
            "ScenarioRunner", argumentParser,
        ],
        path: "Examples/RecipeDemo", exclude: ["README.md", "Pictures", "draw-pictures.py"],
        resources: [.embedInCode("first-launch.json"), .embedInCode("second-launch.json")]),
    // The command as a process, the compiler, the validator.
    .target(name: "TestSupport", path: "Tests/Support", exclude: ["Python"]),
    .target(
        name: "LoopbackCollector", dependencies: ["ActivityTracking", "CZlib"], path: "Tests/Runtime/LoopbackCollector"),
    .target(name: "VectorLogs", dependencies: ["ActivityTracking"], path: "Tests/Generator/Vectors/SwiftLogs"),
    // Kills processes that post, in front of a collector that answers badly: `swift run outbox-torture --rounds 300`.
    .executableTarget(
        name: "outbox-torture",
        dependencies: [
            "ActivityOutbox", "ActivityScope", "ActivityTracking", "LoopbackCollector", "RecipeLogs", "TestSupport",
            argumentParser,
        ],
        path: "Tests/Runtime/OutboxTorture"),

    tests(
        "Shared/LogValidationTests",
        parts + ["LogValidation", "ActivityTracking", "ActivityTrackingTesting", "LogWarehouse", "loggen"]),
    tests("Generator/MarkdownSyntaxTests", parts, exclude: ["Peer"]),
    tests("Generator/LogDefinitionsTests", parts),
    tests(
        "Generator/LogOutputsTests",
        parts + ["JSONSyntax", "LogReporting", "LogTemplates", "LogWarehouse", "LogCatalogue", "loggen", yams],
        exclude: ["Cases"]),
    tests("Generator/LogInferenceTests", parts + ["JSONSyntax", "LogInference", "loggen"], exclude: ["Samples"]),
    tests("Generator/LoggenTests", parts + ["loggen", "loggen-swift", yams], exclude: ["Action", "Reviews"]),
    tests("Generator/LanguageServerTests", parts + ["CommandOptions", "LanguageServer", "loggen"]),
    tests(
        "Generator/RecipeLogsTests",
        parts + ["RecipeLogs", "ActivityTracking", "ActivityTrackingTesting", "LogValidation", "loggen"]),
    .testTarget(
        name: "VectorTests", dependencies: ["ActivityTracking", "TestSupport", "VectorLogs"],
        path: "Tests/Generator/Vectors/Swift"),
    tests("Runtime/ActivityTrackingTests", ["ActivityTracking", "ActivityTrackingTesting", logging]),
    tests("Runtime/ActivityScopeTests", ["ActivityScope", "ActivityTracking", "LoopbackCollector", "RecipeLogs"]),
    tests(
        "Runtime/ActivityOutboxTests",
        [
            "ActivityOutbox", "ActivityTracking", "ActivityTrackingTesting", "LoopbackCollector", "RecipeLogs",
            "loggen", "outbox-torture",
            "TestSupport", grdb,
        ]),
    tests(
        "Runtime/ContentVisibilityTests",
        ["ContentVisibility", "ActivityTracking", "ActivityTrackingTesting", "TestSupport"], exclude: ["Cases"]),
    tests(
        "Tools/ScenarioRunnerTests", ["ContentVisibility", "ScenarioRunner", "trackscope", "TestSupport"],
        exclude: ["Scenarios"]),
    // They build tapgen as an app's package does, with the trait.
    tests("Tools/TapTests", parts + ["loggen", "tapgen"], exclude: ["Screens"]),
    tests("Tools/RecipeDemoTests", ["recipe-demo", "TestSupport"]),
]

func tests(_ path: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: path.split(separator: "/").last.map(String.init) ?? path, dependencies: dependencies,
        path: "Tests/\(path)", exclude: exclude)
}

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].map {
        .enableUpcomingFeature($0)
    }
}

// `LOGGEN_BUNDLE` names an artifact bundle that `Releases/bundle.py` has made, for the plugins to run: its path, or its address, `#` and its
// checksum. Then nobody compiles loggen. The tools report if they are not of this version.
if let bundle = Context.environment["LOGGEN_BUNDLE"], !bundle.isEmpty {
    package.targets.removeAll { $0.type == .test || ["loggen", "loggen-swift"].contains($0.name) }
    for plugin in package.targets where plugin.name == "LogGenPlugin" { plugin.dependencies = ["loggen"] }
    let address = bundle.split(separator: "#", maxSplits: 1).map(String.init)
    if bundle.hasPrefix("https://") {
        // Without a checksum SwiftPM says so.
        package.targets.append(
            .binaryTarget(name: "loggen", url: address[0], checksum: address.count == 2 ? address[1] : ""))
    } else {
        // SwiftPM wants a path from the package's root.
        let up = Context.packageDirectory.split(separator: "/").map { _ in ".." }.joined(separator: "/")
        package.targets.append(.binaryTarget(name: "loggen", path: bundle.hasPrefix("/") ? up + bundle : bundle))
    }
}
