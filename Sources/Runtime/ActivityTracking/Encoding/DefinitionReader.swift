/// A parser for the string literal of a category in generated code. `LogDefinition` documents the format.
///
/// Malformed lines are skipped: loggen generates the literals, and an app must not crash because of one.
struct DefinitionReader {
    private(set) var name = ""
    private(set) var owner: String?
    private(set) var samplingKey: String?
    private(set) var document = ""
    private(set) var events: [LogDefinition.Event] = []
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    mutating func read() {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"))[...]
        guard let first = lines.popFirst() else { return }
        let category = Self.fields(first)
        name = category[0]
        owner = Self.optional(category, 1)
        samplingKey = Self.optional(category, 2)
        document = Self.optional(category, 3) ?? name + ".md"
        while let line = lines.popFirst() {
            let fields = Self.fields(line)
            var columns: [LogDefinition.Column] = []
            while let next = lines.first, next.first != UInt8(ascii: ".") {
                lines.removeFirst()
                columns.append(Self.column(next))
            }
            events.append(
                LogDefinition.Event(
                    name: String(fields[0].dropFirst()), schemaVersion: Self.optional(fields, 1) ?? "1-0-0",
                    status: Self.optional(fields, 2).flatMap(LogStatus.init) ?? .active,
                    trigger: Self.optional(fields, 3).flatMap { try? LogTrigger(parsing: $0) },
                    owner: Self.optional(fields, 4),
                    sampling: Self.optional(fields, 5).flatMap(Double.init),
                    formerNames: Self.optional(fields, 6)?.split(separator: ",").map(String.init) ?? [],
                    columns: columns))
        }
    }

    private static func column(_ line: Substring.UTF8View) -> LogDefinition.Column {
        let parts = line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        let privacy = parts.count > 2 ? LogPrivacy(rawValue: String(Substring(parts[2]))) : nil
        let type = parts.count > 1 ? try? TypeNotation.parse(Substring(parts[1]), .exact) : nil
        // A column whose type cannot be parsed accepts any value.
        return LogDefinition.Column(
            name: decoded(parts[0]), type: type?.type ?? .named(.init("")), isRequired: !(type?.isOptional ?? false),
            privacy: privacy)
    }

    private static func fields(_ line: Substring.UTF8View) -> [String] {
        line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map(decoded)
    }

    private static func optional(_ fields: [String], _ index: Int) -> String? {
        index < fields.count && !fields[index].isEmpty ? fields[index] : nil
    }

    private static func decoded(_ text: Substring.UTF8View) -> String {
        PercentEncoding.decode(Substring(text)) ?? String(Substring(text))
    }
}
