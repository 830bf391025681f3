import JSONSyntax
import LogDefinitions
import MarkdownSyntax

/// The events of the definitions that are not retired, and the places in the sources that create each event.
struct EventsInUse {
    struct Event {
        var name: String
        var definedAt: String
        var isDeprecated: Bool
        var places: [Place]
    }

    struct Place: Equatable {
        var path: String
        var line: Int
        var column: Int
        var how: Certainty
        /// A Boolean value that indicates whether the place names the event or a parameter by a former name.
        var isFormer = false

        enum Certainty: Equatable {
            case made
            /// The place may name a case of another type.
            case possible
            /// The tap of this button posts the event.
            case tap(String)
        }

        var text: String {
            let remark: String? =
                switch how {
                case .made: isFormer ? "former name" : nil
                case .possible: isFormer ? "possibly, former name" : "possibly"
                case .tap(let button): "tap of \(button)"
                }
            return "\(path):\(line):\(column)" + (remark.map { " (\($0))" } ?? "")
        }
    }

    let events: [Event]

    init(_ run: TapRun) {
        let definitions = run.definitions
        var found: [(event: LogDefinitions.Event, category: Int, number: Int)] = []
        for (category, declared) in definitions.categories.enumerated() {
            for (number, event) in declared.events.enumerated() where event.status != .retired {
                found.append((event, category, number))
            }
        }
        // Each current and former name of an event.
        var names: [(event: Int, isFormer: Bool, EventUsage.Event)] = []
        for (index, (event, category, _)) in found.enumerated() {
            let parameters = event.activeColumns.map { column in
                let former = Set(column.formerNames.map { SwiftNames.memberName($0.name) })
                return (label: SwiftNames.memberName(column.name), former: former, isRequired: column.isRequired)
            }
            let full = "\(definitions.categories[category].name).\(event.name)"
            for (number, name) in ([full] + event.formerNames.map(\.name)).enumerated() {
                let parts = name.eventNameParts
                let spelled = EventUsage.Event(
                    category: SwiftNames.typeName(parts.category), name: SwiftNames.memberName(parts.event),
                    parameters: parameters)
                names.append((index, number > 0, spelled))
            }
        }
        let numbers = Dictionary(grouping: names.indices) { names[$0].event }
        let usage = EventUsage(of: names.map(\.2), in: Array(zip(run.sources.facts, run.sources.uses)))
        let sources = run.sources
        func place(_ place: TapScreens.Place, _ how: Place.Certainty, isFormer: Bool = false) -> Place {
            let file = sources.files[place.file]
            let position = file.source.position(at: place.offset)
            return Place(path: file.path, line: position.line, column: position.column, how: how, isFormer: isFormer)
        }
        events = found.indices.map { index in
            let (event, category, number) = found[index]
            let file = definitions.files[event.place.file]
            let found = (numbers[index] ?? []).flatMap { number in
                usage.places[number].map { ($0, names[number].isFormer || $0.hasFormerLabel) }
            }.sorted { ($0.0.place.file, $0.0.place.offset) < ($1.0.place.file, $1.0.place.offset) }
            var places: [Place] = []
            for (found, isFormer) in found {
                let place = place(found.place, found.isCertain ? .made : .possible, isFormer: isFormer)
                // Two former names may be spelled alike, as `.buy` of `shop.buy` and `store.buy`.
                if places.last != place { places.append(place) }
            }
            let taps = run.events.filter { $0.value == (category, number) }.keys
            for tap in taps.sorted(by: { ($0.screen, $0.button) < ($1.screen, $1.button) }) {
                let screen = run.screens.screens[tap.screen]
                let button = screen.buttons[tap.button]
                places.append(place(button.place, .tap("\(screen.path).\(TapScreens.bare(button.name))")))
            }
            return Event(
                name: "\(definitions.categories[category].name).\(event.name)",
                definedAt: "\(file.path):\(file.source.position(at: event.place.range.lowerBound).line)",
                isDeprecated: event.status == .deprecated,
                places: places)
        }
    }

    func text() -> String {
        var text = ""
        for event in events where !event.places.isEmpty {
            text += event.name + (event.isDeprecated ? " (deprecated)" : "") + "\n"
            for place in event.places { text += "  \(place.text)\n" }
        }
        let unused = events.filter(\.places.isEmpty)
        if unused.isEmpty {
            text += "Each of the \(events.count) events is created somewhere.\n"
        } else {
            text += "\n\(unused.count) of \(events.count) events are never created:\n"
            for event in unused {
                text += "  \(event.name)\(event.isDeprecated ? " (deprecated)" : "")  \(event.definedAt)\n"
            }
        }
        return text
    }

    func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.array("events") { writer in
                for event in events {
                    writer.object { writer in
                        writer.member("event", event.name)
                        writer.member("defined_at", event.definedAt)
                        writer.member("deprecated", event.isDeprecated)
                        writer.array("places") { writer in
                            for place in event.places {
                                writer.object(inline: true) { writer in
                                    writer.member("file", place.path)
                                    writer.member("line", place.line)
                                    writer.member("column", place.column)
                                    if case .tap(let button) = place.how { writer.member("tap", button) }
                                    writer.member("certain", place.how != .possible)
                                    if place.isFormer { writer.member("former_name", true) }
                                }
                            }
                        }
                    }
                }
            }
            writer.array("unused", inline: true) { writer in
                for event in events where event.places.isEmpty { writer.value(event.name) }
            }
        }
        return writer.document()
    }
}
