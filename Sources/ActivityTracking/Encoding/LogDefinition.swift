/// What a document says about a category: every event and column, reachable without a value.
///
/// Generated code holds it as one string literal, because that is what compiles fastest; it is read once, when it is first asked for.
///
/// The literal has a line for the category (common columns have the sampling key behind the owner), and for each event a line that begins with `.`, followed by a line per column:
///
///     recipe_search|@search-team
///     .show_recipe|1-0-0|active|impression 0.8 2|@search-team|0.1|personal
///     recipe_id|int64(0...)|personal
///     keyword|string(256)?
///
/// An event's line has its name, schema version, status, trigger, owner, and sampling; a column's its name, type and privacy. Missing
/// fields at a line's end are empty. A type is written as in the documents, without aliases; types of the documents are written
/// `Name=type`, with `=enum` for an enumeration whose Swift type knows its values and `=external` for the app's own. Any byte of a text may be
/// percent-encoded; those of `| , ; % ( ) [ ] "` and of the backslash, of controls and of direction marks are.
public final class LogDefinition: Sendable {
    /// The category's name, as in `event_category`.
    public let name: String
    /// Who answers for the category; nil where the document does not say.
    public let owner: String?
    /// Of common columns, the one that decides who belongs to a sample (`sampling-key` in `loggen.yml`); nil where the record's id does.
    public let samplingKey: String?
    /// The events in the document's order, retired ones included.
    public let events: [Event]

    /// What the encoder needs of it.
    let layout: EncoderLayout

    /// An event of a category.
    public struct Event: Sendable, Equatable {
        public let name: String
        /// The version of the event's shape (SchemaVer), as in `schema_version`.
        public let schemaVersion: String
        public let status: Status
        /// When the event is due; nil where the document leaves that to the app.
        public let trigger: Trigger?
        public let owner: String?
        /// The share of users whose events are kept, from 0 to 1; nil means all.
        public let sampling: Double?
        /// The columns in the definition's order, without retired ones.
        public let columns: [Column]
    }

    /// A column of an event.
    public struct Column: Sendable, Equatable {
        public let name: String
        public let type: ValueType
        /// Whether every record has it.
        public let isRequired: Bool
        /// nil where neither the column nor its event says.
        public let privacy: Privacy?
    }

    /// Where an event is in its life.
    public enum Status: String, Sendable {
        case active, deprecated
        /// The event is no longer sent; its name stays reserved.
        case retired
    }

    /// Whom a column's values could tell of.
    public enum Privacy: String, Sendable {
        case none, personal, sensitive
    }

    /// When an event is due. Parts left out (nil) are decided by the app.
    public enum Trigger: Sendable, Equatable {
        case screen
        case show
        /// `dwell` in seconds; `visibleFraction` from 0 to 1.
        case impression(visibleFraction: Double?, dwell: Double?)
        case tap(target: String)
    }

    /// What a column holds, with the bounds that the definition sets.
    public indirect enum ValueType: Sendable, Equatable {
        /// At most `maxLength` Unicode scalars, or `maxBytes` bytes of UTF-8.
        case string(maxLength: Int?, maxBytes: Int?)
        case integer(bits: Int, isSigned: Bool, range: ClosedRange<Int64>)
        case number(bits: Int, minimum: Double?, maximum: Double?)
        case boolean, date, timestamp, uuid, url
        /// The values are empty where the Swift type has them.
        case enumeration([String])
        case array(ValueType, minItems: Int?, maxItems: Int?)
        /// A type of the documents by its name, and what it is made of.
        case named(String, ValueType)
        /// The app's own Swift type, of which the documents know the name alone.
        case external
    }

    /// Reads the literal of generated code.
    public init(_ facts: StaticString) {
        var reader = DefinitionReader(facts)
        reader.read()
        name = reader.name
        owner = reader.owner
        samplingKey = reader.samplingKey
        events = reader.events
        layout = EncoderLayout(category: reader.name, events: reader.events)
    }
}
