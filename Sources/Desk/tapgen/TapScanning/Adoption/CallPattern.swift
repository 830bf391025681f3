import LogDefinitions

/// A function that logs an event whose name is a string.
///
/// The notation is that of Swift's documentation, with an optional receiver: `Analytics.logEvent(_:parameters:)`,
/// `track(event:properties:)`. The first parameter is the event's name, the second its dictionary. Roles in another
/// order are written after the label: `postLog(_=parameters:tag=name:)`.
struct CallPattern: Sendable, Equatable {
    struct Failure: Error {
        var message: String
    }

    /// The type or the instance before the method; empty if any receiver matches.
    var receiver: [String]
    var method: String
    /// The labels in order; nil for `_`.
    var labels: [String?]
    /// The position of the event's name.
    var name: Int
    /// The position of the dictionary; nil if the function has none.
    var parameters: Int?
    /// A Boolean value that indicates whether the function is known to return nothing.
    var returnsNothing = false
    /// A Boolean value that indicates whether the function belongs to a known SDK.
    private(set) var isKnown = false

    init(_ text: String) throws(Failure) {
        let text = text.filter { $0 != " " }
        guard let open = text.firstIndex(of: "("), text.last == ")" else {
            throw Failure(message: "`\(text)` has no parameters: write `track(event:properties:)`")
        }
        let path = text[..<open].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let method = path.last, path.allSatisfy({ LogTrigger.isSwiftIdentifier($0[...]) }) else {
            throw Failure(message: "`\(text[..<open])` is not the name of a function")
        }
        self.method = method
        receiver = Array(path.dropLast())
        let inside = text[text.index(after: open)...].dropLast()
        guard inside.last == ":" else {
            throw Failure(message: "`\(text)` has no labels: each parameter is a label and a colon, as in `log(_:)`")
        }
        labels = []
        var roles: [String: Int] = [:]
        for part in inside.dropLast().split(separator: ":", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard pieces.count <= 2, pieces[0] == "_" || LogTrigger.isSwiftIdentifier(pieces[0][...]) else {
                throw Failure(message: "`\(part)` of `\(text)` is not a label: write an identifier or `_`")
            }
            if pieces.count == 2 {
                guard ["name", "parameters"].contains(pieces[1]), roles[pieces[1]] == nil else {
                    throw Failure(
                        message: "`\(part)` of `\(text)` has no role: write `=name` and `=parameters` once each")
                }
                roles[pieces[1]] = labels.count
            }
            labels.append(pieces[0] == "_" ? nil : pieces[0])
        }
        guard roles.isEmpty || roles["name"] != nil else {
            throw Failure(message: "`\(text)` has no name: write `=name` after a label")
        }
        name = roles["name"] ?? 0
        parameters = roles.isEmpty ? (labels.count > 1 ? 1 : nil) : roles["parameters"]
    }

    /// Reads a list of patterns, separated by commas or blanks.
    static func list(_ text: String) throws(Failure) -> [CallPattern] {
        var patterns: [CallPattern] = []
        for part in text.split(whereSeparator: { ", \t\n".contains($0) }) {
            patterns.append(try CallPattern(String(part)))
        }
        guard !patterns.isEmpty else { throw Failure(message: "it contains no function") }
        return patterns
    }

    /// Returns the parameter of each argument; nil if the labels do not fit. Parameters may be left out, because they
    /// may have defaults, but not the event's name.
    /// - Parameter arguments: the labels of a call, without those of trailing closures.
    func positions(of arguments: [String?]) -> [Int]? {
        var positions: [Int] = []
        var next = 0
        for argument in arguments {
            guard let found = labels[min(next, labels.count)...].firstIndex(of: argument) else { return nil }
            positions.append(found)
            next = found + 1
        }
        return positions.contains(name) ? positions : nil
    }

    /// Returns whether the receiver of a call matches. Accessors of a shared instance are not part of the receiver, and
    /// an instance is often named as its type: `mixpanel` for `Mixpanel`.
    func matches(_ path: [String]) -> Bool {
        guard !receiver.isEmpty else { return true }
        let path = path.filter { !Self.accessors.contains($0) }
        return path.count >= receiver.count && zip(path.suffix(receiver.count), receiver).allSatisfy(Self.isSame)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        one == other
            || (one.dropFirst() == other.dropFirst() && one.prefix(1).lowercased() == other.prefix(1).lowercased())
    }

    static let accessors: Set<String> = [
        "self", "Self", "shared", "sharedInstance", "instance", "mainInstance", "main", "default", "standard",
        "current",
    ]

    private static let capture =
        "capture(_=name:distinctId:properties=parameters:userProperties:userPropertiesSetOnce:groups:timestamp:)"

    /// The functions of SDKs, from their public interfaces. Calls with arguments that a record does not have are
    /// listed.
    ///
    /// Firebase: firebase.google.com/docs/analytics/ios/events. Amplitude-iOS and Amplitude-Swift. Segment:
    /// analytics-ios and analytics-swift. mixpanel-swift. posthog-ios. Puree-Swift.
    static let known: [CallPattern] = [
        ("Analytics.logEvent(_:parameters:)", true),
        (
            "Amplitude.logEvent(_:withEventProperties:withGroups:withLongLongTimestamp:withTimestamp:outOfSession:)",
            true
        ),
        ("Amplitude.track(eventType:eventProperties:options:callback:)", false),
        ("Analytics.track(_:properties:options:)", true), ("Analytics.track(name:properties:enrichments:)", true),
        ("Mixpanel.track(event:properties:)", true), ("PostHogSDK.\(capture)", true), ("PostHog.\(capture)", true),
        ("postLog(_=parameters:tag=name:)", true),
    ].compactMap { text, returnsNothing in
        var pattern = try? CallPattern(text)
        pattern?.returnsNothing = returnsNothing
        pattern?.isKnown = true
        return pattern
    }
}
