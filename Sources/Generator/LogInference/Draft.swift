package import LogDefinitions

/// Where something stands in a source, for messages.
package struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    /// As given on the command line.
    package var path: String
    /// Counted from 1; 0 if the whole file is meant.
    package var line: Int
    /// Counted from 1, in Unicode scalars. 0 if the whole line is meant.
    package var column: Int
    /// Of a spreadsheet, which has no columns: the number of the cell, counted from 1. 0 if the whole line is meant.
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

/// Something that a reader of the documents has to know about their making.
package struct Finding: Sendable {
    package enum Kind: String, Sendable {
        /// A document cannot say it, or says it otherwise: somebody has to decide.
        case warning
        /// It was decided here, and nothing is lost.
        case note
    }

    package var kind: Kind
    package var place: SourcePlace?
    package var message: String
    /// The source's line; nil if the place has none, or if it is gone: of records, only those that cannot be used are kept.
    package var excerpt: SourceExcerpt?

    package init(_ kind: Kind, _ message: String, at place: SourcePlace? = nil, excerpt: SourceExcerpt? = nil) {
        self.kind = kind
        self.place = place
        self.message = message
        self.excerpt = excerpt
    }
}

/// The part of a source's line around a place.
package struct SourceExcerpt: Sendable, Equatable {
    package var before: String
    /// From the place on.
    package var after: String
    /// Whether the place is one in the line, and not the line.
    package var hasCaret: Bool

    private static let width = 80

    /// - Parameter column: counted from 1, in Unicode scalars; 0 for the whole line.
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

/// A text that becomes a description.
package struct DraftText: Sendable, Equatable {
    package var text: String
    /// Whether the source says that it is Markdown. It is kept as written if it defines nothing; any other text is
    /// escaped, so that it reads the same and is nothing but text.
    package var isMarkdown = false

    package init(_ text: String, isMarkdown: Bool = false) {
        self.text = text
        self.isMarkdown = isMarkdown
    }
}

/// What a source says, on its way to documents. Readers fill it with the source's own names; `Settling` makes it
/// something that documents can say; `DocumentWriter` writes it.
package struct Draft: Sendable {
    package var common: [DraftColumn] = []
    package var types: [DraftType] = []
    package var categories: [DraftCategory] = []
    /// Whether enumerations were only seen, not written by somebody. Then values that several events share become a type
    /// of `types.md`.
    package var hasSeenEnumerations = false
    /// Whether an app sends records of these names already, which `validate` refuses under another name.
    package var isOfRecords = false

    package init() {}
}

package struct DraftCategory: Sendable {
    /// The identifier, after settling. Before, it is the source's name.
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

        package init(header: String, value: String) {
            self.header = header
            self.value = value
        }
    }

    package var name: String
    package var type: LogValueType
    package var isRequired: Bool
    /// Plain text.
    package var description = ""
    package var example: String?
    package var privacy: LogPrivacy?
    package var platforms = Platforms.all
    package var since: String?
    package var deprecated: String?
    package var isRetired = false
    /// Cells under headers that the format does not know.
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
        /// Plain text.
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

    package init(name: String, kind: Kind, swift: String? = nil, place: SourcePlace) {
        self.name = name
        self.kind = kind
        self.swift = swift
        self.place = place
    }

    /// The type behind the name; nil if only the app knows it.
    var base: LogValueType? {
        switch kind {
        case .enumeration(let values): .enumeration(.init(values.map(\.value)))
        case .scalar(let type): type
        case .external: nil
        }
    }
}
