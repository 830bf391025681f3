import LogDefinitions
package import LogOutputs
import LogWarehouse
import MarkdownSyntax

/// A page on which people find an event and read all that is known of it.
///
/// It is not a folder of templates, because a template cannot do what the page needs: name its own script by a hash,
/// fold texts for the search, make up records and calls with values, read the lock's earlier versions and a file of
/// usages. It would also be slow: the page of 10,000 events has some 500,000 texts, and one that goes through Mustache
/// costs many times as much as one that is written at once. What can be changed without Swift, the page's frame, style
/// and script, are files of their own in `Page/`.
struct CatalogueOutput: TableOutput {
    let name = "catalogue"
    let folderName = "Catalogue"
    let fileExtension = "html"
    let isMadeUnasked = false
    let readsHistory = true
    let options = [OutputOption(fileOf: Self.usageKey)]
    var scripts: SQLScripts?

    private static let usageKey = "usage"

    func problems(in definitions: Definitions, settings: OutputSettings) -> OutputProblems {
        guard let file = settings.files[Self.usageKey] else { return OutputProblems() }
        do throws(EventUsages.Failure) {
            _ = try EventUsages(reading: file.source.bytes)
            return OutputProblems()
        } catch {
            let place = Place(
                file: definitions.files.count, range: error.at..<min(error.at + 1, file.source.bytes.count))
            return OutputProblems(
                files: definitions.files + [file],
                diagnostics: [
                    Diagnostic(
                        .configuration, error.message, at: place,
                        notes: [
                            .help(
                                "make it with `tapgen usage … --format json`, and give the catalogue its path as `\(Self.usageKey)`"
                            )
                        ])
                ])
        }
    }

    /// What `loggen.yml` says of the warehouse.
    private static func warehouse(_ settings: OutputSettings) -> OutputSettings {
        settings.all[OutputRegistry.sql.name] ?? OutputSettings()
    }

    func tables(_ settings: OutputSettings) -> SQLTables { Self.warehouse(settings).tables }

    func files(of model: Model, settings: OutputSettings, script: SQLScript) -> [OutputPart] {
        // If `loggen.yml` names no warehouse, the tables are DuckDB's: one for each of the six would be in the reader's way.
        let warehouse = Self.warehouse(settings)
        let dialects = warehouse.setting("dialect") == nil ? [.duckdb] : warehouse.dialects
        let grouping = tables(settings)
        return [
            OutputPart(path: "index.html", document: nil) {
                // A file that cannot be read was reported before.
                let usages = settings.files[Self.usageKey].flatMap { try? EventUsages(reading: $0.source.bytes) }
                return CataloguePage(model, usages: usages, tables: EventTables(dialects.map(script.in), by: grouping))
                    .bytes()
            }
        ]
    }
}

extension OutputRegistry {
    package static let catalogue: any Output = CatalogueOutput()
}
