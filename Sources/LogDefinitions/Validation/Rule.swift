/// Everything loggen checks, by name. `loggen rules` lists it; `loggen.yml` sets severities.
package enum Rule: String, Sendable, CaseIterable {
    // Files and headings
    case invalidUTF8 = "invalid-utf8"
    case missingTitle = "missing-title"
    case extraTitle = "extra-title"
    case fileName = "file-name"
    case strayText = "stray-text"
    case mergeConflict = "merge-conflict"
    case openBlock = "open-block"
    case brokenHeading = "broken-heading"
    case deepHeading = "deep-heading"
    case identifier
    case nameLength = "name-length"
    // Tables
    case brokenTable = "broken-table"
    case unknownTable = "unknown-table"
    case misplacedTable = "misplaced-table"
    case missingHeader = "missing-header"
    case duplicateHeader = "duplicate-header"
    case headerSpelling = "header-spelling"
    case secondTable = "second-table"
    case excessCells = "excess-cells"
    case emptyCell = "empty-cell"
    case requiredContradiction = "required-contradiction"
    case cellValue = "cell-value"
    case exampleValue = "example-value"
    // Details
    case unknownDetail = "unknown-detail"
    case duplicateDetail = "duplicate-detail"
    case detailValue = "detail-value"
    case expired
    // Types
    case typeSyntax = "type-syntax"
    case unknownType = "unknown-type"
    case appType = "app-type"
    case enumValue = "enum-value"
    // List form
    case listColumn = "list-column"
    // Names across the run
    case duplicateCategory = "duplicate-category"
    case duplicateEvent = "duplicate-event"
    case duplicateColumn = "duplicate-column"
    case duplicateType = "duplicate-type"
    case derivedName = "derived-name"
    case confusable
    case reservedColumn = "reserved-column"
    case shadowedColumn = "shadowed-column"
    case columnType = "column-type"
    // What is not a document
    case configuration
    case template
    // Drift
    case outputDrift = "output-drift"
    case lockFile = "lock-file"
    case lockBehind = "lock-behind"
    case breakingChange = "breaking-change"
    case deletedEvent = "deleted-event"
    case reservedName = "reserved-name"
    // Taps
    case tapTarget = "tap-target"
    case tapUndefined = "tap-undefined"
    case tapUnreachable = "tap-unreachable"
    case swiftSyntax = "swift-syntax"

    package var name: String { rawValue }
}
