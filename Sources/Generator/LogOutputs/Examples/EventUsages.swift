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
        let root: JSONValue
        do throws(JSONSyntaxError) {
            root = try JSONReader.read(bytes, what: "the file")
        } catch {
            throw JSONSyntaxError(at: error.at, message: "the usages are not JSON: \(error.message)")
        }
        guard let events = root["events"]?.items else {
            throw JSONSyntaxError(at: root.at, message: "the usages have no list `events`")
        }
        for event in events {
            guard let name = event["event"]?.text, let places = event["places"]?.items else {
                throw JSONSyntaxError(at: event.at, message: "an event of the usages has no `event` and `places`")
            }
            names.append(name)
            self.places[ExactString(name)] = try places.map { place throws(JSONSyntaxError) in
                guard let file = place["file"]?.text, case .number(let line)? = place["line"]?.content,
                    let line = line.integer
                else {
                    throw JSONSyntaxError(at: place.at, message: "a place of the usages has no `file` and `line`")
                }
                let isCertain = if case .bool(let certain)? = place["certain"]?.content { certain } else { true }
                var column: Int?
                if case .number(let number)? = place["column"]?.content {
                    column = number.integer.map(Int.init(clamping:))
                }
                return Place(
                    file: file, line: Int(clamping: line), column: column, tap: place["tap"]?.text,
                    isCertain: isCertain)
            }
        }
    }
}
