import ArgumentParser
import Foundation
import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax

struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A Swift file, or a folder that is searched for *.swift. Repeatable.", valueName: "path"))
    var sources: [String] = []
}

struct SwiftSources {
    /// The files, with their source text for messages.
    private(set) var files: [SourceFile] = []
    private(set) var facts: [SourceFacts] = []
    /// The uses of events in each file; empty unless requested.
    private(set) var uses: [EventUses] = []

    static let cannotRead = FileError(
        "this tapgen was built without swift-syntax: build it with the package trait `Taps`, as in "
            + "`swift run --traits Taps tapgen`"
    )

    /// Reads and scans files on all cores. A cached file with the same bytes is not scanned again.
    /// - Parameter events: the names of cases to search for; nil for none.
    static func read(
        _ paths: [String], cache: FactsCache? = nil, events: Set<String>? = nil, terminal: Terminal
    ) async throws(FileError) -> (SwiftSources, FactsCache?) {
        let known = cache?.known ?? [:]
        let scanned = try await scan(paths, terminal) { file -> (FactsCache.Entry, EventUses?)? in
            let hash = FactsCache.hash(file.source.withMark)
            if let entry = known[file.path], entry.hash == hash { return (entry, nil) }
            if let events {
                return EventUses.scan(file.source.bytes, for: events).map { (.init(hash: hash, facts: $0), $1) }
            }
            return SourceFacts(scanning: file.source.bytes).map { (.init(hash: hash, facts: $0), nil) }
        }
        var sources = SwiftSources()
        var read = FactsCache(path: cache?.path ?? "")
        for (file, (entry, uses)) in scanned {
            sources.files.append(file)
            sources.facts.append(entry.facts)
            if let uses { sources.uses.append(uses) }
            read.known[file.path] = entry
        }
        return (sources, cache == nil ? nil : read)
    }

    /// Scans on all cores. Generated files are left out, because they add no facts to those of the sources.
    /// - Parameter facts: returns nil if the package trait `Taps` is disabled.
    static func scan<Facts: Sendable>(
        _ paths: [String], _ terminal: Terminal, _ facts: @escaping @Sendable (SourceFile) -> Facts?
    ) async throws(FileError) -> [(file: SourceFile, facts: Facts)] {
        let found = try Sources.find(paths, .swift).map(\.path)
        terminal.progress("tapgen: reading \(found.count) Swift files")
        let results = await onDeepStacks(found.count) { index -> Result<(SourceFile, Facts)?, FileError> in
            do throws(FileError) {
                let bytes = try FileSystem.read(found[index])
                guard !GeneratedHeader.standsAlone(in: bytes) else { return .success(nil) }
                let file = SourceFile(path: found[index], relativePath: found[index], source: SourceText(bytes))
                guard let facts = facts(file) else { throw cannotRead }
                return .success((file, facts))
            } catch {
                return .failure(error)
            }
        }
        var scanned: [(file: SourceFile, facts: Facts)] = []
        for result in results { if let read = try result.get() { scanned.append(read) } }
        return scanned
    }

    /// Runs work for each index on all cores. The threads have deep stacks, because a syntax tree is walked by
    /// recursion and is as deep as the source is nested.
    private static func onDeepStacks<Value: Sendable>(_ count: Int, _ work: @escaping @Sendable (Int) -> Value) async
        -> [Value]
    {
        let threads = max(1, min(count, ProcessInfo.processInfo.activeProcessorCount))
        return await withTaskGroup(of: [(Int, Value)].self) { group in
            for first in 0..<threads {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let thread = Thread {
                            continuation.resume(
                                returning: stride(from: first, to: count, by: threads).map { ($0, work($0)) })
                        }
                        thread.stackSize = 1 << 30
                        thread.start()
                    }
                }
            }
            var results: [(Int, Value)] = []
            for await part in group { results += part }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
