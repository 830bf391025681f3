/// A reader of logged data outside of the app (a model, a dashboard, a query), or a file of the app that posts it.
package struct Consumer: Sendable {
    /// The raw value is the word in reports.
    package enum Kind: String, Sendable {
        case model, snapshot, analysis, operation
        case dataTest = "test"
        case exposure, metric
        case semanticModel = "semantic model"
        case savedQuery = "saved query"
        case query
        /// A file of code.
        case call
    }

    package struct Owner: Sendable, Hashable {
        package var name: String?
        package var email: String?

        /// `Ana <ana@example.com>`, or the part that is known.
        package var description: String {
            guard let name else { return email ?? "" }
            return email.map { "\(name) <\($0)>" } ?? name
        }
    }

    package var kind: Kind
    package var name: String
    /// The path of the file, beginning with the path that the user gave.
    package var file: String
    package var owner: Owner?
    package var url: String?
    /// The statements of the consumer. A consumer without statements reads only other consumers.
    package var statements: [StatementReads] = []
    /// The places that create events.
    package var calls: [CallSite] = []
    /// The names of the consumers that this one depends on, as in dbt's manifest: `model.shop.search_ctr`.
    package var dependencies: [String] = []
    /// The names that the consumer may depend on: it mentions them outside of the relations of its statements.
    package var possibleDependencies: [String] = []
    /// The names in dependencies of others: the identifier in dbt's manifest, and keys of what the consumer defines.
    package var names: [String]
}

/// A file that cannot be read as a consumer.
package struct UnreadableConsumer: Sendable, Hashable {
    package var file: String
    package var line: Int?
    package var message: String
    /// Indicates whether the file can have consumers with owners.
    package var hidesOwners = true
}
