import ActivityTracking

/// A type that the documents know by name alone.
public struct Opaque: RawRepresentable, Sendable, Hashable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}
