import JSONSyntax
import LogDefinitions
import LogOutputs
import MarkdownSyntax
import WebPage

/// Writes the page: its frame, style and script (`Page/`), and its data as JSON.
///
/// One element contains the data for the list and the search. The details of events are in one element per category,
/// which the script parses on demand. A page of 10,000 events therefore opens as quickly as its list. `JSONWriter`
/// writes all data, so no string can end its element.
final class CataloguePage {
    private let model: Model
    private let usages: EventUsages?
    private let readers: EventReaders?
    private let history: [String: [VersionStep]]
    private let earlierVersions: [String: [LockFile.LockedShape]]?
    private let calls = EventCall.all
    private let tables: EventTables

    init(_ model: Model, usages: EventUsages?, readers: EventReaders?, tables: EventTables) {
        self.model = model
        self.usages = usages
        self.readers = readers
        self.tables = tables
        history = model.history()
        earlierVersions = model.definitions.hasFormerNames ? model.earlierVersions() : nil
    }

    func bytes() -> [UInt8] {
        let script = EmbeddedFiles.catalogue_js
        let policy = PagePolicy.text(style: EmbeddedFiles.catalogue_css_hash, script: EmbeddedFiles.catalogue_js_hash)
        var page = Array(
            """
            <!DOCTYPE html>
            <!-- \(GeneratedHeader.text(from: "all log definitions")) -->
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="referrer" content="no-referrer">
            <title>Log events</title>
            <style>\(EmbeddedFiles.catalogue_css)</style>
            </head>
            <body>

            """.utf8)
        page += EmbeddedFiles.catalogue_html.utf8
        element("index", index(), to: &page)
        // The page may have tens of megabytes, so its memory is allocated once.
        let details = model.definitions.categories.map(details)
        page.reserveCapacity(details.reduce(page.count + script.utf8.count + 256) { $0 + $1.count + 80 })
        for (number, json) in details.enumerated() { element("c\(number)", json, to: &page) }
        page += "<script>\(script)</script>\n</body>\n</html>\n".utf8
        return page
    }

    /// Writes data as a `script` element of a type that browsers do not run.
    private func element(_ name: String, _ json: [UInt8], to page: inout [UInt8]) {
        page += "<script type=\"application/json\" id=\"data-\(name)\">".utf8
        page += json
        page += "</script>\n".utf8
    }

    // MARK: The list

    private func index() -> [UInt8] {
        let definitions = model.definitions
        var owners: [String: Int] = [:]
        var ownerList: [String] = []
        func owner(_ details: Details) -> Int {
            guard let name = details.owner?.value else { return -1 }
            if let index = owners[name] { return index }
            owners[name] = ownerList.count
            ownerList.append(Self.shown(name))
            return ownerList.count - 1
        }
        var json = JSONWriter(capacity: 1 << 16)
        json.object(inline: true) { json in
            json.array("categories") { json in
                for category in definitions.categories {
                    json.array { json in
                        json.value(category.name)
                        json.value(Self.line(category.title))
                        json.value(owner(category.details))
                        json.array { json in
                            for index in category.events.indices {
                                let event = category.events[index]
                                let count = readers?["\(category.name).\(event.name)"]?.count ?? -1
                                write(event, owner(event.details), readers: count, to: &json)
                            }
                        }
                        json.value(Self.line(InlineMarkdown.plainText(category.description)))
                    }
                }
            }
            json.array("owners", of: ownerList)
            json.array("triggers", of: LogTrigger.Kind.allCases.map(\.rawValue))
            if let common = definitions.common {
                json.object("common") { json in
                    json.member("html", Self.html(common.description))
                    write(common.columns, to: &json)
                    write(record: common.columns, ExampleRecord.values(of: common.columns), to: &json)
                }
            }
            json.object("types") { json in
                for type in definitions.types { write(type, to: &json) }
            }
            json.member("usages", usages != nil)
            json.member("readers", readers != nil)
        }
        return json.document()
    }

    /// Writes `[name, title, owner, status, privacy, trigger, platforms, words, since, readers]`. `readers` is the
    /// number of readers, or -1 if it is unknown. Other numbers are indices into lists of the script. `privacy` is the
    /// level of the event's own columns.
    private func write(_ event: Event, _ owner: Int, readers: Int, to json: inout JSONWriter) {
        json.row(
            event.name, Self.line(event.title), owner, event.status.number, event.privacyLevel,
            event.trigger.map { $0.number } ?? 0, Int(event.platforms.rawValue), searchableText(of: event),
            event.details.since.map { Self.line($0.value) } ?? "", readers)
    }

