/// A generated category: an enum with a case per event. loggen writes the conformance.
///
/// Two events are equal, and print the same, if they log the same columns.
public protocol LogCategory: Sendable, Equatable, CustomStringConvertible {
    /// What the category's document says. It needs no event at hand.
    static var definition: LogDefinition { get }

    /// Hands the event and its columns to the encoder, in the order of the definition.
    @_spi(GeneratedCode) func encode(into encoder: LogEncoder)
}

@_spi(GeneratedCode) extension LogCategory {
    /// Swift asks for a default of what it hides. This one lets nobody forget the real one.
    @available(*, unavailable, message: "loggen writes it")
    public func encode(into encoder: LogEncoder) {}
}

extension LogCategory {
    public static func == (left: Self, right: Self) -> Bool {
        left.loggedColumns() == right.loggedColumns()
    }

    /// The event's name and its columns as JSON: `recipe_search.show_recipe {"recipe_id":42}`.
    public var description: String {
        let (event, json) = loggedColumns()
        return
            "\(Self.definition.name).\(Self.definedEvent(event)?.name ?? "?") {\(String(decoding: json.dropFirst(), as: UTF8.self))}"
    }

    /// What the document says of this event: when it is due, who answers for it. Nil only if the code was not generated.
    public var facts: LogDefinition.Event? { Self.definedEvent(loggedColumns().event) }

    private static func definedEvent(_ event: Int?) -> LogDefinition.Event? {
        event.flatMap { definition.events.indices.contains($0) ? definition.events[$0] : nil }
    }

    /// The event's number, and its columns as JSON members.
    private func loggedColumns() -> (event: Int?, json: [UInt8]) {
        LogEncoder.withState(capacity: 256) { state in
            let event = state.encode(Self.definition, writesHeaders: false) { self.encode(into: $0) }
            return (event, state.output())
        }
    }
}

/// The generated common columns: the values that every event carries. loggen writes the conformance.
///
/// Two of them are equal if they log the same columns, so an app's own types need not be equatable.
public protocol LogColumns: Sendable, Equatable {
    /// What the document says of the columns. They are those of its only event.
    static var definition: LogDefinition { get }

    /// Hands the columns to the encoder, in the order of the definition.
    @_spi(GeneratedCode) func encode(into encoder: LogEncoder)
}

@_spi(GeneratedCode) extension LogColumns {
    /// As for `LogCategory`.
    @available(*, unavailable, message: "loggen writes it")
    public func encode(into encoder: LogEncoder) {}
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

/// What events carry if there is no `common.md`.
struct NoCommonColumns: LogColumns {
    static let definition = LogDefinition("common\n.common")

    func encode(into encoder: LogEncoder) { encoder.event(0) }
}
