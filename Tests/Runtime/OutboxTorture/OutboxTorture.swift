import ActivityOutbox
import ActivityTracking
import ArgumentParser
import Foundation
import LoopbackCollector
import RecipeLogs
import TestSupport

/// Kills a posting process repeatedly, with a collector that fails in the ways of real collectors, and compares the
/// posted records with the accepted ones.
@main
struct OutboxTorture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox-torture",
        abstract: "Kill a posting process repeatedly, and check that no record is lost.",
        discussion: """
            Each round starts a process that posts numbered events through an outbox and prints which are durable. It \
            ends the process with SIGKILL at a random moment. A collector on loopback answers at random with success, \
            success for a part of the records, 500, 429, 413, silence, a reset, an answer to another batch, or a \
            success that is truncated or lost; with --late, a quarter of a second late in one of four requests. At the \
            end, the remaining records are delivered. No durable record may be missing, and no record may arrive that \
            was not posted. First arrivals are in the order of posting. The collector never accepts one record in 499; \
            only these may be dead letters.

            The processes behave like apps: they suspend and resume, shut down and start again, deny and agree again. \
            In every third round there are two of them. A suspended process may not hold a file, and denied records \
            may not arrive afterwards. With --denials they deny throughout the run, and also in the rounds of two \
            processes. Only records that a denial may have removed are not compared: those of earlier rounds, and \
            those that were posted before the user agreed again. If a tmpfs can be mounted, which requires root, it \
            holds the store, and the disk is full from time to time.

            Exit codes: 0 no record was lost; 1 something is wrong, which is printed.
            """
    )

    @Option(help: "The number of kills.")
    var rounds = 300

    @Option(
        help: ArgumentHelp(
            "The seed of the random choices of the collector and of the moments. The system still schedules the "
                + "processes.")
    )
    var seed: UInt64 = 1

    @Option(help: "A file for the received records, one per line.")
    var received: String?

    @Option(
        help: ArgumentHelp(
            "A collector that gets what is accepted here, before it is: its records can be compared with --received.",
            valueName: "url"))
    var next: String?

    @Option(
        help: ArgumentHelp(
            "Send records as OTLP, with the answers of OTLP. A server at this address, `Tests/Oracles/otlp.py --listen`, "
                + "answers each body with its records.", valueName: "url"))
    var otlp: String?

    @Option(help: ArgumentHelp("The folder of the store. The default is a temporary one.", visibility: .hidden))
    var folder: String?

    @Option(help: ArgumentHelp("The URL of the collector, in a process that posts.", visibility: .hidden))
    var collector: String?

    @Flag(help: ArgumentHelp("Behave like an app: suspend, resume, shut down, start again.", visibility: .hidden))
    var lives = false

    @Flag(help: ArgumentHelp("Deny and agree again, too.", visibility: .hidden))
    var denies = false

    @Option(help: ArgumentHelp("The first number to post.", visibility: .hidden))
    var first = 0

    @Option(
        help: ArgumentHelp("The number of records to post and deliver. The default is unlimited.", visibility: .hidden))
    var count: Int?

    @Flag(help: ArgumentHelp("Deliver the remaining records, and print the dead letters.", visibility: .hidden))
    var drains = false

    @Option(help: ArgumentHelp("The file access before which the process kills itself.", visibility: .hidden))
    var diesAt: Int?

    @Flag(
        help: ArgumentHelp(
            "Send a record to a collector whose answer never ends, and print the used memory.", visibility: .hidden)
    )
    var reads = false

    @Flag(help: ArgumentHelp("Mirror the record instead of delivering it.", visibility: .hidden))
    var mirrors = false

    @Flag(help: "Seal stored records, and search every file for plain text after each kill.")
    var seals = false

    @Flag(help: "Deny and agree again in all rounds with denials and in all rounds with two processes.")
    var denials = false

    @Flag(help: "Delay a quarter of the collector's answers by a quarter of a second.")
    var late = false

    func validate() throws {
        if otlp != nil, denials { throw ValidationError("--otlp compares counts that --denials changes: omit one") }
        for (name, address) in [("next", next), ("otlp", otlp)] {
            if let address, URL(string: address)?.host == nil {
                throw ValidationError("--\(name) is not an address: \(address)")
            }
        }
    }

    func run() async throws {
        if reads, let collector, let url = URL(string: collector) {
            try await EndlessAnswer.read(from: url, mirrors: mirrors)
        } else if let folder, let collector, let url = URL(string: collector) {
            try await drains ? drain(folder, url) : post(folder, url)
        } else {
            try await torture()
        }
    }

    // MARK: The killed process

    /// Parts of the messages for a full disk. With error 4874, SQLite has no space for the index of its log.
    private static let fullDisk = ["full", "No space", "error 4874"]

    private static let cipher = ToyCipher(key: 0x5EA1)

    /// Strings that no file may contain if records are sealed.
    private static let plainTexts = ["event_name", "recipe_search", "なす", "Asia/Tokyo"]

    private func outbox(_ folder: String, _ url: URL, collection: CollectionPolicy? = .enabled) -> Outbox {
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
        if seals {
            configuration.seal = Outbox.Seal(seal: { Self.cipher.seal($0) }, open: { try Self.cipher.open($0) })
        }
        let uploader = AnnouncingUploader(
            base: HTTPUploader(
                url,
                encoding: otlp == nil ? .ndjson(gzip: true) : .otlp(resource: ["service.name": "torture"]).gzipped(),
                perRecordAnswers: true, timeout: 1),
            marker: folder + "/outbox.denied", isSilent: drains)
        let outbox = Outbox(
            configuration, uploader: uploader, clock: .system,
            faults: { [diesAt] _ in Self.aim(diesAt: diesAt) }
        ) {
            notice in
            switch notice {
            // A full disk is retried, and denied records are meant to be dropped.
            case .storeUnavailable(let reason) where Self.fullDisk.contains { reason.contains($0) }: break
            case .dropped(let count, .denied): say("gone \(count)")
            // The collector counts the records that it rejects.
            case .dropped(_, .rejected) where otlp != nil: break
            case .storeSetAside, .storeUnavailable, .dropped: say("notice \(notice)")
            case .deadLetters, .deliveryFailed, .uploaderStalled, .partialSuccess, .configuration: break
            }
        }
        if let collection { outbox.collectionDidChange(to: collection) }
        return outbox
    }

    private static let accesses = Locked(0)

    /// Kills the process at a file access.
    private static func aim(diesAt: Int?) {
        if let diesAt,
            accesses.withLock({
                $0 += 1; return $0
            }) == diesAt
        {
            kill(getpid(), SIGKILL)
        }
    }

    private func post(_ folder: String, _ url: URL) async throws {
        var outbox = self.outbox(folder, url)
        let common = CommonColumns(
            sessionId: UUID(), appVersion: "2026.4.0", osVersion: "iOS 19.4", deviceKind: .phone,
            deviceModel: "iPhone18,3", timeZone: "Asia/Tokyo",
            locale: "ja-JP", isPremium: false, experiments: ["タグ:B", "\"quoted\""])
        var logger = ActivityLogger(common: { common }, destinations: [outbox], collection: .enabled)
        var number = first
        // An earlier outbox of this process may still have files open, because its shutdown has run out of time.
        var isClosing = false
        while count.map({ number < first + $0 }) ?? true {
            for _ in 0..<min(Int.random(in: 1...40), first + (count ?? .max - first) - number) {
                logger.post(
                    RecipeSearch.showRecipe(
                        recipeId: RecipeID(Int64(number)), position: number % 50, keyword: "なす\n\"\(number)\"",
                        order: .popular,
                        tags: number % 3 == 0 ? ["夏", "簡単"] : nil))
                number += 1
            }
            // The disk is full. Further posts would be dropped eventually.
            while await !outbox.makeDurable() { try await Task.sleep(nanoseconds: 2_000_000) }
            say("durable \(number) \(moment())")
            guard lives else {
                try await Task.sleep(nanoseconds: UInt64.random(in: 0...2_000_000))
                continue
            }
            switch Int.random(in: 0..<30) {
            case 0:
                await outbox.suspend()
                var open = Tool.openFiles(in: folder)
                // A suspended outbox opens and closes no files, so files that stay open belong to it.
                for _ in 0..<1000 where isClosing && !open.isEmpty {
                    try await Task.sleep(nanoseconds: 10_000_000)
                    open = Tool.openFiles(in: folder)
                }
                isClosing = isClosing && !open.isEmpty
                if !open.isEmpty { say("suspended, and open: \(open.joined(separator: ", "))") }
                await outbox.resume()
            case 1:
                // Of overlapping calls, the last one counts.
                let current = outbox
                async let suspended: Void = current.suspend()
                async let resumed: Void = current.resume()
                _ = await (suspended, resumed)
                await outbox.resume()
            case 2:
                let seconds = Double.random(in: 0...0.05)
                LoadMeter.shared.reset()
                let start = DispatchTime.now().uptimeNanoseconds
                await outbox.shutdown(within: seconds)
                let late = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 - seconds
                // The limit is a tenth of a second. On a busy machine, each of several steps is as late as a woken
                // thread.
                if late > 1 + 20 * LoadMeter.shared.delay { say("shut down \(late) s late") }
                // The shutdown answers after a twentieth of a second even if it is not complete.
                if late >= 0.05 { isClosing = true }
                outbox = self.outbox(folder, url)
                logger = ActivityLogger(common: { common }, destinations: [outbox], collection: .enabled)
            case 3 where denies:
                say("denying \(number) \(moment())")
                logger.collection = .denied
                await outbox.flush()
                say("denied \(number) \(moment())")
                // Time in which the other process may send.
                if Bool.random() { try await Task.sleep(nanoseconds: UInt64.random(in: 0...50_000_000)) }
                logger.collection = .enabled
                while await !outbox.makeDurable() { try await Task.sleep(nanoseconds: 2_000_000) }
                say("agreed \(number) \(moment())")
            case 4: logger.collection = .paused
            case 5: logger.collection = .enabled
            default: break
            }
            try await Task.sleep(nanoseconds: UInt64.random(in: 0...2_000_000))
        }
        await outbox.shutdown(within: 30)
    }

    private static func plainFiles(in folder: URL) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { name in
            guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return false }
            return plainTexts.contains { data.range(of: Data($0.utf8)) != nil }
        }
    }

    private func drain(_ folder: String, _ url: URL) async throws {
        let outbox = self.outbox(folder, url)
        await outbox.flush()
        for letter in try await outbox.deadLetters() { say("dead \(String(decoding: letter.json, as: UTF8.self))") }
        await outbox.shutdown(within: 120)
        let rest = self.outbox(folder, url)
        await rest.flush()
        say("left \(await rest.status().stored)")
        say("dropped \(await rest.status().dropped)")
        for letter in try await rest.deadLetters() { say("dead \(String(decoding: letter.json, as: UTF8.self))") }
        await rest.shutdown(within: 0)
    }

    // MARK: The killing process

    private func torture() async throws {
        let dice = Locked(SeededGenerator(seed: seed))
        let isKind = Locked(false)
        // The records that the collector has rejected without naming them, by their numbers.
        let rejected = Locked(Set<Int>())
        let collector = try Collector(next: next.flatMap { URL(string: $0) }, reader: otlp.flatMap { URL(string: $0) })
        {
            request in
            let isLate = late && !isKind.withLock { $0 } && dice.withLock { Int.random(in: 0..<4, using: &$0) } == 0
            if isLate { Thread.sleep(forTimeInterval: 0.25) }
            // The collector never accepts some records. It names them, or halves their batches until they are alone.
            let refused = request.records.indices.filter {
                Self.read(request.records[$0]).map { $0.number % 499 == 498 } ?? false
            }
            // At the end everything is accepted at once, or rejected for good.
            let faults = isKind.withLock { $0 } ? otlp == nil ? 1 : 45 : 120
            let roll = dice.withLock { Int.random(in: 0..<faults, using: &$0) }
            if otlp != nil, let answer = Self.answer(of: roll, to: request.records, refused: refused, dice, rejected) {
                return answer
            }
            if (100...).contains(roll) {
                let end = dice.withLock { Int.random(in: 0...request.records.count, using: &$0) }
                return Self.partly(request.records, end, refused: refused, roll)
            }
            if !refused.isEmpty { return .status(413) }
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
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "outbox-torture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let mount = ["mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", folder.path]
        let isOnSmallDisk = (try? Tool.command(mount, in: folder))?.code == 0
        defer { if isOnSmallDisk { _ = try? Tool.command(["umount", "-l", folder.path], in: folder) } }
        if !isOnSmallDisk { print("outbox-torture: no tmpfs can be mounted, so the disk is never full") }

        var ledger = DenialLedger()
        var problems: [String] = []
        var dead: Set<String> = []
        var dropped = 0
        var place = 0
        var arrived: Set<Int> = []
        func deliver() throws {
            isKind.withLock { $0 = true }
            defer { isKind.withLock { $0 = false } }
            let (process, output) = try start(["--drains"], folder, collector)
            // The output is read first, because it is larger than a pipe's buffer.
            let lines = try Self.lines(output)
            process.waitUntilExit()
            collector.waitUntilIdle()
            for line in lines where !line.hasPrefix("gone ") {
                if line.hasPrefix("dead ") {
                    dead.insert(String(line.dropFirst(5)))
                } else if line.hasPrefix("dropped ") {
                    dropped = Int(line.dropFirst(8)) ?? 0
                } else if line != "left 0" {
                    problems.append("at the end: \(line)")
                }
            }
            let accepted = collector.accepted
            arrived.formUnion(accepted[place...].compactMap { Self.read($0)?.number })
            place = accepted.count
            let letters = Set(dead.compactMap { Self.read($0)?.number })
            let unnamed = rejected.withLock { $0 }.subtracting(letters)
            ledger.settle { arrived.contains($0) || letters.contains($0) || unnamed.contains($0) }
            let gone = unnamed.subtracting(arrived).count
            if gone > dropped { problems.append("\(gone) rejected, and only \(dropped) reported as dropped") }
        }
        for round in 0..<rounds {
            // A denial may remove all waiting records, so they are delivered and compared before it. If a killed
            // process has left a denial, the processes of the round obey it, and no records of earlier rounds remain.
            // With OTLP, nothing is denied: a process that is killed during a wipe loses the store's count of dropped
            // records, with which the rejected ones are compared.
            let kind = Kind(round, of: otlp == nil ? rounds : 0, denials: denials)
            let isDenying = kind.arguments(denials: denials).contains("--denies")
            let isMarked = FileManager.default.fileExists(atPath: folder.appendingPathComponent("outbox.denied").path)
            if isDenying, !isMarked { try deliver() }
            // Simulates a process that died during a denial. Both processes find the denial and neither denies again,
            // so each of their records must arrive.
            let isLeft = denials && kind == .two && round % 2 == 0
            if isLeft {
                try Data().write(to: folder.appendingPathComponent("outbox.denied"))
                ledger.leaveMarker(before: round)
            }
            LoadMeter.shared.reset()
            let processes = try (0..<kind.processes).map { index in
                let first = (2 * round + index) * DenialLedger.numbersPerProcess
                return (
                    first,
                    try start(["--first", "\(first)"] + kind.arguments(denials: denials && !isLeft), folder, collector)
                )
            }
            // On a busy machine a process starts slowly. In every fifth round it is killed without waiting for its
            // start.
            if round % 5 != 4 {
                for (_, (_, output)) in processes {
                    var first = pollfd(
                        fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
                    poll(&first, 1, 3000)
                }
            }
            let lifetime = dice.withLock { UInt64.random(in: 5_000_000...250_000_000, using: &$0) }
            let isFull = isOnSmallDisk && kind == .full
            if isFull {
                try await Task.sleep(nanoseconds: lifetime / 3)
                Self.fill(folder)
                try await Task.sleep(nanoseconds: lifetime / 3)
                try? FileManager.default.removeItem(at: Self.ballast(folder))
            }
            try await Task.sleep(nanoseconds: isFull ? lifetime / 3 : lifetime)
            for (_, (process, _)) in processes { kill(process.processIdentifier, SIGKILL) }
            for (first, (process, output)) in processes {
                process.waitUntilExit()
                ledger.begin(first)
                for line in try Self.lines(output) where !ledger.take(line) {
                    problems.append("round \(round): \(line)")
                }
            }
            // Requests that were in flight when the processes died still arrive.
            collector.waitUntilIdle()
            // An upload that was decided before a denial begins within this time.
            let slack = 0.05 + 5 * LoadMeter.shared.delay
            problems += ledger.end(round: round, arrived: collector.acceptedCount, slack: slack).map {
                "round \(round): \($0)"
            }
            if seals { problems += Self.plainFiles(in: folder).map { "round \(round): \($0) holds plain text" } }
            if isatty(STDERR_FILENO) != 0 {
                FileHandle.standardError.write(
                    Data("\rround \(round + 1) of \(rounds), \(collector.acceptedCount) received".utf8))
            }
        }
        if isatty(STDERR_FILENO) != 0 { FileHandle.standardError.write(Data("\n".utf8)) }

        try deliver()
        collector.stop()
        problems += collector.unreadable.map { "an unreadable body: \($0)" }
        try compare(ledger, collector, Array(dead), rejected.withLock { $0 }, &problems)
    }

    /// Returns an answer of OTLP; nil for the answers that all protocols share.
    private static func answer(
        of roll: Int, to records: [String], refused: [Int], _ dice: Locked<SeededGenerator>,
        _ rejected: Locked<Set<Int>>
    ) -> Collector.Answer? {
        // The batches of a record that the collector never accepts are halved.
        if !refused.isEmpty, roll < 117 { return .text(400, "{\"message\":\"a bad record\"}", accepting: []) }
        switch roll {
        case 0..<30: return .text(200, "{\"partialSuccess\":{}}", accepting: records)
        case 55..<60: return .status(503, retryAfter: "0")
        case 30..<45, 100..<110:
            let end = dice.withLock { Int.random(in: 0...min(3, records.count), using: &$0) }
            rejected.withLock { $0.formUnion(records[..<end].compactMap { read($0)?.number }) }
            let members = "\"rejectedLogRecords\":\"\(end)\",\"errorMessage\":\"some\""
            return .text(200, "{\"partialSuccess\":{\(members)}}", accepting: Array(records[end...]))
        case 110..<114: return .text(200, "<html>It works!</html>", accepting: [])
        case 114..<117: return .status([404, 415][roll % 2])
        default: return nil
        }
    }

    /// Accepts the records before `end` except refused ones. The answer reports the results correctly, incorrectly or
    /// not at all.
    private static func partly(_ records: [String], _ end: Int, refused: [Int], _ roll: Int) -> Collector.Answer {
        let refused = refused.filter { $0 < end }
        let accepted = (0..<end).filter { !refused.contains($0) }.map { records[$0] }
        let refusals = refused.map { "{\"index\":\($0),\"reason\":\"never\"}" }.joined(separator: ",")
        switch roll {
        case 100..<114:
            let body =
                "{\"accepted\":\(accepted.count),\"refused\":[\(refusals)],\"later\":\(Array(end..<records.count))}"
            return .text(207, body, accepting: accepted)
        // The answer claims that all records were accepted, and names a record that does not exist. The sender must
        // ignore the answer.
        case 114..<117: return .text(207, "{\"accepted\":\(records.count),\"later\":[\(records.count)]}", accepting: [])
        default: return .lost(accepting: accepted)
        }
    }

    /// The additional actions of the processes of a round.
    private enum Kind {
        case plain, app, two, denial, full

        init(_ round: Int, of rounds: Int, denials: Bool) {
            let kinds: [Kind] =
                denials
                ? [.plain, .two, .two, .denial, .two, .app, .full] : [.plain, .app, .two, .denial, .app, .two, .full]
            self = kinds[round % 7]
            if self == .denial, round > rounds / 3, !denials { self = .app }
        }

        var processes: Int { self == .two ? 2 : 1 }

        func arguments(denials: Bool) -> [String] {
            switch self {
            case .two where denials: ["--lives", "--denies"]
            case .plain: []
            case .app, .two, .full: ["--lives"]
            case .denial: ["--lives", "--denies"]
            }
        }
    }

    private static func ballast(_ folder: URL) -> URL { folder.appendingPathComponent("ballast") }

    private static func fill(_ folder: URL) {
        guard FileManager.default.createFile(atPath: ballast(folder).path, contents: nil),
            let file = try? FileHandle(forWritingTo: ballast(folder))
        else {
            return
        }
        let piece = Data(repeating: 0, count: 1 << 14)
        while (try? file.write(contentsOf: piece)) != nil {}
        try? file.close()
    }

    private func compare(
        _ ledger: DenialLedger, _ collector: Collector, _ dead: [String],
        _ rejected: Set<Int>, _ problems: inout [String]
    ) throws {
        let accepted = collector.accepted
        if let received {
            try (accepted.joined(separator: "\n") + "\n").write(toFile: received, atomically: true, encoding: .utf8)
        }
        var numbers: Set<Int> = []
        var identifiers: [String: Int] = [:]
        // The last number of each process.
        var last: [Int: Int] = [:]
        for (place, record) in accepted.enumerated() {
            guard let (identifier, number) = Self.read(record) else {
                problems.append("a record that was not posted: \(record)")
                continue
            }
            if let other = identifiers[identifier] {
                if other != number { problems.append("\(other) and \(number) have the same event_id, \(identifier)") }
                continue
            }
            identifiers[identifier] = number
            if !numbers.insert(number).inserted { problems.append("two event_ids for number \(number)") }
            // A request in flight during a denial may arrive after later records, and so may a rejected record if the
            // process did not receive the answer.
            if !ledger.mayHaveRemoved(number), !rejected.contains(number) {
                let process = number / DenialLedger.numbersPerProcess
                if let before = last[process], number < before { problems.append("\(number) came after \(before)") }
                last[process] = number
            }
            if ledger.isDenied(number, at: place) { problems.append("\(number) was denied, and arrived") }
        }
        let unique = numbers.count
        let letters = dead.compactMap { Self.read($0)?.number }
        // A batch that is rejected as a whole becomes dead letters. It may have arrived before, with a lost answer.
        problems += letters.filter { ($0 % 499 != 498 || numbers.contains($0)) && !rejected.contains($0) }.map {
            "\($0) is a dead letter"
        }
        numbers.formUnion(letters)
        let lost = ledger.lost
        if !lost.isEmpty {
            problems.append("\(lost.count) lost: \(lost.prefix(20).map(String.init).joined(separator: ", ")) …")
        }
        let count = ledger.durableCount
        print(
            """
            outbox-torture: \(rounds) rounds, seed \(seed): \(count) durable, of which \(ledger.comparedCount) must \
            arrive, \(lost.count) lost; \(ledger.count) denials, \(ledger.removedCount) denied (\(ledger.reported) \
            reported); \(collector.requests) requests, \(accepted.count) records received, \(unique) of them \
            different, \(letters.count) dead letters\
            \(otlp != nil ? ", \(rejected.count) rejected" : "")
            """)
        guard problems.isEmpty, count > 0 || rounds == 0 else {
            for problem in problems.prefix(50) {
                FileHandle.standardError.write(Data("outbox-torture: \(problem)\n".utf8))
            }
            throw ExitCode(1)
        }
    }

    private static func read(_ record: String) -> (identifier: String, number: Int)? {
        guard let json = try? JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: Any],
            let identifier = json["event_id"] as? String,
            let number = json["recipe_id"] as? Int
        else { return nil }
        return (identifier, number)
    }

    private func start(_ arguments: [String], _ folder: URL, _ collector: Collector) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments =
            ["--folder", folder.path, "--collector", collector.url.absoluteString] + arguments
            + (seals ? ["--seals"] : []) + (otlp.map { ["--otlp", $0] } ?? [])
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    /// Returns the complete lines. A line that the kill has truncated is dropped.
    private static func lines(_ output: Pipe) throws -> [String] {
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return text[..<end].split(separator: "\n").map(String.init)
    }
}

