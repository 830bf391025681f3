// swift-tools-version: 6.1
import PackageDescription

// The parser and the code that depends on it, with libFuzzer's coverage and the address sanitizer. SwiftPM rejects such
// flags in a dependency, so this is a separate package. Its sources are links to the repository's.
let sanitizers: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer,address"])]

func shared(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude,
        swiftSettings: sanitizers + [
            .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ])
}

func fuzzer(_ name: String, _ folder: String, _ dependencies: [Target.Dependency], exclude: [String]) -> Target {
    .executableTarget(
        name: name, dependencies: ["LibFuzzer"] + dependencies, path: folder, exclude: exclude,
        swiftSettings: sanitizers + [.unsafeFlags(["-parse-as-library"])],
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
}

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v12)],
    dependencies: [.package(url: "https://github.com/jpsim/Yams", from: "6.2.2")],
    targets: [
        .systemLibrary(name: "LibFuzzer", path: "LibFuzzer"),
        .systemLibrary(name: "CCMark", path: "Shared/CCMark", pkgConfig: "libcmark"),
        shared("LogTypes", []),
        shared("LogValidation", ["LogTypes"]),
        shared("TextEncoding", []),
        shared("JSONSyntax", ["TextEncoding"]),
        shared("WebPage", []),
        shared("MarkdownSyntax", ["CCMark", "TextEncoding"]),
        shared("LogDefinitions", ["LogTypes", "MarkdownSyntax"]),
        shared("LogReporting", ["JSONSyntax", "LogDefinitions", "MarkdownSyntax"]),
        shared("LogTemplates", []),
        shared(
            "LogOutputs",
            [
                "JSONSyntax", "LogDefinitions", "LogTemplates", "LogTypes", "MarkdownSyntax", "TextEncoding",
                .product(name: "Yams", package: "Yams"),
            ]),
        shared("LogWarehouse", ["LogDefinitions", "LogOutputs", "LogTypes", "MarkdownSyntax"]),
        shared(
            "LogCatalogue",
            ["JSONSyntax", "LogDefinitions", "LogOutputs", "LogTypes", "LogWarehouse", "MarkdownSyntax", "WebPage"],
            exclude: ["Page"]),
        fuzzer(
            "definition-fuzzer", "Definitions",
            [
                "JSONSyntax", "LogCatalogue", "LogDefinitions", "LogOutputs", "LogReporting", "LogWarehouse",
                "MarkdownSyntax",
            ],
            exclude: ["seeds.py", "markdown.dict"]),
        fuzzer(
            "record-fuzzer", "Records", ["JSONSyntax", "LogTypes", "LogValidation"], exclude: ["seeds.py", "json.dict"]),
    ],
    swiftLanguageModes: [.v6]
)
