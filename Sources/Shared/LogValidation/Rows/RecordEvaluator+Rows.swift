import LogTypes

// MARK: Limits of the engine

extension RecordEvaluator {
    /// Adds a finding for each value of a valid record that the engine cannot hold.
    mutating func findUnstorable(_ end: Position) {
        guard let limits = rows?.limits else { return }
        if end - recordStart > limits.longestRecord { return note(.storage, .record, recordStart, end) }
        let hasCodeUnits = hasEscapedText && Self.hasCodeUnitEscapes(recordStart, end)
        let limitsYears = limits.years != 0...9999
        guard hasCodeUnits || limitsYears || isOddlySpelled else { return }
        if limitsYears {
            let time = RecordEnvelope.occurredAt.rawValue
            let value = recordStart + fieldStarts[time]
            if !isStorable(value, rules.envelope[time], limits) {
                note(.storage, .field(.occurredAt), value, scanner.skipValue(value, depth: 1) ?? value)
            }
        }
        for column in recordColumns where hasColumn(column) {
            let value = recordStart + starts[column]
            guard !isStorable(value, columns[column].rule, limits), let valueEnd = scanner.skipValue(value, depth: 1)
            else { continue }
            note(.storage, .column(column), value, valueEnd, columns[column].rule)
        }
    }

    private static func hasCodeUnitEscapes(_ start: Position, _ end: Position) -> Bool {
        var position = start
        while position < end, let found = position.first(UInt8(ascii: "\\"), before: end) {
            if found[1] == UInt8(ascii: "u") { return true }
            position = found + 2
        }
        return false
    }

    private mutating func isStorable(_ value: Position, _ number: Int, _ limits: RecordTables.Limits) -> Bool {
        if value.pointee == UInt8(ascii: "n") { return true }
        let rule = rule(number)
        switch rule.kind {
        // A scalar is stored as JSON, with its escapes.
        case .integer, .boolean, .scalar: return true
        case .number: return scanner.number(value) != nil && scanner.double.isFinite
        case .format(let format) where format.beginsWithYear:
            let year = checkedString(value).prefix(4).reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
            return limits.years.contains(year)
        case .text, .format, .enumeration:
            let text = checkedString(value)
            // UTF-8 cannot represent halves of surrogate pairs.
            return scanner.hasEscapes
                ? !zip(text, text.dropFirst()).contains { $0 == 0xED && $1 >= 0xA0 }
                    && (limits.allowsNull || !text.contains(0)) : true
        case .list:
            var position = scanner.blanks(value + 1)
            while position.pointee != UInt8(ascii: "]") {
                guard isStorable(position, rule.items, limits), let itemEnd = scanner.skipValue(position, depth: 2)
                else { return false }
                position = scanner.blanks(itemEnd)
                if position.pointee == UInt8(ascii: ",") { position = scanner.blanks(position + 1) }
            }
            return true
        }
    }

    private mutating func checkedString(_ value: Position) -> UnsafeBufferPointer<UInt8> {
        guard let end = scanner.text(value + 1) else { return UnsafeBufferPointer(start: nil, count: 0) }
        return scanner.hasEscapes
            ? scanner.unescaped(value + 1, end - 1) : UnsafeBufferPointer(start: value + 1, count: end - value - 2)
    }
}

// MARK: Rows

extension RecordEvaluator {
    func beginRows(of report: inout ChunkReport) {
        guard let rows else { return }
        report.rows = Array(repeating: [], count: rows.isStream ? 1 : rows.bad + 1)
        for (table, count) in rowCounts.enumerated() where count > 0 {
            report.rows[table].reserveCapacity(count + count / 4)
        }
    }

    /// Appends the row of a record. A valid record is copied if every JSON reader finds the same values in it.
    mutating func appendRow(_ verdict: Verdict, _ start: Position, _ lineEnd: Position, to report: inout ChunkReport) {
        guard let rows else { return }
        guard verdict == .valid, rowTargets[version].table >= 0 else {
            appendBadRow(verdict, start, lineEnd, rows, to: &report.rows[rows.isStream ? 0 : rows.bad])
            return
        }
        let target = rowTargets[version]
        var end = lineEnd
        while end > recordStart, end[-1] == 0x0D { end -= 1 }
        let line = UnsafeBufferPointer(start: recordStart, count: end - recordStart)
        // Some readers treat a carriage return as the end of a line.
        let hasReturn = recordStart.first(0x0D, before: end) != nil
        let isCopied =
            !target.isRenamed
            && (rows.keepsRecords || target.isCopied && !isOddlySpelled && !hasDuplicates && !hasReturn)
        let table = rows.isStream ? 0 : target.table
        if rows.isStream { report.rows[table] += rows.beginnings[target.table] }
        if isCopied, hasReturn {
            report.rows[table] += line.map { $0 == 0x0D ? 0x20 : $0 }
        } else if isCopied {
            report.rows[table] += line
        } else {
            appendMembers(rows.keys[version], target, rows.values[version], to: &report.rows[table])
        }
        if rows.isStream { report.rows[table].append(UInt8(ascii: "}")) }
        report.rows[table].append(0x0A)
    }

