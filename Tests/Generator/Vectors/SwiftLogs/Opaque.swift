import ActivityTracking

/// A type of which the definition files contain only the name.
public struct Opaque: RawRepresentable, Sendable, Hashable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}
