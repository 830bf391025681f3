import LogDefinitions
import LogImpact
import LogOutputs
import LogProject
import LogWarehouse
import TextEncoding

extension ReviewReport {
    /// The maximum number of characters of a report. GitHub limits a comment to 65,536.
    package static let markdownLimit = 65_000

    /// Returns a report for a comment or a summary: the verdict, a table, and folded details. It is shorter than
    /// `markdownLimit` for a change of any size; the omitted parts are counted.
    package func markdown() -> String {
        var out = Limited(room: Self.markdownLimit - 500)
        out.append(
            sentence.escapedMarkdown() + "\n" + remarks.map { "\n> \($0.escapedMarkdown())\n" }.joined())
        let ways = ways.map { "- \($0.escapedMarkdown())\n" }.joined()
        let end = (ways.isEmpty ? "" : "\n**What to do**\n\n\(ways)") + "\n\(marker)\n"
        out.room -= end.utf16.count
        guard verdict != .errors, verdict != .nothing else { return out.text + end }
        addConsumers(to: &out)
        addTable(to: &out)
        let warehouses = statements.filter { !$0.statements.isEmpty || !$0.refusals.isEmpty }
        // Equal shares, so that earlier warehouses do not displace later ones.
        for part in warehouses { add(part, Self.markdownLimit / 5 / warehouses.count, to: &out) }
        out.append("", items.lazy.map(details)) { "\nDetails of \($0) more do not fit here.\n" }
        return out.text + end
    }

    /// An invisible comment by which a workflow finds the earlier report on these definitions.
    package var marker: String {
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        for byte in name.utf8.prefix(200) {
            let isPlain =
                byte < 0x80
                && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                    || "/._".utf8.contains(byte))
            bytes += isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return "<!-- loggen review: \(String(decoding: bytes, as: UTF8.self)) -->"
    }

    private func addTable(to out: inout Limited) {
        let rows = items.lazy.filter { !$0.isShared || !$0.events.isEmpty }.map { item in
            let change = item.isShared ? "changed, in \(counted(item.events.count, "event"))" : item.kind.rawValue
            let accepted = isAccepted(item.consent) ? " (accepted)" : ""
            let breaks = item.breaks.isEmpty ? "nothing" : item.breaks.list + accepted
            let versions = item.isShared ? "" : Self.versions(item)
            return "| \(linked(item)) | \(change) | \(breaks) | \(versions) | "
                + "\(item.owner?.asCode.escapedMarkdown(inCell: true) ?? "") |\n"
        }
        out.append(
            "\n| what | change | breaks | version | owner |\n| --- | --- | --- | --- | --- |\n", rows,
            share: Self.markdownLimit * 2 / 5
        ) { "\n…and \($0) more: `loggen review … --format text` shows all.\n" }
    }

    private func linked(_ item: Review.Item) -> String {
        let name = (item.isShared ? item.name : item.name.asCode).escapedMarkdown(inCell: true)
        // The base's files have no lines in the change.
        guard let repository, let place = item.place, place.file < review.definitionFiles,
            let (file, line) = self.place(place)
        else { return name }
        return "[\(name)](<\(repository.address(ofLine: line, in: file.relativePath))>)"
    }

    private func addConsumers(to out: inout Limited) {
        guard let consumers else { return }
        let counts = consumers.counts
        if counts.isEmpty {
            out.append("\nNo consumer of the data is affected.\n")
        } else {
            let rows = consumers.owners.lazy.map { owner, readers in
                let title = owner?.description.asCode.escapedMarkdown(inCell: true) ?? "no owner"
                let cells = [true, false].map { isBreak in
                    readers.filter { ($0.effect == .breaks) == isBreak }.map { reader in
                        consumers.name(of: reader.consumer) + (reader.isCertain ? "" : " (perhaps)")
                    }.listed(5).escapedMarkdown(inCell: true)
                }
                return "| \(title) | \(cells[0]) | \(cells[1]) |\n"
            }
            out.append(
                "\nConsumers of the data: \(counts).\n\n| owner | breaks | shifts |\n| --- | --- | --- |\n", rows,
                share: Self.markdownLimit / 5
            ) { "\n…and the consumers of \($0) more owners.\n" }
        }
        let calls = consumers.total.calls
        if !calls.isEmpty { out.append("\nIn app code, the change \(ConsumerEffects.callCounts(calls)).\n") }
        let owners = ownersToAsk.lazy.map(mention)
        if !owners.isEmpty { out.append("\nOther owners to ask: \(owners.listed(20)).\n") }
    }

    /// Returns a GitHub user or team as an @mention if the configuration allows it, otherwise as a code span.
    private func mention(_ owner: Consumer.Owner) -> String {
        if mentionsOwners, let name = [owner.name, owner.email].compactMap({ $0 }).first(where: Self.isMention) {
            return name
        }
        return owner.description.asCode.escapedMarkdown()
    }

    private static func isMention(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "@"), text.utf8.count > 1, text.utf8.count < 100 else { return false }
        return text.utf8.dropFirst().allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }

    private func add(_ part: Statements, _ share: Int, to out: inout Limited) {
        let refusals = part.refusals.lazy.map { "- not without loss: \($0.escapedMarkdown())\n" }
        var body = Limited(room: share)
        body.append("", refusals) { "- …and \($0) more\n" }
        var code = Limited(room: body.room)
        var left = 0
        code.append("", part.statements.lazy.map { $0 + ";\n" }) {
            left = $0; return ""
        }
        let block = code.text.isEmpty ? "" : MarkdownCode.block(code.text, "sql")
        let command = "loggen sql --dialect \(part.dialect.rawValue) --from …".asCode
        let rest = left == 0 ? "" : "\n…and \(left) more: \(command) prints all.\n"
        let title = "\(part.dialect.title): \(counted(part.statements.count, "statement"))"
        out.append(Self.folded(title, body.text + (body.text.isEmpty ? "" : "\n") + block + rest))
    }

    private func details(_ item: Review.Item) -> String {
        let place = place(item.place).map { ["defined in \("\($0.file.path):\($0.line)".asCode)"] } ?? []
        let lines = (lines(item, most: 10) + place).map { "- \($0.escapedMarkdown())\n" }
        return Self.folded(title(item).escapedHTML, lines.joined())
    }

    private static func folded(_ title: String, _ body: String) -> String {
        "\n<details><summary>\(title)</summary>\n\n\(body)\n</details>\n"
    }
}

/// A string that grows while there is room.
private struct Limited {
    private(set) var text = ""
    /// The number of UTF-16 code units that fit.
    var room: Int

    init(room: Int) { self.room = room }

    @discardableResult mutating func append(_ part: String) -> Bool {
        let cost = part.utf16.count
        guard cost <= room else { return false }
        room -= cost
        text += part
        return true
    }

    /// Appends a head and the parts that fit below it, up to the first one that does not.
    /// - Parameter rest: describes the number of the omitted parts.
    mutating func append(
        _ head: String, _ parts: some Collection<String>, share: Int = .max, rest: (Int) -> String
    ) {
        guard !parts.isEmpty, append(head) else { return }
        var inner = Limited(room: min(share, room))
        let shown = parts.prefix { inner.append($0) }.count
        room -= inner.text.utf16.count
        text += inner.text
        if shown < parts.count { text += rest(parts.count - shown) }
    }
}
