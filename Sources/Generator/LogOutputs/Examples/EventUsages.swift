package import JSONSyntax
import LogTypes

/// The call sites of each event, as reported by `tapgen usage --format json`.
package struct EventUsages: Sendable {
    package struct Place: Sendable {
        /// The path relative to tapgen's working directory.
        package var file: String
        package var line: Int
        /// The column in the line; nil if the file does not contain it.
        package var column: Int?
        /// The button whose tap posts the event; nil if code creates the event.
        package var tap: String?
        /// Indicates whether the event is certain. If not, it may be a case of the same name in another type.
        package var isCertain: Bool
    }

    /// The names of the events, in the order of the file.
    package private(set) var names: [String] = []
    private var places: [ExactString: [Place]] = [:]

    /// The call sites of an event, or nil if the file does not contain the event.
    package subscript(event: String) -> [Place]? { places[ExactString(event)] }

    package init(reading bytes: [UInt8]) throws(JSONSyntaxError) {
        for (name, places) in try JSONReader.events(bytes, of: "usages", with: "places") {
            names.append(name)
            self.places[ExactString(name)] = try places.map { place throws(JSONSyntaxError) in
                guard let file = place["file"]?.text, case .number(let line)? = place["line"]?.content,
                    let line = line.integer
                else {
                    throw JSONSyntaxError(at: place.at, message: "a place of the usages has no `file` and `line`")
                }
                let column: Int64? =
                    if case .number(let number)? = place["column"]?.content { number.integer } else { nil }
                return Place(
                    file: file, line: Int(clamping: line), column: column.map(Int.init(clamping:)),
                    tap: place["tap"]?.text, isCertain: place["certain"]?.flag ?? true)
            }
        }
    }
}

extension JSONReader {
    /// Reads the report of a command: for each event of the list `events`, its name and one of its lists.
    package static func events(
        _ bytes: [UInt8], of what: String, with list: String
    ) throws(JSONSyntaxError) -> [(name: String, items: [JSONValue])] {
        let root: JSONValue
        do throws(JSONSyntaxError) {
            root = try read(bytes, what: "the file")
        } catch {
            throw JSONSyntaxError(at: error.at, message: "the \(what) are not JSON: \(error.message)")
        }
        guard let events = root["events"]?.items else {
            throw JSONSyntaxError(at: root.at, message: "the \(what) have no list `events`")
        }
        return try events.map { event throws(JSONSyntaxError) in
            guard let name = event["event"]?.text, let items = event[list]?.items else {
                throw JSONSyntaxError(at: event.at, message: "an event of the \(what) has no `event` and `\(list)`")
            }
            return (name, items)
        }
    }
}
