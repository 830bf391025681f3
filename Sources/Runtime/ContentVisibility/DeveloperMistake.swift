import ActivityTracking
import Logging

/// Tells the developer of a mistake in the app's code: something is missing, and logs are lost for it.
///
/// The message says what to add where. It goes to swift-log, as everything that the runtime says, once however often
/// the mistake happens. A debug build stops there, too.
package func reportMistake(_ message: String) {
    guard isNew(message) else { return }
    logger.error("\(message)")
    assertionFailure(message)
}

/// Says once that an event is never posted, because its document and the app's code do not go together.
///
/// No build stops there: who changes a document does not run the app.
package func reportLostEvent(_ message: String) { if isNew(message) { logger.error("\(message)") } }

/// Says once, in debug builds, that the app's code and a document differ. Nothing is lost.
package func reportDifference(_ message: String) {
    #if DEBUG
        if isNew(message) { logger.warning("\(message)") }
    #endif
}

private var logger: Logger { Logger(label: "ActivityTracking") }

private func isNew(_ message: String) -> Bool { told.withLock { $0.insert(message).inserted } }

/// The messages that have been told.
private let told = Locked<Set<String>>([])
