// swift-tools-version: 6.1
import PackageDescription

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
    traits: [
        .trait(
            name: "Taps",
            description:
                "tapgen and its build plugin, which read Swift with swift-syntax. It takes minutes to build, and is not fetched without this trait."),
        .trait(
            name: "Scope",
            description:
                "logscope, the collector for development and QA, which listens with FlyingFox's sockets. They are not fetched without this trait."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // Generator: CCMark → MarkdownSyntax → LogDefinitions → LogEmission → LogSession → loggen.
        .systemLibrary(
            name: "CCMark",
            pkgConfig: "libcmark",
            providers: [.apt(["libcmark-dev"]), .brew(["cmark"])]
        ),
        .target(name: "MarkdownSyntax", dependencies: ["CCMark"]),
        // What both sides say of columns: types, triggers, and how they are written.
        .target(name: "LogTypes"),
        // Records against definitions. It reads bytes, and knows no files and no documents: apps test with it.
        .target(name: "LogValidation", dependencies: ["LogTypes"]),
        .target(name: "LogDefinitions", dependencies: ["LogTypes", "MarkdownSyntax"]),
        // Ours: `swift.mustache`, and a target for each output that is a folder.
        .target(
            name: "KotlinTemplates",
            path: "Templates/kotlin",
            resources: ["output.yml", "all.mustache", "category.mustache", "common.mustache", "types.mustache"].map { .embedInCode($0) }
        ),
        .target(
            name: "TypeScriptTemplates",
            path: "Templates/typescript",
            resources: ["output.yml", "all.mustache", "category.mustache", "common.mustache"].map { .embedInCode($0) }
        ),
        .target(
            name: "IndexTemplates", path: "Templates/index", resources: ["output.yml", "all.mustache"].map { .embedInCode($0) }),
        .target(
            name: "LogTemplates",
            dependencies: ["IndexTemplates", "KotlinTemplates", "TypeScriptTemplates"],
            path: "Templates",
            exclude: ["index", "kotlin", "typescript"],
            resources: [.embedInCode("swift.mustache")]
        ),
        .target(
            name: "LogEmission",
            dependencies: [
                "JSONSyntax",
                "MarkdownSyntax",
                "LogDefinitions",
                "LogTemplates",
                "WebPage",
                .product(name: "Yams", package: "Yams"),
            ],
            resources: ["css", "html", "js"].map { .embedInCode("Catalogue/Page/catalogue.\($0)") }
        ),
        // A run of a command over definitions on disk.
        .target(
            name: "LogSession",
            dependencies: [
                "LogDefinitions",
                "LogEmission",
                "LogTypes",
                "LogValidation",
                "MarkdownSyntax",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        // JSON with places: scenarios, what definitions are inferred from, and who posts an event.
        .target(name: "JSONSyntax"),
        // What our pages share: a policy under which only their own script runs.
        .target(name: "WebPage"),
        // Definitions from what there is: records, schemas, spreadsheets, tracking plans. No files: texts in, documents out.
        .target(
            name: "LogInference",
            dependencies: ["JSONSyntax", "LogDefinitions", "LogEmission", "MarkdownSyntax", .product(name: "Yams", package: "Yams")]
        ),
        // For editors: messages in, messages out.
        .target(name: "LanguageServer", dependencies: ["LogDefinitions", "LogEmission", "LogSession", "LogTypes", "MarkdownSyntax"]),
        .executableTarget(
            name: "loggen",
            dependencies: [
                "CZlib",
                "LanguageServer",
                "LogEmission",
                "LogInference",
                "LogSession",
                "LogValidation",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // What the plugins share stands in Plugins/Shared and is linked into each: a plugin cannot depend on a library.
        .plugin(name: "LogGenPlugin", capability: .buildTool(), dependencies: ["loggen"]),
        .plugin(
            name: "LogGenCommand",
            capability: .command(
                intent: .custom(verb: "loggen", description: "Write what log definitions become, or lock or format them."),
                permissions: [.writeToPackageDirectory(reason: "loggen writes generated files, loggen.lock and formatted definitions.")]
            ),
            dependencies: ["loggen"]
        ),
        .plugin(
            name: "LogGenCheckCommand",
            capability: .command(
                intent: .custom(verb: "loggen-check", description: "Say what loggen would write, and which changes of log definitions break whom.")
            ),
            dependencies: ["loggen"]
        ),

        // Runtime: generated code → ActivityTracking ← ActivityOutbox.
        // Xcode collects the privacy manifests of an app's libraries from their resources.
        .target(
            name: "ActivityTracking", dependencies: ["LogTypes", .product(name: "Logging", package: "swift-log")],
            resources: [.copy("PrivacyInfo.xcprivacy")]),
        // Every SDK of Apple's has zlib. Neither `pkgConfig` nor Homebrew is named here: they would link a Mac's library into apps.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "ActivityOutbox",
            dependencies: [
                "ActivityTracking",
                "CZlib",
                "LogTransport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        // HTTP as outbox and mirror send it: no redirections, no cookies, short answers.
        .target(name: "LogTransport", dependencies: ["ActivityTracking"]),
        // For TestFlight and internal builds: records are mirrored to a logscope.
        .target(name: "ActivityScope", dependencies: ["ActivityTracking", "LogTransport", .product(name: "Logging", package: "swift-log")]),
        .target(name: "ActivityTrackingTesting", dependencies: ["ActivityTracking", "LogValidation"]),

        // Shown, seen, presented: ContentVisibility → ScenarioRunner → trackscope.
        .target(name: "ContentVisibility", dependencies: ["ActivityTracking", .product(name: "Logging", package: "swift-log")]),
        // Thin adapters: empty where Apple's toolkits are not. Tests/Runtime/AppleInterfaces compiles and runs them there.
        .target(
            name: "ActivityTrackingUIKit",
            dependencies: ["ActivityTracking", "ContentVisibility", .product(name: "Logging", package: "swift-log")]),
        .target(name: "ActivityTrackingSwiftUI", dependencies: ["ActivityTracking", "ActivityTrackingUIKit", "ContentVisibility"]),
        .target(
            name: "ScenarioRunner", dependencies: ["ContentVisibility", "JSONSyntax", "WebPage"],
            resources: [.embedInCode("Page/timeline.css"), .embedInCode("Page/timeline.js")]),
        .executableTarget(
            name: "trackscope", dependencies: ["ScenarioRunner", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Sources/Tools/trackscope/Command"),

        // Taps: TapScanning → tapgen. Without the trait `Taps`, tapgen says so, and there is nothing in TapScanning.
        .target(
            name: "TapScanning",
            dependencies: [
                "LogDefinitions",
                .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: .when(traits: ["Taps"])),
                .product(name: "SwiftParser", package: "swift-syntax", condition: .when(traits: ["Taps"])),
                .product(name: "SwiftParserDiagnostics", package: "swift-syntax", condition: .when(traits: ["Taps"])),
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: .when(traits: ["Taps"])),
            ]
        ),
        .executableTarget(
            name: "tapgen",
            dependencies: [
                "LogDefinitions",
                "LogEmission",
                "LogSession",
                "MarkdownSyntax",
                "TapScanning",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Tools/tapgen/Command"
        ),

        .plugin(name: "TapGenPlugin", capability: .buildTool(), dependencies: ["tapgen"]),

        // A collector on the desk: ScopeCollector → logscope. Without the trait `Scope`, logscope says so, and there is nothing in ScopeCollector.
        .target(
            name: "ScopeCollector",
            dependencies: [
                "CZlib",
                "LogDefinitions",
                "LogTypes",
                "LogValidation",
                "MarkdownSyntax",
                "WebPage",
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Scope"])),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Scope"])),
            ],
            resources: ["css", "html", "js"].map { .embedInCode("Page/scope.\($0)") }
        ),
        .executableTarget(
            name: "logscope",
            dependencies: [
                "LogDefinitions",
                "LogSession",
                "LogTypes",
                "LogValidation",
                "ScopeCollector",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Tools/logscope/Command"
        ),

        // What tests share: the command as a process, the compiler, the validator.
        .target(name: "TestSupport", path: "Tests/Support", exclude: ["Python"]),
        .target(name: "LoopbackCollector", dependencies: ["ActivityTracking", "CZlib"], path: "Tests/Runtime/LoopbackCollector"),
        // The sample: its documents are its code. The plugin makes Swift of them on every build, and for that every build of the root makes
        // loggen first, as a tool.
        .target(
            name: "RecipeLogs", dependencies: ["ActivityTracking"], path: "Definitions", exclude: ["README.md"],
            plugins: [.plugin(name: "LogGenPlugin")]
        ),
        // The definitions of the vectors that Swift, Kotlin and TypeScript run.
        .target(
            name: "VectorLogs", dependencies: ["ActivityTracking"], path: "Tests/Generator/Vectors/Definitions",
            plugins: [.plugin(name: "LogGenPlugin")]),
        // The sample app's session without a screen: `swift run recipe-demo`.
        .executableTarget(
            name: "recipe-demo",
            dependencies: [
                "ActivityOutbox",
                "ActivityTracking",
                "ContentVisibility",
                "LoopbackCollector",
                "RecipeLogs",
                "ScenarioRunner",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Examples/RecipeDemo",
            exclude: ["README.md", "Pictures", "draw-pictures.py"],
            resources: [.embedInCode("first-launch.json"), .embedInCode("second-launch.json")]
        ),
        // Kills processes that post, in front of a collector that answers badly: `swift run outbox-torture --rounds 300`.
        .executableTarget(
            name: "outbox-torture",
            dependencies: [
                "ActivityOutbox",
                "ActivityScope",
                "ActivityTracking",
                "LoopbackCollector",
                "RecipeLogs",
                "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Runtime/OutboxTorture"
        ),
        .testTarget(name: "MarkdownSyntaxTests", dependencies: ["MarkdownSyntax", "TestSupport"], exclude: ["Peer"]),
        .testTarget(name: "LogDefinitionsTests", dependencies: ["LogDefinitions"]),
        .testTarget(
            name: "LogEmissionTests",
            dependencies: ["LogEmission", "LogDefinitions", "MarkdownSyntax", "loggen", "TestSupport", .product(name: "Yams", package: "Yams")],
            exclude: ["Cases"]
        ),
        .testTarget(
            name: "ActivityTrackingTests",
            dependencies: ["ActivityTracking", "ActivityTrackingTesting", .product(name: "Logging", package: "swift-log")]
        ),
        .testTarget(
            name: "ActivityScopeTests",
            dependencies: ["ActivityScope", "ActivityTracking", "LoopbackCollector", "RecipeLogs"]
        ),
        .testTarget(
            name: "ActivityOutboxTests",
            dependencies: [
                "ActivityOutbox",
                "ActivityTracking",
                "ActivityTrackingTesting",
                "LoopbackCollector",
                "RecipeLogs",
                "loggen",
                "outbox-torture",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "ContentVisibilityTests", dependencies: ["ContentVisibility", "ActivityTracking", "ActivityTrackingTesting", "TestSupport"],
            exclude: ["Cases"]
        ),
        .testTarget(
            name: "ScenarioRunnerTests", dependencies: ["ContentVisibility", "ScenarioRunner", "trackscope", "TestSupport"], exclude: ["Scenarios"]),
        // They build tapgen as an app's package does, with the trait.
        .testTarget(name: "TapTests", dependencies: ["LogDefinitions", "loggen", "tapgen", "TestSupport"], exclude: ["Screens"]),
        .testTarget(
            name: "LogInferenceTests",
            dependencies: ["JSONSyntax", "LogDefinitions", "LogEmission", "LogInference", "MarkdownSyntax", "loggen", "TestSupport"],
            exclude: ["Samples"]
        ),
        .testTarget(
            name: "LoggenTests", dependencies: ["loggen", "LogDefinitions", "TestSupport", .product(name: "Yams", package: "Yams")],
            exclude: ["Action", "Reviews"]),
        .testTarget(
            name: "LanguageServerTests",
            dependencies: [
                "LanguageServer", "LogDefinitions", "LogSession", "MarkdownSyntax", "loggen", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Nothing without the trait `Scope`; the stage `logscope` runs them with it.
        .testTarget(name: "ScopeCollectorTests", dependencies: ["LogTypes", "ScopeCollector"]),
        .testTarget(
            name: "LogValidationTests",
            dependencies: [
                "ActivityTracking", "ActivityTrackingTesting", "LogDefinitions", "LogEmission", "LogSession", "LogValidation", "MarkdownSyntax",
                "loggen", "TestSupport",
            ]
        ),
        .testTarget(
            name: "RecipeLogsTests",
            dependencies: [
                "RecipeLogs", "ActivityTracking", "ActivityTrackingTesting", "LogDefinitions", "LogSession", "LogValidation", "MarkdownSyntax",
                "loggen",
                "TestSupport",
            ]
        ),
        .testTarget(name: "VectorTests", dependencies: ["ActivityTracking", "TestSupport", "VectorLogs"], path: "Tests/Generator/Vectors/Swift"),
        .testTarget(name: "RecipeDemoTests", dependencies: ["recipe-demo", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// Tools → Generator → Shared ← Runtime. A test is in the room of its target.
let rooms: [String: [String]] = [
    "Shared": ["CZlib", "JSONSyntax", "LogTypes", "LogValidation", "WebPage"],
    "Generator": [
        "CCMark", "LanguageServer", "LogDefinitions", "LogEmission", "LogInference", "LogSession", "Loggen", "MarkdownSyntax", "RecipeLogs", "loggen",
    ],
    "Runtime": [
        "ActivityOutbox", "ActivityScope", "ActivityTracking", "ActivityTrackingSwiftUI", "ActivityTrackingTesting", "ActivityTrackingUIKit",
        "ContentVisibility", "LogTransport",
    ],
    "Tools": ["RecipeDemo", "ScenarioRunner", "ScopeCollector", "Tap"],
    "Tools/logscope": ["ScopeCollector"],
    "Tools/tapgen": ["TapScanning"],
    "Tools/trackscope": ["ScenarioRunner"],
]
for (room, names) in rooms {
    for target in package.targets where target.path == nil {
        if target.type == .test, room.hasPrefix("Tools/") { continue }
        if target.type == .test, names.contains(String(target.name.dropLast("Tests".count))) {
            target.path = "Tests/\(room)/\(target.name)"
        } else if target.type != .test, target.type != .plugin, names.contains(target.name), room != "Tools" {
            target.path = "Sources/\(room)/\(target.name)"
        }
    }
}

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}

// `Hooks/loggen` builds loggen from a clone. The sample's plugin would have it built twice, so a clone for hooks is without the sample and the tests.
if Context.environment["LOGGEN_HOOK"] != nil {
    package.targets.removeAll { target in
        target.type == .test || ["Definitions", "Examples/", "Tests/"].contains { target.path?.hasPrefix($0) == true }
    }
}

// `LOGGEN_BUNDLE` names a loggen that is built already, an artifact bundle that `Releases/bundle.py` has made, for the plugins to run: its path,
// or its address, `#` and its checksum. Then nobody compiles loggen. The tool itself says if it is not of this version.
if let bundle = Context.environment["LOGGEN_BUNDLE"], !bundle.isEmpty {
    // What needs it as a target goes, too.
    package.targets.removeAll { target in
        target.name == "loggen"
            || target.type == .test
                && target.dependencies.contains {
                    if case .byNameItem("loggen", _) = $0 { true } else { false }
                }
    }
    let parts = bundle.split(separator: "#", maxSplits: 1).map(String.init)
    if bundle.hasPrefix("https://") {
        // Without a checksum SwiftPM says so.
        package.targets.append(.binaryTarget(name: "loggen", url: parts[0], checksum: parts.count == 2 ? parts[1] : ""))
    } else {
        // SwiftPM wants a path from the package's root.
        let up = Context.packageDirectory.split(separator: "/").map { _ in ".." }.joined(separator: "/")
        package.targets.append(.binaryTarget(name: "loggen", path: bundle.hasPrefix("/") ? up + bundle : bundle))
    }
}

// `.ci/stages/logscope`: with a trait everything is compiled anew, so of the tests only those of a target that it names.
if let tests = Context.environment["LOGGEN_TESTS"] {
    package.targets.removeAll { $0.type == .test && $0.name != tests }
}

// `Tests/Generator/Fuzzing/run`: the parser and all behind it, with libFuzzer's coverage and the address sanitizer. Flags like these are refused
// in a dependency, and nothing else links with them, so this is a package of its own that shares the sources.
if Context.environment["LOGGEN_FUZZING"] != nil {
    let instrumented = ["LogTypes", "MarkdownSyntax", "LogDefinitions", "JSONSyntax", "WebPage", "LogEmission", "LogValidation"]
    let sanitizers = ["-sanitize=fuzzer,address"]
    package.products = []
    package.targets.removeAll { !instrumented.contains($0.name) && $0.name != "CCMark" && !$0.name.hasSuffix("Templates") }
    package.targets += [
        .systemLibrary(name: "LibFuzzer", path: "Tests/Generator/Fuzzing/LibFuzzer")
    ]
    for (name, folder, dependencies) in [
        ("definition-fuzzer", "Definitions", ["MarkdownSyntax", "LogDefinitions", "LogEmission"]),
        ("record-fuzzer", "Records", ["JSONSyntax", "LogTypes", "LogValidation"]),
    ] {
        package.targets.append(
            .executableTarget(
                name: name,
                dependencies: (["LibFuzzer"] + dependencies).map { .byName(name: $0) },
                path: "Tests/Generator/Fuzzing/\(folder)",
                exclude: ["seeds.py", folder == "Records" ? "json.dict" : "markdown.dict"],
                swiftSettings: [.unsafeFlags(["-parse-as-library"])],
                linkerSettings: [.unsafeFlags(sanitizers + ["-use-ld=lld"])]
            ))
    }
    for target in package.targets where instrumented.contains(target.name) || target.name.hasSuffix("-fuzzer") {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(sanitizers)]
    }
}
