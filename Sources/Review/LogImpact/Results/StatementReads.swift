/// The tables and columns that a statement reads.
package struct StatementReads: Hashable, Sendable {
    /// The place of the statement's first character.
    package var place: SourcePlace
    package var uses: [TableUse] = []
    package var reads: [ColumnRead] = []
    /// The keys of relations that are not in the catalog, without those of the statement.
    package var unknownRelations: [String] = []
    /// Indicates whether rows or values depend on all columns of a relation, as in `SELECT DISTINCT *`. `SELECT *` only
    /// returns them.
    package var dependsOnAllColumns = false
    /// Indicates whether the result depends on all columns of an unknown relation.
    package var readsUnknownColumns = false
    /// The names without a qualifier that an unknown relation can have, if they are columns of the catalog.
    package var unqualifiedNames: Set<String> = []
}

/// An occurrence of a table of the catalog in a statement.
package struct TableUse: Hashable, Sendable {
    /// The table's name in the catalog; nil if the statement computes the name, so that it can be any table.
    package var table: String?
    package var place: SourcePlace
    /// The filters on the rows that are read. An empty list means that rows of all events are read.
    package var filters: [ColumnFilter]
    /// The certainty that the statement reads the table, whichever columns it reads.
    package var certainty = Certainty.reads
}

/// A condition `column IN (values)` with strings.
package struct ColumnFilter: Hashable, Sendable {
    package var column: String
    package var values: [String]
}

package struct ColumnRead: Hashable, Sendable {
    /// The index of the use in `StatementReads.uses`.
    package var use: Int
    /// The table's name in the catalog; nil for any table.
    package var table: String?
    /// The column's name in the catalog; nil for all columns.
    package var column: String?
    package var certainty: Certainty
    /// The places that read the column, in ascending order. It has at least one.
    package var places: [SourcePlace]
}
