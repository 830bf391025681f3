import ActivityTracking
import Foundation

/// Prints the actions and events of a launch while the app runs.
struct Progress {
    private let plan: Plan
    private let terminal: Terminal
    /// The last printed time.
    private var shown = ""
    /// The contents for which the same event is posted in the same instant. They share a line.
    private var places: [String] = []

    /// The indent of lines without a time.
    static let indent = String(repeating: " ", count: 10)

    init(_ plan: Plan, _ terminal: Terminal) {
        self.plan = plan
        self.terminal = terminal
    }

    /// Prints a moment of the plan that is over.
    mutating func reach(_ number: Int) {
        let moment = plan.moments[number]
        if let words = moment.words {
            terminal.print((time(moment.time), .faint), (words, moment.turn == nil ? .strong : .bad))
        }
        guard let event = moment.event else { return }
        if let place = moment.place { places.append(place) }
        if number + 1 < plan.moments.count {
            let next = plan.moments[number + 1]
            if next.words == nil, next.event?.name == event.name, Self.text(next.time) == Self.text(moment.time) {
                return
            }
        }
        let times = places.count > 1 ? " ×\(places.count)" : ""
        terminal.print(
            (time(moment.time), .faint), (Terminal.padded(event.name + times, 31), .plain),
            (Terminal.padded(event.trigger, 24), .name),
            (places.joined(separator: ", "), .plain))
        places = []
    }

    func say(_ text: String, _ style: Terminal.Style) { terminal.print((Self.indent + text, style)) }

    private mutating func time(_ time: Double) -> String {
        let text = Self.text(time)
        defer { shown = text }
        return text == shown ? Self.indent : "  \(text)  "
    }

    /// Returns a time such as `0:41.6`.
    private static func text(_ time: Double) -> String {
        let tenths = Int((time * 10).rounded())
        let seconds = tenths / 10 % 60
        return "\(tenths / 600):\(seconds < 10 ? "0" : "")\(seconds).\(tenths % 10)"
    }
}

/// The records of one launch, as reported by the app.
struct Life: Sendable {
    /// The posted events, in order.
    var posted: [(id: String, event: String)] = []
    /// The identifiers of posted events that are in the sample.
    var kept: [String] = []
    /// The number of kept records on disk when the launch ended. These are the first ones.
    var durable = 0
}

/// The comparison of posted and received records.
struct Comparison: Sendable {
    var lives: [Life] = []
    var received: [String] = []
    /// The number of records that the app left on disk.
    var left = 0

    /// Returns the `event_id` of a record.
    static func identifier(of record: String) -> String? {
        struct Envelope: Decodable {
            enum CodingKeys: String, CodingKey { case id = "event_id" }
            var id: String
        }
        return try? JSONDecoder().decode(Envelope.self, from: Data(record.utf8)).id.lowercased()
    }

    /// The identifiers of received records without duplicates, in order of first arrival.
    private var arrived: [String] {
        var known: Set<String> = []
        return received.map { Self.identifier(of: $0) ?? $0 }.filter { known.insert($0).inserted }
    }

    private var kept: [String] { lives.flatMap(\.kept) }

    /// The failures, as sentences.
    private var problems: [String] {
        let (arrived, kept) = (arrived, kept)
        let durable = lives.flatMap { $0.kept.prefix($0.durable) }
        let lost = Set(kept).subtracting(arrived)
        var problems: [String] = []
        if !lost.isEmpty {
            problems.append(
                "\(World.records(lost.count)) lost, of which \(lost.intersection(durable).count) had been stored")
        }
        let strange = Set(arrived).subtracting(kept)
        if !strange.isEmpty { problems.append("\(World.records(strange.count)) arrived that were not posted") }
        if lost.isEmpty, strange.isEmpty, arrived != kept {
            problems.append("the records did not arrive in the order of posting")
        }
        if left > 0 { problems.append("\(World.records(left)) left on disk") }
        if kept.isEmpty { problems.append("nothing was posted") }
        return problems
    }

    /// A Boolean value that indicates whether exactly the posted records have arrived, in order.
    var isWhole: Bool { problems.isEmpty }

    /// Prints a row for each event, and the sums.
    func print(on terminal: Terminal, events: [any LogCategory]) {
        let arrived = Set(arrived)
        let posted = lives.flatMap(\.posted)
        let byEvent = Dictionary(grouping: posted, by: \.event)
        let rows = events.map { event in
            let posted = byEvent[event.name] ?? []
            return [event.name, event.trigger, "\(posted.count)", "\(posted.count { arrived.contains($0.id) })"]
        }
        let heads = ["event", "trigger", "posted", "delivered"]
        var widths = heads.indices.map { column in
            ([heads] + rows).reduce(0) { max($0, Terminal.width(of: $1[column])) }
        }
        // In a narrow terminal, the trigger is cut so that the numbers fit.
        if let columns = terminal.columns {
            widths[1] = min(widths[1], max(heads[1].count, columns - widths[0] - widths[2] - widths[3] - 6))
        }
        func line(_ cells: [String], _ style: Terminal.Style, _ trigger: Terminal.Style) {
            terminal.print(
                (Terminal.padded(cells[0], widths[0] + 2), style),
                (Terminal.padded(Terminal.cut(cells[1], to: widths[1]), widths[1] + 2), trigger),
                (Terminal.aligned(cells[2], widths[2]) + "  " + Terminal.aligned(cells[3], widths[3]), style))
        }
        line(heads, .faint, .faint)
        for row in rows { line(row, .plain, .name) }

        let durable = lives.reduce(0) { $0 + $1.durable }
        let delivered = kept.count { arrived.contains($0) }
        terminal.print(("", .plain))
        terminal.print(
            (
                "posted: \(posted.count), stored: \(durable), delivered: \(delivered), redelivered: "
                    + "\(received.count - arrived.count), ",
                .strong
            ),
            ("lost: \(kept.count - delivered)", isWhole ? .good : .bad))
        let sampledOut = posted.count - kept.count
        if sampledOut > 0 {
            terminal.print(("\(World.records(sampledOut)) left out by the sampling rates of the definitions", .plain))
        }
        let undurable = kept.count - durable
        if undurable > 0 {
            terminal.print(("\(World.records(undurable)) posted, but not yet stored when the app ended", .bad))
        }
        for problem in problems { terminal.print((problem, .bad)) }
    }
}
