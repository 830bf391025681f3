import JSONSyntax
import LogOutputs

/// The readers of each event's records, as reported by `loggen impact --all --format json`.
struct EventReaders: Sendable {
    struct Reader: Sendable {
        /// The kind of consumer, such as `model`.
        var kind: String
        var name: String
        var file: String
        var owner: String?
        /// The columns that the reader reads itself. A nil name means that it may read any column.
        var columns: [(name: String?, isCertain: Bool)] = []
        /// The names of the consumers between the event and this reader.
        var through: [String] = []
    }

    private var readers: [String: [Reader]] = [:]

    /// The readers of an event; nil if the report of `loggen impact` does not contain the event.
    subscript(event: String) -> [Reader]? { readers[event] }

    init(reading bytes: [UInt8]) throws(JSONSyntaxError) {
        for (name, readers) in try JSONReader.events(bytes, of: "readers", with: "readers") {
            self.readers[name] = try readers.map { value throws(JSONSyntaxError) in
                guard let kind = value["kind"]?.text, let name = value["name"]?.text, let file = value["file"]?.text
                else {
                    throw JSONSyntaxError(at: value.at, message: "a reader has no `kind`, `name` and `file`")
                }
                let owner = [value["owner"]?["name"]?.text, value["owner"]?["email"]?.text].compactMap { $0 }
                return Reader(
                    kind: kind, name: name, file: file, owner: owner.isEmpty ? nil : owner.joined(separator: ", "),
                    columns: (value["columns"]?.items ?? []).map {
                        ($0["column"]?.text, $0["certain"]?.flag ?? true)
                    },
                    through: (value["through"]?.items ?? []).compactMap(\.text))
            }
        }
    }
}
