import Foundation

private let ownName = "own_of_uncertain"

func decide() -> Bool { true }

protocol Named {}
extension Named {
    static var screenName: String { "default" }
    func log() { Analytics.logEvent(Self.screenName, parameters: nil) }  // kept: the name `Self.screenName`
}

extension Screened {
    static var eventName: String { "default" }
    func log() { Analytics.logEvent(Self.eventName, parameters: nil) }  // kept: the name `Self.eventName`
}

class Parent {
    enum Names { static let prefix = "parent_names" }
    class var eventName: String { "parent" }
    var label: String { "parent" }
    func log() { Analytics.logEvent(Self.eventName, parameters: nil) }  // kept: the name `Self.eventName`
}

class Child: Parent {
    func nested() { Analytics.logEvent(Names.prefix, parameters: ["of": Names.prefix]) }  // rewritten
    override class var eventName: String { "child" }
    static let label = "static"
    func logs() {
        Analytics.logEvent(Self.eventName, parameters: nil)  // kept: the name `Self.eventName`
        Analytics.logEvent(label, parameters: nil)  // kept: the name `label` is not certain
    }
}

enum Wrapped: String {
    case first
    var rawValue: String { "app_first" }
    init?(rawValue: String) { nil }
}

protocol Prefixed { static var prefix: String { get } }

final class LocalTypes {
    func generic<Keys: Prefixed>(_ type: Keys.Type) {
        Analytics.logEvent(Keys.prefix, parameters: nil)  // kept: the name `Keys.prefix` is not certain
        Analytics.logEvent(Wrapped.first.rawValue, parameters: nil)  // kept: the name `Wrapped.first.rawValue` is
    }
    func one() {
        enum Keys { static let prefix = "local" }
        enum Event: String { case open = "local_open" }
        Analytics.logEvent(Keys.prefix, parameters: nil)  // kept: the name `Keys.prefix` is not certain
        Analytics.logEvent(Event.open.rawValue, parameters: nil)  // kept: the name `Event.open.rawValue` is not
        struct Inner {
            static let total = "local"
            func log() { Analytics.logEvent(Keys.prefix, parameters: nil) }  // kept: the name `Keys.prefix` is not
        }
        Inner().log()
    }
    func other() { Analytics.logEvent(Keys.prefix, parameters: nil) }  // rewritten
}

final class Cases {
    var optional: Tracker?
    var variable = "changes"
    var observed: String {
        get { "x" }
        set(ownName) { Analytics.logEvent(ownName, parameters: nil) }  // kept: the name `ownName` is not certain
    }
    let recipe: Recipe
    init(_ recipe: Recipe) { self.recipe = recipe }

    func names(_ event: Event, _ name: String, _ dictionary: [String: Any]) {
        Analytics.logEvent(name, parameters: nil)  // kept: the name `name` is not certain: a parameter of
        Analytics.logEvent(event.rawValue, parameters: nil)  // kept: the name `event.rawValue` is not certain
        Analytics.logEvent(variable, parameters: nil)  // kept: the name `variable` is not certain
        Analytics.logEvent(Keys.dynamic, parameters: nil)  // kept: the name `Keys.dynamic` is not certain
        Analytics.logEvent(decide() ? "a" : "b", parameters: nil)  // kept: the name
        Analytics.logEvent("タップ", parameters: nil)  // kept: `タップ` is not a valid event name
        Analytics.logEvent(ownName, parameters: nil)  // rewritten
        Analytics.logEvent("passed", parameters: dictionary)  // kept: the parameters `dictionary` are not certain
        optional?.track(.open)  // kept: it is skipped if its receiver is nil
        let other = Tracker()
        other.track(.open)  // rewritten
    }

    func keys(_ key: String) {
        Analytics.logEvent("keys", parameters: [key: 1])  // kept: a key is not certain
        Analytics.logEvent("reserved", parameters: ["event_id": "x"])  // kept: `event_id` is not a valid column name
        Analytics.logEvent("kanji", parameters: ["値": "x"])  // kept: `値` is not a valid column name
        Analytics.logEvent("clash", parameters: ["item id": "x", "itemId": "y"])  // kept: `itemId` is not a valid
        Analytics.logEvent("twice", parameters: ["a": 1, Keys.recipe: 1, "recipe_id": 2])  // kept: the key `recipe_id`
    }

