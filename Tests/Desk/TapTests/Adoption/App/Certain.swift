// The comment at the head.
import Foundation

let tracker = Tracker.shared

final class Screen {
    private let amplitude = Amplitude.instance()
    private var isOpen = false

    func names() {
        Analytics.logEvent("literal", parameters: nil)  // rewritten
        Analytics.logEvent("empty", parameters: [:])  // rewritten
        Analytics.logEvent(Event.open.rawValue, parameters: nil)  // rewritten
        Analytics.logEvent(Event.close.rawValue, parameters: nil)  // rewritten
        Analytics.logEvent(Names.Page.home.rawValue, parameters: nil)  // rewritten
        amplitude.logEvent("plain")  // rewritten
        self.amplitude.logEvent("of_self")  // rewritten
        Amplitude.instance().logEvent("instance", withEventProperties: ["a": 1])  // rewritten
        Amplitude.instance().track(eventType: "new_interface", eventProperties: ["fresh": true])  // rewritten
        Mixpanel.mainInstance().track(event: "Recipe Opened", properties: ["Recipe Title": "Pie"])  // rewritten
        PostHogSDK.shared.capture("captured", properties: ["c": 1.5])  // rewritten
        let puree = PureeLogger()
        puree.postLog(["d": "x"], tag: "pv.list")  // rewritten
        tracker.track(.addToCart, properties: [.position: 3, .sort: "new"])  // rewritten
        Tracker.shared.track(Event.open)  // rewritten
        tracker.send(event: "sent", properties: ["ratio": 1])  // rewritten
    }

    func types(_ title: String) {
        Analytics.logEvent(
            "types",
            parameters: [
                "title": "Pie", "page": 1, "negative": -1, "score": 2.5, "loss": -0.5, "is_new": false,
                "raw": Event.open.rawValue, "text": "\(title)!", Key.sort.rawValue: "new",
            ])  // rewritten
        Analytics.logEvent("several", parameters: ["first": "x", "second": nil as Any? as Any])  // kept: the type of
        Analytics.logEvent("several", parameters: ["second": 2, "first": "\(title)"])  // rewritten
        Analytics.logEvent("several", parameters: ["first": "x"])  // rewritten
    }

    func places() {
        /* before */ Analytics.logEvent("commented", parameters: nil)  // rewritten
        #if DEBUG
            Analytics.logEvent("debug", parameters: nil)  // rewritten
        #else
            Analytics.logEvent("release", parameters: nil)  // rewritten
        #endif
        DispatchQueue.main.async { Analytics.logEvent("closure", parameters: nil) }  // rewritten
        switch isOpen {
        case true: Analytics.logEvent("case", parameters: nil)  // rewritten
        default: break
        }
    }
}

extension Tracker {
    func own() {
        track(.close)  // rewritten
        self.track(.close, properties: [.position: 1])  // rewritten
    }
}
