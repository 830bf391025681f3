import ArgumentParser
enum GeneratedHeader { static func isPresent(in: [UInt8]) -> Bool { false } }
struct Generate: AsyncParsableCommand { func run() async throws {} }
struct Templates: AsyncParsableCommand { func run() async throws {} }
