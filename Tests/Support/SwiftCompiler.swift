package import Foundation

/// The Swift compiler, with a folder for the modules that it builds.
///
/// It compiles without optimization, in Swift 6 mode, on one core.
package struct SwiftCompiler: ~Copyable {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// The settings that enforce the access levels of imports, as in Package.swift.
    package static let strictness = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].flatMap {
        ["-enable-upcoming-feature", $0]
    }

    package var folder: URL { scratch.url }
    private let runtime: URL
    private let scratch: Scratch

    /// Creates a compiler whose modules can import `ActivityTracking`.
    package init() throws {
        let runtime = try Self.runtime.get()
        let scratch = try Scratch()
        self.runtime = runtime
        self.scratch = scratch
    }

    /// Compiles a module that other modules here can import, and returns the compiler's output.
    ///
    /// - Parameter isLinked: Whether programs link it. Otherwise the module has no library, which saves half of the time.
    @discardableResult
    package func module(
        _ name: String, sources: [URL], options: [String] = [], isLinked: Bool = true
    ) throws -> Tool.Result {
        let products = isLinked ? Self.library(name) : Self.interface(name)
        return try compile(
            ["-parse-as-library", "-module-name", name] + options + products + sources.map(\.path), in: folder)
    }

    /// Type-checks sources without building them, and returns the compiler's output.
    package func check(_ name: String, sources: [URL], options: [String] = []) throws -> Tool.Result {
        try compile(["-typecheck", "-module-name", name] + options + sources.map(\.path), in: folder)
    }

    /// Compiles a program that imports modules built here, and runs it. Warnings in the program are suppressed.
    package func run(_ main: URL, linking modules: [String], options: [String] = []) throws -> Tool.Result {
        let program = folder.appendingPathComponent("program")
        let compilation = try compile(
            ["-suppress-warnings", "-module-name", "Program", "-o", program.path] + options + [
                main.path, "-L", folder.path, "-L", runtime.path,
            ]
                + (modules + ["ActivityTracking", "JSONSyntax", "LogTypes", "TextEncoding"]).map { "-l" + $0 },
            in: folder)
        guard compilation.code == 0 else { return compilation }
        return try Tool.launch(program, [], in: folder)
    }

    /// The folder with the runtime's module, compiled from source once in a test run. Runs may overlap, so each
    /// has its own.
    private static let runtime: Result<URL, any Error> = Result {
        let folder = RunFolder.url.appendingPathComponent("runtime")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (module, path) in [
            ("LogTypes", "Sources/Shared/LogTypes"), ("TextEncoding", "Sources/Shared/TextEncoding"),
            ("JSONSyntax", "Sources/Shared/JSONSyntax"),
            ("ActivityTracking", "Sources/Runtime/ActivityTracking/Encoding"),
        ] {
            let sources = Tool.repository.appendingPathComponent(path)
            let files =
                FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String }.filter {
                    $0.hasSuffix(".swift")
                } ?? []
            let compilation = try compile(
                ["-parse-as-library", "-module-name", module, "-package-name", "loggen", "-I", "."] + strictness
                    + library(module)
                    + files.sorted().map { sources.appendingPathComponent($0).path }, in: folder)
            guard compilation.code == 0 else {
                throw Failure(description: "\(module) does not compile: \(compilation.error)")
            }
        }
        return folder
    }

    private func compile(_ arguments: [String], in folder: URL) throws -> Tool.Result {
        try Self.compile(["-I", folder.path, "-I", runtime.path] + arguments, in: folder)
    }

    private static func library(_ name: String) -> [String] {
        interface(name) + ["-emit-library", "-static", "-o", "lib\(name).a"]
    }

    private static func interface(_ name: String) -> [String] {
        ["-emit-module", "-emit-module-path", "\(name).swiftmodule"]
    }

    private static func compile(_ arguments: [String], in folder: URL) throws -> Tool.Result {
        let result = try Tool.command(
            // A single process for a module. Otherwise each file has one, which reads all other files again.
            ["swiftc", "-swift-version", "6", "-Onone", "-whole-module-optimization"] + arguments, in: folder)
        if result.code == 127 {
            throw Failure(description: "swiftc is missing: the toolchain's `usr/bin` belongs into PATH.")
        }
        return result
    }
}
