/// The user's consent to the collection of records.
public enum CollectionPolicy: String, Sendable, CaseIterable {
    /// Records are stored and sent.
    case enabled
    /// Records are stored but not sent until the user decides. This is the initial policy.
    case paused
    /// Nothing is recorded, and stored records are deleted.
    case denied
}
