import LogOutputs

/// The modules that scripts import, and the generated names that they export.
struct ScriptModules {
    /// The meaning of an imported name.
    enum Meaning {
        case generated(CallIndex.Target, CallSite.Doubt?)
        /// The module cannot be found, so the name can be any.
        case unknown
        case other
    }

    /// A module's exports.
    private struct Exports {
        var targets: [String: CallIndex.Target] = [:]
        var doubt: CallSite.Doubt?
    }

    private enum Module {
        case found(Exports)
        case unknown
    }

    private let index: CallIndex
    /// Returns the content of a file, or nil if there is no such file.
    private let read: (String) -> [UInt8]?
    private var modules: [String: Module] = [:]
    private var paths: [String: String?] = [:]
    /// The members of modules that are not in the index, such as `export * as logs`.
    private(set) var members: [[String: CallIndex.Target]]

    init(_ index: CallIndex, read: @escaping (String) -> [UInt8]?) {
        (self.index, self.read) = (index, read)
        members = index.modules
    }

    /// The number of files between an import and the generated code.
    private static let mostSteps = 16

    /// Returns the meaning of a member of a module; of the whole module for nil.
    mutating func meaning(_ member: String?, of specifier: String, from file: String) -> Meaning {
        switch module(specifier, from: file, steps: 0) {
        case .found(let exports):
            guard let member else {
                if exports.targets.isEmpty { return .other }
                return .generated(.module(number(of: exports.targets)), exports.doubt)
            }
            guard let target = exports.targets[member] else { return .other }
            return .generated(target, exports.doubt)
        case .unknown:
            // A module of an unknown place that exports a category, such as `@app/logs`.
            if let member, let target = index.categories[member] { return .generated(target, .otherSource) }
            return .unknown
        }
    }

    /// Returns the index of a module with these members.
    private mutating func number(of targets: [String: CallIndex.Target]) -> Int {
        if let known = members.firstIndex(of: targets) { return known }
        members.append(targets)
        return members.count - 1
    }

    private mutating func module(_ specifier: String, from file: String, steps: Int) -> Module {
        guard let base = Self.path(specifier, from: file) else { return named(specifier) ?? .unknown }
        guard let file = found(base) else { return named(specifier) ?? .unknown }
        let path = file.path
        if let known = modules[path] { return known }
        guard steps < Self.mostSteps, let bytes = file.bytes ?? read(path), bytes.count < Int32.max else {
            return .unknown
        }
        modules[path] = .found(Exports())
        var result: Module
        if GeneratedHeader.find(in: bytes) != nil {
            result = named(specifier, path: path) ?? .found(Exports())
        } else {
            result = .found(exports(of: bytes, path, steps: steps))
            // The header may have been removed, as by a compiler.
            if case .found(let exports) = result, exports.targets.isEmpty, case .found(var named)? = named(path) {
                named.doubt = .otherSource
                result = .found(named)
            }
        }
        modules[path] = result
        return result
    }

    /// Returns the generated module with the name of a file.
    private func named(_ specifier: String, path: String? = nil) -> Module? {
        let name = (path ?? specifier).split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
        guard case .module(let module)? = index.categories[name] else { return nil }
        return .found(Exports(targets: index.modules[module]))
    }

    private mutating func exports(of bytes: [UInt8], _ path: String, steps: Int) -> Exports {
        let code = ScriptLexer.tokens(of: bytes, hasJSX: ScriptLanguage.hasJSX(path))
        let imports = ScriptImports(code)
        var result = Exports()
        guard !imports.exports.isEmpty else { return result }
        let locals = Dictionary(imports.locals.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for export in imports.exports {
            let local = export.specifier == nil ? export.member.flatMap { locals[$0] } : nil
            guard let specifier = export.specifier ?? local?.specifier,
                case .found(let other) = module(specifier, from: path, steps: steps + 1)
            else { continue }
            let member = local.map(\.member) ?? export.member
            if let doubt = other.doubt, !other.targets.isEmpty { result.doubt = doubt }
            guard let name = export.name else {
                result.targets.merge(other.targets) { first, _ in first }
                continue
            }
            if let member {
                if let target = other.targets[member] { result.targets[name] = target }
            } else if !other.targets.isEmpty {
                result.targets[name] = .module(number(of: other.targets))
            }
        }
        return result
    }

    // MARK: Paths

    /// Returns the path of a relative specifier without its extension; nil for the name of a package.
    private static func path(_ specifier: String, from file: String) -> String? {
        guard specifier == "." || specifier == ".." || specifier.hasPrefix("./") || specifier.hasPrefix("../") else {
            return nil
        }
        var parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().map(String.init)
        for part in specifier.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != "..", last != ".", last != "" {
                parts.removeLast()
            } else {
                parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }

    /// Returns the file of a path without an extension, and its content if it has just been read.
    private mutating func found(_ base: String) -> (path: String, bytes: [UInt8]?)? {
        if let known = paths[base] { return known.map { ($0, nil) } }
        var stems = [base]
        if let dot = base.lastIndex(of: "."),
            ScriptLanguage.extensions.contains(String(base[base.index(after: dot)...]))
        {
            stems.append(String(base[..<dot]))
        }
        var candidates = stems.count > 1 ? [base] : []
        for stem in stems.reversed() { candidates += ScriptLanguage.extensions.map { "\(stem).\($0)" } }
        candidates += ScriptLanguage.extensions.map { base.isEmpty ? "index.\($0)" : "\(base)/index.\($0)" }
        for path in candidates {
            if let bytes = read(path) {
                paths[base] = path
                return (path, bytes)
            }
        }
        paths[base] = .some(nil)
        return nil
    }
}

/// The file extensions of TypeScript and JavaScript.
enum ScriptLanguage {
    static let extensions = ["ts", "tsx", "mts", "cts", "d.ts", "js", "jsx", "mjs", "cjs"]

    static func hasJSX(_ path: String) -> Bool {
        !(path.hasSuffix(".ts") || path.hasSuffix(".mts") || path.hasSuffix(".cts"))
    }
}
