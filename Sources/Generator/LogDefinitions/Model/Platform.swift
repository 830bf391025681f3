import LogTypes

/// A kind of app that logs events.
package enum Platform: String, Sendable, CaseIterable {
    case ios, android, web

    /// The language of the included output for the platform's apps.
    package var language: String {
        switch self {
        case .ios: "Swift"
        case .android: "Kotlin"
        case .web: "TypeScript"
        }
    }
}

/// The platforms of an event or a column.
package struct Platforms: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ platform: Platform) { rawValue = 1 << UInt8(Platform.allCases.firstIndex(of: platform) ?? 0) }

    /// All platforms, which is the default.
    package static let all = Platforms(Platform.allCases.map { Platforms($0) })

    package func contains(_ platform: Platform) -> Bool { contains(Platforms(platform)) }

    /// The names, in the order of `Platform`.
    package var names: [String] { Platform.allCases.filter { contains($0) }.map(\.rawValue) }

    /// The platforms as a phrase, such as `ios (Swift) and web (TypeScript)`.
    package var list: String {
        Platform.allCases.filter { contains($0) }.map { "\($0.rawValue) (\($0.language))" }.joined(separator: " and ")
    }

    /// Parses a cell: names separated by commas.
    package init(written text: String) throws(TypeNotation.Failure) {
        var platforms: Platforms = []
        for word in text.split(whereSeparator: { ",、，".contains($0) }) {
            let name = word.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard let platform = Platform(rawValue: name.lowercased()) else {
                throw .init(
                    message: "`\(name)` is not a platform",
                    help: "write one or more of `ios`, `android`, `web`, separated by commas",
                    misspelling: (name, Platform.allCases.map(\.rawValue)))
            }
            platforms.insert(Platforms(platform))
        }
        guard !platforms.isEmpty else {
            throw .init(
                message: "`\(text)` does not name a platform",
                help: "write one or more of `ios`, `android`, `web`, separated by commas")
        }
        self = platforms
    }
}

extension Definitions {
    /// Returns the definitions without events and columns of other platforms.
    package func only(on platform: Platform) -> Definitions {
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
            // Fast path: most categories are for all platforms.
            guard !areAll(categories[index].events) else { continue }
            definitions.categories[index].events.removeAll { !$0.platforms.contains(platform) }
            for event in definitions.categories[index].events.indices {
                definitions.categories[index].events[event].columns.removeAll { !$0.platforms.contains(platform) }
            }
        }
        return definitions
    }
}