    func types() {
        Analytics.logEvent("ratio", parameters: ["portion": 1 / 2])  // kept: the type of `portion` is int here
        Analytics.logEvent("ratio", parameters: ["portion": 1.5])  // rewritten
        Analytics.logEvent("typed", parameters: ["object": recipe.unknown as Any])  // kept: the type of `object`
        Analytics.logEvent("conflict", parameters: ["clashing": 1])  // kept: the type of `clashing` is int here
        Analytics.logEvent("conflict", parameters: ["clashing": "x"])  // rewritten
        Analytics.logEvent("nested", parameters: ["inner": ["x": 1]])  // kept: the type of `inner` is not certain
        Analytics.logEvent("unsigned", parameters: ["bits": UInt(1)])  // kept: the type of `bits` is not certain
    }

    func optional(_ owner: Owner?, _ recipe: Recipe?, _ text: String, _ data: Data) {
        Analytics.logEvent("chain", parameters: ["chain_a": owner?.name.lowercased() as Any])  // rewritten
        Analytics.logEvent(
            "chain", parameters: ["chain_b": recipe?.tags.filter { $0.isEmpty }.count as Any]
        )  // kept: the type of `chain_b`
        Analytics.logEvent("chain", parameters: ["chain_c": recipe?.tags[0].count as Any])  // kept: the type of
        Analytics.logEvent("chain", parameters: ["chain_d": recipe?.tags.count as Any])  // rewritten
        Analytics.logEvent("chain", parameters: ["chain_e": recipe?.owner!.name.count as Any])  // kept: the type of
        Analytics.logEvent(
            "failable", parameters: ["of_data": String(data: data, encoding: .utf8) as Any]
        )  // kept: the type of `of_data`
        Analytics.logEvent("failable", parameters: ["of_bool": Bool(text) as Any])  // kept: the type of `of_bool`
        Analytics.logEvent("failable", parameters: ["of_time": TimeInterval(text) as Any])  // rewritten
        Analytics.logEvent("failable", parameters: ["of_price": Price(text) as Any])  // rewritten
        Analytics.logEvent("failable", parameters: ["of_url": URL(string: text) as Any])  // kept: the type of `of_url`
        Analytics.logEvent("failable", parameters: ["of_double": Double(text) as Any])  // rewritten
        Analytics.logEvent("failable", parameters: ["shown": String(describing: data)])  // rewritten
    }

    func changing(_ first: inout String, next: String) {
        Analytics.logEvent("changing", parameters: ["one": recipe.title, "two": recipe.id])  // rewritten
        Analytics.logEvent("changing", parameters: ["two": recipe.id, "one": first])  // kept: its values
        Analytics.logEvent("changing", parameters: ["two": recipe.id, "one": next])  // rewritten
    }

    func calls() -> Bool {
        // A comment inside.
        Analytics.logEvent("comment", /* why */ parameters: nil)  // kept: it contains a comment
        _ = tracker.send(event: "used")  // kept: its result is used
        let closure = { tracker.send(event: "returned") }  // kept: its result may be returned by a closure
        _ = closure()
        Analytics.logEvent("cast", parameters: ["x": decide() ? "a" : "b" as Any])  // kept: the type of `x`
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

    func built(_ isNew: Bool) {
        var params: [String: Any] = ["a": 1]
        params[Keys.total] = 2
        if isNew { params["built_new"] = true }
        Analytics.logEvent("built", parameters: params)  // kept: the parameters `params` are not a dictionary literal
        var merged: [String: Any] = [:]
        merged.merge(["x": 1]) { $1 }
        Analytics.logEvent("merged", parameters: merged)  // kept: the parameters `merged` are not certain
        let constant = ["b": 1.5, "c": 2]
        Analytics.logEvent("constant", parameters: constant)  // kept: the parameters `constant` are not a
    }
}
