@_exported public import LogTypes

/// The definition of a category: its events and columns, available without a value of the category.
///
/// Generated code contains the definition as a single string literal, because that compiles fastest. The literal is
/// parsed once, at the first access.
///
/// The literal has one line for the category. Each event has a line that begins with `.`, followed by its columns:
///
///     recipe_search|@search-team
///     .show_recipe|1-0-0|active|impression(80%25, 2s)|@search-team|0.1
///     recipe_id|int64(0...)|personal
///     keyword|string(256)?
///
/// The fields of each line are:
/// - category: name, owner, sampling key (common columns only), and document, if its name differs from the category's
/// - event: name, schema version, status, trigger, owner, sampling, former names separated by commas
/// - column: name, type, privacy
///
/// Trailing empty fields are omitted. Types are in the exact form of `TypeNotation`. Any byte of a string may be
/// percent-encoded.
public final class LogDefinition: Sendable {
    /// The category's name, the value of `event_category`.
    public let name: String
    /// The category's owner; nil if the definition file does not name one.
    public let owner: String?
    /// The common column by which records are sampled (`sampling-key` in `loggen.yml`); nil for the record's
    /// identifier. Only the definition of common columns has one.
    public let samplingKey: String?
    /// The path of the definition file relative to the definition folder, such as `recipe_search.md`.
    public let document: String
    /// The events in the order of the definition file, including retired events.
    public let events: [Event]

    /// The definition as the encoder uses it.
    let layout: EncoderLayout

    /// An event of a category.
    public struct Event: Sendable, Equatable {
        public let name: String
        /// The version of the event's schema (SchemaVer), the value of `schema_version`.
        public let schemaVersion: String
        public let status: LogStatus
        /// The condition that makes the event due; nil if the app decides.
        public let trigger: LogTrigger?
        public let owner: String?
        /// The fraction of users whose events are kept, from 0 to 1; nil for all users.
        public let sampling: Double?
        /// The former names (`category.event`), newest first.
        public let formerNames: [String]
        /// The columns in the definition's order, without retired columns.
        public let columns: [Column]
    }

    /// A column of an event.
    public struct Column: Sendable, Equatable {
        public let name: String
        public let type: LogValueType
        /// A Boolean value that indicates whether every record has the column.
        public let isRequired: Bool
        /// The privacy of the column or, by default, of its event; nil if neither defines it.
        public let privacy: LogPrivacy?
    }

    /// Parses the literal in generated code.
    @_spi(GeneratedCode) public convenience init(_ facts: StaticString) {
        self.init(text: facts.withUTF8Buffer { String(decoding: $0, as: UTF8.self) })
    }

    package init(text: String) {
        var reader = DefinitionReader(text)
        reader.read()
        name = reader.name
        owner = reader.owner
        samplingKey = reader.samplingKey
        document = reader.document
        events = reader.events
        layout = EncoderLayout(category: reader.name, events: reader.events)
    }
}
