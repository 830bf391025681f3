import JSONSyntax
import LogCatalogue
package import LogDefinitions
import LogImpact
package import LogOutputs
import LogWarehouse

extension ReviewReport {
    package func text() -> String {
        var out = sentence.plain + "\n"
        for note in remarks { out += "note: \(note.plain)\n" }
        guard verdict != .errors else { return out }
        out += consumersByOwner
        for (number, change) in review.shared.enumerated() {
            out += "\n\(change.subject.plain)\(at(change.place))\n"
            for line in change.lines { out += "  \(line.sentence.plain)\(Self.effect(line))\n" }
            if isAccepted(change.consent), !change.breaks.isEmpty { out += "  accepted\n" }
            if !change.events.isEmpty { out += "  in \(change.events.map { "`\($0)`" }.joined(separator: ", "))\n" }
            if let consumers { out += text(consumers.lines(consumers.shared[number])) }
        }
        for (number, event) in review.events.enumerated() {
            let versions = Self.versions(event)
            out +=
                "\n`\(event.name)` "
                + "\(Self.word(event.kind))\(versions.isEmpty ? "" : " (\(versions))")\(at(event.place))\n"
            for line in event.lines { out += "  \(line.sentence.plain)\(Self.effect(line))\n" }
            for cause in event.causes { out += "  changes with \(cause.plain)\n" }
            if !event.breaks.isEmpty, isAccepted(event.consent) { out += "  accepted\n" }
            if let owner = event.owner { out += "  owner: \(Sentence.shown(owner))\n" }
            if let postings = postings(event.name) {
                out +=
                    postings.isEmpty
                    ? "  the app posts it nowhere\n" : "  the app posts it in \(postings.joined(separator: ", "))\n"
            }
            if let consumers { out += text(consumers.lines(consumers.events[number])) }
        }
        for part in statements where !part.statements.isEmpty || !part.refusals.isEmpty {
            out += "\n\(part.dialect.title):\n"
            for refusal in part.refusals { out += "  not without loss: \(refusal)\n" }
            for statement in part.statements {
                out += (statement + ";").split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }
                    .joined()
            }
        }
        let ways = ways
        if !ways.isEmpty { out += "\n" }
        for way in ways { out += "help: \(way.plain)\n" }
        return out
    }

    private func text(_ lines: [Sentence]) -> String { lines.map { "  \($0.plain)\n" }.joined() }

    private var consumersByOwner: String {
        guard let consumers else { return "" }
        let counts = consumers.counts
        if review.events.isEmpty && review.shared.isEmpty { return "" }
        var out = "consumers: \(counts.isEmpty ? "none is affected" : counts)\n"
        for (owner, readers) in consumers.owners {
            let groups: [String] = ConsumerEffects.Verdict.allCases.compactMap { verdict in
                let names = readers.filter { ConsumerEffects.Verdict($0) == verdict }
                    .map { consumers.name(of: $0.consumer).plain }
                return names.isEmpty ? nil : "\(verdict.rawValue) \(names.joined(separator: ", "))"
            }
            let title = owner.map { Sentence.shown($0.description) } ?? "no owner"
            out += "  \(title): \(groups.joined(separator: "; "))\n"
        }
        if !consumers.total.calls.isEmpty {
            out += "app code: the change \(ConsumerEffects.callCounts(consumers.total.calls))\n"
        }
        return out
    }

    private func at(_ place: Place?) -> String { self.place(place).map { ", \($0.file.path):\($0.line)" } ?? "" }

    // MARK: JSON

    package func json() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("verdict", verdict.rawValue)
            json.member("sentence", sentence.plain)
            json.member("base", base)
            json.array("notes") { json in for note in remarks { json.value(note.text) } }
            json.member("errors", errors)
            json.member("formerErrors", formerErrors)
            members(&json, breaks: review.breaks, key: "breaks")
            members(&json, breaks: unaccepted, key: "unaccepted")
            if let consumers {
                consumers.write(to: &json)
                members(&json, owners: ownersToAsk, key: "askOwners")
                members(&json, owners: missingOwners, key: "missingOwners")
            }
            json.array("events") { json in
                for (number, event) in review.events.enumerated() {
                    json.object { json in
                        write(event, &json)
                        consumers.map { $0.write($0.events[number], to: &json) }
                    }
                }
            }
            json.array("shared") { json in
                for (number, change) in review.shared.enumerated() {
                    json.object { json in
                        json.member("subject", change.subject.plain)
                        members(&json, breaks: change.breaks, key: "breaks")
                        json.member("accepted", isAccepted(change.consent))
                        write(change.place, &json)
                        write(change.lines, &json)
                        json.array("events") { json in for event in change.events { json.value(event) } }
                        consumers.map { $0.write($0.shared[number], to: &json) }
                    }
                }
            }
            json.array("warehouses") { json in
                for part in statements {
                    json.object { json in
                        json.member("dialect", part.dialect.rawValue)
                        json.array("statements") { json in for statement in part.statements { json.value(statement) } }
                        json.array("refusals") { json in for refusal in part.refusals { json.value(refusal) } }
                    }
                }
            }
            json.array("ways") { json in for way in ways { json.value(way.plain) } }
        }
        return json.document()
    }

    private func write(_ event: Review.EventChange, _ json: inout JSONWriter) {
        json.member("event", event.name)
        json.member("change", event.kind.rawValue)
        members(&json, breaks: event.breaks, key: "breaks")
        json.member("accepted", isAccepted(event.consent))
        json.member("before", orNull: event.before?.description)
        json.member("after", orNull: event.after?.description)
        json.member("bump", event.bump.rawValue)
        json.member("owner", orNull: event.owner)
        write(event.place, &json)
        write(event.lines, &json)
        json.array("causes") { json in for cause in event.causes { json.value(cause.plain) } }
        guard let usages else { return }
        json.array("posted") { json in
            for place in usages[event.name] ?? [] {
                json.object(inline: true) { json in
                    json.member("file", place.file)
                    json.member("line", place.line)
                    json.member("tap", orNull: place.tap)
                    json.member("certain", place.isCertain)
                }
            }
        }
    }

    private func write(_ lines: [Review.Line], _ json: inout JSONWriter) {
        json.array("changes") { json in
            for line in lines {
                json.object { json in
                    json.member("text", line.sentence.plain)
                    members(&json, breaks: line.breaks, key: "breaks")
                    json.member("bump", line.bump.rawValue)
                }
            }
        }
    }

    private func write(_ place: Place?, _ json: inout JSONWriter) {
        guard let (file, line) = self.place(place) else { return json.member("place", orNull: nil) }
        json.object("place", inline: true) { json in
            json.member("file", file.path)
            json.member("line", line)
        }
    }

    private func members(_ json: inout JSONWriter, owners: [Consumer.Owner], key: StaticString) {
        json.array(key, inline: true) { json in for owner in owners { json.value(owner.description) } }
    }

    private func members(_ json: inout JSONWriter, breaks: Readers, key: StaticString) {
        json.array(key, inline: true) { json in
            for (reader, name) in [(Readers.appCode, "app-code"), (.warehouse, "warehouse"), (.oldApps, "old-apps")]
            where breaks.contains(reader) {
                json.value(name)
            }
        }
    }
}

extension ReviewReport.Statements {
    /// Returns the statements for each warehouse of the `sql` output.
    package static func all(from old: Model, to new: Model, settings: OutputSettings) -> [Self] {
        settings.dialects.map { dialect in
            let tables = settings.tables
            let evolution = SQLEvolution(
                from: SQLScript(old, dialect, tables: tables), to: SQLScript(new, dialect, tables: tables))
            return Self(dialect: dialect, statements: evolution.statements, refusals: evolution.refusals)
        }
    }
}
