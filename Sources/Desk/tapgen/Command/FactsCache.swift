import Foundation
import LogDefinitions
import LogOutputs
import LogProject

/// The facts of the last scan, kept on disk. A file with the same bytes is not scanned again.
struct FactsCache: Codable {
    struct Entry: Codable {
        var hash: UInt64
        var facts: SourceFacts
    }

    var path = ""
    /// The build of the tool, because another build may scan differently.
    private var tool = FactsCache.tool
    var known: [String: Entry] = [:]

    init(path: String) { self.path = path }

    /// Reads a cache. Returns an empty cache if the file does not exist, or if another build wrote it.
    /// - Throws: an error for a file that is no cache. It is somebody's, and is not overwritten.
    static func read(_ path: String) throws(FileError) -> FactsCache {
        guard FileSystem.kind(path) != nil else { return FactsCache(path: path) }
        let data = Data(try FileSystem.read(path))
        let heads = CodingKeys.allCases.map { Data("{\"\($0.rawValue)\":".utf8) }
        guard data.isEmpty || heads.contains(where: { data.starts(with: $0) }) else {
            throw FileError("`\(path)` is no cache of tapgen: name another file, or delete it")
        }
        guard var cache = try? JSONDecoder().decode(FactsCache.self, from: data), cache.tool == tool else {
            return FactsCache(path: path)
        }
        cache.path = path
        return cache
    }

    /// One of the members begins a cache, also a damaged one.
    private enum CodingKeys: String, CodingKey, CaseIterable { case path, tool, known }

    /// Writes the cache. A failure is not reported, because without a cache the next run only takes longer.
    func write() async {
        guard let data = try? JSONEncoder().encode(self) else { return }
        try? await OutputWriter.write([OutputFile(path: path, bytes: Array(data))])
    }

    private static let tool: String = {
        let attributes = try? FileManager.default.attributesOfItem(atPath: CommandLine.arguments[0])
        return "\(attributes?[.modificationDate] ?? 0) \(attributes?[.size] ?? 0)"
    }()

    /// Returns the FNV-1a hash (Fowler, Noll and Vo).
    static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
