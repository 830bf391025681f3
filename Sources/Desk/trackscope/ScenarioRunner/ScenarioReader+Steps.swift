import ContentVisibility
import Foundation

extension ScenarioReader {
    /// Returns the inserted content of each step; nil for steps without one.
    mutating func insertedContents(_ steps: [JSONValue]) throws(Mistake) -> [Content?] {
        var inserted: [Content?] = []
        for value in steps {
            inserted.append(nil)
            guard case .object(let members) = value.content,
                let content = members.first(where: { $0.key == "content" })?.value,
                case .object = content.content
            else { continue }
            var ids: Set<String>? = []
            let read = try self.content(content, inserted: &ids)
            guard read.id != nil else {
                throw Mistake(at: content.at, message: "a content that is inserted needs an \"id\"")
            }
            inserted[inserted.count - 1] = read
        }
        return inserted
    }

    private static let actions: [String: [String]] = [
        "open": ["screen"], "push": ["screen"], "pop": [], "present": ["screen", "style"], "dismiss": [],
        "selectTab": ["screen", "swipe", "refresh"], "scroll": ["in", "to", "by", "over"],
        "resize": ["viewport", "frames"], "background": [],
        "foreground": ["refresh"], "refresh": ["over", "replaces"], "insert": ["content", "frame", "in"],
        "remove": ["content"],
        "move": ["content", "frame"], "deepLink": ["screen"], "closeAll": [], "start": ["screen"], "stop": ["screen"],
        "restart": ["screen"],
        "end": [],
    ]

    private enum Style: String, CaseIterable { case fullScreen, sheet }

    func step(_ value: JSONValue, _ inserted: Content?) throws(Mistake) -> Scenario.Step {
        let any = try Members(value, "a step", nil)
        let named = try any.required("do")
        let name = try string(named)
        guard let keys = Self.actions[name] else {
            throw Mistake(
                at: named.at,
                message: "unknown step \"\(name)\"; the steps are \(Self.actions.keys.sorted().joined(separator: ", "))"
            )
        }
        let object = try Members(value, "\"\(name)\"", ["at", "do"] + keys)
        return Scenario.Step(
            time: try seconds(object.required("at")), at: value.at, action: try action(name, object, inserted))
    }

    func action(_ name: String, _ object: Members, _ inserted: Content?) throws(Mistake) -> Scenario.Action {
        func screen() throws(Mistake) -> Scenario.Named {
            try known(object.required("screen"), "screen", screens.contains)
        }
        func content() throws(Mistake) -> Scenario.Named { try self.content(object.required("content")) }
        func refresh() throws(Mistake) -> Double? {
            try object["refresh"].map { (value) throws(Mistake) in try seconds(value) }
        }
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
                try screen(), isSwiped: try object["swipe"].map { (value) throws(Mistake) in try bool(value) } ?? false,
                refresh: try refresh())
        case "scroll":
            let place = try place(object.required("in"))
            guard (object["to"] == nil) != (object["by"] == nil) else {
                throw Mistake(at: object.at, message: "\"scroll\" needs either \"to\" or \"by\"")
            }
            let over = try object["over"].map { (value) throws(Mistake) in try seconds(value) } ?? 0
            if let value = object["over"], over > 3600 {
                throw Mistake(at: value.at, message: "a scroll takes an hour at most")
            }
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
                if let frame = object["frame"] {
                    throw Mistake(
                        at: frame.at, message: "the content already has a \"frame\": remove the \"frame\" of the step")
                }
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

    func content(_ value: JSONValue) throws(Mistake) -> Scenario.Named {
        try known(value, "content", contents.contains)
    }

    /// Reads the identifier of a screen or a content.
    func place(_ value: JSONValue) throws(Mistake) -> Scenario.Named {
        try known(value, "screen or content") { screens.contains($0) || contents.contains($0) }
    }

    private func known(_ value: JSONValue, _ what: String, _ isKnown: (String) -> Bool) throws(Mistake)
        -> Scenario.Named
    {
        let id = try string(value)
        guard isKnown(id) else { throw Mistake(at: value.at, message: "unknown \(what) \"\(id)\"") }
        return Scenario.Named(id: id, at: value.at)
    }

    func expected(_ value: JSONValue) throws(Mistake) -> Scenario.Expected {
        let log: Posted.Log = try choice(Members(value, "an expectation", nil).required("log"))
        let measures = log == .left ? VisitEngagement.names : []
        let object = try Members(value, "an expectation", ["at", "log", "content", "screen"] + measures)
        var expected = Scenario.Expected(
            time: try seconds(object.required("at")), log: log)
        for name in measures {
            guard let value = object[name] else { continue }
            if case .null = value.content, name == "depth" {
                expected.engagement[name] = .some(nil)
            } else {
                expected.engagement[name] = try seconds(value)
            }
        }
        if let value = object["screen"] { expected.screen = try known(value, "screen", screens.contains).id }
        if expected.log == .screen || (expected.log == .left && object["content"] == nil) {
            if let value = object["content"] { throw Mistake(at: value.at, message: "a screen log has no content") }
            _ = try object.required("screen")
        } else {
            expected.content = try content(object.required("content")).id
        }
        return expected
    }
}
