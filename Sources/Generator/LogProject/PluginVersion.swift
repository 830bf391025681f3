/// Ends the process if the plugin that runs it has another version. `LOGGEN_BUNDLE` may name a bundle of any version,
/// and the generated Swift would not match the package's runtime.
package func checkPluginVersion() {
    guard let wanted = environment("LOGGEN_PLUGIN_VERSION"), !wanted.isEmpty, wanted != loggenVersion else { return }
    Terminal(color: .never, isQuiet: false).error(
        "error: this loggen is \(loggenVersion), and the package whose plugin runs it is \(wanted): let LOGGEN_BUNDLE name the bundle of \(wanted), or unset it, and loggen is built from its sources\n"
    )
    endProcess(withCode: 2)
}
