/// The Jinja variables of an input with literal values, and the views of LookML.
struct TemplateVariables {
    var values: [String: [String]] = [:]
    var tables: [String: [[String]]] = [:]
    /// The table of each LookML view, by the view's name.
    var views: [String: [String]] = [:]

    init(views: [String: [String]] = [:]) { self.views = views }

    /// Reads the `set` and `for` blocks. A variable with a second value that is not a literal is not known.
    mutating func read(_ list: TokenList, _ bytes: [UInt8]) {
        var unknown: Set<String> = []
        for token in list.tokens where token.kind == .block {
            guard let binding = JinjaExpression(bytes, token).binding else { continue }
            let name = binding.name
            if let source = binding.source {
                if let found = values[source] {
                    values[name, default: []] += found
                } else if let found = tables[source] {
                    tables[name, default: []] += found
                } else {
                    unknown.insert(name)
                }
            } else if let found = binding.values {
                values[name, default: []] += found
            } else if !binding.tables.isEmpty, binding.values == nil {
                tables[name, default: []] += binding.tables
            } else {
                unknown.insert(name)
            }
            // `a = b` and `b = a` in turns double the values.
            if values[name]?.count ?? 0 > 1000 || tables[name]?.count ?? 0 > 1000 {
                values[name] = nil
                tables[name] = nil
                unknown.insert(name)
            }
        }
        for name in unknown {
            values[name] = nil
            tables[name] = nil
        }
    }
}
