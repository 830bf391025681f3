import ActivityTracking
import Logging

/// Tells the developer of a mistake in the app's code: something is missing, and logs are lost for it.
///
/// The message says what to add where. It goes to swift-log, as everything that the runtime says, once however often
/// the mistake happens. A debug build stops there, too.
package func reportMistake(_ message: String) {
    guard told.withLock({ $0.insert(message).inserted }) else { return }
    Logger(label: "ActivityTracking").error("\(message)")
    assertionFailure(message)
}

/// The messages that have been told.
private let told = Locked<Set<String>>([])
