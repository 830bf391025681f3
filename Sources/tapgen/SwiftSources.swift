import ArgumentParser
import Foundation
import LogDefinitions
import LogEmission
import LogSession
import MarkdownSyntax
import TapScanning

/// Flags that every command about sources has.
struct SourceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A Swift file, or a folder that is searched for *.swift; may be given more than once.", valueName: "path"))
    var sources: [String] = []
}

/// The Swift files of a run, and what they say.
struct SwiftSources {
    /// Read for their text when something is said of them.
    private(set) var files: [SourceFile] = []
    private(set) var facts: [SourceFacts] = []
    /// Where events are named, if that was asked for.
    private(set) var uses: [EventUses] = []

    static let cannotRead = FileProblem(
        "this tapgen was built without swift-syntax, which reads Swift: build it with the package trait `Taps`, as in `swift run --traits Taps tapgen`"
    )

    private struct Scanned: Sendable {
        var file: SourceFile
        var hash: UInt64
        var facts: SourceFacts
        var uses: EventUses?
    }

    /// Reads and scans files on all cores. What a cache knows of a file's bytes is not found anew.
    /// - Parameter events: names of cases that are looked for, if any.
    static func read(
        _ paths: [String], cache: FactsCache? = nil, events: Set<String>? = nil, terminal: Terminal
    ) async throws(FileProblem) -> (SwiftSources, FactsCache?) {
        let found = try Sources.find(paths, .swift).map(\.path)
        terminal.progress("tapgen: reading \(found.count) Swift files")
        let known = cache?.known ?? [:]
        let results = await onDeepStacks(found.count) { index -> Result<Scanned?, FileProblem> in
            do throws(FileProblem) {
                let bytes = try FileSystem.read(found[index])
                // What has been generated says what sources said then.
                guard !GeneratedHeader.standsAlone(in: bytes) else { return .success(nil) }
                let file = SourceFile(path: found[index], relativePath: found[index], source: SourceText(bytes))
                let hash = FactsCache.hash(bytes)
                if let entry = known[file.path], entry.hash == hash { return .success(Scanned(file: file, hash: hash, facts: entry.facts)) }
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

    /// Does work per index on all cores, on threads with deep stacks: syntax trees are as deep as what is written, and are walked by recursion.
    private static func onDeepStacks<Value: Sendable>(_ count: Int, _ work: @escaping @Sendable (Int) -> Value) async -> [Value] {
        let threads = max(1, min(count, ProcessInfo.processInfo.activeProcessorCount))
        return await withTaskGroup(of: [(Int, Value)].self) { group in
            for first in 0..<threads {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let thread = Thread {
                            continuation.resume(returning: stride(from: first, to: count, by: threads).map { ($0, work($0)) })
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

/// What files said when they were read last, on disk: those whose bytes are the same are not scanned again.
struct FactsCache: Codable {
    struct Entry: Codable {
        var hash: UInt64
        var facts: SourceFacts
    }

    var path = ""
    /// Another build of the tool may see other things.
    private var tool = FactsCache.tool
    var known: [String: Entry] = [:]

    init(path: String) { self.path = path }

    /// What stands in a file; nothing where there is none, or another tool's.
    static func read(_ path: String) -> FactsCache {
        guard let bytes = try? FileSystem.read(path), var cache = try? JSONDecoder().decode(FactsCache.self, from: Data(bytes)), cache.tool == tool
        else { return FactsCache(path: path) }
        cache.path = path
        return cache
    }

    /// Fails in silence: it is a matter of time alone.
    func write() async {
        guard let data = try? JSONEncoder().encode(self) else { return }
        try? await OutputWriter.write([OutputFile(path: path, bytes: Array(data))])
    }

    private static let tool: String = {
        let attributes = try? FileManager.default.attributesOfItem(atPath: CommandLine.arguments[0])
        return "\(attributes?[.modificationDate] ?? 0) \(attributes?[.size] ?? 0)"
    }()

    /// FNV-1a (Fowler, Noll, Vo), eight bytes at a time.
    static func hash(_ bytes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
        bytes.withUnsafeBytes { buffer in
            var index = 0
            while index + 8 <= buffer.count {
                hash = (hash ^ buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x100_0000_01b3
                hash ^= hash >> 29
                index += 8
            }
            while index < buffer.count {
                hash = (hash ^ UInt64(buffer[index])) &* 0x100_0000_01b3
                index += 1
            }
        }
        return hash
    }
}
