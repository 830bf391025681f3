import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax
import TapScanning

/// The Swift files of an app, with their declarations and the calls that may log an event.
struct CallSources {
    private(set) var files: [SourceFile] = []
    private(set) var facts: [CallFacts] = []
    /// The reasons why files cannot be changed, by number.
    private(set) var problems: [Int: String] = [:]

    /// Reads and scans files on all cores. Generated files are left out.
    /// - Parameter replacements: the first names of the expressions that replace calls.
    static func read(_ paths: [String], _ patterns: [CallPattern], replacements: [String], terminal: Terminal)
        async throws(FileError) -> CallSources
    {
        let found = try Sources.find(paths, .swift).map(\.path)
        let roots = paths.map(FileSystem.resolved)
        terminal.progress("tapgen: reading \(found.count) Swift files")
        let results = await SwiftSources.onDeepStacks(found.count) {
            index -> Result<(file: SourceFile, facts: CallFacts, problem: String?)?, FileError> in
            do throws(FileError) {
                let bytes = try FileSystem.read(found[index])
                guard !GeneratedHeader.standsAlone(in: bytes) else { return .success(nil) }
                let source = SourceText(bytes)
                guard let facts = CallFacts.scan(source.bytes, for: patterns, replacements: replacements) else {
                    throw SwiftSources.cannotRead
                }
                let file = SourceFile(path: found[index], relativePath: found[index], source: source)
                return .success((file, facts, problem(of: source) ?? linkProblem(of: found[index], roots)))
            } catch {
                return .failure(error)
            }
        }
        var sources = CallSources()
        for result in results {
            guard let read = try result.get() else { continue }
            if let problem = read.problem { sources.problems[sources.files.count] = problem }
            sources.files.append(read.file)
            sources.facts.append(read.facts)
        }
        return sources
    }

    /// Returns the reason why a file is not changed that a link includes from outside of the given paths. It may belong
    /// to another project.
    private static func linkProblem(of path: String, _ roots: [String]) -> String? {
        let real = FileSystem.resolved(path)
        let isInside = roots.contains { real == $0 || real.hasPrefix($0 == "/" ? $0 : $0 + "/") }
        return isInside ? nil : "a link includes its file from outside of the given paths: `\(real)`"
    }

    private static func problem(of source: SourceText) -> String? {
        if source.firstInvalidUTF8 != nil { return "its file is not UTF-8" }
        if source.bytes.contains(0) { return "its file contains a NUL" }
        let hasBareReturn = source.bytes.indices.contains { index in
            source.bytes[index] == 0x0D && (index + 1 == source.bytes.count || source.bytes[index + 1] != 0x0A)
        }
        return hasBareReturn ? "its file has lines that end with CR alone" : nil
    }
}
