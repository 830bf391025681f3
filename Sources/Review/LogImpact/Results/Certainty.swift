/// Whether a statement certainly reads a column.
package enum Certainty: Hashable, Sendable {
    case reads
    case mayRead(Reason)

    /// The reason for an uncertain read. The raw value is the string in reports.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// A `*` returns the column from the statement, or its position matters.
        case star = "`*`"
        /// A `*` passes the column on, but the rest of the statement does not use it.
        case unusedStar = "`*` whose columns are not used"
        /// The relation's name represents its whole row.
        case wholeRow = "the whole row"
        /// The relation is pivoted: all of its columns are keys or values.
        case pivot = "a pivot"
        /// Jinja or a function computes the name of the column or the table.
        case dynamicName = "a name that is computed"
        /// The name is an argument of a macro.
        case macro = "an argument of a macro"
        /// The statement is in a string.
        case dynamicStatement = "a statement in a string"
        /// The name belongs to a relation that is not found.
        case unresolved = "a name whose relation is unknown"
        /// A relation with unknown columns is nearer.
        case openRelation = "a name that can belong to a relation with unknown columns"
        /// Several tables of the catalog have the name.
        case ambiguousTable = "a name of several tables"
        /// The statement is read by its words.
        case unparsed = "a statement that sqlglot does not parse"
        /// The table is named outside of a query.
        case mentioned = "a mention outside of a query"
        /// The statement writes the column.
        case written = "a target of INSERT"
    }

    /// The order of certainties: a higher one replaces a lower one.
    var rank: Int {
        switch self {
        case .reads: 4
        case .mayRead(.unusedStar): 0
        case .mayRead(.unresolved), .mayRead(.unparsed): 1
        case .mayRead(.star): 3
        case .mayRead: 2
        }
    }
}
