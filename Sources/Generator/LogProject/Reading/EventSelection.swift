import LogDefinitions
import LogTypes

extension [EventDescription] {
    /// The indices of the events that an option selects, in ascending order. Retired events are never selected.
    /// - Parameters:
    ///   - selectors: `all`, `owner:@team`, a category, or `category.event`.
    ///   - option: the option's name for messages.
    package func selected(by selectors: [String], option: String) throws(FileError) -> [Int] {
        var selected: Set<Int> = []
        for selector in selectors {
            let chosen = indices.filter { index in
                let event = self[index]
                if event.isRetired || event.heir != nil { return false }
                if selector == "all" { return true }
                if selector.hasPrefix("owner:") { return event.owner == String(selector.dropFirst(6)) }
                return selector == event.category || selector == event.fullName
            }
            guard !chosen.isEmpty else {
                let names = flatMap { [$0.category, $0.fullName] + ($0.owner.map { ["owner:\($0)"] } ?? []) } + ["all"]
                let nearest = nearestSpelling(of: selector, among: Set(names))
                throw FileError(
                    "`\(option) \(selector)` selects no event" + (nearest.map { ": did you mean `\($0)`?" } ?? ""))
            }
            selected.formUnion(chosen)
        }
        return selected.sorted()
    }
}
