// The parts of SDKs that the app calls, restated from their public interfaces.
import ActivityTracking
import Foundation

let activityLogger = ActivityLogger(destinations: [])

// swift-format-ignore: AlwaysUseLowerCamelCase
let AnalyticsEventScreenView = "screen_view"
// swift-format-ignore: AlwaysUseLowerCamelCase
let AnalyticsParameterItemID = "item_id"

/// A protocol of another module.
protocol Screened {}

enum Analytics {
    static func logEvent(_ name: String, parameters: [String: Any]?) {}
}

final class Amplitude {
    static func instance() -> Amplitude { Amplitude() }
    func logEvent(_ eventType: String) {}
    func logEvent(_ eventType: String, withEventProperties: [AnyHashable: Any]?) {}
    func logEvent(_ eventType: String, withEventProperties: [AnyHashable: Any]?, outOfSession: Bool) {}
    @discardableResult func track(eventType: String, eventProperties: [String: Any]? = nil) -> Amplitude { self }
}

final class Mixpanel {
    static func mainInstance() -> Mixpanel { Mixpanel() }
    func track(event: String?, properties: [String: Any]? = nil) {}
}

final class PostHogSDK {
    static let shared = PostHogSDK()
    func capture(_ event: String, properties: [String: Any]? = nil, userProperties: [String: Any]? = nil) {}
}

struct PureeLogger {
    func postLog(_ payload: [String: Any], tag: String) {}
}
