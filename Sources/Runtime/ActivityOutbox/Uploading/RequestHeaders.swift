import ActivityTracking
import Foundation
import LogTransport

/// The headers that the app provides, cached until a collector rejects them.
final class RequestHeaders: Sendable {
    private let supply: @Sendable () async throws -> [String: String]
    private let kept = Locked<[String: String]?>(nil)

    init(_ supply: @escaping @Sendable () async throws -> [String: String]) { self.supply = supply }

    func renew() { kept.withLock { $0 = nil } }

    /// Returns the cached headers. If there are none, calls the app's function, with a timeout.
    func current(within seconds: TimeInterval) async throws -> [String: String] {
        if let kept = kept.withLock({ $0 }) { return kept }
        let answer = FirstAnswer<[String: String]>()
        let headers = try await answer.wait(within: seconds) { [supply] in
            let task = Task { answer.give(await Result { try await supply() }) }
            return { task.cancel() }
        }
        kept.withLock { $0 = headers }
        return headers
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
