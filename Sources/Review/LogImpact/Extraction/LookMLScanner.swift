/// Shows the SQL of LookML: derived tables are queries; the other `sql…` parameters are expressions of their view.
///
/// A field without SQL reads the column with its name.
struct LookMLScanner {
    private var mask: SQLMask
    private let source: [UInt8]
    private var index = 0
    private var view: String?
    private var parameters: [(view: String?, key: String, range: Range<Int>)] = []
    /// The number of open braces.
    private var depth = 0
    /// The dimension or measure whose braces are open.
    private var field: (name: Range<Int>, depth: Int, hasSQL: Bool)?

    static func scan(_ mask: inout SQLMask) {
        var scanner = LookMLScanner(mask: mask, source: mask.source)
        while scanner.index < scanner.source.count { scanner.step() }
        scanner.closeField()
        scanner.showParameters()
        mask = scanner.mask
    }

    private init(mask: SQLMask, source: [UInt8]) {
        self.mask = mask
        self.source = source
    }

    private mutating func step() {
        let byte = source[index]
        if byte == 0x23 {
            while index < source.count, source[index] != 0x0A { index += 1 }
        } else if byte == 0x22 {
            index += 1
            while index < source.count, source[index] != 0x22 { index += source[index] == 0x5C ? 2 : 1 }
            index += 1
        } else if SQLMask.isLetter(byte) {
            key()
        } else {
            if byte == 0x7B { depth += 1 }
            if byte == 0x7D {
                depth -= 1
                if let field, depth <= field.depth { closeField() }
            }
            index += 1
        }
    }

    private mutating func closeField() {
        if let field, !field.hasSQL { parameters.append((view, "field", field.name)) }
        field = nil
    }

    private mutating func word() -> String {
        let start = index
        while index < source.count, SQLMask.isLetter(source[index]) { index += 1 }
        return String(decoding: source[start..<index], as: UTF8.self)
    }

    private mutating func skipSpaces() {
        while index < source.count, source[index] <= 0x20 { index += 1 }
    }

    private mutating func key() {
        let key = word()
        skipSpaces()
        guard index < source.count, source[index] == 0x3A else { return }
        index += 1
        if key == "view" {
            closeField()
            skipSpaces()
            while index < source.count, source[index] == 0x2B { index += 1 }
            view = word().lowercased()
        } else if key == "sql" || key.hasPrefix("sql_") || key == "expression_custom_filter" {
            field?.hasSQL = true
            parameters.append((view, key, value()))
        } else if key == "html" {
            _ = value()
        } else if key == "dimension" || key == "dimension_group" || key == "measure" {
            closeField()
            skipSpaces()
            let start = index
            _ = word()
            field = (start..<index, depth, false)
        } else if key == "type", field != nil {
            skipSpaces()
            // `type: count` counts rows.
            if word() == "count" { field?.hasSQL = true }
        } else if key == "explore" {
            closeField()
            view = nil
        }
    }

    /// Returns the range of a value that ends with `;;`.
    private mutating func value() -> Range<Int> {
        let start = index
        while index < source.count,
            !(source[index] == 0x3B && index + 1 < source.count && source[index + 1] == 0x3B)
        {
            index += 1
        }
        let end = min(index, source.count)
        index += 2
        return start..<end
    }

    private mutating func showParameters() {
        var derived: Set<String> = []
        for parameter in parameters {
            guard let view = parameter.view else { continue }
            if parameter.key == "sql_table_name" {
                let name = String(decoding: source[parameter.range], as: UTF8.self)
                let bare = name.filter { !$0.isWhitespace && $0 != "`" && $0 != "\"" }
                mask.views[view] = bare.split(separator: ".").map { String($0) }
            } else if parameter.key == "sql", mask.looksLikeSQL(parameter.range) {
                derived.insert(view)
            }
        }
        // A field is added at its end, after the parameters inside.
        parameters.sort { $0.range.lowerBound < $1.range.lowerBound }
        for parameter in parameters where parameter.key != "sql_table_name" {
            // A subquery in a dimension is an expression: it does not begin with SELECT or WITH.
            if startsQuery(parameter.range) {
                mask.show(parameter.range)
            } else {
                let table = parameter.view.flatMap { view in
                    mask.views[view] ?? (derived.contains(view) ? nil : [view])
                }
                if parameter.key == "field", table == nil { continue }
                mask.show(expression: parameter.range, table: table)
            }
        }
    }

    private func startsQuery(_ range: Range<Int>) -> Bool {
        guard let start = range.first(where: { SQLMask.isLetter(source[$0]) }) else { return false }
        // Comments and templates before the query contain letters, too.
        if mask.looksLikeSQL(range) {
            let prefix = source[range.lowerBound..<start]
            if prefix.contains(0x24) || prefix.contains(0x28) { return false }
            return SQLMask.matches(source, start, "select") || SQLMask.matches(source, start, "with")
                || prefix.contains(0x2D) || prefix.contains(0x7B) || prefix.contains(0x23)
        }
        return false
    }
}
