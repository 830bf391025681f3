package import LogDefinitions
import LogOutputs
import LogProject
import LogTypes

/// Reads the calls of generated code in files of Kotlin, TypeScript and JavaScript.
package struct CallReader {
    package enum Language: CaseIterable, Sendable { case kotlin, script }

    private let kotlin: CallIndex
    private let script: CallIndex
    private let packages: [[String]]
    private var modules: ScriptModules

    /// - Parameter read: Returns the content of a file that a script imports, or nil if there is no such file.
    package init(
        _ settings: CallSettings,
        read: @escaping (String) -> [UInt8]? = { path in
            FileSystem.kind(path) == .file ? try? FileSystem.read(path) : nil
        }
    ) {
        kotlin = CallIndex(settings.kotlin, .kotlin)
        script = CallIndex(settings.typescript, .typescript)
        packages = settings.packages.map { $0.split(separator: ".").map(String.init) }
        modules = ScriptModules(script, read: read)
    }

    static func language(ofExtension name: String) -> Language? {
        switch name.lowercased() {
        case "kt", "kts": .kotlin
        case "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs": .script
        default: nil
        }
    }

    /// Returns the calls in a file. Generated code does not call itself.
    package mutating func calls(in bytes: [UInt8], path: String, _ language: Language) -> [CallSite] {
        guard GeneratedHeader.find(in: bytes) == nil else { return [] }
        switch language {
        case .kotlin: return KotlinCalls.sites(in: bytes, kotlin, packages: packages)
        case .script: return ScriptCalls.sites(in: bytes, path: path, script, &modules)
        }
    }
}

/// The generated names that calls use.
package struct CallSettings: Sendable {
    let kotlin: CallNames
    let swift: CallNames
    let typescript: CallNames
    let packages: [String]

    /// The package of generated Kotlin without a setting.
    package static let defaultPackage = "logs"

    /// - Parameters:
    ///   - tables: The tables of the model, which have the columns of earlier versions.
    ///   - packages: The packages of the generated Kotlin.
    package init(_ model: Model, _ tables: LoggedTables, packages: [String]) {
        let others = Set(RecordEnvelope.allCases.map(\.name) + (model.definitions.common?.columns.map(\.name) ?? []))
        let fields = tables.fieldsByEvent
        func earlier(_ event: String) -> Set<String> { fields[event]?.subtracting(others) ?? [] }
        kotlin = CallNames(model, .kotlin, earlier: earlier)
        swift = CallNames(model, .swift, earlier: earlier)
        typescript = CallNames(model, .typescript, earlier: earlier)
        self.packages = packages.isEmpty ? [Self.defaultPackage] : packages
    }
}
