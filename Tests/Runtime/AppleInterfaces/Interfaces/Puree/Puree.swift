// The part of Puree 5.3.0 that the documentation's destination uses, restated from `Logger.swift` and
// `LogStore/LogStore.swift` of github.com/cookpad/Puree-Swift. Parameters and requirements that the destination does
// not use are left out, and nothing is sent.
import Foundation

public protocol LogStore {
    func flush()
}

public final class Logger {
    public init() {}

    public func postLog(_ payload: [String: Any]?, tag: String) { posted.append((tag, payload ?? [:])) }

    public func suspend() { calls.append("suspend") }

    public func resume() { calls.append("resume") }

    // Not of the SDK.

    /// The logs and other calls, for tests.
    public var posted: [(tag: String, payload: [String: Any])] = []
    public var calls: [String] = []
}
