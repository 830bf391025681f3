import Foundation
import LogDefinitions
import LogOutputs
import LogProject
import TapScanning

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
    static func read(_ path: String) -> FactsCache {
        guard let bytes = try? FileSystem.read(path),
            var cache = try? JSONDecoder().decode(FactsCache.self, from: Data(bytes)), cache.tool == tool
        else { return FactsCache(path: path) }
        cache.path = path
        return cache
    }

    /// Writes the cache. A failure is not reported, because without a cache the next run only takes longer.
    func write() async {
        guard let data = try? JSONEncoder().encode(self) else { return }
        try? await OutputWriter.write([OutputFile(path: path, bytes: Array(data))])
    }

    private static let tool: String = {
        let attributes = try? FileManager.default.attributesOfItem(atPath: CommandLine.arguments[0])
        return "\(attributes?[.modificationDate] ?? 0) \(attributes?[.size] ?? 0)"
    }()

    /// A variant of FNV-1a (Fowler, Noll, Vo) that reads eight bytes at a time.
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
