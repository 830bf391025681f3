import Foundation

private let ownName = "own"

func decide() -> Bool { true }

final class Cases {
    var optional: Tracker?
    let recipe: Recipe
    let screen = Screen()
    let other = Tracker.shared
    init(_ recipe: Recipe) { self.recipe = recipe }

    func receivers(_ analytics: Fake) {
        analytics.logEvent("fake", parameters: nil)  // kept: `analytics` may be another type than `Analytics`
        other.track(.open)  // kept: `other` may be another type than `Tracker`
        optional?.track(.open)  // kept: it is skipped if its receiver is nil
        PureeLogger().postLog(["d": "x"], tag: "pv.top")  // kept: its receiver calls a function
    }

    func names(_ event: Event, _ name: String) {
        Analytics.logEvent(name, parameters: nil)  // kept: the name `name` is not certain: a parameter of
        Analytics.logEvent(event.rawValue, parameters: nil)  // kept: the name `event.rawValue` is not certain
        Analytics.logEvent(ownName, parameters: nil)  // kept: the name `ownName` is not certain: not a literal
        Analytics.logEvent(Names.opened, parameters: nil)  // kept: the name `Names.opened` is not certain
        Analytics.logEvent("a" + "b", parameters: nil)  // kept: the name `"a" + "b"` is not certain
        Analytics.logEvent("\(ownName)_seen", parameters: nil)  // kept: the name
        Analytics.logEvent(decide() ? "a" : "b", parameters: nil)  // kept: the name
        Analytics.logEvent(AnalyticsEventScreenView, parameters: nil)  // kept: the name
        Analytics.logEvent(Ambiguous.Kind.first.rawValue, parameters: nil)  // kept: the name
        Analytics.logEvent(Wrapped.first.rawValue, parameters: nil)  // kept: the name
        Analytics.logEvent("タップ", parameters: nil)  // kept: `タップ` is not a valid event name
    }

    func parameters(_ key: String, _ dictionary: [String: Any]) {
        Analytics.logEvent("passed", parameters: dictionary)  // kept: the parameters `dictionary` are not certain
        let empty: [String: Any] = [:]
        Analytics.logEvent("passed", parameters: empty)  // kept: the parameters `empty` are not certain
        Analytics.logEvent("keys", parameters: [key: 1])  // kept: a key is not certain
        Analytics.logEvent("reserved", parameters: ["event_id": "x"])  // kept: `event_id` is not a valid column name
        Analytics.logEvent("kanji", parameters: ["値": "x"])  // kept: `値` is not a valid column name
        Analytics.logEvent("clash", parameters: ["item id": "x", "itemId": "y"])  // kept: `itemId` is not a valid
        Analytics.logEvent("twice", parameters: ["a": 1, Key.position.rawValue: 1, "position": 2])  // kept: the key
    }

    func types(_ count: Int) {
        Analytics.logEvent("typed", parameters: ["a1": recipe.title])  // kept: the type of `a1` is not certain
        Analytics.logEvent("typed", parameters: ["a2": count])  // kept: the type of `a2` is not certain
        Analytics.logEvent("typed", parameters: ["a3": "x" as Any])  // kept: the type of `a3` is not certain
        Analytics.logEvent("typed", parameters: ["a4": 1 + 1])  // kept: the type of `a4` is not certain
        Analytics.logEvent("typed", parameters: ["a5": String(count)])  // kept: the type of `a5` is not certain
        Analytics.logEvent("typed", parameters: ["a6": Number.one.rawValue])  // kept: the type of `a6` is not certain
        Analytics.logEvent("typed", parameters: ["a7": Event.open])  // kept: the type of `a7` is not certain
        Analytics.logEvent("nested", parameters: ["inner": ["x": 1]])  // kept: the type of `inner` is not certain
        Analytics.logEvent("conflict", parameters: ["clashing": 1])  // kept: the type of `clashing` is int here
        Analytics.logEvent("conflict", parameters: ["clashing": "x"])  // rewritten
        Analytics.logEvent("order", parameters: ["one": "\(count)", "two": "\(decide())"])  // rewritten
        Analytics.logEvent("order", parameters: ["two": "\(decide())", "one": "\(count)"])  // kept: its values
    }

    func calls() -> Bool {
        // A comment inside.
        Analytics.logEvent("comment", /* why */ parameters: nil)  // kept: it contains a comment
        PostHogSDK.shared.capture("users", properties: ["c": 1.5], userProperties: ["u": "x"])  // kept: the argument
        screen.outside("outside")
        tracker.log(page: "home", label: "tapped")  // kept: the argument `"home"`
        _ = tracker.send(event: "used")  // kept: its result is used
        let closure = { tracker.send(event: "returned") }  // kept: its result may be returned by a closure
        _ = closure()
        return tracker.send(event: "result")  // kept: its result is used
    }

    var got: Bool { get { tracker.send(event: "got") } }  // kept: its result is returned
    func branch() -> Bool {
        if decide() {
            tracker.send(event: "branch")  // kept: its result is returned
        } else {
            false
        }
    }
    func chosen(_ number: Int) {
        let chosen =
            if decide() {
                tracker.send(event: "chosen")  // kept: its result is used
            } else if number == 1 {
                tracker.send(event: "chosen")  // kept: its result is used
            } else {
                switch number {
                case 0: tracker.send(event: "chosen")  // kept: its result is used
                default: false
                }
            }
        print(chosen)
        let closure = {
            if decide() {
                tracker.send(event: "nested")  // kept: its result may be returned by a closure
            } else {
                false
            }
        }
        print(closure())
        DispatchQueue.main.async { if decide() { tracker.send(event: "statement") } }  // rewritten
        if decide() {
            tracker.send(event: "statement")  // rewritten
        } else {
            tracker.send(event: "statement")  // rewritten
        }
    }
    func conditional() -> Bool {
        #if DEBUG
            tracker.send(event: "conditional")  // kept: its result is returned
        #else
            false
        #endif
    }

    func result() -> Bool { tracker.send(event: "implicit") }  // kept: its result is returned
}

extension Screen {
    func outside(_ event: String) {
        Amplitude.instance().logEvent("out", withEventProperties: ["a": 1], outOfSession: true)  // kept: the argument
    }
}
