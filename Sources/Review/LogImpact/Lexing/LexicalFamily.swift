/// The two families of lexical rules. They differ in escapes, comments and operators.
///
/// An input whose tokens depend on the family is read by the rules of both.
enum LexicalFamily: Sendable {
    /// BigQuery, Snowflake, ClickHouse, Spark: `\'` is an escape, `#` and `//` begin comments.
    case backslash
    /// PostgreSQL and DuckDB: a backslash is a character, `#` and `//` are operators, comments nest.
    case standard
}