    /// Appends the members of a record. A member that the record repeats is written once.
    private mutating func appendMembers(
        _ keys: [[UInt8]], _ target: RowRules.Target, _ values: [[[UInt8]: [UInt8]]], to row: inout [UInt8]
    ) {
        var separator = UInt8(ascii: "{")
        for field in 0..<fieldStarts.count where hasField(field) {
            row.append(separator)
            separator = UInt8(ascii: ",")
            row.append(UInt8(ascii: "\""))
            row += fieldName(field)
            row += "\":".utf8
            switch RecordEnvelope(rawValue: field) {
            case .category where target.event != nil: row += target.event?.category ?? []
            case .event where target.event != nil: row += target.event?.name ?? []
            default: _ = appendValue(recordStart + fieldStarts[field], rules.envelope[field], [:], to: &row)
            }
        }
        for (number, column) in recordColumns.enumerated() where hasColumn(column) {
            row.append(separator)
            row += keys[number]
            let heirs = values.isEmpty ? [:] : values[number]
            _ = appendValue(recordStart + starts[column], columns[column].rule, heirs, to: &row)
        }
        row.append(UInt8(ascii: "}"))
    }

    /// - Parameter heirs: the current values of enumerations as JSON strings, by former values.
    private mutating func appendValue(
        _ value: Position, _ number: Int, _ heirs: [[UInt8]: [UInt8]], to row: inout [UInt8]
    ) -> Position {
        guard let end = scanner.skipValue(value, depth: 1) else { return value }
        let raw = UnsafeBufferPointer(start: value, count: end - value)
        let rule = rule(number)
        switch rule.kind {
        case _ where value.pointee == UInt8(ascii: "n"): row += raw
        case .scalar: JSONStringWriter.append(raw, to: &row)
        case .integer:
            if let integer = scanner.integer { row += "\(integer)".utf8 } else { row += raw }
        case .number:
            if scanner.isPlain || !scanner.double.isFinite { row += raw } else { row += "\(scanner.double)".utf8 }
        // The column may have been a string before it was an enumeration. `loggen sql --from` maps both, too.
        case .text where !heirs.isEmpty, .enumeration where !heirs.isEmpty:
            row += heirs[Array(checkedString(value))] ?? Array(raw)
        case .text, .boolean, .enumeration: row += raw
        case .format where rule.kind.isText: row += raw
        case .format:
            // The content is ASCII without a quotation mark.
            row.append(UInt8(ascii: "\""))
            row += checkedString(value)
            row.append(UInt8(ascii: "\""))
        case .list:
            var separator = UInt8(ascii: "[")
            var position = scanner.blanks(value + 1)
            if position.pointee == UInt8(ascii: "]") { row.append(separator) }
            while position.pointee != UInt8(ascii: "]") {
                row.append(separator)
                separator = UInt8(ascii: ",")
                let itemEnd = appendValue(position, rule.items, heirs, to: &row)
                guard itemEnd > position else { break }
                position = scanner.blanks(itemEnd)
                if position.pointee == UInt8(ascii: ",") { position = scanner.blanks(position + 1) }
            }
            row.append(UInt8(ascii: "]"))
        }
        return end
    }

    private mutating func appendBadRow(
        _ verdict: Verdict, _ start: Position, _ lineEnd: Position, _ rows: RowRules, to row: inout [UInt8]
    ) {
        var end = lineEnd
        while end > start, end[-1] == 0x0D { end -= 1 }
        let isJSON = findings.first?.rule != .json
        let bytes = UnsafeBufferPointer(start: start, count: end - start)
        row += rows.isStream ? rows.beginnings[rows.bad] : Array("{\"record\":".utf8)
        let textStart = row.count
        if isJSON { JSONStringWriter.append(bytes, to: &row) } else { row += text(bytes, rows.limits) }
        var isCut = false
        if let limits = rows.limits, row.count - textStart > limits.longestText {
            isCut = true
            row.removeSubrange(textStart...)
            // Escaping makes a byte at most six bytes long.
            row += text(UnsafeBufferPointer(rebasing: bytes.prefix(limits.longestText / 6)), limits, isCut: true)
        }
        for field in RecordEnvelope.allCases where field.namesDefinition {
            row += ",\"\(field.name)\":".utf8
            let value = self.text(of: field)
            guard isJSON, hasField(field.rawValue), value.baseAddress != nil else {
                row += "null".utf8
                continue
            }
            let isLong = value.count > Self.longestName
            row += text(UnsafeBufferPointer(rebasing: value.prefix(Self.longestName)), rows.limits, isCut: isLong)
        }
        row += ",\"\(RecordEnvelope.violations.name)\":[".utf8
        if verdict == .declared { row += "\"\(RecordEnvelope.violations.name): declared\"".utf8 }
        for (number, finding) in findings.enumerated() {
            if number > 0 { row.append(UInt8(ascii: ",")) }
            isCut = isCut && finding.rule != .storage
            row += JSONStringWriter.quoted(
                Array("\(name(of: finding.subject) ?? "record"): \(finding.rule.rawValue)".utf8))
        }
        if isCut { row += "\(row.last == UInt8(ascii: "[") ? "" : ",")\"record: storage\"".utf8 }
        row += "]}\n".utf8
    }

    /// Returns a JSON string of bytes that might not be UTF-8.
    private func text(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: RecordTables.Limits?, isCut: Bool = false)
        -> [UInt8]
    {
        var text = Array((String(decoding: bytes, as: UTF8.self) + (isCut ? "…" : "")).utf8)
        if let limits, !limits.allowsNull, text.contains(0) {
            text = Array(text.split(separator: 0, omittingEmptySubsequences: false).joined(separator: "\u{FFFD}".utf8))
        }
        return JSONStringWriter.quoted(text)
    }
}
