// The comment at the head.
import Foundation

let tracker = Tracker.shared

final class Screen {
    private let recipe: Recipe
    private let pageSize = 20
    private let amplitude = Amplitude.instance()
    private var isOpen = false
    static let eventName = "static_name"

    init(recipe: Recipe) { self.recipe = recipe }

    func names() {
        Analytics.logEvent("literal", parameters: nil)  // rewritten
        Analytics.logEvent(Self.eventName, parameters: [:])  // rewritten
        Analytics.logEvent(Keys.prefix + "_opened", parameters: nil)  // rewritten
        Analytics.logEvent("\(screenPrefix)_seen", parameters: nil)  // rewritten
        Analytics.logEvent(Event.open.rawValue, parameters: nil)  // rewritten
        Analytics.logEvent(Event.close.rawValue, parameters: nil)  // rewritten
        Analytics.logEvent(AnalyticsEventScreenView, parameters: [AnalyticsParameterItemID: "a"])  // rewritten
        let local = "local_name"
        Analytics.logEvent(local, parameters: nil)  // rewritten
        amplitude.logEvent("plain")  // rewritten
        Amplitude.instance().logEvent("instance", withEventProperties: ["a": 1])  // rewritten
        Amplitude.instance().track(eventType: "new_interface", eventProperties: ["fresh": true])  // rewritten
        Mixpanel.mainInstance().track(event: "Recipe Opened", properties: ["Recipe Title": recipe.title])  // rewritten
        PostHogSDK.shared.capture("captured", properties: ["c": 1.5])  // rewritten
        PostHogSDK.shared.capture("users", properties: ["c": 1.5], userProperties: ["u": "x"])  // kept: the argument
        amplitude.logEvent("outside", withEventProperties: ["a": 1], outOfSession: true)  // kept: the argument `true`
        PureeLogger().postLog(["d": "x"], tag: "pv.top")  // kept: its receiver calls a function
        let puree = PureeLogger()
        puree.postLog(["d": "x"], tag: "pv.list")  // rewritten
        tracker.track(.addToCart, properties: [.position: 3, .sort: "new"])  // rewritten
        Tracker.shared.track(Event.open)  // rewritten
        tracker.log(page: "home", label: "tapped")  // kept: the argument `"home"`
        tracker.send(event: "sent", properties: ["ratio": 1])  // rewritten
    }

    func types(_ count: Int32, at date: Date, id: UUID, isNew: Bool, related: [Recipe]?) {
        Analytics.logEvent(
            "types",
            parameters: [
                "recipe_id": recipe.id, "title": recipe.title, "note": recipe.note as Any, "score": self.recipe.score,
                "tags": recipe.tags, "related": recipe.related.count, "owner": recipe.owner?.name as Any,
                "width": pageSize, "raw": Event.open.rawValue, "size": count, "when": date, "visit": id,
                "is_new": isNew && !isOpen, "text": String(count), "whole": Int(recipe.score),
                "name": recipe.owner?.name ?? "none", "sort_order": isNew ? "new" : "old", "negative": -1,
                "number": NSNumber(value: 2.5), "string": "x" as NSString,
            ])  // rewritten
        if let owner = recipe.owner {
            Analytics.logEvent("owner", parameters: ["owner": owner.name])  // rewritten
        }
        guard let related = related else { return }
        for item in related { Analytics.logEvent("related", parameters: ["title": item.title]) }  // rewritten
        Analytics.logEvent("counted", parameters: ["related": related.count])  // rewritten
    }

    func several(_ first: String, next: () -> Int) {
        Analytics.logEvent("several", parameters: ["first": first, "second": next()])  // kept: the type of `second`
        Analytics.logEvent("several", parameters: ["second": 2, "first": first])  // rewritten
        Analytics.logEvent("several", parameters: ["first": "x"])  // rewritten
        Analytics.logEvent("order", parameters: ["one": recipe.title, "two": recipe.id])  // rewritten
        Analytics.logEvent("order", parameters: ["two": recipe.id, "one": recipe.title])  // kept: its values
        Analytics.logEvent("order", parameters: ["two": recipe.id, "one": first])  // rewritten
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
