package import ContentVisibility
import JSONSyntax

/// A log that has been posted.
package struct Posted: Sendable, Equatable {
    package enum Log: String, CaseIterable, Sendable {
        case screen, shown, seen, left
    }

    package var time: Double
    package var log: Log
    package var content: String?
    package var screen: String
    /// The engagement with a content or a screen that was left; nil for other logs.
    package var engagement: VisitEngagement?
}

extension VisitEngagement {
    /// The names of the values in a log, in order.
    static let names = ["seconds", "longest", "count", "depth"]

    var values: [String: Double?] {
        ["seconds": seconds, "longest": longest, "count": Double(count), "depth": depth]
    }

    /// Returns values such as `, seconds 4.2, count 2`.
    static func listing(_ values: [String: Double?]) -> String {
        names.compactMap { name in values[name].map { ", \(name) \($0.map(Posted.seconds) ?? "null")" } }.joined()
    }

    /// A summary such as `4.2 s in 2 times, the longest 3.1 s, depth 80%`.
    package var summary: String {
        let times = count > 1 ? " in \(count) times, the longest \(ImpressionText.seconds(longest))" : ""
        return ImpressionText.seconds(seconds) + times + (depth.map { ", depth \(ImpressionText.percent($0))" } ?? "")
    }
}

extension Posted {
    /// A summary such as `2.5 seen banner (feed)`.
    package var summary: String { Self.summary(time, log, content, screen) }

    /// Returns a summary such as `2.5 seen banner (feed)`, or `2.5 seen banner` without a screen.
    static func summary(_ time: Double, _ log: Log, _ content: String?, _ screen: String?) -> String {
        let what = content.map { content in screen.map { "\(content) (\($0))" } ?? content } ?? screen ?? ""
        return "\(seconds(time)) \(log) \(what)"
    }

    /// Returns seconds, rounded to milliseconds, without trailing zeros: `6.45`.
    static func seconds(_ time: Double) -> String { ImpressionText.number(time) }

    /// Returns a line with one JSON object.
    /// - Parameters:
    ///   - scenario: the scenario's name, if there are several scenarios.
    ///   - file: its file, if several scenarios have this name.
    package func json(scenario: String? = nil, file: String? = nil) -> [UInt8] {
        var json = JSONWriter()
        json.object(inline: true) { json in
            if let scenario { json.member("scenario", scenario) }
            if let file { json.member("file", file) }
            json.member("at", Self.rounded(time))
            json.member("log", log.rawValue)
            if let content { json.member("content", content) }
            json.member("screen", screen)
            guard let values = engagement?.values else { return }
            for name in VisitEngagement.names { json.member(named: name, (values[name] ?? nil).flatMap(Self.rounded)) }
        }
        return json.document()
    }

    private static func rounded(_ time: Double) -> Double? { Double(seconds(time)) }
}
