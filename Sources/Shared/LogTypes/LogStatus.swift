/// The life-cycle stage of an event or a column.
public enum LogStatus: String, Sendable {
    case active, deprecated
    /// Apps no longer send the event or the column. The name stays reserved.
    case retired
}

/// The degree to which a column's values reveal something about a person.
public enum LogPrivacy: String, Sendable, CaseIterable {
    case none, personal, sensitive
}
