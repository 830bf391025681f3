/// What the user has agreed to.
public enum CollectionPolicy: String, Sendable, CaseIterable {
    /// Records are stored and sent.
    case enabled
    /// Records are stored and not sent, until the user has decided. So it is until a policy has been given.
    case paused
    /// Nothing is recorded, and what is stored is dropped.
    case denied
}
