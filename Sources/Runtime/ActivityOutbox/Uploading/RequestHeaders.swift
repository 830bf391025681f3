import ActivityTracking
import Foundation
import LogTransport

/// The headers that the app provides, cached until a collector rejects them.
final class RequestHeaders: Sendable {
    private let supply: @Sendable () async throws -> [String: String]
    private let kept = Locked<Checked?>(nil)

    struct Checked: Sendable {
        var values: [String: String] = [:]
        /// The names of headers that the app must not set.
        var refused: [String] = []

        init(_ headers: [String: String]) {
            for (name, value) in headers {
                if ["content-length", "host"].contains(name.lowercased()) {
                    refused.append(name)
                } else {
                    values[name] = value.trimmingCharacters(in: .whitespacesAndNewlines)
                }
            }
        }
    }

    init(_ supply: @escaping @Sendable () async throws -> [String: String]) { self.supply = supply }

    func renew() { kept.withLock { $0 = nil } }

    /// Returns the cached headers. If there are none, calls the app's function, with a timeout.
    func current(within seconds: TimeInterval) async throws -> Checked {
        if let kept = kept.withLock({ $0 }) { return kept }
        let answer = FirstAnswer<[String: String]>()
        let headers = try await Checked(
            answer.wait(within: seconds) { [supply] in
                let task = Task { answer.give(await Result { try await supply() }) }
                return { task.cancel() }
            })
        kept.withLock { $0 = headers }
        return headers
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
