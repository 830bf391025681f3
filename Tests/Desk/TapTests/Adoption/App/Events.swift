import Foundation

/// Names of events, as apps declare them.
enum Event: String {
    case open
    case close = "app_closed"
    case addToCart = "Add To Cart"
    enum Kind: Int { case first }
}

enum Names { static let prefix = "global_names" }

typealias Price = Double

enum Keys {
    static let recipe = "recipe_id"
    static let prefix = "cart"
    static let total = prefix + "_total"
    static var source: String { "source" }
    static var dynamic: String { UUID().uuidString }
    static var extras: [String: Any] { [:] }
}

enum Key: String { case position, sort }

let screenPrefix = "screen"
private let ownName = "own_of_events"

struct Recipe {
    var id: Int64
    var title: String
    var note: String?
    var score: Double
    var tags: [String]
    var related: [Recipe]
    var owner: Owner?
    var unknown: AnyObject?
}

struct Owner { var name: String }

/// The app's own logger.
struct Tracker {
    static let shared = Tracker()
    func track(_ event: Event, properties: [Key: Any] = [:], immediately: Bool = false) {}
    func log(page: String, label: String, values: [String: String]? = nil) {}
    @discardableResult func send(event: String, properties: [String: Double]? = nil) -> Bool { true }
}
