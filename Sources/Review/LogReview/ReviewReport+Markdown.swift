import LogDefinitions
import LogImpact
import LogOutputs
import LogWarehouse
import TextEncoding

extension ReviewReport {
    /// The maximum number of characters of a report. GitHub limits a comment to 65,536.
    package static let markdownLimit = 65_000

    /// Returns a report for a comment or a summary: the verdict, a table, and folded details. It is shorter than
    /// `markdownLimit` for a change of any size; the omitted parts are counted.
    package func markdown() -> String {
        var room = Self.markdownLimit - 500
        func take(_ text: String, _ share: Int) -> Bool {
            let cost = text.utf16.count
            guard cost <= min(room, share) else { return false }
            room -= cost
            return true
        }
        var out = sentence.markdown + "\n"
        for note in remarks { out += "\n> \(note.markdown)\n" }
        room -= out.utf16.count
        var end = ""
        let ways = ways.map { "- \($0.markdown)\n" }.joined()
        if !ways.isEmpty { end += "\n**What to do**\n\n\(ways)" }
        end += "\n\(marker)\n"
        room -= end.utf16.count
        guard verdict != .errors, verdict != .nothing else { return out + end }

        out += consumerTable(take) + table(take)
        let warehouses = statements.filter { !$0.statements.isEmpty || !$0.refusals.isEmpty }
        // Equal shares, so that earlier warehouses do not displace later ones.
        for statements in warehouses { out += warehouse(statements, Self.markdownLimit / 5 / warehouses.count, take) }
        out += details(take)
        return out + end
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

    // MARK: The table

    private func table(_ take: (String, Int) -> Bool) -> String {
        let head = "\n| what | change | breaks | version | owner |\n| --- | --- | --- | --- | --- |\n"
        guard take(head, .max) else { return "" }
        var out = head
        var left = 0
        var share = Self.markdownLimit * 2 / 5
        func add(_ row: String) {
            guard take(row, share) else {
                left += 1
                return
            }
            share -= row.utf16.count
            out += row
        }
        for change in review.shared where !change.events.isEmpty {
            let events = change.events.count == 1 ? "1 event" : "\(change.events.count) events"
            add(
                "| \(linked(change.subject, change.place)) | changed, in \(events) | "
                    + "\(breaks(change.breaks, change.consent)) | | |\n"
            )
        }
        for event in review.events where hasUnsharedChange(event) {
            let owner = event.owner.map { MarkdownCode.span($0, inCell: true) } ?? ""
            let name: Sentence = "\(code: event.name)"
            add(
                "| \(linked(name, event.place)) | \(Self.word(event.kind)) | \(breaks(event.breaks, event.consent)) | "
                    + "\(Self.versions(event)) | \(owner) |\n"
            )
        }
        if out == head { return "" }
        return left == 0
            ? out : out + "\n…and \(left) more: \(MarkdownCode.span("loggen review … --format text")) shows all.\n"
    }

    private func hasUnsharedChange(_ event: Review.EventChange) -> Bool {
        event.kind != .changed || !event.lines.isEmpty || review.events.count <= 20
    }

    private func breaks(_ readers: Readers, _ consent: Review.Consent) -> String {
        readers.isEmpty ? "nothing" : readers.list + (isAccepted(consent) ? " (accepted)" : "")
    }

    private func linked(_ subject: Sentence, _ place: Place?) -> String {
        let text = subject.markdown(inCell: true)
        guard let repository, let (file, line) = self.place(place) else { return text }
        return "[\(text)](<\(repository.address(ofLine: line, in: file.relativePath))>)"
    }

    private func consumerTable(_ take: (String, Int) -> Bool) -> String {
        guard let consumers else { return "" }
        let counts = consumers.counts
        let calls = consumers.total.calls
        let code = calls.isEmpty ? "" : "\nIn app code, the change \(ConsumerEffects.callCounts(calls)).\n"
        if counts.isEmpty {
            let text = "\nNo consumer of the data is affected.\n" + code
            return take(text, .max) ? text : ""
        }
        let head = "\nConsumers of the data: \(counts).\n\n| owner | breaks | shifts |\n| --- | --- | --- |\n"
        guard take(head, .max) else { return "" }
        var out = head
        var left = 0
        var share = Self.markdownLimit / 5
        for (owner, readers) in consumers.owners {
            let title = owner.map { MarkdownCode.span(Sentence.shown($0.description), inCell: true) } ?? "no owner"
            let cells = [true, false].map { isBreak in names(readers.filter { ($0.effect == .breaks) == isBreak }) }
            let row = "| \(title) | \(cells[0]) | \(cells[1]) |\n"
            guard take(row, share) else {
                left += 1
                continue
            }
            share -= row.utf16.count
            out += row
        }
        if left > 0 { out += "\n…and the consumers of \(left) more owners.\n" }
        if take(code, .max) { out += code }
        let owners = ownersToAsk
        guard !owners.isEmpty else { return out }
        let others = owners.prefix(20).map(mention).joined(separator: ", ")
        let rest = owners.count > 20 ? " and \(owners.count - 20) more" : ""
        let text = "\nOther owners to ask: \(others)\(rest).\n"
        return take(text, .max) ? out + text : out
    }

    private func names(_ readers: [ChangeImpact.Reader]) -> String {
        guard let consumers else { return "" }
        let shown = readers.prefix(5).map { reader in
            consumers.name(of: reader.consumer).markdown(inCell: true) + (reader.isCertain ? "" : " (perhaps)")
        }
        return shown.joined(separator: ", ") + (readers.count > 5 ? " and \(readers.count - 5) more" : "")
    }

    /// A GitHub user or team is an @mention if the configuration allows it, otherwise a code span.
    private func mention(_ owner: Consumer.Owner) -> String {
        if mentionsOwners, let name = [owner.name, owner.email].compactMap({ $0 }).first(where: Self.isMention) {
            return name
        }
        return MarkdownCode.span(Sentence.shown(owner.description))
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

    // MARK: Details

    private func warehouse(_ statements: Statements, _ part: Int, _ take: (String, Int) -> Bool) -> String {
        var body = ""
        var left = 0
        var share = part
        for refusal in statements.refusals {
            let line = "- not without loss: \(Sentence(marked: refusal).markdown)\n"
            if line.utf16.count <= share { (share, body) = (share - line.utf16.count, body + line) } else { left += 1 }
        }
        var code = ""
        for statement in statements.statements {
            let text = statement + ";\n"
            if text.utf16.count <= share { (share, code) = (share - text.utf16.count, code + text) } else { left += 1 }
        }
        if !code.isEmpty { body += (body.isEmpty ? "" : "\n") + MarkdownCode.block(code, "sql") }
        if left > 0 {
            body +=
                "\n…and \(left) more: "
                + "\(MarkdownCode.span("loggen sql --dialect \(statements.dialect.rawValue) --from …")) prints all.\n"
        }
        let count = statements.statements.count
        let title = "\(statements.dialect.title): \(count == 1 ? "1 statement" : "\(count) statements")"
        let text = Self.folded(title, body)
        return take(text, .max) ? text : ""
    }

    private func details(_ take: (String, Int) -> Bool) -> String {
        var out = ""
        var left = 0
        /// Adds the first form that fits.
        func add(_ title: String, _ forms: [String]...) {
            guard forms.contains(where: { !$0.isEmpty }) else { return }
            let texts = forms.map { lines in Self.folded(title, lines.map { "- \($0)\n" }.joined()) }
            if left == 0, let text = texts.first(where: { take($0, .max) }) { out += text } else { left += 1 }
        }
        var withoutARow: [String: Review.EventChange] = [:]
        for event in review.events where !hasUnsharedChange(event) { withoutARow[event.name] = event }
        for (number, change) in review.shared.enumerated() {
            var lines = change.lines.map { $0.sentence.markdown + Self.effect($0) }
            if let place = place(change.place) {
                lines.append("defined in \(MarkdownCode.span("\(place.file.path):\(place.line)"))")
            }
            let plain = lines.count
            let facts = lines + versionsAndOwners(change.events.compactMap { withoutARow[$0] })
            if !change.events.isEmpty {
                let shown = change.events.prefix(60).map { MarkdownCode.span($0) }.joined(separator: ", ")
                let rest = change.events.count > 60 ? " and \(change.events.count - 60) more" : ""
                lines.append(
                    (change.events.count == 1 ? "one event has it: " : "\(change.events.count) events have it: ")
                        + "\(shown)\(rest)"
                )
            }
            let readers = left == 0 ? allAndFirstConsumers(consumers?.shared[number]) : []
            add(
                change.subject.html, (facts.count > plain ? facts : lines) + (readers.first ?? []),
                lines + (readers.first ?? []), lines + (readers.last ?? []), lines)
        }
        for (number, event) in review.events.enumerated() {
            var lines = event.lines.map { $0.sentence.markdown + Self.effect($0) }
            if !lines.isEmpty { lines += event.causes.map { "changes with \($0.markdown)" } }
            guard !lines.isEmpty || event.kind == .added || event.kind == .retired else { continue }
            if let place = place(event.place) {
                lines.append("defined in \(MarkdownCode.span("\(place.file.path):\(place.line)"))")
            }
            if let postings = postings(event.name) {
                let shown = postings.prefix(10).map { MarkdownCode.span($0) }.joined(separator: ", ")
                let rest = postings.count > 10 ? " and \(postings.count - 10) more" : ""
                lines.append(postings.isEmpty ? "the app posts it nowhere" : "the app posts it in \(shown)\(rest)")
            }
            let name: Sentence = "\(code: event.name)"
            let readers = left == 0 ? allAndFirstConsumers(consumers?.events[number]) : []
            add(
                "\(name.html): \(Self.word(event.kind))", lines + (readers.first ?? []), lines + (readers.last ?? []),
                lines)
        }
        return left == 0 ? out : out + "\nDetails of \(left) more do not fit here.\n"
    }

    private func allAndFirstConsumers(_ impact: ChangeImpact?) -> [[String]] {
        guard let impact, let consumers else { return [] }
        let all = consumers.lines(impact)
        let first = all.prefix(10).map(\.markdown)
        guard all.count > 10 else { return [first] }
        let rest = "…and \(all.count - 10) more: \(MarkdownCode.span("loggen review … --format text")) shows all"
        // More than 2,000 lines exceed `markdownLimit` in any case, so they are not rendered.
        return (all.count <= 2_000 ? [all.map(\.markdown)] : []) + [first + [rest]]
    }

    private func versionsAndOwners(_ events: [Review.EventChange]) -> [String] {
        var groups: [(fact: String, names: [String])] = []
        var indices: [String: Int] = [:]
        for event in events {
            let owner = event.owner.map { "owned by \(MarkdownCode.span(Sentence.shown($0)))" }
            let versions = Self.versions(event)
            let fact = [versions.isEmpty ? nil : versions, owner].compactMap { $0 }.joined(separator: ", ")
            if indices[fact] == nil {
                indices[fact] = groups.count
                groups.append((fact, []))
            }
            if let index = indices[fact] { groups[index].names.append(MarkdownCode.span(event.name)) }
        }
        return groups.map { group in
            let count = group.names.count == 1 ? "1 event" : "\(group.names.count) events"
            return "\(count)\(group.fact.isEmpty ? "" : " (\(group.fact))"): \(group.names.joined(separator: ", "))"
        }
    }

    private static func folded(_ title: String, _ body: String) -> String {
        "\n<details><summary>\(title)</summary>\n\n\(body)\n</details>\n"
    }
}

extension Sentence {
    private static let mostQuotedScalars = 300

    /// Returns a quoted string on one line, truncated if it is long.
    static func shown(_ text: String) -> String {
        let line = TextLanguage.line(text)
        return line.unicodeScalars.count <= mostQuotedScalars
            ? line : String(String.UnicodeScalarView(line.unicodeScalars.prefix(mostQuotedScalars - 1))) + "…"
    }

    var markdown: String { markdown(inCell: false) }

    func markdown(inCell: Bool) -> String {
        pieces.map { piece in
            switch piece {
            case .words(let words): Self.escaped(words)
            case .quoted(let text): MarkdownCode.span(Self.shown(text), inCell: inCell)
            }
        }.joined()
    }

    /// Escapes words in running text (CommonMark 0.30, section 2.4).
    private static func escaped(_ words: String) -> String {
        var result = ""
        for scalar in words.unicodeScalars {
            switch scalar {
            case "<", "&": result += HTMLEscape.escaped(scalar)
            // A report must not mention users.
            case "@": result += "&#64;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#": result += "\\" + String(scalar)
            default: result.unicodeScalars.append(SwiftText.isVisible(scalar) ? scalar : " ")
            }
        }
        return result
    }

    var html: String {
        pieces.map { piece in
            switch piece {
            case .words(let words): TextLanguage.html.comment(words)
            case .quoted(let text): "<code>" + TextLanguage.html.comment(Self.shown(text)) + "</code>"
            }
        }.joined()
    }

    /// The sentence for a terminal.
    package var plain: String {
        pieces.map { piece in
            switch piece {
            case .words(let words): words
            case .quoted(let text): "`" + Self.shown(text) + "`"
            }
        }.joined()
    }
}

/// Code in Markdown (CommonMark 0.30, sections 4.5 and 6.1). It contains neither markup nor mentions of users.
enum MarkdownCode {
    static func span(_ text: String, inCell: Bool = false) -> String {
        var text = TextLanguage.line(text)
        // In a table row, a vertical bar ends the cell, even within code (GitHub Flavored Markdown, 4.10).
        if inCell { text = text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }
        let fence = String(repeating: "`", count: longestRun(text) + 1)
        let isBlank = text.allSatisfy { $0 == " " }
        let needsBlanks =
            !isBlank && (text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ") && text.hasSuffix(" "))
        return text.isEmpty ? "(empty)" : needsBlanks ? "\(fence) \(text) \(fence)" : fence + text + fence
    }

    static func block(_ text: String, _ language: String) -> String {
        let fence = String(repeating: "`", count: max(3, longestRun(text) + 1))
        return "\(fence)\(language)\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\(fence)\n"
    }

    private static func longestRun(_ text: String) -> Int {
        var (longest, run) = (0, 0)
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
