import LogTypes

/// A kind of app that logs events.
package enum Platform: String, Sendable, CaseIterable {
    case ios, android, web
}

/// The kinds of apps that an event or a column is for.
package struct Platforms: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ platform: Platform) { rawValue = 1 << UInt8(Platform.allCases.firstIndex(of: platform) ?? 0) }

    /// What nothing said means.
    package static let all = Platforms(Platform.allCases.map { Platforms($0) })

    package func contains(_ platform: Platform) -> Bool { contains(Platforms(platform)) }

    /// The names, in the order of `Platform`.
    package var names: [String] { Platform.allCases.filter { contains($0) }.map(\.rawValue) }

    /// Reads a cell: names with commas between them.
    package init(written text: String) throws(TypeNotation.Failure) {
        var platforms: Platforms = []
        for word in text.split(whereSeparator: { ",、，".contains($0) }) {
            let name = word.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard let platform = Platform(rawValue: name.lowercased()) else {
                throw .init(
                    message: "`\(name)` is not a platform",
                    help: "write some of `ios`, `android`, `web`, with commas between them",
                    misspelling: (name.lowercased(), Platform.allCases.map(\.rawValue)))
            }
            platforms.insert(Platforms(platform))
        }
        guard !platforms.isEmpty else {
            throw .init(
                message: "`\(text)` names no platform",
                help: "write some of `ios`, `android`, `web`, with commas between them")
        }
        self = platforms
    }
}

extension Definitions {
    /// What an app of one kind logs: without the events and columns that are for others.
    package func only(on platform: Platform) -> Definitions {
        // By index, because columns and events are large values.
        func areAll(_ columns: [Column]) -> Bool {
            for index in columns.indices where !columns[index].platforms.contains(platform) { return false }
            return true
        }
        func areAll(_ events: [Event]) -> Bool {
            for index in events.indices {
                guard events[index].platforms.contains(platform), areAll(events[index].columns) else { return false }
            }
            return true
        }
        var definitions = self
        if let columns = common?.columns, !areAll(columns) {
            definitions.common?.columns = columns.filter { $0.platforms.contains(platform) }
        }
        for index in categories.indices {
            // Nearly every category is for all.
            guard !areAll(categories[index].events) else { continue }
            definitions.categories[index].events.removeAll { !$0.platforms.contains(platform) }
            for event in definitions.categories[index].events.indices {
                definitions.categories[index].events[event].columns.removeAll { !$0.platforms.contains(platform) }
            }
        }
        return definitions
    }
}
