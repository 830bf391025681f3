/// A category, generated as an enum with a case for each event. loggen generates the conformance.
///
/// Events are equal, and have the same description, if their logged columns are equal.
public protocol LogCategory: Sendable, Equatable, CustomStringConvertible {
    /// The definition of the category.
    static var definition: LogDefinition { get }

    /// Encodes the event and its columns in the definition's order.
    @_spi(GeneratedCode) func encode(into encoder: LogEncoder)
}

@_spi(GeneratedCode) extension LogCategory {
    /// An `@_spi` requirement needs a default implementation. This one is unavailable: its use does not compile.
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
            "\(Self.definition.name).\(Self.definedEvent(event)?.name ?? "?") "
            + "{\(String(decoding: json.dropFirst(), as: UTF8.self))}"
    }

    /// The definition of this event: its trigger, owner and columns. Nil only if the code was not generated.
    public var facts: LogDefinition.Event? { Self.definedEvent(loggedColumns().event) }

    private static func definedEvent(_ event: Int?) -> LogDefinition.Event? {
        event.flatMap { definition.events.indices.contains($0) ? definition.events[$0] : nil }
    }

    private func loggedColumns() -> (event: Int?, json: [UInt8]) {
        LogEncoder.withState(capacity: 256) { state in
            let event = state.encode(Self.definition, writesHeaders: false) { self.encode(into: $0) }
            return (event, state.output())
        }
    }
}

/// The common columns, which every event carries. loggen generates the conformance.
///
/// Values are equal if their logged columns are equal, so an app's own types do not have to be equatable.
public protocol LogColumns: Sendable, Equatable {
    /// The definition of the columns. They are the columns of its only event.
    static var definition: LogDefinition { get }

    /// Encodes the columns in the definition's order.
    @_spi(GeneratedCode) func encode(into encoder: LogEncoder)
}

@_spi(GeneratedCode) extension LogColumns {
    /// Prevents conformances without a real implementation, as `LogCategory.encode(into:)` does.
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

/// The common columns of definitions without `common.md`.
struct NoCommonColumns: LogColumns {
    static let definition = LogDefinition("common\n.common")

    func encode(into encoder: LogEncoder) { encoder.event(0) }
}
