// swift-tools-version: 6.1
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
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
        .library(name: "ActivityInspector", targets: ["ActivityInspector"]),
        .library(name: "ActivityTrackingTesting", targets: ["ActivityTrackingTesting"]),
        .library(name: "ContentVisibility", targets: ["ContentVisibility"]),
        .library(name: "ActivityTrackingUIKit", targets: ["ActivityTrackingUIKit"]),
        .library(name: "ActivityTrackingSwiftUI", targets: ["ActivityTrackingSwiftUI"]),
        .executable(name: "trackscope", targets: ["trackscope"]),
        .executable(name: "tapgen", targets: ["tapgen"]),
        .executable(name: "logscope", targets: ["logscope"]),
    ],
    // A package fetches the dependencies of a trait only if it enables the trait.
    traits: [
        .trait(name: "Taps", description: "tapgen and its build plugin. Builds swift-syntax, which takes minutes."),
        .trait(name: "Scope", description: "logscope, the collector for development and QA. Builds FlyingFox."),
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
    // Column types, triggers and the envelope of a record.
    .target(name: "LogTypes", path: "Sources/Shared/LogTypes"),
    // The record validator. It reads bytes and no files, so apps can test with it.
    .target(name: "LogValidation", dependencies: ["LogTypes"], path: "Sources/Shared/LogValidation"),
    .target(name: "JSONSyntax", dependencies: ["TextEncoding"], path: "Sources/Shared/JSONSyntax"),
    // UTF-8 and the character references of HTML.
    .target(name: "TextEncoding", path: "Sources/Shared/TextEncoding"),
    // The frame of the HTML pages. Its content security policy allows only their own script.
    .target(name: "WebPage", path: "Sources/Shared/WebPage"),
    // Apple's SDKs contain zlib. A `pkgConfig` or Homebrew provider would link a Mac's library into apps.
    .systemLibrary(name: "CZlib", path: "Sources/Shared/CZlib", providers: [.apt(["zlib1g-dev"])]),
    // Decompression. The outbox only compresses, with `CZlib`.
    .target(name: "Gzip", dependencies: ["CZlib"], path: "Sources/Shared/Gzip"),
]

// MARK: Generator: CCMark → MarkdownSyntax → LogDefinitions → LogOutputs → LogProject → commands

let definitions: [Target.Dependency] = ["LogDefinitions", "MarkdownSyntax"]
let outputs: [Target.Dependency] = definitions + ["JSONSyntax", "LogOutputs", "TextEncoding"]
let command: [Target.Dependency] = outputs + ["CommandOptions", "LogProject", "LogReporting", argumentParser]
package.targets += [
    .systemLibrary(
        name: "CCMark", path: "Sources/Generator/CCMark", pkgConfig: "libcmark",
        providers: [.apt(["libcmark-dev"]), .brew(["cmark"])]),
    generator("MarkdownSyntax", ["CCMark", "TextEncoding"]),
    generator("LogDefinitions", ["LogTypes", "MarkdownSyntax"]),
    generator("LogReporting", definitions + ["JSONSyntax"]),
    generator("LogTemplates", []),
    generator("LogOutputs", definitions + ["JSONSyntax", "LogTemplates", "LogTypes", "TextEncoding", yams]),
    // Reads definitions from disk and writes outputs.
    generator("LogProject", outputs + ["LogReporting", "LogTypes", yams]),
    generator("CommandOptions", outputs + ["LogProject", argumentParser]),
    // The command joins the rooms beside the generator. Nothing else in the generator depends on them.
    .executableTarget(
        name: "loggen",
        dependencies: command + [
            "Gzip", "LanguageServer", "LogCatalogue", "LogImpact", "LogInference", "LogReview", "LogValidation",
            "LogWarehouse",
        ],
        path: "Sources/Generator/loggen"),
    // The build plugin's tool generates Swift alone, and builds in half of the time of `loggen`.
    .executableTarget(
        name: "loggen-swift", dependencies: ["LogDefinitions", "LogOutputs", "LogProject", "LogReporting"],
        path: "Sources/Generator/loggen-swift"),
    // A plugin cannot depend on a library: each has links to the files in Plugins/Shared.
    .plugin(name: "LogGenPlugin", capability: .buildTool(), dependencies: ["loggen-swift"]),
    .plugin(
        name: "LogGenCommand",
        capability: .command(
            intent: .custom(verb: "loggen", description: "Generate outputs, lock versions or format definitions."),
            permissions: [.writeToPackageDirectory(reason: "loggen writes outputs, loggen.lock and definitions.")]),
        dependencies: ["loggen"]),
    .plugin(
        name: "LogGenCheckCommand",
        capability: .command(
            intent: .custom(verb: "loggen-check", description: "Report drift of outputs and breaking changes.")),
        dependencies: ["loggen"]),
]

