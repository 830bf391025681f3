import ContentVisibility
import Foundation

extension Scenario {
    /// Reads a scenario.
    /// - Parameter file: for messages, and the name of a scenario that has none.
    /// - Throws: `ScenarioError`, the first mistake.
    package init(_ bytes: [UInt8], file: String) throws(ScenarioError) {
        do throws(Mistake) {
            var reader = ScenarioReader()
            self = try reader.scenario(try JSONReader.read(bytes), file: file)
        } catch {
            throw ScenarioError(error, file: file, in: bytes)
        }
    }
}

/// Makes a scenario of JSON.
private struct ScenarioReader {
    private typealias Content = Scenario.Content

    private var screens: Set<String> = []
    private var contents: Set<String> = []

    mutating func scenario(_ value: JSONValue, file: String) throws(Mistake) -> Scenario {
        let object = try Members(value, "a scenario", ["name", "viewport", "rule", "screens", "steps", "expect"])
        let rule = try self.rule(object["rule"]).under(ImpressionRule())
        var scenario = Scenario(
            name: try object["name"].map { (value) throws(Mistake) in try string(value) } ?? file, viewport: try size(object.required("viewport")))
        for value in try array(object.required("screens")) { scenario.screens.append(try screen(value, rule)) }
        // Contents that steps insert may be spoken of before.
        let steps = try array(object.required("steps"))
        scenario.stepsAt = try object.required("steps").at
        let inserted = try insertedContents(steps)
        var latest = 0.0
        for (value, content) in zip(steps, inserted) {
            let step = try self.step(value, content)
            if let last = scenario.steps.last {
                guard step.time >= latest - instant else {
                    throw Mistake(at: step.at, message: "steps stand in the order of time: \(number(step.time)) comes before \(number(latest))")
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

    private mutating func screen(_ value: JSONValue, _ rule: ImpressionRule) throws(Mistake) -> Scenario.Screen {
        let object = try Members(value, "a screen", ["id", "contents", "scroll", "rule", "tabs", "screenLog"])
        let id = try newID(object.required("id"))
        screens.insert(id)
        var screen = Scenario.Screen(id: id, rule: try self.rule(object["rule"]).under(rule))
        if let value = object["scroll"] { screen.scrolling = try choice(value) }
        if let value = object["tabs"] { screen.tabs = try string(value) }
        if let value = object["screenLog"] { screen.postsScreenLog = try bool(value) }
        if let value = object["contents"] {
            for value in try array(value) {
                var ids: Set<String>?
                screen.contents.append(try content(value, inserted: &ids))
            }
        }
        return screen
    }

    /// - Parameter ids: what a step's content has by now; nil for contents of screens, which have to be new.
    private mutating func content(_ value: JSONValue, inserted ids: inout Set<String>?) throws(Mistake) -> Content {
        let object = try Members(value, "a content", ["id", "frame", "scroll", "contents", "tracked", "identity", "rule"])
        var content = Content(frame: try frame(object.required("frame")), rule: try self.rule(object["rule"]))
        if let value = object["id"] {
            let id = ids == nil ? try newID(value) : try reinsertedID(value)
            if ids?.insert(id).inserted == false {
                throw Mistake(at: value.at, message: "the id \"\(id)\" is there already; ids are unique in a file")
            }
            contents.insert(id)
            content.id = id
        }
        if let value = object["scroll"] { content.scrolling = try choice(value) }
        if let value = object["tracked"] { content.isTracked = try bool(value) }
        if let value = object["identity"] {
            let identity: Identity = try choice(value)
            content.isRemembered = identity == .id
        }
        if let value = object["contents"] {
            for value in try array(value) { content.contents.append(try self.content(value, inserted: &ids)) }
        }
        return content
    }

    private enum Identity: String, CaseIterable { case id, view }

    /// An id that nothing else has: screens and contents alike.
    private func newID(_ value: JSONValue) throws(Mistake) -> String {
        let id = try string(value)
        guard !screens.contains(id), !contents.contains(id) else {
            throw Mistake(at: value.at, message: "the id \"\(id)\" is there already; ids are unique in a file")
        }
        return id
    }

    /// The id of a content that a step inserts: a new one, or that of a content that has been removed, which the replay sees to.
    private func reinsertedID(_ value: JSONValue) throws(Mistake) -> String {
        let id = try string(value)
        guard !screens.contains(id) else { throw Mistake(at: value.at, message: "\"\(id)\" is a screen; ids are unique in a file") }
        return id
    }

    private func rule(_ value: JSONValue?) throws(Mistake) -> Scenario.Rule {
        guard let value else { return Scenario.Rule() }
        let object = try Members(value, "a rule", ["visibleFraction", "dwell", "once"])
        var rule = Scenario.Rule()
        if let value = object["visibleFraction"] {
            let fraction = try number(value)
            guard (0...1).contains(fraction) else { throw Mistake(at: value.at, message: "a visible fraction lies between 0 and 1") }
            rule.visibleFraction = fraction
        }
        if let value = object["dwell"] { rule.dwell = try seconds(value) }
        if let value = object["once"] { rule.once = try choice(value) }
        return rule
    }

    // MARK: Steps

    /// The contents that steps bring with them, a step each.
    private mutating func insertedContents(_ steps: [JSONValue]) throws(Mistake) -> [Content?] {
        var inserted: [Content?] = []
        for value in steps {
            inserted.append(nil)
            guard case .object(let members) = value.content, let content = members.first(where: { $0.key == "content" })?.value,
                case .object = content.content
            else { continue }
            var ids: Set<String>? = []
            let read = try self.content(content, inserted: &ids)
            guard read.id != nil else { throw Mistake(at: content.at, message: "a content that is inserted needs an \"id\"") }
            inserted[inserted.count - 1] = read
        }
        return inserted
    }

    private static let actions: [String: [String]] = [
        "open": ["screen"], "push": ["screen"], "pop": [], "present": ["screen", "style"], "dismiss": [],
        "selectTab": ["screen", "swipe", "refresh"], "scroll": ["in", "to", "by", "over"], "resize": ["viewport", "frames"], "background": [],
        "foreground": ["refresh"], "refresh": ["over", "replaces"], "insert": ["content", "frame", "in"], "remove": ["content"],
        "move": ["content", "frame"], "deepLink": ["screen"], "closeAll": [], "start": ["screen"], "stop": ["screen"], "restart": ["screen"],
        "end": [],
    ]

    private enum Style: String, CaseIterable { case fullScreen, sheet }

    private func step(_ value: JSONValue, _ inserted: Content?) throws(Mistake) -> Scenario.Step {
        let any = try Members(value, "a step", nil)
        let named = try any.required("do")
        let name = try string(named)
        guard let keys = Self.actions[name] else {
            throw Mistake(at: named.at, message: "there is no step \"\(name)\"; there are \(Self.actions.keys.sorted().joined(separator: ", "))")
        }
        let object = try Members(value, "\"\(name)\"", ["at", "do"] + keys)
        return Scenario.Step(time: try seconds(object.required("at")), at: value.at, action: try action(name, object, inserted))
    }

    private func action(_ name: String, _ object: Members, _ inserted: Content?) throws(Mistake) -> Scenario.Action {
        func screen() throws(Mistake) -> Scenario.Named {
            let value = try object.required("screen")
            let id = try string(value)
            guard screens.contains(id) else { throw Mistake(at: value.at, message: "there is no screen \"\(id)\"") }
            return Scenario.Named(id: id, at: value.at)
        }
        func content() throws(Mistake) -> Scenario.Named { try self.content(object.required("content")) }
        func refresh() throws(Mistake) -> Double? { try object["refresh"].map { (value) throws(Mistake) in try seconds(value) } }
        switch name {
        case "open": return .open(try screen())
        case "push": return .push(try screen())
        case "pop": return .pop
        case "present":
            let style: Style = try object["style"].map { (value) throws(Mistake) in try choice(value) } ?? .fullScreen
            return .present(try screen(), isSheet: style == .sheet)
        case "dismiss": return .dismiss
        case "selectTab":
            return .selectTab(
                try screen(), isSwiped: try object["swipe"].map { (value) throws(Mistake) in try bool(value) } ?? false, refresh: try refresh())
        case "scroll":
            let place = try place(object.required("in"))
            guard (object["to"] == nil) != (object["by"] == nil) else {
                throw Mistake(at: object.at, message: "\"scroll\" needs either \"to\" or \"by\"")
            }
            let over = try object["over"].map { (value) throws(Mistake) in try seconds(value) } ?? 0
            if let value = object["over"], over > 3600 { throw Mistake(at: value.at, message: "a scroll takes an hour at most") }
            if let to = object["to"] { return .scroll(place, try point(to), isRelative: false, over: over) }
            return .scroll(place, try point(object.required("by")), isRelative: true, over: over)
        case "resize":
            var frames: [(Scenario.Named, CGRect)] = []
            if let value = object["frames"] {
                guard case .object(let members) = value.content else { throw expected("an object of frames", value) }
                for (key, at, value) in members {
                    frames.append((try self.content(JSONValue(content: .string(key), at: at)), try frame(value)))
                }
            }
            return .resize(try size(object.required("viewport")), frames: frames)
        case "background": return .background
        case "foreground": return .foreground(refresh: try refresh())
        case "refresh":
            return .refresh(
                over: try object["over"].map { (value) throws(Mistake) in try seconds(value) } ?? 0,
                replacesViews: try object["replaces"].map { (value) throws(Mistake) in try bool(value) } ?? true)
        case "insert":
            let value = try object.required("content")
            let place = try place(object.required("in"))
            if let inserted, let id = inserted.id {
                if let frame = object["frame"] { throw Mistake(at: frame.at, message: "the frame stands in the content") }
                return .insert(Scenario.Named(id: id, at: value.at), inserted, frame: inserted.frame, in: place)
            }
            return .insert(try self.content(value), nil, frame: try frame(object.required("frame")), in: place)
        case "remove": return .remove(try content())
        case "move": return .move(try content(), try frame(object.required("frame")))
        case "deepLink": return .deepLink(try screen())
        case "closeAll": return .closeAll
        case "start": return .start(try screen())
        case "stop": return .stop(try screen())
        case "restart": return .restart(try screen())
        default: return .end
        }
    }

    private func content(_ value: JSONValue) throws(Mistake) -> Scenario.Named {
        let id = try string(value)
        guard contents.contains(id) else { throw Mistake(at: value.at, message: "there is no content \"\(id)\"") }
        return Scenario.Named(id: id, at: value.at)
    }

    /// A screen or a content.
    private func place(_ value: JSONValue) throws(Mistake) -> Scenario.Named {
        let id = try string(value)
        guard screens.contains(id) || contents.contains(id) else {
            throw Mistake(at: value.at, message: "there is no screen and no content \"\(id)\"")
        }
        return Scenario.Named(id: id, at: value.at)
    }

    private func expected(_ value: JSONValue) throws(Mistake) -> Scenario.Expected {
        let object = try Members(value, "an expectation", ["at", "log", "content", "screen"])
        var expected = Scenario.Expected(time: try seconds(object.required("at")), log: try choice(object.required("log")))
        if let value = object["screen"] {
            let id = try string(value)
            guard screens.contains(id) else { throw Mistake(at: value.at, message: "there is no screen \"\(id)\"") }
            expected.screen = id
        }
        if expected.log == .screen {
            if let value = object["content"] { throw Mistake(at: value.at, message: "a screen log has no content") }
            _ = try object.required("screen")
        } else {
            expected.content = try content(object.required("content")).id
        }
        return expected
    }

    // MARK: Values

    private func expected(_ what: String, _ value: JSONValue) -> Mistake { Mistake(at: value.at, message: "\(what) belongs here, not \(value.kind)") }

    private func string(_ value: JSONValue) throws(Mistake) -> String {
        guard case .string(let text) = value.content else { throw expected("a string", value) }
        guard !text.isEmpty else { throw Mistake(at: value.at, message: "this may not be empty") }
        return text
    }

    private func bool(_ value: JSONValue) throws(Mistake) -> Bool {
        guard case .bool(let bool) = value.content else { throw expected("true or false", value) }
        return bool
    }

    private func array(_ value: JSONValue) throws(Mistake) -> [JSONValue] {
        guard case .array(let items) = value.content else { throw expected("an array", value) }
        return items
    }

    private static let largest = 1e9

    private func number(_ value: JSONValue) throws(Mistake) -> Double {
        guard case .number(let number) = value.content else { throw expected("a number", value) }
        guard abs(number) <= Self.largest else { throw Mistake(at: value.at, message: "numbers lie between -1000000000 and 1000000000") }
        return number
    }

    private func seconds(_ value: JSONValue) throws(Mistake) -> Double {
        let seconds = try number(value)
        guard seconds >= 0 else { throw Mistake(at: value.at, message: "a time is not negative") }
        return seconds
    }

    private func numbers(_ value: JSONValue, _ count: Int, _ form: String) throws(Mistake) -> [Double] {
        guard case .array(let items) = value.content else { throw expected(form, value) }
        guard items.count == count else { throw Mistake(at: value.at, message: "\(form) belongs here: \(count) numbers, not \(items.count)") }
        var numbers: [Double] = []
        for item in items { numbers.append(try number(item)) }
        return numbers
    }

    private func point(_ value: JSONValue) throws(Mistake) -> CGPoint {
        let point = try numbers(value, 2, "a point, [x, y],")
        return CGPoint(x: point[0], y: point[1])
    }

    private func frame(_ value: JSONValue) throws(Mistake) -> CGRect {
        let frame = try numbers(value, 4, "a frame, [x, y, width, height],")
        guard frame[2] >= 0, frame[3] >= 0 else { throw Mistake(at: value.at, message: "a frame's width and height are not negative") }
        return CGRect(x: frame[0], y: frame[1], width: frame[2], height: frame[3])
    }

    private func size(_ value: JSONValue) throws(Mistake) -> CGSize {
        let object = try Members(value, "a viewport", ["width", "height"])
        let (width, height) = (try number(object.required("width")), try number(object.required("height")))
        guard width > 0, height > 0 else { throw Mistake(at: value.at, message: "a viewport's width and height are more than 0") }
        return CGSize(width: width, height: height)
    }

    private func choice<Choice: RawRepresentable & CaseIterable>(_ value: JSONValue) throws(Mistake) -> Choice where Choice.RawValue == String {
        let text = try string(value)
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw Mistake(at: value.at, message: "\"\(text)\" is none of \(choices)")
        }
        return choice
    }

    private func number(_ time: Double) -> String { Posted.seconds(time) }
}

/// An object's members, none of which is unknown.
private struct Members {
    let at: Int
    private let what: String
    private var values: [String: JSONValue] = [:]

    init(_ value: JSONValue, _ what: String, _ known: [String]?) throws(Mistake) {
        guard case .object(let members) = value.content else {
            throw Mistake(at: value.at, message: "\(what), an object, belongs here, not \(value.kind)")
        }
        at = value.at
        self.what = what
        for (key, at, value) in members {
            if let known, !known.contains(key) {
                let keys = known.map { "\"\($0)\"" }.joined(separator: ", ")
                throw Mistake(at: at, message: "\(what) has no key \"\(key)\"; it has \(keys)")
            }
            values[key] = value
        }
    }

    subscript(key: String) -> JSONValue? { values[key] }

    func required(_ key: String) throws(Mistake) -> JSONValue {
        guard let value = values[key] else { throw Mistake(at: at, message: "\(what) needs \"\(key)\"") }
        return value
    }
}