    private func searchableText(of event: Event) -> String {
        var words = event.description.isEmpty ? "" : InlineMarkdown.plainText(event.description)
        for former in event.formerNames { words += "\n" + former.name }
        for index in event.columns.indices {
            words += "\n"
            words += event.columns[index].name
            for former in event.columns[index].formerNames { words += " " + former.name }
            let description = event.columns[index].description
            guard !description.isEmpty else { continue }
            words += " "
            words += InlineMarkdown.plainText(description)
        }
        return Self.shown(words)
    }

    private func write(_ type: NamedType, to json: inout JSONWriter) {
        json.object(named: type.name) { json in
            json.member("html", Self.html(type.description))
            switch type.kind {
            case .enumeration(let values):
                json.array("values") { json in
                    for value in values { json.row(Self.shown(value.value), Self.html(value.description)) }
                }
            case .scalar(let scalar):
                json.key("is")
                ModelDump.write(scalar, to: &json)
            case .external: break
            }
            if let address = model.address(of: type.place) { json.member("link", address) }
        }
    }

    // MARK: Details

    private func details(of category: Category) -> [UInt8] {
        let calls = calls.map { ($0, $0.scope(of: category)) }
        var json = JSONWriter(capacity: 2_048 * (1 + category.events.count))
        json.object(inline: true) { json in
            write(category.place, description: category.description, notes: category.notes, to: &json)
            json.array("events") { json in
                for index in category.events.indices { write(category.events[index], of: category, calls, to: &json) }
            }
        }
        return json.document()
    }

    private func write(_ place: Place, description: String, notes: String, to json: inout JSONWriter) {
        if !description.isEmpty { json.member("html", Self.html(description + "\n")) }
        if !notes.isEmpty { json.member("notes", Self.html(notes + "\n")) }
        json.member("file", Self.shown(model.definitions.files[place.file].relativePath))
        json.member("line", model.line(of: place))
        if let address = model.address(of: place) { json.member("link", address) }
    }

    private func write(
        _ event: Event, of category: Category, _ calls: [(EventCall, EventCall.Scope)], to json: inout JSONWriter
    ) {
        json.object { json in
            write(event.place, description: event.description, notes: event.notes, to: &json)
            json.member("version", model.versions[category.name, event.name].description)
            json.object("details") { json in
                for (key, text) in event.details.texts where key != .owner && key != .renamedFrom {
                    json.member(named: key.rawValue, Self.line(text))
                }
            }
            // The sampling rate in a record of a sampled event.
            if let share = event.details.sampling?.value, share > 0, share < 1 { json.member("share", "\(share)") }
            let formerNames = earlierVersions.map { model.formerNames(of: event, in: category.name, $0) } ?? [:]
            if let names = formerNames["\(category.name).\(event.name)"], !names.isEmpty {
                json.member("formerly", names.joined(separator: "; "))
            }
            write(event.columns, formerNames, to: &json)
            if event.status != .retired {
                let values = ExampleRecord.values(of: event.columns)
                write(record: event.columns, values, to: &json)
                json.array("calls") { json in
                    for (call, scope) in calls {
                        guard let text = call.text(event, in: scope, values) else { continue }
                        json.row(call.language, text)
                    }
                }
            }
            let name = "\(category.name).\(event.name)"
            json.array("tables") { json in for table in tables[name] { json.row(table.warehouse, table.statement) } }
            if let places = usages?[name] { write(places, to: &json) }
            if let readers = readers?[name] { write(readers, to: &json) }
            if let steps = history[name] { write(steps, to: &json) }
        }
    }

    private func write(record columns: [Column], _ values: [ExampleValue?], to json: inout JSONWriter) {
        json.array("record", of: ExampleRecord.members(of: columns, values))
    }

    private func write(_ columns: [Column], _ formerNames: [String: [String]] = [:], to json: inout JSONWriter) {
        json.array("columns") { json in
            for index in columns.indices {
                write(columns[index], formerNames[columns[index].name] ?? [], to: &json)
            }
        }
    }

