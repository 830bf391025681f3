import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax

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
        let roots = paths.map(FileSystem.resolved)
        let scanned = try await SwiftSources.scan(paths, terminal) { file -> (facts: CallFacts, problem: String?)? in
            CallFacts.scan(file.source.bytes, for: patterns, replacements: replacements).map {
                ($0, problem(of: file.source) ?? linkProblem(of: file.path, roots))
            }
        }
        var sources = CallSources()
        for (file, read) in scanned {
            if let problem = read.problem { sources.problems[sources.files.count] = problem }
            sources.files.append(file)
            sources.facts.append(read.facts)
        }
        return sources
    }

    /// Returns the reason not to change a file outside the given paths: it may belong to another project.
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
