import CommandOptions
import LogCatalogue
import LogOutputs
import LogProject
import LogWarehouse

extension OutputRegistry {
    /// The built-in outputs of `loggen`.
    static let all = OutputRegistry([swift, jsonSchema, catalogue, sql, iglu, dbt, privacyManifest])
}

extension CommonOptions {
    var project: ProjectOptions { project(.all) }
}
