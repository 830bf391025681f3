import Foundation

/// The posts, denials and uploads that processes print. From them, the ledger computes the records that a denial may
/// have removed, and those that a denial must have removed.
///
/// Processes print times of their common clock (`CLOCK_MONOTONIC`). Records that were posted while another process
/// denied may be removed or arrive.
struct DenialLedger {
    /// The range of numbers per process. A process starts at a multiple of it.
    static let numbersPerProcess = 500_000

    private struct Denial {
        /// The first number that the process had not posted before the denial.
        var number: Int
        var begun: UInt64
        /// The time at which `denied` and `flush()` had returned, or nil if the process was killed before.
        var denied: UInt64?
        /// The time at which the user had agreed again.
        var agreed: UInt64?
    }

    private struct Log {
        var first: Int
        /// The acknowledgements of the disk: every number before `number` was posted and is durable.
        var durable: [(number: Int, time: UInt64)] = []
        var denials: [Denial] = []
        /// The uploads, each with the oldest number of each process in its batch.
        var uploads: [(oldest: [Int], time: UInt64, isMarked: Bool)] = []

        var end: Int { durable.last?.number ?? first }

        mutating func changeLastDenial(_ change: (inout Denial) -> Void) {
            if !denials.isEmpty { change(&denials[denials.count - 1]) }
        }

        var process: Int { first / DenialLedger.numbersPerProcess }
    }

    /// Records that were certainly denied. None may arrive after the first `arrived` records.
    private struct Gone {
        var round: Int
        /// For each process of the same round, the number below which its records were denied.
        var below: [Int: Int]
        var arrived: Int

        func contains(_ number: Int) -> Bool {
            let process = number / DenialLedger.numbersPerProcess
            return process < 2 * round || number < below[process] ?? 0
        }
    }

    private var logs: [Log] = []
    /// The durable records that have not been compared yet.
    private var durable: [Range<Int>] = []
    /// The number of durable records, and the number of those that no denial may have removed.
    private(set) var durableCount = 0
    private(set) var comparedCount = 0
    private(set) var removedCount = 0
    private(set) var lost: [Int] = []
    /// The number of denials that were obeyed before the process was killed.
    private(set) var count = 0
    /// The number of records that processes have reported as dropped because of a denial.
    private(set) var reported = 0
    private var gone: [Gone] = []
    private var mayBeGone: [Int: Int] = [:]
    private var roundsGone = 0

    /// Notes that the processes of a round find the mark of an earlier denial.
    mutating func leaveMarker(before round: Int) { roundsGone = max(roundsGone, 2 * round) }

    mutating func begin(_ first: Int) { logs.append(Log(first: first)) }

    /// Reads a line that a process has printed. Returns false if the line belongs to another check.
    mutating func take(_ line: String) -> Bool {
        let words = line.split(separator: " ")
        guard !logs.isEmpty, words.count >= 2 else { return false }
        let index = logs.count - 1
        let time = words.last.flatMap { $0.first == "@" ? UInt64($0.dropFirst()) : nil }
        let number = Int(words[1])
        switch (words[0], number, time) {
        case ("durable", let number?, let time?): logs[index].durable.append((number, time))
        case ("denying", let number?, let time?): logs[index].denials.append(Denial(number: number, begun: time))
        case ("denied", _?, let time?): logs[index].changeLastDenial { $0.denied = time }
        case ("agreed", _?, let time?): logs[index].changeLastDenial { $0.agreed = time }
        case ("gone", let count?, _): reported += count
        case ("sending", _, let time?):
            logs[index].uploads.append(
                (words[1].split(separator: ",").compactMap { Int($0) }, time, words[2] == "marked"))
        default: return false
        }
        return true
    }

    /// Ends a round, after every process is dead and the collector has received all requests.
    ///
    /// - Parameters:
    ///   - arrived: The number of records that the collector has.
    ///   - slack: The time after a denial, in seconds, in which an upload may begin that was decided before.
    /// - Returns: The problems that were found.
    mutating func end(round: Int, arrived: Int, slack: Double) -> [String] {
        defer { logs = [] }
        durable += logs.map { $0.first..<$0.end }
        var problems: [String] = []
        for (index, log) in logs.enumerated() {
            for denial in log.denials {
                // After the last denial of a round, no records of earlier rounds are left.
                roundsGone = max(roundsGone, 2 * round)
                for (other, neighbour) in logs.enumerated() {
                    let end = denial.agreed ?? .max
                    let bound =
                        other == index ? denial.number : neighbour.durable.first { $0.time >= end }?.number ?? .max
                    mayBeGone[neighbour.process] = max(mayBeGone[neighbour.process] ?? 0, bound)
                }
                guard let denied = denial.denied else { continue }
                count += 1
                var certain = Gone(round: round, below: [:], arrived: arrived)
                for (other, neighbour) in logs.enumerated() {
                    certain.below[neighbour.process] =
                        other == index ? denial.number : neighbour.durable.last { $0.time < denial.begun }?.number ?? 0
                }
                gone.append(certain)
                for sender in logs {
                    // If the marker still exists, it existed when the upload was decided.
                    for upload in sender.uploads
                    where upload.time > denied + UInt64((upload.isMarked ? 0.02 : slack) * 1e9) {
                        guard let number = upload.oldest.first(where: certain.contains) else { continue }
                        let milliseconds = (upload.time - denied) / 1_000_000
                        problems.append(
                            "an upload with \(number) began \(milliseconds) ms after its denial had returned")
                        break
                    }
                }
            }
        }
        return problems
    }

    /// Compares the durable records with those that have arrived, after everything has been delivered. A later denial
    /// cannot remove any of them.
    mutating func settle(isThere: (Int) -> Bool) {
        for number in durable.joined() {
            durableCount += 1
            let isMissing = !isThere(number)
            if !mayHaveRemoved(number) {
                comparedCount += 1
                if isMissing { lost.append(number) }
            } else if isMissing {
                removedCount += 1
            }
        }
        durable = []
    }

    /// Returns whether a denial may have removed a record.
    func mayHaveRemoved(_ number: Int) -> Bool {
        let process = number / Self.numbersPerProcess
        return process < roundsGone || number < mayBeGone[process] ?? 0
    }

    /// Returns whether a record was denied before it arrived at a position.
    func isDenied(_ number: Int, at place: Int) -> Bool { gone.contains { place >= $0.arrived && $0.contains(number) } }
}
