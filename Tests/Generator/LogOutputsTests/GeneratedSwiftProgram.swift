import LogDefinitions

/// A program that logs every event with every sample of every column, and the records that it must write.
struct GeneratedSwiftProgram {
    struct Expectation: Sendable {
        var category: String
        var event: String
        /// The JSON of each column.
        var columns: [String: String]
        /// The violations as in a record: `column: rule`.
        var violations: [String]
        var isSeenBySchema: Bool
    }

    private(set) var main: String
    private(set) var expectations: [Expectation] = []

    private struct Choice {
        var arguments: String
        var columns: [String: String] = [:]
        var broken: (column: String, sample: ColumnSample)?
    }

    init(_ definitions: Definitions, samples: ColumnSamples) {
        let module = samples.module
        main =
            (["ActivityTracking", "Foundation", module] + samples.appModules).map { "import \($0)\n" }.joined()
            + Self.support
        let common = definitions.common.map { common in
            Self.choices(
                common.columns.filter { $0.status != .retired }, in: "\(module).CommonColumns", samples: samples)
        }
        for (index, choice) in (common ?? []).enumerated() {
            main +=
                "func common\(index)() -> \(module).CommonColumns { \(module).CommonColumns\(choice.arguments.isEmpty ? "()" : choice.arguments) }\n"
        }
        let allowed = (common ?? []).indices.filter { common?[$0].broken == nil }
        var count = 0
        func post(_ category: LogDefinitions.Category, _ event: Event, _ choice: Choice, common index: Int?) {
            let name = SwiftNames.escaped(SwiftNames.typeName(category.name))
            let member = SwiftNames.escaped(SwiftNames.memberName(event.name))
            let carried = index.flatMap { common?[$0] }
            main += "log(\(module).\(name).\(member)\(choice.arguments)\(index.map { ", common\($0)()" } ?? ""))\n"
            let broken = [carried?.broken, choice.broken].compactMap { $0 }
            expectations.append(
                Expectation(
                    category: category.name, event: event.name,
                    columns: choice.columns.merging(carried?.columns ?? [:]) { own, _ in own },
                    violations: broken.map { "\($0.column): \($0.sample.rule ?? "")" },
                    isSeenBySchema: broken.contains { $0.sample.isSeenBySchema }))
        }
        for category in definitions.categories {
            let scope = "\(module).\(SwiftNames.escaped(SwiftNames.typeName(category.name)))"
            for event in category.events where event.status != .retired {
                for choice in Self.choices(event.activeColumns, in: scope, samples: samples) {
                    post(category, event, choice, common: allowed.isEmpty ? nil : allowed[count % allowed.count])
                    count += 1
                }
            }
            main += "facts(\(scope).definition)\n"
        }
        // Violations of common columns are reported once, with an event that has violations itself.
        for category in definitions.categories {
            guard let event = category.events.first(where: { $0.status != .retired && !$0.activeColumns.isEmpty })
            else { continue }
            let scope = "\(module).\(SwiftNames.escaped(SwiftNames.typeName(category.name)))"
            let choices = Self.choices(event.activeColumns, in: scope, samples: samples)
            guard let broken = choices.first(where: { $0.broken != nil }) else { continue }
            for index in (common ?? []).indices where common?[index].broken != nil {
                post(category, event, broken, common: index)
            }
            break
        }
    }

    /// Returns argument lists with every sample of every column: valid samples together, invalid ones one at a time.
    private static func choices(_ columns: [Column], in scope: String, samples: ColumnSamples) -> [Choice] {
        let all = columns.map { samples.samples(of: $0, in: scope) }
        let allowed = all.map { $0.filter { $0.rule == nil } }
        func choice(_ pick: (Int) -> ColumnSample?) -> Choice {
            var arguments: [String] = []
            var choice = Choice(arguments: "")
            for (index, column) in columns.enumerated() {
                guard let sample = pick(index) else { continue }
                arguments.append("\(SwiftNames.escaped(SwiftNames.memberName(column.name))): \(sample.swift)")
                choice.columns[column.name] = sample.json
                if sample.rule != nil { choice.broken = (column.name, sample) }
            }
            // An enumeration's case needs its labels even if all values have defaults.
            choice.arguments = columns.isEmpty ? "" : "(" + arguments.joined(separator: ", ") + ")"
            return choice
        }
        var choices = (0..<max(1, allowed.map(\.count).max() ?? 1)).map { round in
            choice { allowed[$0].isEmpty ? nil : allowed[$0][round % allowed[$0].count] }
        }
        if columns.contains(where: { !$0.isRequired }) {
            choices.append(choice { columns[$0].isRequired ? allowed[$0].first : nil })
        }
        for index in columns.indices {
            for sample in all[index] where sample.rule != nil {
                choices.append(choice { $0 == index ? sample : allowed[$0].first })
            }
        }
        return choices
    }

    private static let support = """

        func existing<Value>(_ value: Value?) -> Value { value! }
        func day(_ year: Int, _ month: Int, _ day: Int) -> LogDate { LogDate(year: year, month: month, day: day)! }
        func key(_ text: String) -> UUID { UUID(uuidString: text)! }
        func link(_ text: String) -> URL { URL(string: text)! }
        func amount(_ text: String) -> Decimal { Decimal(string: text)! }

        func say(_ kind: String, _ bytes: some Sequence<UInt8>) {
            FileHandle.standardOutput.write(Data(Array((kind + " ").utf8) + bytes + [10]))
        }

        func log<Event: LogCategory, Columns: LogColumns>(_ event: Event, _ common: Columns) {
            if event != event || common != common { say("unequal", event.description.utf8) }
            say("record", LogRecord(event, common: common, occurredAt: Date(timeIntervalSince1970: 1.5)).json)
        }

        func log<Event: LogCategory>(_ event: Event) {
            if event != event { say("unequal", event.description.utf8) }
            say("record", LogRecord(event, occurredAt: Date(timeIntervalSince1970: 1.5)).json)
        }

        func facts(_ definition: LogDefinition) {
            let events: [Any] = definition.events.map { event in
                [
                    "name": event.name, "version": event.schemaVersion, "status": event.status.rawValue, "owner": event.owner ?? "",
                    "sampling": event.sampling ?? -1, "trigger": event.trigger.map { "\\($0)" } ?? "",
                    "columns": event.columns.map { column in
                        ["name": column.name, "required": column.isRequired, "privacy": column.privacy?.rawValue ?? ""] as [String: Any]
                    },
                ] as [String: Any]
            }
            let facts: [String: Any] = ["name": definition.name, "owner": definition.owner ?? "", "events": events]
            say("facts", try! JSONSerialization.data(withJSONObject: facts))
        }

        """
}
