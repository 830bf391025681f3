// The part of FirebaseAnalytics that the documentation's destination uses, restated from `FIRAnalytics.h` of the
// Firebase Apple SDK, as Swift imports it: firebase.google.com/docs/reference/swift/firebaseanalytics/api/reference/
// Classes/Analytics. The SDK is binary; nothing of it runs here.
public import Foundation

/// `FIRAnalytics`.
open class Analytics: NSObject {
    /// `+logEventWithName:parameters:`
    open class func logEvent(_ name: String, parameters: [String: Any]?) {
        recorder.append("logEvent \(name) \(described(parameters ?? [:]))")
    }

    /// `+setAnalyticsCollectionEnabled:`
    open class func setAnalyticsCollectionEnabled(_ analyticsCollectionEnabled: Bool) {
        recorder.append("setAnalyticsCollectionEnabled \(analyticsCollectionEnabled)")
    }

    /// `+resetAnalyticsData`
    open class func resetAnalyticsData() { recorder.append("resetAnalyticsData") }

    // Not of the SDK.

    /// The calls, for tests, which run in turn.
    public nonisolated(unsafe) static var recorder: [String] = []

    /// Returns parameters in the order of their names, with the types of their values.
    public static func described(_ parameters: [String: Any]) -> String {
        parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\(type(of: $0.value))(\($0.value))" }
            .joined(separator: " ")
    }
}
