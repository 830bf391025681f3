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
    static func read(_ paths: [String], _ patterns: [CallPattern], terminal: Terminal) async throws(FileError)
        -> CallSources
    {
        let found = try Sources.find(paths, .swift).map(\.path)
        terminal.progress("tapgen: reading \(found.count) Swift files")
        let results = await SwiftSources.onDeepStacks(found.count) {
            index -> Result<(file: SourceFile, facts: CallFacts, problem: String?)?, FileError> in
            do throws(FileError) {
                let bytes = try FileSystem.read(found[index])
                guard !GeneratedHeader.standsAlone(in: bytes) else { return .success(nil) }
                let source = SourceText(bytes)
                guard let facts = CallFacts.scan(source.bytes, for: patterns) else { throw SwiftSources.cannotRead }
                let file = SourceFile(path: found[index], relativePath: found[index], source: source)
                return .success((file, facts, problem(of: source)))
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

    private static func problem(of source: SourceText) -> String? {
        if source.firstInvalidUTF8 != nil { return "its file is not UTF-8" }
        if source.bytes.contains(0) { return "its file contains a NUL" }
        let hasBareReturn = source.bytes.indices.contains { index in
            source.bytes[index] == 0x0D && (index + 1 == source.bytes.count || source.bytes[index + 1] != 0x0A)
        }
        return hasBareReturn ? "its file has lines that end with CR alone" : nil
    }
}
