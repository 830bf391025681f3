import ActivityOutbox
@_spi(GeneratedCode) import ActivityTracking
import Foundation
import GRDBSQLite
import LoopbackCollector

/// Measures the cost of posting, storing and delivering, together with floors in the same run. Compare ratios.
@main
struct RuntimeBenchmark {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "runtime-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let wanted = CommandLine.arguments.dropFirst()
        func isWanted(_ name: String) -> Bool { wanted.isEmpty || wanted.contains(name) }
        if isWanted("posting") { try await posting(folder) }
        if isWanted("storing") { try await storing(folder) }
        if isWanted("delivering") { try await delivering(folder) }
        if isWanted("passing") { try await passing(folder) }
        if isWanted("waiting") { try await waiting(folder) }
        if isWanted("ending") { try await ending(folder) }
    }

    // MARK: Measuring

    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    static func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// The median of several runs in seconds.
    static func median(_ rounds: Int = 7, _ body: () throws -> Void) rethrows -> Double {
        middle(try (0..<rounds).map { _ in try seconds(body) })
    }

    static func row(_ name: String, _ value: Double, _ unit: String, _ comparison: String = "") {
        let number = String(format: value < 10 ? "%.2f" : "%.0f", value)
        print("| \(name) | \(number) \(unit) | \(comparison) |")
    }

    static func ratio(_ value: Double) -> String { String(format: "%.2f", value) }

    // MARK: Posting

    /// An event as loggen generates it.
    enum Search: LogCategory {
        case show(recipeId: Int64, position: Int, keyword: String, order: String)

        static let definition = LogDefinition(
            "search\n.show|1-0-0\nrecipe_id|int64\nposition|int64(0...)\nkeyword|string(256)\norder|string(32)")

        func encode(into encoder: LogEncoder) {
            switch self {
            case .show(let v0, let v1, let v2, let v3): encoder.event(0).int64(v0).int(v1).string(v2).string(v3)
            }
        }
    }

    struct Nowhere: LogDestination {
        func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {}
    }

    static let posts = 100_000

    static func posting(_ folder: URL) async throws {
        print("| posting, per record | cost | ratio |\n| --- | ---: | --- |")
        var buffer = [UInt8](repeating: 0, count: 4096)
        var length = 0
        func byHand() {
            for number in 0..<posts {
                length = buffer.withUnsafeMutableBufferPointer {
                    ByHand.encode(Int64(number), number % 50, "茄子と豚肉", "popular", into: $0)
                }
            }
        }
        func post(to logger: ActivityLogger) {
            for number in 0..<posts {
                logger.post(
                    Search.show(recipeId: Int64(number), position: number % 50, keyword: "茄子と豚肉", order: "popular"))
            }
        }
        let nowhere = ActivityLogger(processors: [Sampling()], destinations: [Nowhere()])
        var configuration = Outbox.Configuration(folder: folder.appendingPathComponent("queue"))
        // The writer waits for the flush. Otherwise it would use the other core, which is idle in the other
        // measurements.
        configuration.writeDelay = 60
        configuration.queuedRecords = .max
        configuration.queuedBytes = .max
        configuration.batchRecords = .max
        configuration.batchBytes = .max
        let outbox = Outbox(configuration, uploader: HTTPUploader(URL(fileURLWithPath: "/")), report: { _ in })
        let queueing = ActivityLogger(processors: [Sampling()], destinations: [outbox])
        configuration.folder = folder.appendingPathComponent("sealed-queue")
        configuration.seal = seal
        let sealed = Outbox(configuration, uploader: HTTPUploader(URL(fileURLWithPath: "/")), report: { _ in })
        let sealing = ActivityLogger(processors: [Sampling()], destinations: [sealed])

        struct Row: Encodable {
            var eventID: UUID
            var eventCategory = "search"
            var eventName = "show"
            var schemaVersion = "1-0-0"
            var occurredAt: Date
            var recipeID: Int64
            var position: Int
            var keyword: String
            var order: String

            enum CodingKeys: String, CodingKey {
                case eventID = "event_id"
                case eventCategory = "event_category"
                case eventName = "event_name"
                case schemaVersion = "schema_version"
                case occurredAt = "occurred_at"
                case recipeID = "recipe_id"
                case position, keyword, order
            }
        }
        let path = folder.appendingPathComponent("append.ndjson")
        _ = FileManager.default.createFile(atPath: path.path, contents: nil)
        let file = try FileHandle(forWritingTo: path)
        func append(_ count: Int) throws {
            for number in 0..<count {
                let encoder = JSONEncoder()
                encoder.dateEncodingStrategy = .iso8601
                var line = try encoder.encode(
                    Row(
                        eventID: UUID(), occurredAt: Date(), recipeID: Int64(number), position: number % 50,
                        keyword: "茄子と豚肉", order: "popular"))
                line.append(0x0A)
                try file.write(contentsOf: line)
            }
        }

        // The variants run in turn in each round, so that a slow machine slows all of them.
        let few = posts / 20
        var rounds: [(byHand: Double, post: Double, queued: Double, sealed: Double, appended: Double)] = []
        for _ in 0..<15 {
            let (byHand, nowhere) = (seconds(byHand), seconds { post(to: nowhere) })
            let queued = seconds { post(to: queueing) }
            // The remaining work of the writer must not count for the next variant.
            await outbox.flush()
            let toBeSealed = seconds { post(to: sealing) }
            await sealed.flush()
            rounds.append((byHand, nowhere, queued, toBeSealed, try seconds { try append(few) } * Double(posts / few)))
        }
        let record = try JSONSerialization.jsonObject(with: Data(buffer.prefix(length))) as? [String: Any]
        precondition(record?.count == 9 && record?["position"] as? Int == (posts - 1) % 50)
        let scale = 1e9 / Double(posts)
        row("encoding by hand into an existing buffer", middle(rounds.map(\.byHand)) * scale, "ns", "1")
        row(
            "`post`, to a destination that does nothing", middle(rounds.map(\.post)) * scale, "ns",
            "\(ratio(middle(rounds.map { $0.post / $0.byHand }))) × by hand (target 2)")
        row(
            "`post`, to an outbox", middle(rounds.map(\.queued)) * scale, "ns",
            "\(ratio(middle(rounds.map { $0.queued / $0.byHand }))) × by hand")
        row(
            "`post`, to an outbox with a seal", middle(rounds.map(\.sealed)) * scale, "ns",
            "\(ratio(middle(rounds.map { $0.sealed / $0.queued }))) × without (target: 1)")
        row(
            "JSONEncoder and a synchronous append", middle(rounds.map(\.appended)) * scale, "ns",
            "\(ratio(middle(rounds.map { $0.appended / $0.queued }))) × `post` to an outbox (target: at least 20)")
    }

    /// The cipher is cheap, so the measurement shows the outbox's cost of sealing.
    static let seal: Outbox.Seal = {
        let cipher = ToyCipher(key: 1)
        return Outbox.Seal(seal: { cipher.seal($0) }, open: { try cipher.open($0) })
    }()

    // MARK: Storing

    static func storing(_ folder: URL) async throws {
        print("\n| storing, 500 records a transaction | records per second | ratio |\n| --- | ---: | --- |")
        let record = [UInt8]((0..<300).map { _ in UInt8.random(in: 0x61...0x7A) })
        let count = 50_000
        let bare = try median(5) {
            try Bare.insert(
                record, count: count, batch: 500, into: folder.appendingPathComponent("bare-\(UUID()).sqlite").path)
        }
        row("a prepared INSERT, bare SQLite", Double(count) / bare, "/s", "1")

        var times: [Double] = []
        var sealedTimes: [Double] = []
        var (first, last): (Double, Double) = (0, 0)
        // Rounds with and without a seal alternate, so that a slow machine slows both.
        for round in 0..<10 {
            let seals = round % 2 == 1
            var configuration = Outbox.Configuration(folder: folder.appendingPathComponent("store-\(round)"))
            configuration.deliveryInterval = 86_400
            configuration.batchRecords = .max
            configuration.batchBytes = .max
            configuration.storedRecords = .max
            configuration.storedBytes = .max
            if seals { configuration.seal = seal }
            let outbox = Outbox(configuration, uploader: HTTPUploader(URL(fileURLWithPath: "/")), report: { _ in })
            await outbox.flush()
            let begin = DispatchTime.now().uptimeNanoseconds
            var batches: [Double] = []
            for _ in 0..<(2 * count / 500) {
                let start = DispatchTime.now().uptimeNanoseconds
                for _ in 0..<500 { outbox.receive(record) }
                await outbox.flush()
                batches.append(Double(DispatchTime.now().uptimeNanoseconds - start))
            }
            let time = Double(DispatchTime.now().uptimeNanoseconds - begin) / 2e9
            if seals { sealedTimes.append(time) } else { times.append(time) }
            if !seals { (first, last) = (batches[2..<22].sorted()[10], batches.suffix(20).sorted()[10]) }
            await outbox.shutdown(within: 0)
        }
        let stored = times.sorted()[2]
        row("outbox", Double(count) / stored, "/s", "\(ratio(bare / stored)) of bare (target: at least 0.5)")
        let slower = middle(zip(times, sealedTimes).map { $0.0 / $0.1 })
        // The cost of the cipher alone is not the outbox's.
        let cipher = ToyCipher(key: 1)
        var sealedBytes = 0
        let ciphering = median(5) { for _ in 0..<count { sealedBytes += cipher.seal(record).count } }
        precondition(sealedBytes > 0)
        row(
            "outbox with a seal", Double(count) / middle(sealedTimes), "/s",
            "\(ratio(slower)) of without; the toy cipher alone: \(Int(Double(count) / ciphering)) /s")
        row("outbox, a batch at 100,000 stored against one at the beginning", last / first, "×", "target: 1")
    }

    // MARK: Delivering

    static func delivering(_ folder: URL) async throws {
        print(
            "\n| delivering 100,000 records, 500 a batch, to a collector that takes 10 ms | records per second | "
                + "ratio |\n| --- | ---: | --- |"
        )
        let collector = try Collector { _ in
            Thread.sleep(forTimeInterval: 0.01)
            return .status(204)
        }
        let uploader = HTTPUploader(collector.url)
        let count = 100_000
        var configuration = Outbox.Configuration(folder: folder.appendingPathComponent("delivery"))
        configuration.deliveryInterval = 86_400
        let outbox = Outbox(configuration, uploader: uploader, report: { print($0) })
        let logger = ActivityLogger(processors: [], destinations: [outbox], collection: .paused)
        for number in 0..<count {
            logger.post(Search.show(recipeId: Int64(number), position: 1, keyword: "茄子と豚肉", order: "popular"))
            if number % 5000 == 4999 { await outbox.flush() }
        }
        // The rate of the collector without reading a store and compressing: the same bodies are sent repeatedly.
        let kept = Locked<LogBatch?>(nil)
        let catcher = Catcher(kept: kept)
        var sample = configuration
        sample.folder = folder.appendingPathComponent("sample")
        let sampler = Outbox(sample, uploader: catcher, report: { _ in })
        let sampling = ActivityLogger(destinations: [sampler], collection: .enabled)
        for number in 0..<500 {
            sampling.post(Search.show(recipeId: Int64(number), position: 1, keyword: "茄子と豚肉", order: "popular"))
        }
        await sampler.deliver()
        guard let batch = kept.withLock({ $0 }) else { return print("no batch") }
        let body = try BatchEncoding.ndjson(gzip: true).body(batch.records)
        let made = BatchEncoding(contentType: "application/x-ndjson", contentEncoding: "gzip") { _ in body }
        let sender = HTTPUploader(collector.url, encoding: made)
        let begin = DispatchTime.now().uptimeNanoseconds
        // The batch of a delivery that has ended must not be sent.
        for _ in 0..<(count / 500) { _ = try await sender.upload(LogBatch(records: batch.records)) }
        let floor = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
        precondition(collector.acceptedCount == count)
        row("the same bodies, sent in sequence", Double(count) / floor, "/s", "1")

        let start = DispatchTime.now().uptimeNanoseconds
        logger.collection = .enabled
        while await outbox.status().stored > 0 { await outbox.deliver() }
        let drained = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        precondition(collector.acceptedCount >= 2 * count)
        row("outbox", Double(count) / drained, "/s", "\(ratio(floor / drained)) of that")
        collector.stop()
    }

    struct Catcher: LogUploader {
        let kept: Locked<LogBatch?>

        func upload(_ batch: LogBatch) async throws -> UploadResult {
            kept.withLock { $0 = batch }
            return .accepted
        }
    }

    // MARK: Passing

    /// Posts a million records, which are delivered continuously.
    static func passing(_ folder: URL) async throws {
        print("\n| a million records pass | MB resident |\n| --- | ---: |")
        let collector = Catcher(kept: Locked(nil))
        var configuration = Outbox.Configuration(folder: folder.appendingPathComponent("passing"))
        configuration.deliveryInterval = 0.05
        let outbox = Outbox(configuration, uploader: collector, report: { if case .deliveryFailed = $0 { print($0) } })
        let logger = ActivityLogger(destinations: [outbox], collection: .enabled)
        for number in 0..<1_000_000 {
            logger.post(Search.show(recipeId: Int64(number), position: 1, keyword: "茄子と豚肉", order: "popular"))
            if number % 5000 == 4999 { await outbox.deliver() }
            if number + 1 == 100_000 || number + 1 == 1_000_000 {
                print("| after \(number + 1) | \(residentMegabytes()) |")
            }
        }
        let status = await outbox.status()
        print("\n\(status.dropped) dropped, \(status.stored) still stored")
        await outbox.shutdown(within: 5)
    }

    // MARK: Waiting

    /// Measures an outbox that has nothing to do or cannot deliver: processor time in percent of one core.
    static func waiting(_ folder: URL) async throws {
        print("\n| waiting, 4 s each | processor time |\n| --- | ---: |")
        struct Offline: LogUploader {
            func upload(_ batch: LogBatch) async throws -> UploadResult { throw URLError(.notConnectedToInternet) }
        }
        let isFull = Locked(false)
        for (name, posts) in [
            ("idle", 0), ("offline", 0), ("offline, 100 posts/s", 100), ("denied, 100 posts/s", 100),
            ("suspended, 100 posts/s", 100),
            ("full disk, 100 posts/s", 100),
        ] {
            var configuration = Outbox.Configuration(
                folder: folder.appendingPathComponent("waiting \(name.filter(\.isLetter))"))
            configuration.deliveryInterval = 1
            isFull.withLock { $0 = false }
            let outbox = Outbox(
                configuration, uploader: Offline(), clock: .system,
                faults: { if $0 == .write, isFull.withLock({ $0 }) { throw POSIXError(.ENOSPC) } }, report: { _ in })
            outbox.collectionDidChange(to: .enabled)
            let record = [UInt8](repeating: 0x61, count: 300)
            if name != "idle" { for _ in 0..<1000 { outbox.receive(record) } }
            await outbox.deliver()
            if name.hasPrefix("denied") { outbox.collectionDidChange(to: .denied) }
            if name.hasPrefix("suspended") { await outbox.suspend() }
            if name.hasPrefix("full") { isFull.withLock { $0 = true } }
            await outbox.flush()
            let before = processorSeconds()
            for _ in 0..<400 {
                if posts > 0 { outbox.receive(record) }
                try await Task.sleep(nanoseconds: 10_000_000)
            }
            print("| \(name) | \(String(format: "%.2f", (processorSeconds() - before) / 4 * 100)) % |")
            isFull.withLock { $0 = false }
            await outbox.shutdown(within: 0)
        }
        // The cost of the loop without an outbox.
        let before = processorSeconds()
        for _ in 0..<400 { try await Task.sleep(nanoseconds: 10_000_000) }
        print(
            "| the loop that posts, without an outbox | "
                + "\(String(format: "%.2f", (processorSeconds() - before) / 4 * 100)) % |"
        )
    }

    // MARK: Ending

    /// Measures how much `shutdown(within: 1)` exceeds its second under several obstacles. The limit is 100 ms.
    static func ending(_ folder: URL) async throws {
        print("\n| `shutdown(within: 1)`, 5 each | longest | over the second |\n| --- | ---: | ---: |")
        /// An uploader that ignores cancellation.
        struct Deaf: LogUploader {
            func upload(_ batch: LogBatch) async throws -> UploadResult {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().asyncAfter(deadline: .now() + 60) { continuation.resume() }
                }
                return .accepted
            }
        }
        for obstacle in [
            "nothing", "an uploader that never answers", "a store that another process has locked", "a full disk",
            "all of them",
        ] {
            var longest = 0.0
            for round in 0..<5 {
                let configuration = Outbox.Configuration(
                    folder: folder.appendingPathComponent("ending \(obstacle) \(round)"))
                let isAll = obstacle == "all of them"
                let isFull = Locked(false)
                let outbox = Outbox(
                    configuration, uploader: Deaf(), clock: .system,
                    faults: { if $0 == .write, isFull.withLock({ $0 }) { throw POSIXError(.ENOSPC) } }, report: { _ in }
                )
                let record = [UInt8](repeating: 0x61, count: 300)
                outbox.receive(record)
                await outbox.flush()
                if isAll || obstacle.contains("uploader") {
                    outbox.collectionDidChange(to: .enabled)
                    Task { await outbox.deliver() }
                    try await Task.sleep(nanoseconds: 100_000_000)
                }
                if isAll || obstacle.contains("disk") { isFull.withLock { $0 = true } }
                var database: OpaquePointer?
                if isAll || obstacle.contains("locked") {
                    sqlite3_open(configuration.folder.appendingPathComponent("outbox.sqlite").path, &database)
                    sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
                }
                for _ in 0..<1000 { outbox.receive(record) }
                let start = DispatchTime.now().uptimeNanoseconds
                await outbox.shutdown(within: 1)
                longest = max(longest, Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
                sqlite3_close(database)
            }
            print(
                "| \(obstacle) | \(String(format: "%.3f", longest)) s | "
                    + "\(String(format: "%.0f", max(0, longest - 1) * 1000)) ms |"
            )
        }
    }

    static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func residentMegabytes() -> Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            .dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * 4096 / 1_000_000
    }
}

/// Inserts records with a prepared statement of SQLite.
enum Bare {
    struct Failure: Error {}

    static func insert(_ record: [UInt8], count: Int, batch: Int, into path: String) throws {
        var database: OpaquePointer?
        guard sqlite3_open(path, &database) == SQLITE_OK else { throw Failure() }
        defer { sqlite3_close(database) }
        for sql in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
            "CREATE TABLE record (number INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, json BLOB NOT NULL)",
        ] {
            guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw Failure() }
        }
        var statement: OpaquePointer?
        sqlite3_prepare_v2(database, "INSERT INTO record (time, json) VALUES (?, ?)", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        for _ in 0..<(count / batch) {
            sqlite3_exec(database, "BEGIN", nil, nil, nil)
            for _ in 0..<batch {
                sqlite3_reset(statement)
                sqlite3_bind_double(statement, 1, 1)
                _ = record.withUnsafeBytes { sqlite3_bind_blob(statement, 2, $0.baseAddress, Int32($0.count), nil) }
                guard sqlite3_step(statement) == SQLITE_DONE else { throw Failure() }
            }
            guard sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK else { throw Failure() }
        }
        guard sqlite3_total_changes(database) == count else { throw Failure() }
    }
}
