import LogDefinitions
package import LogOutputs
import LogWarehouse
import MarkdownSyntax

/// A web page for searching events and reading everything that is known about them.
///
/// It is not a template folder, because a template cannot do the following:
/// - name the page's script by a hash,
/// - fold strings for the search,
/// - create example records and calls,
/// - read earlier versions in the lock file, and a file of usages.
///
/// A template would also be slow: the page of 10,000 events has about 500,000 strings, and Mustache costs many times as
/// much per string. The parts that can be changed without Swift are separate files in `Page/`: the page's frame, style
/// and script.
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
                                "write it with `tapgen usage … --format json`, and set `\(Self.usageKey)` to its path"
                            )
                        ])
                ])
        }
    }

    private static func warehouse(_ settings: OutputSettings) -> OutputSettings {
        settings.all[OutputRegistry.sql.name] ?? OutputSettings()
    }

    func tables(_ settings: OutputSettings) -> SQLTables { Self.warehouse(settings).tables }

    func files(of model: Model, settings: OutputSettings, script: SQLScript) -> [OutputPart] {
        // Without a warehouse in `loggen.yml`, the page shows DuckDB's tables: six versions would distract the reader.
        let warehouse = Self.warehouse(settings)
        let dialects = warehouse.setting("dialect") == nil ? [.duckdb] : warehouse.dialects
        let grouping = tables(settings)
        return [
            OutputPart(path: "index.html", document: nil) {
                // An unreadable file has been reported before.
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