func generator(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/Generator/\(name)")
}

// MARK: Beside the generator: what the model becomes, what a change does to people, the way in, the editor

package.targets += [
    beside("Outputs", "LogWarehouse", definitions + ["LogOutputs", "LogTypes"]),
    beside("Outputs", "LogCatalogue", outputs + ["LogTypes", "LogWarehouse", "WebPage"], exclude: ["Page"]),
    // The readers of events and columns: SQL, dbt projects, dashboards.
    beside("Review", "LogImpact", outputs + ["LogProject", "LogTypes", "LogWarehouse"], exclude: ["Reader"]),
    beside(
        "Review", "LogReview", outputs + ["LogCatalogue", "LogImpact", "LogProject", "LogReporting", "LogWarehouse"]),
    // Infers definitions from records, schemas, spreadsheets and tracking plans. It reads no files.
    beside("Adoption", "LogInference", outputs),
    // The Language Server Protocol: messages in, messages out.
    beside("Editor", "LanguageServer", outputs + ["LogProject", "LogReporting", "LogTypes"]),
]

func beside(
    _ folder: String, _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", exclude: exclude)
}

// MARK: Runtime: generated code → ActivityTracking ← ActivityOutbox

let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
package.targets += [
    runtime("ActivityTracking", ["JSONSyntax", "LogTypes", logging], resources: privacyManifest),
    // HTTP of the outbox and the mirror: no redirections, no cookies, short answers.
    runtime("LogTransport", ["ActivityTracking"]),
    runtime(
        "ActivityOutbox",
        ["ActivityTracking", "CZlib", "JSONSyntax", "LogTransport", "LogTypes", grdb, sqlite, logging],
        resources: privacyManifest),
    // Mirrors records to a logscope in TestFlight and internal builds.
    runtime("ActivityScope", ["ActivityTracking", "LogTransport", logging]),
    runtime("ActivityTrackingTesting", ["ActivityTracking", "LogValidation"]),
    runtime("ActivityInspector", ["ActivityTracking", "ContentVisibility", "LogValidation", "TextEncoding"]),
    runtime("ContentVisibility", ["ActivityTracking", logging]),
    // Thin adapters, empty without Apple's toolkits. Tests/Runtime/AppleInterfaces compiles them against interfaces.
    runtime("ActivityTrackingUIKit", ["ActivityTracking", "ContentVisibility", logging]),
    runtime("ActivityTrackingSwiftUI", ["ActivityTracking", "ActivityTrackingUIKit", "ContentVisibility"]),
]

func runtime(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/Runtime/\(name)", resources: resources)
}

// MARK: Desk: commands beside an app. Without their trait, tapgen and logscope print an error, and their libraries are empty.

let swiftSyntax = ["SwiftDiagnostics", "SwiftParser", "SwiftParserDiagnostics", "SwiftSyntax"].map {
    Target.Dependency.product(name: $0, package: "swift-syntax", condition: .when(traits: ["Taps"]))
}
package.targets += [
    .target(
        name: "ScenarioRunner", dependencies: ["ContentVisibility", "JSONSyntax", "TextEncoding", "WebPage"],
        path: "Sources/Desk/trackscope/ScenarioRunner", exclude: ["Page"]),
    .executableTarget(
        name: "trackscope",
        dependencies: ["CommandOptions", "LogOutputs", "LogProject", "ScenarioRunner", argumentParser],
        path: "Sources/Desk/trackscope/Command"),
    tool("tapgen", command + swiftSyntax + ["LogInference"]),
    .plugin(name: "TapGenPlugin", capability: .buildTool(), dependencies: ["tapgen"]),
    tool(
        "logscope",
        command + [
            "Gzip", "LogTypes", "LogValidation", "WebPage",
            .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Scope"])),
            .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Scope"])),
        ], exclude: ["ScopeCollector/Page"]),
]

func tool(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Sources/Desk/\(name)", exclude: exclude)
}

// MARK: The sample and the tests. No target of this package uses the plugin: it would have loggen compiled twice.

