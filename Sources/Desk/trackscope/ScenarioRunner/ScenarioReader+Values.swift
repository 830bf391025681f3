import Foundation

extension ScenarioReader {
    func expected(_ what: String, _ value: JSONValue) -> Mistake {
        Mistake(at: value.at, message: "expected \(what), not \(value.kind)")
    }

    func string(_ value: JSONValue) throws(Mistake) -> String {
        guard case .string(let text) = value.content else { throw expected("a string", value) }
        guard !text.isEmpty else { throw Mistake(at: value.at, message: "this must not be empty") }
        return text
    }

    func bool(_ value: JSONValue) throws(Mistake) -> Bool {
        guard case .bool(let bool) = value.content else { throw expected("true or false", value) }
        return bool
    }

    func array(_ value: JSONValue) throws(Mistake) -> [JSONValue] {
        guard case .array(let items) = value.content else { throw expected("an array", value) }
        return items
    }

    private static let largest = 1e9

    func number(_ value: JSONValue) throws(Mistake) -> Double {
        guard case .number(let written) = value.content else { throw expected("a number", value) }
        let number = written.double
        guard abs(number) <= Self.largest else {
            throw Mistake(at: value.at, message: "numbers must be between -1000000000 and 1000000000")
        }
        return number
    }

    func seconds(_ value: JSONValue) throws(Mistake) -> Double {
        let seconds = try number(value)
        guard seconds >= 0 else { throw Mistake(at: value.at, message: "a time must not be negative") }
        return seconds
    }

    func numbers(_ value: JSONValue, _ count: Int, _ form: String) throws(Mistake) -> [Double] {
        guard case .array(let items) = value.content else { throw expected(form, value) }
        guard items.count == count else {
            throw Mistake(at: value.at, message: "expected \(form): \(count) numbers, not \(items.count)")
        }
        var numbers: [Double] = []
        for item in items { numbers.append(try number(item)) }
        return numbers
    }

    func point(_ value: JSONValue) throws(Mistake) -> CGPoint {
        let point = try numbers(value, 2, "a point, [x, y]")
        return CGPoint(x: point[0], y: point[1])
    }

    func frame(_ value: JSONValue) throws(Mistake) -> CGRect {
        let frame = try numbers(value, 4, "a frame, [x, y, width, height]")
        guard frame[2] >= 0, frame[3] >= 0 else {
            throw Mistake(at: value.at, message: "a frame's width and height must not be negative")
        }
        return CGRect(x: frame[0], y: frame[1], width: frame[2], height: frame[3])
    }

    func size(_ value: JSONValue) throws(Mistake) -> CGSize {
        let object = try Members(value, "a viewport", ["width", "height"])
        let (width, height) = (try number(object.required("width")), try number(object.required("height")))
        guard width > 0, height > 0 else {
            throw Mistake(at: value.at, message: "a viewport's width and height must be more than 0")
        }
        return CGSize(width: width, height: height)
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ value: JSONValue) throws(Mistake) -> Choice
    where Choice.RawValue == String {
        let text = try string(value)
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw Mistake(at: value.at, message: "\"\(text)\" is not one of \(choices)")
        }
        return choice
    }

    func number(_ time: Double) -> String { Posted.seconds(time) }
}

/// The members of an object. Unknown members throw.
struct Members {
    let at: Int
    private let what: String
    private var values: [String: JSONValue] = [:]

    init(_ value: JSONValue, _ what: String, _ known: [String]?) throws(Mistake) {
        guard case .object(let members) = value.content else {
            throw Mistake(at: value.at, message: "expected \(what), an object, not \(value.kind)")
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
