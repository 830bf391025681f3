import ActivityTracking
import Logging

/// Reports a mistake in the app's code that loses logs, such as a missing modifier.
///
/// The message names the fix and its place. It is logged through swift-log, once per process. A debug build stops.
package func reportMistake(_ message: String) {
    guard isNew(message) else { return }
    logger.error("\(message)")
    assertionFailure(message)
}

/// Reports, once, that an event is never posted because its definition and the app's code do not match.
///
/// A debug build does not stop here, because the person who edits a definition is often not the one who runs the app.
package func reportLostEvent(_ message: String) { if isNew(message) { logger.error("\(message)") } }

/// Reports, once and in debug builds, that the app's code differs from a definition. Nothing is lost.
package func reportDifference(_ message: String) {
    #if DEBUG
        if isNew(message) { logger.warning("\(message)") }
    #endif
}

private var logger: Logger { Logger(label: "ActivityTracking") }

private func isNew(_ message: String) -> Bool { told.withLock { $0.insert(message).inserted } }

/// The messages that have been reported.
private let told = Locked<Set<String>>([])
