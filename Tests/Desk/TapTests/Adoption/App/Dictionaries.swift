import Foundation

func common() -> [String: Any] { [:] }
func enrich(_ parameters: [String: Any], _ body: ([String: Any]) throws -> Void) rethrows { try body(parameters) }
func fill(_ parameters: inout [String: Any]) {}
func parameters(_ value: Int) throws -> [String: Any] { ["x": value] }

func += (left: inout [String: Any], right: [String: Any]) { left.merge(right) { $1 } }

struct Detailed: Error { var parameters: [String: Any] }
enum Detail { case all([String: Any]), none }

/// Variables that are changed in other ways than by assignments of single values.
final class Changes {
    let flag = true

    func changed(_ k: String) {
        var params: [String: Any] = [:]
        params += common()
        Analytics.logEvent("changed", parameters: params)  // kept: the parameters `params` are not certain
        var counts: [String: Int] = [:]
        counts["n", default: 0] += 1
        Analytics.logEvent("changed", parameters: counts)  // kept: the parameters `counts` are not certain
        var lists: [String: [Int]] = [:]
        lists["ids", default: []].append(3)
        Analytics.logEvent("changed", parameters: lists)  // kept: the parameters `lists` are not certain
        var points: [String: CGPoint] = [:]
        points[k]?.x = 1
        Analytics.logEvent("changed", parameters: points)  // kept: the parameters `points` are not certain
        var filled: [String: Any] = [:]
        fill(&filled)
        Analytics.logEvent("changed", parameters: filled)  // kept: the parameters `filled` are not certain
        var paired: [String: Any] = [:]
        (paired["a"], paired["b"]) = (1, 2)
        Analytics.logEvent("changed", parameters: paired)  // kept: the parameters `paired` are not certain
        var replaced: [String: Any] = [:]
        replaced = common()
        Analytics.logEvent("changed", parameters: replaced)  // kept: the parameters `replaced` are not certain
        var (one, other): ([String: Any], [String: Any]) = ([:], common())
        swap(&one, &other)
        Analytics.logEvent("changed", parameters: one)  // kept: the parameters `one` are not certain
        var keyed: [String: Any] = [:]
        keyed[keyPath: \.["a"]] = 1
        Analytics.logEvent("changed", parameters: keyed)  // kept: the parameters `keyed` are not certain
    }

    func later() {
        var deferred: [String: Any] = [:]
        do { defer { deferred["a"] = 1 } }
        Analytics.logEvent("changed", parameters: deferred)  // kept: the parameters `deferred` are not certain
        var called: [String: Any] = [:]
        add()
        Analytics.logEvent("changed", parameters: called)  // kept: the parameters `called` are not certain
        func add() { called["a"] = 1 }
        var observed: [String: Any] = ["a": 1] { didSet { observed["b"] = 2 } }
        observed["c"] = 3
        Analytics.logEvent("changed", parameters: observed)  // kept: the parameters `observed` are not certain
        var named: [String: Any] = [:]
        Amplitude.instance().logEvent("changed", withEventProperties: named)  // kept: the parameters `named` are not a
        named["late"] = 1
        var read: [String: Any] = [:]
        let copy = read["a"] as? Int
        if read["a"] == nil, read.isEmpty { print(read, copy ?? 0) }
        Analytics.logEvent("empty", parameters: read)  // kept: the parameters `read` are not a dictionary literal
        read["late"] = 1
        let empty: [String: Any] = [:]
        Analytics.logEvent("empty", parameters: empty)  // kept: the parameters `empty` are not a dictionary literal
        let none: [String: Any]? = nil
        Analytics.logEvent("empty", parameters: none)  // kept: the parameters `none` are not certain
        Analytics.logEvent("empty", parameters: Keys.extras)  // kept: the parameters `Keys.extras` are not a
    }
}

/// Declarations that hide an empty dictionary of the same name.
func hidden(_ optional: [String: Any]?, _ detail: Detail, _ details: [[String: Any]]) throws {
    let parameters: [String: Any] = [:]
    Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not a
    enrich(parameters) { parameters in
        Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not certain
    }
    try enrich(parameters) { (parameters: [String: Any]) throws in
        Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not certain
    }
    enrich(parameters) { [parameters = common()] _ in
        Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not certain
    }
    if let parameters = optional {
        Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not certain
    }
    for parameters in details {
        Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not certain
    }
    for case let parameters in details where !parameters.isEmpty {
        Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not certain
    }
    switch detail {
    case .all(let parameters):
        Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not certain
    case .none: break
    }
    if case .all(let parameters) = detail {
        Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not certain
    }
    do { throw Detailed(parameters: parameters) } catch let parameters as [String: Any] {
        Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not certain
    }
    func inner(_ parameters: [String: Any]) {
        Analytics.logEvent("hidden", parameters: parameters)  // kept: the parameters `parameters` are not certain
    }
    inner(parameters)
    var late: [String: Any]? = [:]
    late?["a"] = 1
    do {
        guard let late else { return }
        Analytics.logEvent("hidden", parameters: late)  // kept: the parameters `late` are not certain
    }
    while let late = optional {
        Analytics.logEvent("hidden", parameters: late)  // kept: the parameters `late` are not certain
    }
}