    private func write(_ column: Column, _ formerNames: [String], to json: inout JSONWriter) {
        json.object { json in
            json.member("name", column.name)
            if !formerNames.isEmpty { json.member("formerly", formerNames.joined(separator: "; ")) }
            json.member("type", Self.shown(column.type.description))
            json.key("is")
            ModelDump.write(column.type, to: &json)
            if column.isRequired { json.member("required", true) }
            if !column.description.isEmpty { json.member("html", Self.html(column.description)) }
            if let example = column.example { json.member("example", Self.shown(example)) }
            if let privacy = column.privacy, privacy != .none { json.member("privacy", privacy.rawValue) }
            if column.platforms != .all { json.member("platforms", column.platforms.names.joined(separator: ", ")) }
            if let since = column.since { json.member("since", Self.line(since)) }
            if let deprecated = column.deprecated { json.member("deprecated", Self.line(deprecated)) }
            if column.status != .active { json.member("status", column.status.rawValue) }
            if !column.annotations.isEmpty {
                json.array("notes") { json in
                    for annotation in column.annotationsByHeader {
                        json.row(Self.shown(annotation.header), Self.line(annotation.value))
                    }
                }
            }
        }
    }

    private func write(_ places: [EventUsages.Place], to json: inout JSONWriter) {
        json.array("places") { json in
            for place in places {
                json.object { json in
                    json.member("file", Self.shown(place.file))
                    json.member("line", place.line)
                    if let tap = place.tap { json.member("tap", Self.shown(tap)) }
                    if !place.isCertain { json.member("possible", true) }
                }
            }
        }
    }

    /// Writes readers: `[kind, name, file, owner, [[name, certain]], through]`. An empty name is all columns.
    private func write(_ readers: [EventReaders.Reader], to json: inout JSONWriter) {
        json.array("readers") { json in
            for reader in readers {
                json.array { json in
                    for text in [reader.kind, reader.name, reader.file, reader.owner ?? ""] {
                        json.value(Self.shown(text))
                    }
                    json.array { json in
                        for column in reader.columns { json.row(Self.shown(column.name ?? ""), column.isCertain) }
                    }
                    json.array { json in for name in reader.through { json.value(Self.shown(name)) } }
                }
            }
        }
    }

    /// Writes versions, latest first. A change consists of its subject's kind, its subject's name, and a description.
    private func write(_ steps: [VersionStep], to json: inout JSONWriter) {
        json.array("history") { json in
            for step in steps.reversed() {
                json.array { json in
                    json.value(step.version.description)
                    json.array { json in
                        for change in step.changes {
                            let (kind, name) = Self.words(of: change.subject)
                            json.row(kind, Self.shown(name), Self.shown(change.what))
                        }
                    }
                }
            }
        }
    }

    private static func words(of subject: Change.Subject) -> (kind: String, name: String) {
        switch subject {
        case .event: ("event", "")
        case .column(let name): ("column", name)
        case .commonColumns: ("commonColumns", "")
        case .commonColumn(let name): ("commonColumn", name)
        case .type(let name): ("type", name)
        }
    }

    // MARK: Strings

    private static func html(_ markdown: String) -> String { shown(InlineMarkdown.html(markdown)) }

    private static func line(_ markdown: String) -> String { shown(InlineMarkdown.plainText(markdown)) }

    /// Replaces control characters and direction marks, which would change the appearance of the string.
    private static func shown(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(SwiftText.isReadable(scalar) || scalar == "\n" ? scalar : "\u{FFFD}")
        }
        return String(scalars)
    }
}

extension Event {
    /// The privacy as a number: 0 for none, 1 for personal, 2 for sensitive.
    fileprivate var privacyLevel: Int {
        var level = 0
        for index in columns.indices where columns[index].status != .retired {
            switch columns[index].privacy {
            case .sensitive: level = 2
            case .personal: level = max(level, 1)
            case .some(.none), nil: break
            }
        }
        return level
    }
}

extension LogStatus {
    fileprivate var number: Int {
        switch self {
        case .active: 0
        case .deprecated: 1
        case .retired: 2
        }
    }
}

extension LogTrigger {
    /// The trigger as a number from 1. The script uses 0 for an event without a trigger.
    fileprivate var number: Int { (Kind.allCases.firstIndex(of: kind) ?? 0) + 1 }
}
