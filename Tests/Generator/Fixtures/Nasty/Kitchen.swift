// A module of the app's own, which generated code has to import.

public struct PotID: RawRepresentable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}
