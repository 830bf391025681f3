// The part of AmplitudeSwift 1.18.6 that the documentation's destination uses, restated from `Amplitude.swift`,
// `Configuration.swift`, `Events/BaseEvent.swift` and `Events/EventOptions.swift` of
// github.com/amplitude/Amplitude-Swift. Parameters and properties that the destination does not use are left out, and nothing is sent.
import Foundation

open class EventOptions {
    public var timestamp: Int64?
    public var insertId: String?

    public init(timestamp: Int64? = nil, insertId: String? = nil) {
        self.timestamp = timestamp
        self.insertId = insertId
    }
}

open class BaseEvent: EventOptions {
    public var eventType: String
    public var eventProperties: [String: Any]?

    public init(
        timestamp: Int64? = nil, insertId: String? = nil, eventType: String, eventProperties: [String: Any]? = nil
    ) {
        self.eventType = eventType
        self.eventProperties = eventProperties
        super.init(timestamp: timestamp, insertId: insertId)
    }
}

public class Configuration {
    public var optOut = false

    public init(apiKey: String) {}
}

public class Amplitude {
    public private(set) var configuration: Configuration

    public init(configuration: Configuration) { self.configuration = configuration }

    @discardableResult
    public func track(event: BaseEvent, options: EventOptions? = nil) -> Amplitude {
        // As `process(event:)` of the SDK.
        if !configuration.optOut { tracked.append(event) }
        return self
    }

    // Not of the SDK.

    /// The events, for tests.
    public var tracked: [BaseEvent] = []
}
