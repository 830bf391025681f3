// Declarations of Tuist's module ProjectDescription that the article OtherProjects uses, restated without their
// behavior: labels, order, types and defaults as in cli/Sources/ProjectDescription of tuist/tuist, Tuist 4, in
// November 2026. `OtherProjectsTests` compiles it.

public struct Path: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
}

public struct Version: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
}

public enum Package: Sendable {
    public struct Dependency: Sendable {
        public struct Trait: Hashable, Sendable, ExpressibleByStringLiteral {
            public static let defaults = Trait(stringLiteral: "default")
            public init(stringLiteral value: String) {}
        }

        public static func package(url: String, from version: Version, traits: Set<Trait> = [.defaults]) -> Dependency {
            Dependency()
        }
        public static func package(path: Path, traits: Set<Trait> = [.defaults]) -> Dependency { Dependency() }
    }
}

public struct Project: Sendable {
    public init(name: String, packages: [Package.Dependency] = [], settings: Settings? = nil, targets: [Target] = []) {}
}

public enum Destination: Sendable { case iPhone, iPad, macWithiPadDesign, appleVisionWithiPadDesign }
public typealias Destinations = Set<Destination>
extension Set<Destination> {
    public static let iOS: Destinations = [.iPhone, .iPad, .macWithiPadDesign, .appleVisionWithiPadDesign]
}

public enum Product: Sendable { case app, staticLibrary, framework, staticFramework }

public struct DeploymentTargets: Sendable {
    public static func iOS(_ version: String) -> DeploymentTargets { DeploymentTargets() }
}

public struct SourceFilesList: ExpressibleByArrayLiteral, Sendable {
    public init(arrayLiteral elements: SourceFileGlob...) {}
}

public struct SourceFileGlob: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
}

public struct ResourceFileElements: ExpressibleByArrayLiteral, Sendable {
    public init(arrayLiteral elements: ResourceFileElement...) {}
}

public struct ResourceFileElement: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
}

public struct FileListGlob: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
}

public struct TargetScript: Sendable {
    public struct FileListPath: ExpressibleByStringInterpolation, Sendable {
        public init(stringLiteral value: String) {}
    }

    public static func pre(
        script: String, name: String, inputPaths: [FileListGlob] = [], inputFileListPaths: [FileListPath] = [],
        outputPaths: [Path] = [], outputFileListPaths: [FileListPath] = [], basedOnDependencyAnalysis: Bool? = nil,
        runForInstallBuildsOnly: Bool = false, shellPath: String = "/bin/sh", dependencyFile: Path? = nil
    ) -> TargetScript { TargetScript() }
}

public struct PlatformCondition: Sendable {}

public enum TargetDependency: Sendable {
    public enum PackageType: Sendable { case runtime, runtimeEmbedded, plugin, macro }

    case package(product: String, type: PackageType = .runtime, condition: PlatformCondition? = nil)
}

public enum SettingValue: ExpressibleByStringInterpolation, Sendable {
    case string(String)

    public init(stringLiteral value: String) { self = .string(value) }
}

public typealias SettingsDictionary = [String: SettingValue]

public struct Settings: Sendable {
    public static func settings(base: SettingsDictionary = [:], debug: SettingsDictionary = [:]) -> Settings {
        Settings()
    }
}

public struct Target: Sendable {
    public static func target(
        name: String, destinations: Destinations, product: Product, productName: String? = nil, bundleId: String,
        deploymentTargets: DeploymentTargets? = nil, sources: SourceFilesList? = nil,
        resources: ResourceFileElements? = nil, scripts: [TargetScript] = [], dependencies: [TargetDependency] = [],
        settings: Settings? = nil
    ) -> Target { Target() }
}
