import Foundation

/// Names of events, as apps declare them.
enum Event: String {
    case open
    case close = "app_closed"
    case addToCart = "Add To Cart"
}

enum Names {
    static let opened = "opened"

    enum Page: String { case home = "page_home" }
}

enum Key: String { case position, sort }

/// Two types of one name.
enum Ambiguous {
    enum Kind: String { case first }
}

struct Other {
    enum Kind: String { case first = "other_first" }
}

enum Wrapped: String {
    case first
    var rawValue: String { "app_first" }
    init?(rawValue: String) { nil }
}

enum Number: Int { case one = 1 }

struct Recipe {
    var id: Int64
    var title: String
    var note: String?
}

/// The app's own logger.
struct Tracker {
    static let shared = Tracker()
    func track(_ event: Event, properties: [Key: Any] = [:], immediately: Bool = false) {}
    func log(page: String, label: String, values: [String: String]? = nil) {}
    @discardableResult func send(event: String, properties: [String: Double]? = nil) -> Bool { true }
}

/// A logger with the method of another one.
struct Fake {
    func logEvent(_ name: String, parameters: [String: Any]?) {}
    func track(_ event: String, properties: [String: Any], immediately: Bool) {}
}
