import ActivityTracking
import Foundation
import LoopbackCollector
import Testing
import TestSupport

/// Tests of a separate package that depends on this one by path and contains an uploader. It can use only the public
/// API. The package stays below `.build`, because its first build takes minutes. If `PackageBuilds` names an app with an
/// outbox, the package is next to that app and shares its build.
@Suite(.enabled(if: PackageBuilds.areAsked, Comment(rawValue: PackageBuilds.way)))
struct OutsidePackageTests {
    private static let folder =
        PackageBuilds.app?.deletingLastPathComponent().appendingPathComponent("Kitchen")
        ?? Tool.repository.appendingPathComponent(".build/kitchen 試験")
    /// The modules of an app's build are found again only if the path of their sources is the same.
    private static let loggen = PackageBuilds.app == nil ? Tool.repository.path : "../loggen"
    private static let scratch = PackageBuilds.app.map { ["--scratch-path", "\($0.path)/.build"] } ?? []

    private static let manifest = """
        // swift-tools-version: 6.1
        import PackageDescription

        let package = Package(
            name: "Kitchen",
            platforms: [.macOS(.v12)],
            dependencies: [.package(name: "loggen", path: "\(loggen)")],
            targets: [
                .executableTarget(
                    name: "Kitchen",
                    dependencies: [
                        .product(name: "ActivityOutbox", package: "loggen"), .product(name: "ActivityTracking", package: "loggen"),
                    ])
            ],
            swiftLanguageModes: [.v6]
        )

        """

    private static let program = #"""
        import ActivityOutbox
        import ActivityTracking
        import Foundation

        #if canImport(FoundationNetworking)
            import FoundationNetworking
        #endif

        /// Sends an object with a batch's name and an array of events, and reads which of them the collector took.
        struct ArrayUploader: LogUploader {
            struct Answer: Decodable {
                var taken: [Int]
                var wrong: [String: String]
            }

            let url: URL

            func upload(_ batch: LogBatch) async throws -> UploadResult {
                var request = URLRequest(url: url)
                request.httpMethod = "PUT"
                request.setValue("application/vnd.kitchen+json", forHTTPHeaderField: "Content-Type")
                let events = batch.records.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
                request.httpBody = Data("{\"batch\":\"\(batch.id)\",\"events\":[\(events)]}".utf8)
                let (body, response) = try await URLSession.shared.data(for: request)
                guard (response as? HTTPURLResponse)?.statusCode == 200 else { return .later(reason: "busy", after: nil) }
                let answer = try JSONDecoder().decode(Answer.self, from: body)
                var results: [Int: RecordResult] = [:]
                for index in answer.taken { results[index] = .accepted }
                for (index, reason) in answer.wrong { results[Int(index) ?? -1] = .refused(reason: reason) }
                return .perRecord(results)
            }
        }

        let arguments = CommandLine.arguments
        guard let url = URL(string: arguments[1]) else { exit(2) }
        let uploader = ArrayUploader(url: url)

        // The uploader is tested without an outbox.
        let records = ["tomato", "mould"].map { LogRecord(GenericTap.tap(target: $0)).json }
        guard try await uploader.upload(LogBatch(records: records)) == .perRecord([0: .accepted, 1: .refused(reason: "it is off")]) else { exit(3) }

        // Then it is tested with a real outbox.
        var configuration = Outbox.Configuration(folder: URL(fileURLWithPath: arguments[2]))
        configuration.firstRetry = 0.01
        let outbox = Outbox(configuration, uploader: uploader) { notice in print("notice: \(notice)") }
        let logger = ActivityLogger(destinations: [outbox], collection: .enabled)
        for number in 1...10 { logger.post(GenericTap.tap(target: number == 4 ? "mould" : "dish \(number)")) }
        await outbox.flush()
        while await outbox.status().stored > 0 { await outbox.deliver() }
        for letter in try await outbox.deadLetters() { print("dead letter: \(letter.reason)") }
        await logger.shutdown(within: 10)
        print(await outbox.status())

        """#

    @Test(
        "Another package's uploader with a custom framing delivers and accepts parts of batches"
    )
    func customUploaderDeliversThroughAnOutbox() async throws {
        struct Request: Decodable {
            struct Event: Decodable {
                var target: String
            }

            var batch: UUID
            var events: [Event]
        }
        let taken = Locked([String]())
        let batches = Locked([UUID]())
        // Accepts at most three records of a batch, and refuses spoiled ones.
        let collector = try Collector { request in
            guard request.headers["content-type"] == "application/vnd.kitchen+json",
                request.headers["content-encoding"] == nil,
                let body = try? JSONDecoder().decode(Request.self, from: Data(request.body))
            else { return .status(400) }
            batches.withLock { $0.append(body.batch) }
            var (indices, wrong) = ([Int](), [String]())
            for (index, event) in body.events.enumerated().prefix(3) {
                if event.target == "mould" { wrong.append("\"\(index)\":\"it is off\"") } else { indices.append(index) }
            }
            taken.withLock { $0 += indices.map { body.events[$0].target } }
            return .text(200, "{\"taken\":\(indices),\"wrong\":{\(wrong.joined(separator: ","))}}", accepting: [])
        }
        let sources = Self.folder.appendingPathComponent("Sources/Kitchen")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try Self.manifest.write(
            to: Self.folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        try Self.program.write(to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
        let build = try Tool.command(["swift", "build", "--product", "Kitchen"] + Self.scratch, in: Self.folder)
        try #require(build.code == 0, "\(build.out)\(build.error)")
        let shown = try Tool.command(["swift", "build", "--show-bin-path"] + Self.scratch, in: Self.folder)
        let path = shown.out.trimmingCharacters(in: .whitespacesAndNewlines)
        let kitchen = URL(fileURLWithPath: path).appendingPathComponent("Kitchen")
        let store = try Scratch()
        let run = try Tool.launch(kitchen, [collector.url.absoluteString, store.url.path], in: Self.folder)
        #expect(run.code == 0, "\(run.out)\(run.error)")
        #expect(taken.withLock { $0 } == ["tomato"] + (1...10).filter { $0 != 4 }.map { "dish \($0)" })
        #expect(run.out.contains("notice: 1 record is a dead letter: it is off"), "\(run.out)")
        #expect(run.out.contains("dead letter: it is off"))
        #expect(
            run.out.contains("Status(queued: 0, stored: 0, storedBytes: 0, deadLetters: 1, dropped: 0)"), "\(run.out)")
        let names = batches.withLock { $0 }
        #expect(Set(names).count == names.count)
    }
}
