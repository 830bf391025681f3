import JSONSyntax
import LogDefinitions
package import LogOutputs
import LogWarehouse
import MarkdownSyntax

/// A web page for searching events and reading everything that is known about them.
///
/// It is not a template folder, because a template cannot do the following:
/// - allow the page's script and style by their hashes (Content-Security-Policy),
/// - create example records and calls,
/// - read earlier versions in the lock file, and files of usages and readers.
///
/// A template would also be slow: the page of 10,000 events has about 500,000 strings, and Mustache costs many times as
/// much per string. The parts that can be changed without Swift are separate files in `Page/`: the page's frame, style
/// and script.
struct CatalogueOutput: Output {
    let name = "catalogue"
    let folderName = "Catalogue"
    let contents = "a page for searching events and columns"
    let isMadeUnasked = false
    let readsHistory = true
    let options = [OutputOption(fileOf: Self.usageKey), OutputOption(fileOf: Self.readersKey)]

    private static let usageKey = "usage"
    private static let readersKey = "readers"

    func problems(of model: Model, settings: OutputSettings) -> OutputProblems {
        var problems = OutputProblems()
        func check(_ key: String, _ command: String, _ read: ([UInt8]) throws(JSONSyntaxError) -> Void) {
            guard let file = settings.files[key] else { return }
            do throws(JSONSyntaxError) {
                try read(file.source.bytes)
            } catch {
                if problems.files.isEmpty { problems.files = model.definitions.files }
                let range = error.at..<min(error.at + 1, file.source.bytes.count)
                let place = Place(file: problems.files.count, range: range)
                problems.files.append(file)
                problems.diagnostics.append(
                    Diagnostic(
                        .configuration, error.message, at: place,
                        notes: [.help("write it with `\(command) … --format json`, and set `\(key)` to its path")]))
            }
        }
        check(Self.usageKey, "tapgen usage") { bytes throws(JSONSyntaxError) in _ = try EventUsages(reading: bytes) }
        check(Self.readersKey, "loggen impact --all") { bytes throws(JSONSyntaxError) in
            _ = try EventReaders(reading: bytes)
        }
        return problems
    }

    func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        // Without a warehouse in `loggen.yml`, the page shows DuckDB's tables: six versions would distract the reader.
        let warehouse = settings.all[OutputRegistry.sql.name] ?? OutputSettings()
        let dialects = warehouse.setting("dialect") == nil ? [.duckdb] : warehouse.dialects
        let script = SQLScript(model, .duckdb, tables: warehouse.tables)
        return [
            OutputPart(path: "index.html", document: nil) {
                // An unreadable file has been reported before.
                let usages = settings.files[Self.usageKey].flatMap { try? EventUsages(reading: $0.source.bytes) }
                let readers = settings.files[Self.readersKey].flatMap { try? EventReaders(reading: $0.source.bytes) }
                let tables = EventTables(dialects.map(script.in), by: warehouse.tables)
                return CataloguePage(model, usages: usages, readers: readers, tables: tables).bytes()
            }
        ]
    }
}

extension OutputRegistry {
    package static let catalogue: any Output = CatalogueOutput()
}
