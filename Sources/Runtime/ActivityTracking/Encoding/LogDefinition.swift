@_exported public import LogTypes

/// What a document says about a category: every event and column, reachable without a value.
///
/// Generated code holds it as one string literal, because that compiles fastest. It is read once, when it is first
/// asked for.
///
/// The literal has a line for the category. For each event, it has a line that begins with `.`, followed by a line per
/// column:
///
///     recipe_search|@search-team
///     .show_recipe|1-0-0|active|impression(80%25, 2s)|@search-team|0.1
///     recipe_id|int64(0...)|personal
///     keyword|string(256)?
///
/// The category's line has its name, owner, sampling key (of common columns), and document, if that has another name
/// than the category. An event's line has its name, schema version, status, trigger, owner and sampling; a column's its
/// name, type and privacy. Fields that are missing at a line's end are empty. A type is in the exact form of
/// `TypeNotation`. Any byte of a text may be percent-encoded.
public final class LogDefinition: Sendable {
    /// The category's name, as in `event_category`.
    public let name: String
    /// Who answers for the category; nil if the document does not say.
    public let owner: String?
    /// Of common columns, the one that decides who belongs to a sample (`sampling-key` in `loggen.yml`); nil if the
    /// record's id does.
    public let samplingKey: String?
    /// The file that says so, such as `recipe_search.md`, by its path in the folder of the definitions.
    public let document: String
    /// The events in the document's order, retired ones included.
    public let events: [Event]

    /// What the encoder needs of it.
    let layout: EncoderLayout

    /// An event of a category.
    public struct Event: Sendable, Equatable {
        public let name: String
        /// The version of the event's shape (SchemaVer), as in `schema_version`.
        public let schemaVersion: String
        public let status: LogStatus
        /// When the event is due; nil if the document leaves that to the app.
        public let trigger: LogTrigger?
        public let owner: String?
        /// The share of users whose events are kept, from 0 to 1; nil means all.
        public let sampling: Double?
        /// The columns in the definition's order, without retired ones.
        public let columns: [Column]
    }

    /// A column of an event.
    public struct Column: Sendable, Equatable {
        public let name: String
        public let type: LogValueType
        /// Whether every record has it.
        public let isRequired: Bool
        /// nil if neither the column nor its event says.
        public let privacy: LogPrivacy?
    }

    /// Reads the literal of generated code.
    @_spi(GeneratedCode) public init(_ facts: StaticString) {
        var reader = DefinitionReader(facts)
        reader.read()
        name = reader.name
        owner = reader.owner
        samplingKey = reader.samplingKey
        document = reader.document
        events = reader.events
        layout = EncoderLayout(category: reader.name, events: reader.events)
    }
}
