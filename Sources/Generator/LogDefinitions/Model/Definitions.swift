@_exported public import LogTypes
package import MarkdownSyntax

/// The checked and resolved content of a run's definition files. Emitters read only this model.
package struct Definitions: Sendable {
    package var files: [SourceFile]
    /// The content of `common.md`, if any.
    package var common: CommonColumns?
    /// The named types, sorted by name.
    package var types: [NamedType]
    /// The index of `types.md`, if any.
    package var typesFile: Int?
    /// The path of `types.md`. If there is none, the path at which a new one is read.
    package var typesPath = "types.md"
    /// The categories, sorted by name.
    package var categories: [Category]
    /// The common column that selects samples, from the configuration. Nil if the event's id selects them.
    package var samplingKey: String?

    package init(
        files: [SourceFile] = [], common: CommonColumns? = nil, types: [NamedType] = [], typesFile: Int? = nil,
        categories: [Category] = []
    ) {
        self.files = files
        self.common = common
        self.types = types
        self.typesFile = typesFile
        self.categories = categories
    }
}

extension Definitions {
    /// The names of all events (`category.event`), in order.
    package var eventNames: [String] {
        categories.flatMap { category in category.events.map { "\(category.name).\($0.name)" } }
    }

    /// The events by their names (`category.event`).
    package var eventsByName: [String: Event] {
        let events = categories.flatMap { category in category.events.map { ("\(category.name).\($0.name)", $0) } }
        return Dictionary(events, uniquingKeysWith: { first, _ in first })
    }

    /// Calls the closure with the common columns, then with those of each event. Access columns by index.
    package func forEachColumns(_ look: (_ columns: [Column], _ areCommon: Bool) -> Void) {
        if let common { look(common.columns, true) }
        for category in categories {
            for index in category.events.indices { look(category.events[index].columns, false) }
        }
    }
}

/// One definition file with its content.
package struct SourceFile: Sendable {
    /// The path as spelled on the command line, for diagnostics.
    package var path: String
    /// The path relative to the PATH argument, separated by `/`. Outputs and the dump contain it.
    package let relativePath: String
    /// The file's Swift module; nil if all definition files belong to one module.
    package let module: String?
    package let source: SourceText
    /// `relativePath` without folders and `.md`.
    package let stem: String
    /// Indicates whether the file exists. False for a file whose absence a message reports.
    package let exists: Bool

    package init(path: String, relativePath: String, module: String? = nil, source: SourceText, exists: Bool = true) {
        self.exists = exists
        self.path = path
        self.relativePath = relativePath
        self.module = module
        self.source = source
        let name =
            relativePath.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? relativePath
        stem = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
    }

    package enum Kind: Sendable { case category, common, types }

    /// The kind of content according to the file's name. `Types.md` counts as `types.md`, and its spelling is reported.
    package var kind: Kind {
        switch stem.utf8.count {
        case 5 where stem.lowercased() == "types": .types
        case 6 where stem.lowercased() == "common": .common
        default: .category
        }
    }
}

/// A range of bytes in one of the run's files.
package struct Place: Sendable, Hashable {
    /// The index in `Definitions.files`.
    package var file: Int
    package var range: Range<Int>

    package init(file: Int, range: Range<Int>) {
        self.file = file
        self.range = range
    }
}

/// A name that a definition had in earlier versions. Records and apps of these versions contain it.
package struct FormerName: Sendable, Hashable {
    /// The name; `category.event` for an event.
    package var name: String
    /// The place where the heir names it.
    package var place: Place
}

/// The columns that every event carries.
package struct CommonColumns: Sendable {
    package var file: Int
    package var description: String
    package var columns: [Column]
    /// The details table of `common.md`. Only its privacy has a meaning.
    package var details = Details()
}

/// A category: one definition file, one generated enum.
package struct Category: Sendable {
    package var file: Int
    package var name: String
    package var title: String
    package var description: String
    package var notes: String
    package var details: Details
    /// The former names, newest first.
    package var formerNames: [FormerName] = []
    package var place: Place
    package var events: [Event]
}

/// An event of a category. Events and columns are large values: access them by index in loops over all definitions.
package struct Event: Sendable {
    package var name: String
    package var title: String
    package var description: String
    package var notes: String
    /// The event's own details and those it inherits from its category.
    package var details: Details
    package var status: LogStatus
    /// The former names (`category.event`), newest first. They include those from former names of the category.
    package var formerNames: [FormerName] = []
    package var place: Place
    package var columns: [Column]

    /// The trigger from the event's details, if any.
    package var trigger: LogTrigger? { details.trigger?.value }

    /// The platforms of the apps that log the event.
    package var platforms: Platforms { details.platforms?.value ?? .all }

    /// The columns of current records: all except retired ones.
    package var activeColumns: [Column] {
        // Fast path: most events have no retired column and need no copy.
        guard columns.indices.contains(where: { columns[$0].status == .retired }) else { return columns }
        return columns.filter { $0.status != .retired }
    }
}

/// A column of an event, or a common column.
package struct Column: Sendable {
    package var name: String
    package var type: LogValueType
    package var isRequired: Bool
    /// Inline Markdown as written.
    package var description: String
    package var example: String?
    package var privacy: LogPrivacy?
    /// The platforms of the apps that log the column.
    package var platforms = Platforms.all
    package var since: String?
    /// The deprecation message; nil if the column is not deprecated.
    package var deprecated: String?
    package var status: LogStatus
    /// The former names, newest first.
    package var formerNames: [FormerName] = []
    /// The cells below unknown headers, in the table's order.
    package var annotations: [Annotation]
    package var place: Place
    /// The place of the type's cell.
    package var typePlace: Place
    /// The place of the example's cell, if any.
    package var examplePlace: Place?

    package struct Annotation: Sendable {
        package var header: String
        package var value: String
    }
}

/// A version in the form MODEL-REVISION-ADDITION (Snowplow's SchemaVer).
package struct SchemaVersion: Sendable, Hashable, CustomStringConvertible {
    package var model: Int
    package var revision: Int
    package var addition: Int

    package static let initial = SchemaVersion(model: 1, revision: 0, addition: 0)

    package var description: String { "\(model)-\(revision)-\(addition)" }
}

/// A type from `types.md`.
package struct NamedType: Sendable {
    package enum Kind: Sendable {
        case enumeration([EnumValue])
        case scalar(LogValueType)
        /// The app's own Swift type, known only by its name.
        case external
    }

    package struct EnumValue: Sendable {
        package var value: String
        package var description: String
        /// The former names, newest first.
        package var formerNames: [FormerName] = []
        package var place: Place

        package init(value: String, description: String, place: Place) {
            self.value = value
            self.description = description
            self.place = place
        }
    }

    package var name: String
    package var kind: Kind
    /// The app's own Swift type that replaces the generated type, if any.
    package var swift: String?
    package var description: String
    package var place: Place
    /// The value type of columns that have this type.
    package var valueType: LogValueType {
        switch kind {
        case .enumeration(let values): .named(.init(name, swift: swift, base: .enumeration(.init(values.map(\.value)))))
        case .scalar(let scalar): .named(.init(name, swift: swift, base: scalar))
        case .external: .named(.init(name, swift: swift))
        }
    }
}
