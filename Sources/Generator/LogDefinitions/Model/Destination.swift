/// A vendor to whose SDK an app passes its records, with the vendor's limits. `destinations` in `loggen.yml` names it.
///
/// The limits concern records as the adapters in the article "Send records to Firebase, Amplitude, Segment or Puree"
/// (ActivityTracking) send them: the event's name is ``eventName(_:_:)``, its parameters are the columns and
/// ``envelope``. Lengths are in Unicode scalars: no vendor documents the unit of its characters.
package struct Destination: Sendable {
    /// A limit, with the effect of exceeding it and the page of the vendor that documents both.
    struct Limit: Sendable {
        /// The largest number that the vendor accepts. Zero if it accepts none.
        let maximum: Int
        let unit: String
        /// The effect, as a phrase that follows the vendor's name.
        let effect: String
        let source: String

        init(_ maximum: Int, _ unit: String, _ effect: String, _ source: String) {
            (self.maximum, self.unit, self.effect, self.source) = (maximum, unit, effect, source)
        }
    }

    /// The name in `loggen.yml`.
    package let name: String
    let title: String
    var eventName: Limit?
    var parameterName: Limit?
    /// The names that events cannot have.
    package var reservedEvents: Set<String> = []
    /// The beginnings that names of events and parameters cannot have.
    var reservedPrefixes: [String] = []
    /// The effect of a reserved name, as a limit whose maximum is 0.
    var reserved: Limit?
    /// The limit for the length of a string.
    var string: Limit?
    /// The effect of a list, as a limit whose maximum is 0; nil if parameters can be lists.
    var lists: Limit?
    /// The limit for the number of parameters of an event.
    var parameters: Limit?
    /// The limit for the number of distinct names of events.
    var events: Limit?
    /// The limit for the number of distinct names of parameters in all events.
    var allParameters: Limit?
    /// The limit for the size of an event's JSON, in bytes.
    var eventBytes: Limit?

    /// Returns the name by which an event reaches a vendor.
    package static func eventName(_ category: String, _ event: String) -> String { "\(category)_\(event)" }

    /// The members of the envelope that become parameters. `sampling_rate` belongs to sampled events only.
    package static let envelope: [RecordEnvelope] = [.version, .samplingRate, .violations]

    package static let all = [firebase, amplitude, segment]

    /// Returns the destination with a name.
    package init?(named name: String) {
        guard let destination = Self.all.first(where: { $0.name == name }) else { return nil }
        self = destination
    }

    private init(name: String, title: String) {
        self.name = name
        self.title = title
    }
}

// MARK: The vendors

extension Destination {
    private static let firebaseErrors = "https://firebase.google.com/docs/analytics/errors"
    private static let firebaseLogEventReference =
        "https://firebase.google.com/docs/reference/ios/firebaseanalytics/api/reference/Classes/FIRAnalytics"

    package static let firebase = {
        var firebase = Destination(name: "firebase", title: "Firebase")
        firebase.eventName = Limit(40, "characters", "ignores an event with a longer name", firebaseErrors)
        firebase.parameterName = Limit(
            40, "characters", "replaces a parameter with a longer name by `firebase_error`", firebaseErrors)
        firebase.reservedPrefixes = ["firebase_", "google_", "ga_"]
        firebase.reservedEvents =
            """
            ad_activeview ad_click ad_exposure ad_query ad_reward adunit_exposure app_background app_clear_data \
            app_exception app_remove app_store_refund app_store_subscription_cancel app_store_subscription_convert \
            app_store_subscription_renew app_update app_upgrade dynamic_link_app_open dynamic_link_app_update \
            dynamic_link_first_open error firebase_campaign first_open first_visit in_app_purchase \
            notification_dismiss notification_foreground notification_open notification_receive os_update \
            session_start session_start_with_rollout user_engagement
            """.words
        firebase.reserved = Limit(
            0, "reserved names", "ignores events with reserved names, and replaces such parameters",
            firebaseLogEventReference)
        firebase.string = Limit(100, "characters", "drops a parameter with a longer value", firebaseErrors)
        firebase.lists = Limit(0, "lists", "accepts only strings and numbers", firebaseLogEventReference)
        firebase.parameters = Limit(25, "parameters", "drops further parameters", firebaseErrors)
        firebase.events = Limit(500, "events", "drops events with further names", firebaseErrors)
        return firebase
    }()

    package static let amplitude = {
        let limits = "https://amplitude.com/docs/faq/limits"
        var amplitude = Destination(name: "amplitude", title: "Amplitude")
        amplitude.string = Limit(1024, "characters", "cuts a longer value", limits)
        amplitude.events = Limit(2000, "events", "does not index further event types", limits)
        amplitude.allParameters = Limit(2000, "parameters", "does not index further properties", limits)
        return amplitude
    }()

    package static let segment = {
        let documentation = "https://www.twilio.com/docs/segment/connections"
        var segment = Destination(name: "segment", title: "Segment")
        segment.eventBytes = Limit(
            32 * 1024, "bytes", "rejects a larger event", "\(documentation)/sources/catalog/libraries/server/http-api")
        segment.parameters = Limit(
            10_000, "parameters", "drops further properties", "\(documentation)/rate-limits")
        return segment
    }()
}
