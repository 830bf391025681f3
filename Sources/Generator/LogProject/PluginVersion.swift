/// Ends the process if the plugin that runs it has another version. `LOGGEN_BUNDLE` may name a bundle of any version,
/// and the generated Swift would not match the package's runtime.
package func checkPluginVersion() {
    guard let wanted = environment("LOGGEN_PLUGIN_VERSION"), !wanted.isEmpty, wanted != loggenVersion else { return }
    Terminal(color: .never, isQuiet: false).error(
        """
        error: this loggen is \(loggenVersion), but the package of its plugin is \(wanted): set LOGGEN_BUNDLE to the \
        bundle of \(wanted), or unset it to build loggen from its sources

        """
    )
    endProcess(withCode: 2)
}
