@_exported public import LogTypes
package import MarkdownSyntax

/// The intermediate model: everything that a run's documents say, checked and resolved. Emitters read only this.
package struct Definitions: Sendable {
    package var files: [SourceFile]
    /// What `common.md` says; nil if the run has no such file.
    package var common: CommonColumns?
    /// In order of name.
    package var types: [NamedType]
    /// The file that `types` came from; nil if the run has no `types.md`.
    package var typesFile: Int?
    /// In order of name.
    package var categories: [Category]
    /// The common column that samples are taken by, as the configuration names it. Nil if samples are taken by the
    /// event's id.
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
    /// The common columns, and those of each event. Use an index to look at them: a column is a large value.
    package func forEachColumns(_ look: (_ columns: [Column], _ areCommon: Bool) -> Void) {
        if let common { look(common.columns, true) }
        for category in categories {
            for index in category.events.indices { look(category.events[index].columns, false) }
        }
    }
}

/// One definition file as it was read.
package struct SourceFile: Sendable {
    /// As given on the command line; diagnostics show it.
    package let path: String
    /// Relative to the PATH argument it was found under, `/` separated; outputs and the dump show it.
    package let relativePath: String
    /// The Swift module that it belongs to; nil if the run's documents are of one module.
    package let module: String?
    package let source: SourceText
    /// `relativePath` without folders and `.md`.
    package let stem: String
    /// False for a file that a message asks for and that is not there yet.
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

    /// What the file's name says it holds. `Types.md` counts as `types.md`, and is reported as misspelt.
    package var kind: Kind {
        switch stem.utf8.count {
        case 5 where stem.lowercased() == "types": .types
        case 6 where stem.lowercased() == "common": .common
        default: .category
        }
    }
}

/// The place of a text: bytes of one of the run's files.
package struct Place: Sendable, Hashable {
    /// Index into `Definitions.files`.
    package var file: Int
    package var range: Range<Int>

    package init(file: Int, range: Range<Int>) {
        self.file = file
        self.range = range
    }
}

/// The columns that every event carries.
package struct CommonColumns: Sendable {
    package var file: Int
    package var description: String
    package var columns: [Column]
    /// What a details table of `common.md` says. Only its privacy has a meaning.
    package var details = Details()
}

/// A category: one document, one generated enum.
package struct Category: Sendable {
    package var file: Int
    package var name: String
    package var title: String
    package var description: String
    package var notes: String
    package var details: Details
    package var place: Place
    package var events: [Event]
}

package struct Event: Sendable {
    package var name: String
    package var title: String
    package var description: String
    package var notes: String
    /// The event's own details and those it inherits from its category.
    package var details: Details
    package var status: LogStatus
    package var place: Place
    package var columns: [Column]

    /// When it is due, as its details say.
    package var trigger: LogTrigger? { details.trigger?.value }

    /// The kinds of apps that log it.
    package var platforms: Platforms { details.platforms?.value ?? .all }

    /// The columns of today's records: all except the retired ones.
    package var activeColumns: [Column] {
        // Nearly every event has no retired column, and needs no copy. By index, because a column is a large value.
        guard columns.indices.contains(where: { columns[$0].status == .retired }) else { return columns }
        return columns.filter { $0.status != .retired }
    }
}

package struct Column: Sendable {
    package var name: String
    package var type: LogValueType
    package var isRequired: Bool
    /// Inline Markdown as written.
    package var description: String
    package var example: String?
    package var privacy: LogPrivacy?
    /// The kinds of apps that log it.
    package var platforms = Platforms.all
    package var since: String?
    /// The deprecation message.
    package var deprecated: String?
    package var status: LogStatus
    /// Cells under headers that the format does not know, by header, in the table's order.
    package var annotations: [Annotation]
    package var place: Place
    /// The type's cell, for messages about it.
    package var typePlace: Place
    /// The example's cell; nil if there is none.
    package var examplePlace: Place?

    package struct Annotation: Sendable {
        package var header: String
        package var value: String
    }
}

/// MODEL-REVISION-ADDITION, Snowplow's SchemaVer.
package struct SchemaVersion: Sendable, Hashable, CustomStringConvertible {
    package var model: Int
    package var revision: Int
    package var addition: Int

    package static let initial = SchemaVersion(model: 1, revision: 0, addition: 0)

    package init(model: Int, revision: Int, addition: Int) {
        self.model = model
        self.revision = revision
        self.addition = addition
    }

    package var description: String { "\(model)-\(revision)-\(addition)" }
}

/// A type from `types.md`.
package struct NamedType: Sendable {
    package enum Kind: Sendable {
        case enumeration([EnumValue])
        case scalar(LogValueType)
        /// The app's own Swift type, of which only the name is known (list form).
        case external
    }

    package struct EnumValue: Sendable {
        package var value: String
        package var description: String
        package var place: Place

        package init(value: String, description: String, place: Place) {
            self.value = value
            self.description = description
            self.place = place
        }
    }

    package var name: String
    package var kind: Kind
    /// The existing Swift type that is used instead of a generated one.
    package var swift: String?
    package var description: String
    package var place: Place
    /// The type as columns have it.
    package var valueType: LogValueType {
        switch kind {
        case .enumeration(let values): .named(.init(name, swift: swift, base: .enumeration(.init(values.map(\.value)))))
        case .scalar(let scalar): .named(.init(name, swift: swift, base: scalar))
        case .external: .named(.init(name, swift: swift))
        }
    }

    /// Whether `types.md` declares it. If not, only lists use it, and `place` is its first use.
    package var isDeclared = true
}
