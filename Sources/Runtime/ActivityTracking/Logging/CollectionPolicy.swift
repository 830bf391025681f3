/// What the user has agreed to.
public enum CollectionPolicy: String, Sendable, CaseIterable {
    /// Records are stored and sent.
    case enabled
    /// Records are stored and not sent, until the user has decided. This holds before any policy has been given.
    case paused
    /// Nothing is recorded, and stored records are dropped.
    case denied
}