let project: [Target.Dependency] = outputs + ["LogProject", "TestSupport", "loggen"]
let testing: [Target.Dependency] = ["ActivityTracking", "ActivityTrackingTesting"]
let logs: [Target.Dependency] = ["ActivityTracking", "LoopbackCollector", "RecipeLogs"]
package.targets += [
    .target(name: "RecipeLogs", dependencies: ["ActivityTracking"], path: "Generated/Swift"),
    // The sample app's session without a screen: `swift run recipe-demo`.
    .executableTarget(
        name: "recipe-demo",
        dependencies: logs + ["ActivityOutbox", "ContentVisibility", "ScenarioRunner", argumentParser],
        path: "Examples/RecipeDemo", exclude: ["README.md", "Pictures", "draw-pictures.py"],
        resources: [.embedInCode("first-launch.json"), .embedInCode("second-launch.json")]),
    .target(name: "TestSupport", path: "Tests/Support"),
    .target(
        name: "LoopbackCollector", dependencies: ["ActivityTracking", "CZlib", "Gzip"],
        path: "Tests/Runtime/LoopbackCollector"),
    .target(name: "VectorLogs", dependencies: ["ActivityTracking"], path: "Tests/Generator/Vectors/SwiftLogs"),
    // Kills processes that post to a collector with faulty answers: `swift run outbox-torture --rounds 300`.
    .executableTarget(
        name: "outbox-torture",
        dependencies: logs + ["ActivityOutbox", "ActivityScope", "TestSupport", argumentParser],
        path: "Tests/Runtime/OutboxTorture"),
    tests("Shared/LogValidationTests", project + testing + ["LogValidation", "LogWarehouse"]),
    tests("Generator/MarkdownSyntaxTests", project, exclude: ["Peer"]),
    tests("Generator/LogDefinitionsTests", project, exclude: ["Evolution/Cases"]),
    tests(
        "Generator/LogOutputsTests", project + ["LogCatalogue", "LogReporting", "LogTemplates", "LogWarehouse", yams],
        exclude: ["Cases"]),
    tests("Adoption/LogInferenceTests", project + ["LogInference"], exclude: ["Cases", "Samples"]),
    tests("Review/LogImpactTests", project + ["LogImpact", "LogReview"], exclude: ["Cases"]),
    tests(
        "Generator/LoggenTests", project + ["loggen-swift", yams], exclude: ["Action", "Cases", "Projects", "Reviews"]),
    tests("Editor/LanguageServerTests", project + ["CommandOptions", "LanguageServer"]),
    tests("Generator/RecipeLogsTests", project + ["ActivityTrackingTesting", "LogValidation", "RecipeLogs"]),
    .testTarget(
        name: "VectorTests", dependencies: ["ActivityTracking", "TestSupport", "VectorLogs"],
        path: "Tests/Generator/Vectors/Swift"),
    tests("Runtime/ActivityTrackingTests", testing + ["LogTypes", "LogValidation", "TestSupport", logging]),
    tests("Runtime/ActivityScopeTests", logs + ["ActivityScope"]),
    tests("Runtime/ActivityInspectorTests", logs + ["ActivityInspector", "ContentVisibility"]),
    tests(
        "Runtime/ActivityOutboxTests",
        logs + ["ActivityOutbox", "ActivityTrackingTesting", "TestSupport", "loggen", "outbox-torture", grdb]),
    tests("Runtime/ContentVisibilityTests", testing + ["ContentVisibility", "TestSupport"], exclude: ["Cases"]),
    tests(
        "Desk/ScenarioRunnerTests", ["ContentVisibility", "ScenarioRunner", "TestSupport", "trackscope"],
        exclude: ["Cases", "Scenarios"]),
    tests("Desk/TapTests", project + ["tapgen"], exclude: ["Adoption", "Screens"]),
    tests("Desk/RecipeDemoTests", ["recipe-demo", "TestSupport"]),
]

func tests(_ path: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return .testTarget(name: name, dependencies: dependencies, path: "Tests/\(path)", exclude: exclude)
}

let upcomingFeatures = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = upcomingFeatures.map { .enableUpcomingFeature($0) }
}

// `LOGGEN_BUNDLE` names an artifact bundle made by `Releases/bundle.py`: its path, or its URL, `#` and its checksum.
// The plugins run its tools, and loggen is not compiled. The tools report a version that differs from this package.
if let bundle = Context.environment["LOGGEN_BUNDLE"], !bundle.isEmpty {
    package.targets.removeAll { $0.type == .test || ["loggen", "loggen-swift"].contains($0.name) }
    for plugin in package.targets where plugin.name == "LogGenPlugin" { plugin.dependencies = ["loggen"] }
    let address = bundle.split(separator: "#", maxSplits: 1).map(String.init)
    if bundle.hasPrefix("https://") {
        package.targets.append(
            .binaryTarget(name: "loggen", url: address[0], checksum: address.count == 2 ? address[1] : ""))
    } else {
        // SwiftPM wants a path from the package's root.
        let up = Context.packageDirectory.split(separator: "/").map { _ in ".." }.joined(separator: "/")
        package.targets.append(.binaryTarget(name: "loggen", path: bundle.hasPrefix("/") ? up + bundle : bundle))
    }
}
