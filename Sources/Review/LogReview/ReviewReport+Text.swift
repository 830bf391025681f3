import JSONSyntax
import LogCatalogue
package import LogDefinitions
import LogImpact
package import LogOutputs
import LogWarehouse

extension ReviewReport {
    package func text() -> String {
        var out = sentence + "\n"
        for note in remarks { out += "note: \(note)\n" }
        guard verdict != .errors else { return out }
        out += consumersByOwner
        for item in items {
            let place = place(item.place).map { ", \($0.file.path):\($0.line)" } ?? ""
            out += "\n\(title(item))\(place)\n" + lines(item).map { "  \($0)\n" }.joined()
        }
        for part in statements where !part.statements.isEmpty || !part.refusals.isEmpty {
            out += "\n\(part.dialect.title):\n"
            for refusal in part.refusals { out += "  not without loss: \(refusal)\n" }
            for statement in part.statements {
                out += (statement + ";").split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }
                    .joined()
            }
        }
        let ways = ways.map { "help: \($0)\n" }
        return out + (ways.isEmpty ? "" : "\n") + ways.joined()
    }

    private var consumersByOwner: String {
        guard let consumers else { return "" }
        let counts = consumers.counts
        if review.events.isEmpty && review.shared.isEmpty { return "" }
        var out = "consumers: \(counts.isEmpty ? "none is affected" : counts)\n"
        for (owner, readers) in consumers.owners {
            let groups: [String] = ConsumerEffects.Verdict.allCases.compactMap { verdict in
                let names = readers.filter { ConsumerEffects.Verdict($0) == verdict }
                    .map { consumers.name(of: $0.consumer) }
                return names.isEmpty ? nil : "\(verdict.rawValue) \(names.joined(separator: ", "))"
            }
            let title = owner.map { TextLanguage.line($0.description) } ?? "no owner"
            out += "  \(title): \(groups.joined(separator: "; "))\n"
        }
        if !consumers.total.calls.isEmpty {
            out += "app code: the change \(ConsumerEffects.callCounts(consumers.total.calls))\n"
        }
        return out
    }

    // MARK: JSON

    package func json() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("verdict", verdict.rawValue)
            json.member("sentence", sentence)
            json.member("base", base)
            json.array("notes", of: remarks)
            json.member("errors", errors)
            json.member("formerErrors", formerErrors)
            members(&json, breaks: review.breaks, key: "breaks")
            members(&json, breaks: unaccepted, key: "unaccepted")
            if let consumers {
                consumers.write(to: &json)
                json.array("askOwners", of: ownersToAsk.map(\.description), inline: true)
                json.array("missingOwners", of: missingOwners.map(\.description), inline: true)
            }
            json.array("events", of: review.events) { event, json in
                write(event, &json)
                consumers?.write(changesOf: event.name, to: &json)
            }
            json.array("shared", of: review.shared) { item, json in
                json.member("subject", item.name)
                writeFindings(item, &json)
                json.array("events", of: item.events)
                consumers?.write(changesOf: item.name, to: &json)
            }
            json.array("warehouses", of: statements) { part, json in
                json.member("dialect", part.dialect.rawValue)
                json.array("statements", of: part.statements)
                json.array("refusals", of: part.refusals)
            }
            json.array("ways", of: ways)
        }
        return json.document()
    }

    private func write(_ event: Review.Item, _ json: inout JSONWriter) {
        json.member("event", event.name)
        json.member("change", event.kind.rawValue)
        json.member("before", event.before?.description)
        json.member("after", event.after?.description)
        json.member("bump", event.bump.rawValue)
        json.member("owner", event.owner)
        writeFindings(event, &json)
        json.array("causes", of: event.causes)
        guard let usages else { return }
        json.array("posted", of: usages[event.name] ?? [], inline: true) { place, json in
            json.member("file", place.file)
            json.member("line", place.line)
            json.member("tap", place.tap)
            json.member("certain", place.isCertain)
        }
    }

    private func writeFindings(_ item: Review.Item, _ json: inout JSONWriter) {
        members(&json, breaks: item.breaks, key: "breaks")
        json.member("accepted", isAccepted(item.consent))
        write(item.place, &json)
        let findings = item.findings.map { ($0.diagnostic.message, $0.breaks, $0.change?.bump ?? .none) }
        json.array("changes", of: findings + (item.texts.map { [($0, [], .none)] } ?? [])) { change, json in
            json.member("text", change.0)
            members(&json, breaks: change.1, key: "breaks")
            json.member("bump", change.2.rawValue)
        }
    }

    private func write(_ place: Place?, _ json: inout JSONWriter) {
        guard let (file, line) = self.place(place) else { return json.member("place", String?.none) }
        json.object("place", inline: true) { json in
            json.member("file", file.path)
            json.member("line", line)
        }
    }

    private func members(_ json: inout JSONWriter, breaks: Readers, key: StaticString) {
        let names = [(Readers.appCode, "app-code"), (.warehouse, "warehouse"), (.oldApps, "old-apps")]
        json.array(key, of: names.filter { breaks.contains($0.0) }.map(\.1), inline: true)
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