/// Returns the time of the clock that the processes share, for the end of a line.
private func moment() -> String { "@\(DispatchTime.now().uptimeNanoseconds)" }

/// An uploader that prints the oldest record of each process before an upload begins.
private struct AnnouncingUploader: LogUploader {
    let base: HTTPUploader
    let marker: String
    let isSilent: Bool

    private static let key = Array("\"recipe_id\":".utf8)

    func prepare(_ batch: LogBatch) { base.prepare(batch) }

    func upload(_ batch: LogBatch) async throws -> UploadResult {
        guard !isSilent else { return try await base.upload(batch) }
        let time = moment()
        let isMarked = access(marker, F_OK) == 0
        var oldest: [Int: Int] = [:]
        for record in batch.records {
            guard let number = Self.number(of: record) else { continue }
            let process = number / DenialLedger.numbersPerProcess
            oldest[process] = min(oldest[process] ?? number, number)
        }
        say(
            "sending \(oldest.values.sorted().map(String.init).joined(separator: ","))\(isMarked ? " marked" : "") "
                + "\(time)"
        )
        return try await base.upload(batch)
    }

    /// Reads one member without parsing the other JSON.
    private static func number(of record: [UInt8]) -> Int? {
        let found = record.withUnsafeBytes { bytes in
            (0..<max(0, bytes.count - key.count)).first { start in
                bytes[start] == key[0] && bytes[start..<(start + key.count)].elementsEqual(key)
            }
        }
        guard let found else { return nil }
        return record[(found + key.count)...].prefix { (0x30...0x39).contains($0) }.reduce(into: 0) {
            $0 = $0 * 10 + Int($1 - 0x30)
        }
    }
}

/// Prints a line without buffering, because a killed process loses its buffers.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
