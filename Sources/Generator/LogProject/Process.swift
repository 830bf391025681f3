/// Ends a successful run without freeing its memory: freeing it piece by piece would take a twentieth of the run.
package func endProcess<Held>(holding held: Held) -> Never {
    withExtendedLifetime(held) { endProcess(withCode: 0) }
}

/// Ends the process, whatever its threads wait for.
package func endProcess(withCode code: Int32) -> Never {
    #if canImport(Darwin)
        Darwin.exit(code)
    #elseif canImport(Glibc)
        Glibc.exit(code)
    #else
        Musl.exit(code)
    #endif
}

/// Lets writing to a pipe without a reader fail, in place of ending the process.
package func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
