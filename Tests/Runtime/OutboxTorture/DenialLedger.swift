import Foundation

/// The posts, denials and uploads that processes print, and what follows: which records a denial may have removed, and
/// which it must have.
///
/// Processes print times of the clock that they share (`CLOCK_MONOTONIC`). Between the two bounds lie records that were
/// posted while another process denied: they may be gone, and they may arrive.
struct DenialLedger {
    /// A process posts numbers from a multiple of this.
    static let numbersPerProcess = 500_000

    private struct Denial {
        /// The process had posted the numbers before this one.
        var number: Int
        var begun: UInt64
        /// nil if the process was killed before `denied` and `flush()` had returned.
        var denied: UInt64?
        /// When the user had agreed again.
        var agreed: UInt64?
    }

    private struct Log {
        var first: Int
        /// Every number before `number` was posted, and is durable.
        var durable: [(number: Int, time: UInt64)] = []
        var denials: [Denial] = []
        /// For each upload, the oldest number of each process in it.
        var uploads: [(oldest: [Int], time: UInt64, isMarked: Bool)] = []

        var end: Int { durable.last?.number ?? first }

        mutating func changeLastDenial(_ change: (inout Denial) -> Void) {
            if !denials.isEmpty { change(&denials[denials.count - 1]) }
        }

        var process: Int { first / DenialLedger.numbersPerProcess }
    }

    /// Records that were certainly denied: none may arrive after `arrived` others.
    private struct Gone {
        var round: Int
        /// By process, of the same round.
        var below: [Int: Int]
        var arrived: Int

        func contains(_ number: Int) -> Bool {
            let process = number / DenialLedger.numbersPerProcess
            return process < 2 * round || number < below[process] ?? 0
        }
    }

    private var logs: [Log] = []
    /// Durable records that have not been compared yet.
    private var durable: [Range<Int>] = []
    /// How many records were durable, and how many of them no denial may have removed.
    private(set) var durableCount = 0
    private(set) var comparedCount = 0
    private(set) var removedCount = 0
    private(set) var lost: [Int] = []
    /// Denials that were obeyed before the process was killed.
    private(set) var count = 0
    /// Records that processes have reported as dropped because of a denial.
    private(set) var reported = 0
    private var gone: [Gone] = []
    private var mayBeGone: [Int: Int] = [:]
    private var roundsGone = 0

    /// Notes that the processes of a round find a denial of before.
    mutating func leaveMarker(before round: Int) { roundsGone = max(roundsGone, 2 * round) }

    /// The lines of another process of the round follow.
    mutating func begin(_ first: Int) { logs.append(Log(first: first)) }

    /// Takes a line of a process; false if it is about something else.
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

    /// Ends a round: every process is dead, and the collector has taken what was on its way.
    /// - Parameters:
    ///   - arrived: how many records the collector has.
    ///   - slack: how long after a denial an upload may begin that was decided on before, in seconds.
    /// - Returns: what is wrong.
    mutating func end(round: Int, arrived: Int, slack: Double) -> [String] {
        defer { logs = [] }
        durable += logs.map { $0.first..<$0.end }
        var problems: [String] = []
        for (index, log) in logs.enumerated() {
            for denial in log.denials {
                // After the last denial of a round, earlier rounds have nothing left.
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
                    // A marker that is still there was there when the upload was decided on.
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

    /// Compares what is durable with what has arrived, when everything has been delivered. A later denial has nothing
    /// of it to remove.
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

    /// Whether a denial may have removed a record.
    func mayHaveRemoved(_ number: Int) -> Bool {
        let process = number / Self.numbersPerProcess
        return process < roundsGone || number < mayBeGone[process] ?? 0
    }

    /// Whether a record that arrives after so many others was denied before.
    func isDenied(_ number: Int, at place: Int) -> Bool { gone.contains { place >= $0.arrived && $0.contains(number) } }
}
