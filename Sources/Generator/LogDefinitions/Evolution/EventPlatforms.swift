/// The platforms of an event and its columns. Shapes omit them: records are the same on all platforms.
struct EventPlatforms: Sendable {
    private let event: Platforms
    /// The platforms of the event's own columns. Common columns are on the platforms of all events.
    private let own: [String: Platforms]
    private let common: [String: Platforms]

    init(of event: Event, _ common: CommonColumns?) {
        self.event = event.platforms
        own = Self.byName(event.columns)
        self.common = Self.byName(common?.columns ?? [])
    }

    private static func byName(_ columns: [Column]) -> [String: Platforms] {
        Dictionary(
            columns.lazy.filter { $0.status != .retired }.map { ($0.name, $0.platforms) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns a change for each loss of a platform, of the event or a column. The lock file cannot record it.
    func losses(in new: Event, _ newCommon: CommonColumns?) -> [Change] {
        guard new.status != .retired else { return [] }
        var changes: [Change] = []
        func add(_ subject: Change.Subject, _ lost: Platforms) {
            guard !lost.isEmpty else { return }
            changes.append(
                Change(
                    subject: subject, aspect: .platforms, what: "is removed from the code of apps for \(lost.list)",
                    breaks: .appCode, bump: .none, effect: .none))
        }
        add(.event, event.subtracting(new.platforms))
        let kept = event.intersection(new.platforms)
        func compare(_ columns: [Column], _ old: [String: Platforms], _ subject: (String) -> Change.Subject) {
            for column in columns where column.status != .retired {
                let names = [column.name] + column.formerNames.map(\.name)
                guard let before = names.lazy.compactMap({ old[$0] }).first else { continue }
                add(subject(column.name), before.subtracting(column.platforms).intersection(kept))
            }
        }
        compare(new.columns, own) { .column($0) }
        compare(newCommon?.columns ?? [], common) { .commonColumn($0) }
        return changes
    }
}
