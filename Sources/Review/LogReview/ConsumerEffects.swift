import LogDefinitions
package import LogImpact
import LogWarehouse

/// The consumers that read changed events, and the effect of the change on each.
package struct ConsumerEffects: Sendable {
    let consumers: [Consumer]
    let unreadable: [UnreadableConsumer]
    /// The effects of all changes together.
    let total: ChangeImpact
    /// The effects of each item's own changes, by its name.
    let impacts: [String: ChangeImpact]
    /// The current names of renamed columns and tables, by the lowercased names that queries have.
    let heirs: [String: String]
    /// The owners of broken consumers who neither own a broken event in the base nor are authors of the commits.
    let otherOwners: [Consumer.Owner]
    /// The consumers that the change both breaks and removes, by kind and name; empty if there are none.
    package let removed: String

    /// The authors of commits, as git reports them. Git does not authenticate them.
    package struct Authors: Sendable {
        var names: Set<String> = []
        var addresses: Set<String> = []

        package init() {}

        package mutating func add(name: String, address: String) {
            names.insert(name.lowercased())
            addresses.insert(address.lowercased())
        }

        /// Returns whether an owner is among the authors. Names are compared only if the owner has no address.
        fileprivate func contain(_ owner: Consumer.Owner) -> Bool {
            owner.email.map { !addresses.isDisjoint(with: $0.lowercased().itemsBetweenCommas) }
                ?? owner.name.map { names.contains($0.lowercased()) } ?? false
        }
    }

    /// - Parameter former: the consumers in the base; nil for none. A consumer that the change removes, or whose owner
    ///   it replaces, keeps its owner in the base.
    package init(
        _ graph: ConsumerGraph, of review: Review, former: ConsumerGraph? = nil, unreadable: [UnreadableConsumer],
        authors: Authors = Authors()
    ) {
        consumers = graph.consumers
        self.unreadable = unreadable
        let items = review.events + review.shared
        impacts = Dictionary(
            items.map { ($0.name, graph.impact(of: $0.effects)) }, uniquingKeysWith: { first, _ in first })
        let effects = items.flatMap(\.effects)
        total = graph.impact(of: effects)
        heirs = review.heirs
        let events = effects.filter { $0.kind == .breaks }.reduce(into: Set<String>()) { $0.formUnion($1.events) }
        let team = Set(
            review.events.filter { events.contains($0.formerName ?? $0.name) }.compactMap {
                $0.formerOwner?.lowercased()
            })
        let current = Set(graph.consumers.map(\.identity))
        let broken = total.readers.filter { $0.effect == .breaks }.map { graph.consumers[$0.consumer] }
        let brokenKeys = Set(broken.map(\.identity))
        let formerlyBroken = (former?.impact(of: effects).readers ?? []).filter { $0.effect == .breaks }
            .compactMap { former?.consumers[$0.consumer] }.filter { $0.kind != .call }
        let gone = formerlyBroken.filter { !current.contains($0.identity) }
        removed = gone.map(\.shownName.asCode).listed(5)
        var owners: [Consumer.Owner] = []
        for consumer in broken + formerlyBroken.filter({ brokenKeys.contains($0.identity) }) + gone {
            guard let owner = consumer.owner, !owners.contains(owner) else { continue }
            if owner.names.isDisjoint(with: team), !authors.contain(owner) { owners.append(owner) }
        }
        otherOwners = owners
    }

    /// The owners with their consumers, those with the most broken ones first. Consumers without an owner are last.
    var owners: [(owner: Consumer.Owner?, readers: [ChangeImpact.Reader])] {
        var groups: [Consumer.Owner?: [ChangeImpact.Reader]] = [:]
        for reader in total.readers { groups[consumers[reader.consumer].owner, default: []].append(reader) }
        return groups.map { (owner: $0.key, readers: $0.value) }.sorted { one, other in
            guard let first = one.owner, let second = other.owner else { return other.owner == nil && one.owner != nil }
            let counts = [one, other].map { $0.readers.count { $0.effect == .breaks } }
            if counts[0] != counts[1] { return counts[0] > counts[1] }
            return first.description < second.description
        }
    }

    /// The effect on a consumer, and whether it is certain.
    enum Verdict: String, CaseIterable {
        case breaks
        case mayBreak = "may break"
        case shifts
        case mayShift = "may shift"

        init(_ reader: ChangeImpact.Reader) {
            switch reader.effect {
            case .breaks: self = reader.isCertain ? .breaks : .mayBreak
            case .none, .adds, .shifts: self = reader.isCertain ? .shifts : .mayShift
            }
        }
    }

    /// Returns the consumers whose own statements read the changed parts. Each has its followers: the consumers that
    /// read it, directly or through others. A follower of several readers is listed once.
    func branches(of impact: ChangeImpact) -> [(reader: ChangeImpact.Reader, followers: [ChangeImpact.Reader])] {
        var readers: [Int: [ChangeImpact.Reader]] = [:]
        for reader in impact.readers where reader.reads.isEmpty {
            for other in reader.through { readers[other, default: []].append(reader) }
        }
        var known: Set<Int> = []
        return impact.readers.filter { !$0.reads.isEmpty }.map { reader in
            var followers: [ChangeImpact.Reader] = []
            var waiting = [reader.consumer]
            while let number = waiting.popLast() {
                for other in readers[number] ?? [] where known.insert(other.consumer).inserted {
                    followers.append(other)
                    waiting.append(other.consumer)
                }
            }
            return (reader, followers)
        }
    }
}

extension Review {
    /// The current names of renamed columns, and of the tables of renamed events, by their former names in lower case.
    fileprivate var heirs: [String: String] {
        var heirs: [String: String] = [:]
        for item in events + shared {
            for effect in item.effects {
                if let former = effect.column, let heir = effect.heir { heirs[former.lowercased()] = heir }
            }
            if let former = item.formerName {
                heirs[SQLTable.name(ofEvent: former)] = SQLTable.name(ofEvent: item.name)
            }
        }
        return heirs
    }
}

extension Consumer {
    fileprivate var shownName: String { "\(kind.rawValue) \(name)" }

    /// The identity: dbt's identifier, because exposures may share a label, or a file's name, because files move.
    fileprivate var identity: String { "\(kind.rawValue) \(identifier ?? name)" }
}

extension Consumer.Owner {
    /// The lowercased strings that identify an owner: the name, the address, and both together. If the name or the
    /// address is a list with commas, its items are included.
    package var names: Set<String> {
        let all = [name, email, description].compactMap { $0?.lowercased() }
        return Set(all + all.prefix(2).flatMap(\.itemsBetweenCommas)).filter { !$0.isEmpty }
    }
}

extension String {
    fileprivate var itemsBetweenCommas: [String] { split(separator: ",").map { String($0.drop { $0 == " " }) } }
}
