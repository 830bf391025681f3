/// Where an event or a column is in its life.
public enum LogStatus: String, Sendable {
    case active, deprecated
    /// Apps no longer send it. Its name stays reserved.
    case retired
}

/// Whether a column's values can tell something about a person.
public enum LogPrivacy: String, Sendable, CaseIterable {
    case none, personal, sensitive
}
