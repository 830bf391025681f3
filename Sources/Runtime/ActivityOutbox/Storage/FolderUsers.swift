import ActivityTracking
import Foundation

/// The folders that the outboxes of a process use. Two outboxes on one folder would send each other's records.
package final class FolderUsers: Sendable {
    package static let process = FolderUsers()
    private let users = Locked([FileIdentity: UUID]())

    package init() {}

    /// Gives the folder to a user, unless another one has it.
    func enter(_ folder: FileIdentity, _ user: UUID) -> Bool {
        users.withLock { users in
            if let current = users[folder] { return current == user }
            // The user's former folder was deleted.
            users = users.filter { $0.value != user }
            users[folder] = user
            return true
        }
    }

    func leave(_ user: UUID) { users.withLock { users in users = users.filter { $0.value != user } } }
}
