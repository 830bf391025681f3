// The part of Segment 1.9.4 that the documentation's destination uses, restated from `Analytics.swift`, `Events.swift`,
// `Types.swift` and `Plugins.swift` of github.com/segmentio/analytics-swift. Parameters and properties that the
// destination does not use are left out, and nothing is sent.
public import Foundation

public protocol RawEvent {
    var messageId: String? { get set }
    var timestamp: String? { get set }
}

public typealias EnrichmentClosure = (_ event: (any RawEvent)?) -> (any RawEvent)?

public struct TrackEvent: RawEvent {
    public var messageId: String? = nil
    public var timestamp: String? = nil
    public var event: String
    /// The SDK has its own type of JSON, which it makes from such a dictionary.
    public var properties: [String: Any]?
}

public class Configuration {
    public init(writeKey: String) {}
}

public class Analytics {
    public var enabled = true

    public init(configuration: Configuration) {}

    public func track(name: String, properties: [String: Any]?, enrichments: [EnrichmentClosure]?) {
        guard enabled else { return }
        // As `applyRawEventData(store:enrichments:)` of the SDK, before the enrichments.
        var event = TrackEvent(event: name, properties: properties)
        event.messageId = UUID().uuidString
        event.timestamp = "now"
        let enriched = (enrichments ?? []).reduce(event as (any RawEvent)?) { $1($0) }
        if let event = enriched as? TrackEvent { tracked.append(event) }
    }

    /// In the SDK, this also finishes the file that is being written.
    public var pendingUploads: [URL]? {
        calls.append("pendingUploads")
        return []
    }

    public func purgeStorage() {
        tracked = []
        calls.append("purgeStorage")
    }

    // Not of the SDK.

    /// The events, for tests.
    public var tracked: [TrackEvent] = []
    public var calls: [String] = []
}
