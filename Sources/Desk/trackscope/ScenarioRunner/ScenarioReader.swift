import ContentVisibility
import Foundation

extension Scenario {
    /// Reads a scenario.
    /// - Parameter file: the file name for messages. It is also the name of a scenario without one.
    /// - Throws: `ScenarioError`, the first mistake.
    package init(_ bytes: [UInt8], file: String) throws(ScenarioError) {
        do throws(Mistake) {
            var reader = ScenarioReader()
            self = try reader.scenario(try JSONReader.read(bytes, what: "the scenario"), file: file)
        } catch {
            throw ScenarioError(error, file: file, in: bytes)
        }
    }
}

/// Reads a scenario from JSON.
///
/// Steps are in `ScenarioReader+Steps.swift`; numbers, frames and similar values in `ScenarioReader+Values.swift`.
struct ScenarioReader {
    typealias Content = Scenario.Content

    var screens: Set<String> = []
    var contents: Set<String> = []

    mutating func scenario(_ value: JSONValue, file: String) throws(Mistake) -> Scenario {
        let object = try Members(value, "a scenario", ["name", "viewport", "rule", "screens", "steps", "expect"])
        let rule = try self.rule(object["rule"]).under(ImpressionRule())
        var scenario = Scenario(
            name: try object["name"].map { (value) throws(Mistake) in try string(value) } ?? file,
            viewport: try size(object.required("viewport")))
        for value in try array(object.required("screens")) { scenario.screens.append(try screen(value, rule)) }
        // The contents of all steps are read first, because a step may name a content that a later step inserts.
        let steps = try array(object.required("steps"))
        scenario.stepsAt = try object.required("steps").at
        let inserted = try insertedContents(steps)
        var latest = 0.0
        for (value, content) in zip(steps, inserted) {
            let step = try self.step(value, content)
            if let last = scenario.steps.last {
                guard step.time >= latest - instant else {
                    throw Mistake(
                        at: step.at,
                        message:
                            "steps must be in order of time: \(number(step.time)) comes after \(number(latest)) here")
                }
                if case .end = last.action { throw Mistake(at: step.at, message: "nothing can happen after \"end\"") }
            }
            latest = max(latest, step.time)
            scenario.steps.append(step)
        }
        if let expected = object["expect"] {
            var list: [Scenario.Expected] = []
            for value in try array(expected) { list.append(try self.expected(value)) }
            scenario.expected = list
        }
        return scenario
    }

    // MARK: Screens

    mutating func screen(_ value: JSONValue, _ rule: ImpressionRule) throws(Mistake) -> Scenario.Screen {
        let object = try Members(value, "a screen", ["id", "contents", "scroll", "rule", "tabs", "screenLog", "leave"])
        let id = try newID(object.required("id"))
        screens.insert(id)
        var screen = Scenario.Screen(id: id, rule: try self.rule(object["rule"]).under(rule))
        if let value = object["scroll"] { screen.scrolling = try choice(value) }
        if let value = object["tabs"] { screen.tabs = try string(value) }
        if let value = object["screenLog"] { screen.postsScreenLog = try bool(value) }
        if let value = object["leave"] { screen.postsLeave = try bool(value) }
        if let value = object["contents"] {
            for value in try array(value) {
                var ids: Set<String>?
                screen.contents.append(try content(value, inserted: &ids))
            }
        }
        return screen
    }

    /// Parses a content and the contents inside it.
    /// - Parameter ids: the identifiers in a step's content so far; nil for a screen's content, which is new.
    mutating func content(_ value: JSONValue, inserted ids: inout Set<String>?) throws(Mistake) -> Content {
        let object = try Members(
            value, "a content", ["id", "frame", "scroll", "contents", "tracked", "identity", "rule", "leave"])
        var content = Content(frame: try frame(object.required("frame")), rule: try self.rule(object["rule"]))
        if let value = object["id"] {
            let id = ids == nil ? try newID(value) : try reinsertedID(value)
            if ids?.insert(id).inserted == false {
                throw Mistake(at: value.at, message: "the id \"\(id)\" exists already; ids are unique in a file")
            }
            contents.insert(id)
            content.id = id
        }
        if let value = object["scroll"] { content.scrolling = try choice(value) }
        if let value = object["tracked"] { content.isTracked = try bool(value) }
        if let value = object["leave"] { content.leave = try leave(value) }
        if let value = object["identity"] {
            let identity: Identity = try choice(value)
            content.isRemembered = identity == .id
        }
        if let value = object["contents"] {
            for value in try array(value) { content.contents.append(try self.content(value, inserted: &ids)) }
        }
        return content
    }

    /// Reads a visible fraction, true or false.
    private func leave(_ value: JSONValue) throws(Mistake) -> (@Sendable (ImpressionRule) -> Double)? {
        if case .bool(false) = value.content { return nil }
        if case .bool(true) = value.content { return { $0.visibleFraction } }
        let fraction = try fraction(value)
        return { _ in fraction }
    }

    private enum Identity: String, CaseIterable { case id, view }

    /// Reads an identifier that no screen and no other content has.
    func newID(_ value: JSONValue) throws(Mistake) -> String {
        let id = try string(value)
        guard !screens.contains(id), !contents.contains(id) else {
            throw Mistake(at: value.at, message: "the id \"\(id)\" exists already; ids are unique in a file")
        }
        return id
    }

    /// A new identifier, or that of a removed content. The replay checks that the content was removed.
    func reinsertedID(_ value: JSONValue) throws(Mistake) -> String {
        let id = try string(value)
        guard !screens.contains(id) else {
            throw Mistake(at: value.at, message: "\"\(id)\" is a screen; ids are unique in a file")
        }
        return id
    }

    func rule(_ value: JSONValue?) throws(Mistake) -> Scenario.Rule {
        guard let value else { return Scenario.Rule() }
        let object = try Members(value, "a rule", ["visibleFraction", "dwell", "once"])
        var rule = Scenario.Rule()
        if let value = object["visibleFraction"] { rule.visibleFraction = try fraction(value) }
        if let value = object["dwell"] { rule.dwell = try seconds(value) }
        if let value = object["once"] { rule.once = try choice(value) }
        return rule
    }

    private func fraction(_ value: JSONValue) throws(Mistake) -> Double {
        let fraction = try number(value)
        guard (0...1).contains(fraction) else {
            throw Mistake(at: value.at, message: "a visible fraction must be between 0 and 1")
        }
        return fraction
    }
}
