// The app's own types that the definition files of this folder name. An app whose default isolation is the main actor
// writes `nonisolated` where it logs from other actors.

nonisolated public struct AppID: RawRepresentable, Sendable {
    public var rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }
}

nonisolated public enum App {
    nonisolated public enum Mood: String, Sendable {
        case good
        case semicolon = "so;so"
        case brackets = "b]a)d(,"
        case dots = "a...b"
        case bar = "x=y|z%"
        /// Not in `types.md`.
        case unheardOf = "unheard of"
    }

    nonisolated public struct `default`: Sendable {
        public var rawValue: Double

        public init(rawValue: Double) { self.rawValue = rawValue }
    }
}

nonisolated public enum DeviceKind: Int, Sendable {
    case phone = 1
    case tablet
}
