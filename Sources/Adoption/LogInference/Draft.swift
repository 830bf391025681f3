package import LogDefinitions

/// A place in a source, for messages.
package struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    /// The path as given on the command line.
    package var path: String
    /// The line, from 1; 0 for the whole file.
    package var line: Int
    /// The column in Unicode scalars, from 1; 0 for the whole line.
    package var column: Int
    /// The number of the cell in its row, from 1, in a spreadsheet; 0 for other sources and for a whole line.
    package var cell: Int

    package init(_ path: String, line: Int = 0, column: Int = 0, cell: Int = 0) {
        self.path = path
        self.line = line
        self.column = column
        self.cell = cell
    }

    package var description: String {
        line == 0 ? path : max(column, cell) == 0 ? "\(path):\(line)" : "\(path):\(line):\(max(column, cell))"
    }
}

/// A message about the inference for the reader of the definition files.
package struct Finding: Sendable {
    package enum Kind: String, Sendable {
        /// Information is lost or changed, and a person has to decide.
        case warning
        /// The generator has decided, without a loss.
        case note
    }

    package var kind: Kind
    package var place: SourcePlace?
    package var message: String
    /// The source's line. Nil if the place has no line, or if the line was not kept. When records are read, only the
    /// lines of unusable records are kept.
    package var excerpt: SourceExcerpt?

    package init(_ kind: Kind, _ message: String, at place: SourcePlace? = nil, excerpt: SourceExcerpt? = nil) {
        self.kind = kind
        self.place = place
        self.message = message
        self.excerpt = excerpt
    }
}

extension [Finding] {
    package mutating func warn(_ message: String, at place: SourcePlace? = nil) {
        append(Finding(.warning, message, at: place))
    }

    mutating func note(_ message: String, at place: SourcePlace? = nil) {
        append(Finding(.note, message, at: place))
    }
}

/// The part of a source line around a place.
package struct SourceExcerpt: Sendable, Equatable {
    package var before: String
    /// The part that begins at the place.
    package var after: String
    /// Indicates whether the place is within the line, instead of being the whole line.
    package var hasCaret: Bool

    private static let width = 80

    /// - Parameter column: the column in Unicode scalars, from 1; 0 for the whole line.
    init(line: some Collection<UInt8>, column: Int) {
        let scalars = Array(String(decoding: line.prefix(1 << 20), as: UTF8.self).unicodeScalars)
        let place = min(max(0, column - 1), scalars.count)
        let (start, end) = (max(0, place - Self.width), min(scalars.count, place + 2 * Self.width))
        func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
        before = (start > 0 ? "…" : "") + text(start..<place)
        after = text(place..<end) + (end < scalars.count ? "…" : "")
        hasCaret = column > 0
    }
}

/// A string that becomes a description.
package struct DraftText: Sendable, Equatable {
    package var text: String
    /// Indicates whether the source declares the string as Markdown. Markdown is kept as written unless it defines
    /// something. Other strings are escaped, so that they are displayed unchanged and contain no markup.
    package var isMarkdown = false

    package init(_ text: String, isMarkdown: Bool = false) {
        self.text = text
        self.isMarkdown = isMarkdown
    }
}

/// Definitions as read from a source. Readers fill the draft with the source's names, `DraftResolver` resolves
/// conflicts with the definition format, and `DocumentWriter` writes the files.
package struct Draft: Sendable {
    package var common: [DraftColumn] = []
    package var types: [DraftType] = []
    package var categories: [DraftCategory] = []
    /// Indicates whether enumerations were observed in records, instead of declared in a schema. Values that several
    /// observed enumerations share become a type of `types.md`.
    package var hasSeenEnumerations = false
    /// Indicates whether an app already sends records with these names. If a name changes, `loggen validate` rejects
    /// the app's records until the app is changed.
    package var isOfRecords = false

    package init() {}

    /// Returns the index of the category with this name. Adds the category if it is missing.
    mutating func index(ofCategory name: String, at place: SourcePlace) -> Int {
        if let index = categories.firstIndex(where: { $0.name.isExactly(name) }) { return index }
        categories.append(DraftCategory(name: name, place: place))
        return categories.count - 1
    }
}

package struct DraftCategory: Sendable {
    /// The source's name; after `DraftResolver`, the identifier.
    package var name: String
    package var title = ""
    package var description = DraftText("")
    package var details: [DraftDetail] = []
    package var events: [DraftEvent] = []
    package var place: SourcePlace

    package init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }
}

package struct DraftDetail: Sendable, Equatable {
    package var key: Details.Key
    package var value: String

    package init(_ key: Details.Key, _ value: String) {
        self.key = key
        self.value = value
    }
}

package struct DraftEvent: Sendable {
    package var name: String
    package var title = ""
    package var description = DraftText("")
    package var details: [DraftDetail] = []
    package var columns: [DraftColumn] = []
    package var isRetired = false
    package var place: SourcePlace

    package init(name: String, place: SourcePlace) {
        self.name = name
        self.place = place
    }
}

package struct DraftColumn: Sendable {
    package struct Annotation: Sendable, Equatable {
        package var header: String
        package var value: String
    }

    package var name: String
    package var type: LogValueType
    package var isRequired: Bool
    /// The description as plain text.
    package var description = ""
    package var example: String?
    package var privacy: LogPrivacy?
    package var platforms = Platforms.all
    package var since: String?
    package var deprecated: String?
    package var isRetired = false
    /// Cells below unknown headers.
    package var annotations: [Annotation] = []
    package var place: SourcePlace

    package init(name: String, type: LogValueType, isRequired: Bool, place: SourcePlace) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.place = place
    }
}

package struct DraftType: Sendable {
    package struct Value: Sendable, Equatable {
        package var value: String
        /// The description as plain text.
        package var description: String

        package init(_ value: String, description: String = "") {
            self.value = value
            self.description = description
        }
    }

    package enum Kind: Sendable {
        case enumeration([Value])
        case scalar(LogValueType)
        /// The app's own type, of which only the name is known.
        case external
    }

    package var name: String
    package var kind: Kind
    package var swift: String?
    package var description = DraftText("")
    package var place: SourcePlace

    /// The underlying type; nil if only the app knows it.
    var base: LogValueType? {
        switch kind {
        case .enumeration(let values): .enumeration(.init(values.map(\.value)))
        case .scalar(let type): type
        case .external: nil
        }
    }
}
