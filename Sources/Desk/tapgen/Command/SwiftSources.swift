import ArgumentParser
import Foundation
import LogDefinitions
import LogOutputs
import LogProject
import MarkdownSyntax
import TapScanning

/// The options of all commands that read sources.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A Swift file, or a folder that is searched for *.swift. Repeatable.", valueName: "path"))
    var sources: [String] = []
}

/// The Swift files of a run, and the facts read from them.
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

    private struct Scanned: Sendable {
        var file: SourceFile
        var hash: UInt64
        var facts: SourceFacts
        var uses: EventUses?
    }

    /// Reads and scans files on all cores. A cached file with the same bytes is not scanned again.
    /// - Parameter events: the names of cases to search for; nil for none.
    static func read(
        _ paths: [String], cache: FactsCache? = nil, events: Set<String>? = nil, terminal: Terminal
    ) async throws(FileError) -> (SwiftSources, FactsCache?) {
        let found = try Sources.find(paths, .swift).map(\.path)
        terminal.progress("tapgen: reading \(found.count) Swift files")
        let known = cache?.known ?? [:]
        let results = await onDeepStacks(found.count) { index -> Result<Scanned?, FileError> in
            do throws(FileError) {
                let bytes = try FileSystem.read(found[index])
                // A generated file adds no facts to those of the sources.
                guard !GeneratedHeader.standsAlone(in: bytes) else { return .success(nil) }
                let file = SourceFile(path: found[index], relativePath: found[index], source: SourceText(bytes))
                let hash = FactsCache.hash(bytes)
                if let entry = known[file.path], entry.hash == hash {
                    return .success(Scanned(file: file, hash: hash, facts: entry.facts))
                }
                if let events {
                    guard let (facts, uses) = EventUses.scan(file.source.bytes, for: events) else { throw cannotRead }
                    return .success(Scanned(file: file, hash: hash, facts: facts, uses: uses))
                }
                guard let facts = SourceFacts(scanning: file.source.bytes) else { throw cannotRead }
                return .success(Scanned(file: file, hash: hash, facts: facts))
            } catch {
                return .failure(error)
            }
        }
        var sources = SwiftSources()
        var read = FactsCache(path: cache?.path ?? "")
        for result in results {
            guard let scanned = try result.get() else { continue }
            sources.files.append(scanned.file)
            sources.facts.append(scanned.facts)
            if let uses = scanned.uses { sources.uses.append(uses) }
            read.known[scanned.file.path] = FactsCache.Entry(hash: scanned.hash, facts: scanned.facts)
        }
        return (sources, cache == nil ? nil : read)
    }

    /// Runs work for each index on all cores. The threads have deep stacks, because a syntax tree is walked by
    /// recursion and is as deep as the source is nested.
    static func onDeepStacks<Value: Sendable>(_ count: Int, _ work: @escaping @Sendable (Int) -> Value) async
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
