/// A reader of logged data outside of the app (a model, a dashboard, a query), or a file of the app that posts it.
package struct Consumer: Sendable, Decodable {
    /// The raw value is the word in reports.
    package enum Kind: String, Sendable, Decodable {
        case model, snapshot, analysis, operation
        case dataTest = "test"
        case exposure, metric
        case semanticModel = "semantic model"
        case savedQuery = "saved query"
        case query
        /// A file of code.
        case call
    }

    package struct Owner: Sendable, Hashable, Decodable {
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
    /// The identifier in dbt's manifest, such as `model.shop.search_ctr`.
    package var identifier: String?
    package var owner: Owner?
    package var url: String?
    /// The uses of logged tables. A consumer without one reads only other consumers.
    var uses: [TableUse] = []
    /// The names without a qualifier that an unknown relation can have, if they are columns of a logged table.
    var unqualifiedNames: Set<String> = []
    /// Indicates whether rows or values depend on all columns of a relation: `SELECT DISTINCT *`, but not `SELECT *`.
    var dependsOnAllColumns = false
    /// Indicates whether the result depends on all columns of an unknown relation.
    var readsUnknownColumns = false
    /// The indices of the consumers that this one depends on.
    var dependencies: [Int] = []
    /// The indices of the consumers that it may depend on: it mentions them outside of the relations of its statements.
    var possibleDependencies: [Int] = []
    var calls: [CallSite] = []

    private enum CodingKeys: String, CodingKey {
        case kind, name, file, identifier, owner, url, uses, dependencies, possibleDependencies
        case unqualifiedNames = "names"
        case dependsOnAllColumns = "dependsOnAll"
        case readsUnknownColumns = "readsUnknown"
    }
}

/// An occurrence of a logged table in a statement.
struct TableUse: Sendable, Decodable {
    /// The table's name; nil if the statement computes the name, so that it can be any table.
    var table: String?
    var place: SourcePlace
    /// The conditions on the rows that are read. An empty list means that rows of all events are read.
    var filters: [ColumnFilter]
    /// The certainty that the statement reads the table, whichever columns it reads.
    var certainty: Certainty
    var reads: [ColumnRead]

    private enum CodingKeys: String, CodingKey {
        case table, place, filters, reads
        case certainty = "may"
    }
}

/// A condition `column IN (values)` with strings.
struct ColumnFilter: Sendable {
    var column: String
    var values: [String]
}

struct ColumnRead: Sendable {
    /// The column's name; nil for all columns.
    var column: String?
    var certainty: Certainty
    /// The places that read the column, in ascending order. It has at least one.
    var places: [SourcePlace]
}

/// A place in a file. Line and column begin with 1; a column counts Unicode scalars.
package struct SourcePlace: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int

    package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// The certainty with which a statement reads a column.
package struct Certainty: Hashable, Sendable {
    /// The reason for an uncertain read, as in reports; nil for a certain one.
    package var doubt: String?
    /// A higher certainty replaces a lower one. In the lowest one, the rest of the statement does not use the column.
    var rank: Int

    static let certain = Certainty(doubt: nil, rank: .max)
}

/// A file that cannot be read as a consumer.
package struct UnreadableConsumer: Sendable, Hashable, Decodable {
    package var file: String
    package var line: Int?
    package var message: String
    /// Indicates whether the file can have consumers with owners.
    package var hidesOwners = true
}

// MARK: The output of the program in Python

extension ColumnFilter: Decodable {
    init(from decoder: any Decoder) throws {
        var parts = try decoder.unkeyedContainer()
        self.init(column: try parts.decode(String.self), values: try parts.decode([String].self))
    }
}

extension ColumnRead: Decodable {
    init(from decoder: any Decoder) throws {
        var parts = try decoder.unkeyedContainer()
        self.init(
            column: try parts.decode(String?.self), certainty: try parts.decode(Certainty.self),
            places: try parts.decode([SourcePlace].self))
    }
}

extension SourcePlace: Decodable {
    package init(from decoder: any Decoder) throws {
        var numbers = try decoder.unkeyedContainer()
        self.init(line: try numbers.decode(Int.self), column: try numbers.decode(Int.self))
    }
}

extension Certainty: Decodable {
    /// Reads the rank and the reason; null for a certain read.
    package init(from decoder: any Decoder) throws {
        self = .certain
        guard try !decoder.singleValueContainer().decodeNil() else { return }
        var parts = try decoder.unkeyedContainer()
        (rank, doubt) = (try parts.decode(Int.self), try parts.decode(String.self))
    }
}
