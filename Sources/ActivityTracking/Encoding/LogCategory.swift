/// What a generated category conforms to: an enum with a case per event.
///
/// The conformance is written by loggen. Two events are equal, and print the same, when they log the same columns.
public protocol LogCategory: Sendable, Equatable, CustomStringConvertible {
    /// What the category's document says, without a value at hand.
    static var definition: LogDefinition { get }

    /// Hands the event and its columns to the encoder, in the order of the definition.
    func encode(into encoder: LogEncoder)
}

extension LogCategory {
    public static func == (left: Self, right: Self) -> Bool {
        left.loggedColumns() == right.loggedColumns()
    }

    /// The event's name and its columns as JSON: `recipe_search.show_recipe {"recipe_id":42}`.
    public var description: String {
        let (event, json) = loggedColumns()
        let name = event.flatMap { Self.definition.events.indices.contains($0) ? Self.definition.events[$0].name : nil }
        return "\(Self.definition.name).\(name ?? "?") {\(String(decoding: json.dropFirst(), as: UTF8.self))}"
    }

    /// The event's number and its columns as JSON members; never reports violations.
    private func loggedColumns() -> (event: Int?, json: [UInt8]) {
        LogEncoder.withState(capacity: 256) { state in
            let event = state.encode(Self.definition, writesHeaders: false) { self.encode(into: $0) }
            return (event, state.output())
        }
    }
}

/// What the generated common columns conform to: the values that every event carries.
///
/// Two of them are equal when they log the same columns: types of the app's own need not be equatable.
public protocol LogColumns: Sendable, Equatable {
    /// What the document says of the columns; they are those of its only event.
    static var definition: LogDefinition { get }

    /// Hands the columns to the encoder, in the order of the definition.
    func encode(into encoder: LogEncoder)
}

extension LogColumns {
    public static func == (left: Self, right: Self) -> Bool {
        left.loggedColumns() == right.loggedColumns()
    }

    private func loggedColumns() -> [UInt8] {
        LogEncoder.withState(capacity: 256) { state in
            state.encode(Self.definition, writesHeaders: false) { self.encode(into: $0) }
            return state.output()
        }
    }
}

/// No common columns: for definitions without a `common.md`.
public struct NoCommonColumns: LogColumns {
    public static let definition = LogDefinition("common\n.common")

    public init() {}

    public func encode(into encoder: LogEncoder) { encoder.event(0) }
}
