import ActivityOutbox
import ActivityTracking
import ArgumentParser
import Foundation
import LoopbackCollector
import RecipeLogs
import TestSupport

/// Kills a process that posts, again and again, in front of a collector that answers as badly as collectors do, and compares.
@main
struct OutboxTorture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox-torture",
        abstract: "Kill a posting process again and again, and see that nothing is lost.",
        discussion: """
            Each round starts a process that posts numbered events through an outbox and says which are durable, and ends it with SIGKILL at a \
            random moment. A collector on loopback answers at random with success, 500, 429, 413, silence, a reset, or a success that is cut off. \
            In the end what is left is delivered. Nothing that was durable may be missing, and nothing may arrive that was not posted; \
            first arrivals come in the order of posting. One record in 499 the collector never takes; these are to be dead letters, alone.

            Exit codes: 0 nothing lost; 1 something is wrong, and what.
            """
    )

    @Option(help: "How often the process is killed.")
    var rounds = 300

    @Option(help: "Decides every random choice of the collector and of the moments; the scheduling of processes stays the system's.")
    var seed: UInt64 = 1

    @Option(help: "A file for every record received, one a line.")
    var received: String?

    @Option(help: ArgumentHelp("The folder of the store; a temporary one where left out.", visibility: .hidden))
    var folder: String?

    @Option(help: ArgumentHelp("Where the collector listens, in a process that posts.", visibility: .hidden))
    var collector: String?

    @Option(help: ArgumentHelp("The first number to post.", visibility: .hidden))
    var first = 0

    @Option(help: ArgumentHelp("Post so many and deliver them; without end where left out.", visibility: .hidden))
    var count: Int?

    @Flag(help: ArgumentHelp("Deliver what is left, and say what are dead letters.", visibility: .hidden))
    var drains = false

    func run() async throws {
        if let folder, let collector, let url = URL(string: collector) {
            try await drains ? drain(folder, url) : post(folder, url)
        } else {
            try await torture()
        }
    }

    // MARK: The process that is killed

    private static func outbox(_ folder: String, _ url: URL) -> Outbox {
        var configuration = Outbox.Configuration(folder: URL(fileURLWithPath: folder))
        configuration.writeDelay = 0.005
        configuration.batchRecords = 100
        configuration.deliveryInterval = 0.02
        configuration.firstRetry = 0.005
        configuration.longestRetry = 0.05
        configuration.storedRecords = .max
        configuration.storedBytes = .max
        configuration.deadLetters = .max
        configuration.isSampled = false
        let outbox = Outbox(configuration, uploader: HTTPUploader(url, timeout: 1)) { notice in
            switch notice {
            case .storeSetAside, .storeUnavailable, .dropped: say("notice \(notice)")
            case .deadLetters, .deliveryFailed, .configuration: break
            }
        }
        outbox.collectionDidChange(to: .enabled)
        return outbox
    }

    private func post(_ folder: String, _ url: URL) async throws {
        let outbox = Self.outbox(folder, url)
        let common = CommonColumns(
            sessionId: UUID(), appVersion: "2026.4.0", osVersion: "iOS 19.4", deviceKind: .phone, deviceModel: "iPhone18,3", timeZone: "Asia/Tokyo",
            locale: "ja-JP", isPremium: false, experiments: ["タグ:B", "\"quoted\""])
        let logger = ActivityLogger(common: { common }, destinations: [outbox], collection: .enabled)
        var number = first
        while count.map({ number < first + $0 }) ?? true {
            for _ in 0..<min(Int.random(in: 1...40), first + (count ?? .max - first) - number) {
                logger.post(
                    RecipeSearch.showRecipe(
                        recipeId: RecipeID(Int64(number)), position: number % 50, keyword: "なす\n\"\(number)\"", order: .popular,
                        tags: number % 3 == 0 ? ["夏", "簡単"] : nil))
                number += 1
            }
            guard await outbox.makeDurable() else { continue }
            say("durable \(number)")
            try await Task.sleep(nanoseconds: UInt64.random(in: 0...2_000_000))
        }
        await outbox.shutdown(within: 30)
    }

    private func drain(_ folder: String, _ url: URL) async throws {
        let outbox = Self.outbox(folder, url)
        await outbox.flush()
        for letter in try await outbox.deadLetters() { say("dead \(String(decoding: letter.json, as: UTF8.self))") }
        await outbox.shutdown(within: 120)
        let rest = Self.outbox(folder, url)
        await rest.flush()
        say("left \(await rest.status().stored)")
        for letter in try await rest.deadLetters() { say("dead \(String(decoding: letter.json, as: UTF8.self))") }
        await rest.shutdown(within: 0)
    }

    // MARK: The process that kills

    private func torture() async throws {
        let dice = Locked(SeededGenerator(seed: seed))
        let isKind = Locked(false)
        let collector = try Collector { request in
            // Some it never takes: their batches are halved until they are alone.
            if request.records.contains(where: { Self.read($0).map { $0.number % 499 == 498 } ?? false }) { return .status(413) }
            // The end of all things comes quickly.
            let roll = isKind.withLock { $0 } ? 0 : dice.withLock { Int.random(in: 0..<100, using: &$0) }
            switch roll {
            case 0..<55: return .status(204)
            case 55..<65: return .status(500)
            case 65..<72: return .status(429, retryAfter: "0")
            case 72..<80: return request.records.count > 5 ? .status(413) : .status(200)
            case 80..<87: return .cutOff
            case 87..<98: return .reset
            default: return .hang(seconds: 1.5)
            }
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("outbox-torture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        var durable: [Range<Int>] = []
        var problems: [String] = []
        for round in 0..<rounds {
            let first = round * 1_000_000
            let (process, output) = try start(["--first", "\(first)"], folder, collector)
            try await Task.sleep(nanoseconds: dice.withLock { UInt64.random(in: 5_000_000...250_000_000, using: &$0) })
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            var end = first
            for line in try Self.lines(output) {
                if line.hasPrefix("durable "), let number = Int(line.dropFirst(8)) {
                    end = number
                } else {
                    problems.append("round \(round): \(line)")
                }
            }
            durable.append(first..<end)
            if isatty(STDERR_FILENO) != 0 {
                FileHandle.standardError.write(Data("\rround \(round + 1) of \(rounds), \(collector.acceptedCount) received".utf8))
            }
        }
        if isatty(STDERR_FILENO) != 0 { FileHandle.standardError.write(Data("\n".utf8)) }

        isKind.withLock { $0 = true }
        let (process, output) = try start(["--drains"], folder, collector)
        process.waitUntilExit()
        var dead: [String] = []
        for line in try Self.lines(output) {
            if line.hasPrefix("dead ") { dead.append(String(line.dropFirst(5))) } else if line != "left 0" { problems.append("at the end: \(line)") }
        }
        collector.stop()
        try compare(durable, collector, Array(Set(dead)), &problems)
    }

    private func compare(_ durable: [Range<Int>], _ collector: Collector, _ dead: [String], _ problems: inout [String]) throws {
        let accepted = collector.accepted
        if let received { try (accepted.joined(separator: "\n") + "\n").write(toFile: received, atomically: true, encoding: .utf8) }
        var numbers: Set<Int> = []
        var identifiers: Set<String> = []
        var last = -1
        for record in accepted {
            guard let (identifier, number) = Self.read(record) else {
                problems.append("a record that nobody posted: \(record)")
                continue
            }
            guard identifiers.insert(identifier).inserted else { continue }
            if !numbers.insert(number).inserted { problems.append("two records of number \(number)") }
            if number < last { problems.append("\(number) came after \(last)") }
            last = number
        }
        let unique = numbers.count
        let letters = dead.compactMap { Self.read($0)?.number }
        problems += letters.filter { $0 % 499 != 498 || numbers.contains($0) }.map { "\($0) is a dead letter" }
        numbers.formUnion(letters)
        let lost = durable.flatMap { $0 }.filter { !numbers.contains($0) }
        if !lost.isEmpty { problems.append("\(lost.count) lost: \(lost.prefix(20).map(String.init).joined(separator: ", ")) …") }
        let count = durable.reduce(0) { $0 + $1.count }
        print(
            """
            outbox-torture: \(rounds) kills, seed \(seed): \(count) durable, \(lost.count) lost; \(collector.requests) requests, \(accepted.count) records received, \
            \(unique) of them different, \(letters.count) dead letters
            """)
        guard problems.isEmpty, count > 0 || rounds == 0 else {
            for problem in problems.prefix(50) { FileHandle.standardError.write(Data("outbox-torture: \(problem)\n".utf8)) }
            throw ExitCode(1)
        }
    }

    private static func read(_ record: String) -> (identifier: String, number: Int)? {
        guard let json = try? JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: Any], let identifier = json["event_id"] as? String,
            let number = json["recipe_id"] as? Int
        else { return nil }
        return (identifier, number)
    }

    private func start(_ arguments: [String], _ folder: URL, _ collector: Collector) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--folder", folder.path, "--collector", collector.url.absoluteString] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    /// Whole lines: one that the kill has cut says nothing.
    private static func lines(_ output: Pipe) throws -> [String] {
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return text[..<end].split(separator: "\n").map(String.init)
    }
}

/// A line on standard output, at once: a process that is killed loses what waits in a buffer.
private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
