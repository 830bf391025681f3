/// Where an event or a column is in its life.
public enum LogStatus: String, Sendable {
    case active, deprecated
    /// It is no longer sent; its name stays reserved.
    case retired
}

/// Whom a column's values could tell of.
public enum LogPrivacy: String, Sendable, CaseIterable {
    case none, personal, sensitive
}
