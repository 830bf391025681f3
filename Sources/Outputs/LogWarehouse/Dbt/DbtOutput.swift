import LogDefinitions
import LogOutputs
import LogTypes

/// A dbt package on top of the tables of `loggen sql`: a source, and for each table a model with a contract, tests,
/// owners and privacy.
///
/// A project uses the folder as a local package. The folder therefore includes the tests' macro and the settings.
struct DbtOutput: Output {
    let name = "dbt"
    let folderName = "dbt"
    let contents = "a dbt package with sources, models and tests"
    let readsHistory = true
    let isMadeUnasked = false
    let options = [
        OutputOption("dialect", oneOf: SQLDialect.allCases.map(\.rawValue))
            .needed(by: "dbt", "a `dialect`: contracts name the warehouse's types", example: "dialect: duckdb"),
        OutputOption("former-names", oneOf: ["none", "models"]),
    ]

    func problems(of model: Model, settings: OutputSettings) -> OutputProblems {
        SQLOutput().problems(of: model, settings, hasTables: false)
    }

    func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        guard let dialect = settings["dialect"].flatMap({ SQLDialect(rawValue: $0) }) else { return [] }
        let project = DbtProject(model, dialect.warehouse, SQLScript(model, .duckdb, tables: .event).tables)
        var parts = [
            OutputPart(path: DbtProject.settingsPath, document: nil) { DbtProject.settings },
            OutputPart(path: DbtProject.testPath, document: nil) { DbtProject.test },
            OutputPart(path: "models/sources.yml", document: nil) { project.sources },
        ]
        for (number, category) in model.definitions.categories.enumerated() where !project.numbers[number].isEmpty {
            for event in project.numbers[number] {
                parts.append(
                    OutputPart(path: "models/\(project.modelName(event)).sql", document: category.file) {
                        project.query(event)
                    })
                guard settings["former-names"] == "models" else { continue }
                for view in project.formerModels(event) {
                    parts.append(
                        OutputPart(path: "models/\(view.name).sql", document: category.file) { view.query })
                }
            }
            // Each category has one file of properties. dbt recommends one per folder; one per event could mean a
            // thousand files.
            let name = SQLDialect.shortened("log_" + category.name)
            parts.append(
                OutputPart(path: "models/\(name).yml", document: category.file) {
                    project.properties(ofCategory: number)
                })
        }
        return parts
    }
}
