import LogDefinitions

/// Unavailable declarations under former names. The compiler offers to replace each use by the current name.
///
/// The bodies never run, because code that calls an unavailable declaration does not compile.
struct SwiftFormerNames {
    let access: String

    private func unavailable(_ current: String, indent: String, _ declaration: String) -> String {
        // In `renamed:`, the label `self` stands for the instance of a method, so there is no fix-it.
        let isMethod = current.split { $0 == "(" || $0 == ":" }.dropFirst().contains("self")
        let reason = isMethod ? "message: \"renamed to '\(current)'\"" : "renamed: \"\(current)\""
        return "\(indent)@available(*, unavailable, \(reason))\n\(indent)\(access)\(declaration)\n"
    }

    func type(_ former: String, renamed current: String) -> String {
        unavailable(current, indent: "", "typealias \(former) = \(current)")
    }

    /// The former values of an enumeration, without names that a value has.
    func values(_ values: [NamedType.EnumValue], of type: String, indent: String) -> String {
        var taken = Set(values.compactMap { SwiftNames.caseName(forValue: $0.value) })
        return values.reduce(into: "") { text, value in
            guard let current = SwiftNames.caseName(forValue: value.value) else { return }
            let names = value.formerNames.compactMap { SwiftNames.caseName(forValue: $0.name) }
            for name in names where taken.insert(name).inserted {
                text += "\n"
                text += unavailable(
                    current, indent: indent, "static var \(SwiftNames.escaped(name)): \(type) { fatalError() }")
            }
        }
    }

    /// The former properties of the common columns, except names in use, and the initializer with former labels.
    func common(_ active: [Column]) -> String {
        var text = ""
        var taken = Set(active.map { SwiftNames.memberName($0.name) })
        var former = active
        for (index, column) in active.enumerated() {
            let current = SwiftNames.memberName(column.name)
            for name in column.formerNames.map(\.name) {
                guard taken.insert(SwiftNames.memberName(name)).inserted else { continue }
                if former[index].name == column.name { former[index].name = name }
                let accessors = "get { fatalError() } set {}"
                text += "\n"
                text += unavailable(
                    current, indent: "    ",
                    "var \(SwiftNames.escaped(SwiftNames.memberName(name))): \(SwiftColumns.type(column)) { \(accessors) }"
                )
            }
        }
        guard !text.isEmpty else { return "" }
        text += "\n"
        let parameters = former.map(SwiftColumns.initializerParameter).joined(separator: ", ")
        return text
            + unavailable(Self.name("init", active.map(\.name)), indent: "    ", "init(\(parameters)) { fatalError() }")
    }

    /// A call with former names of an event and its columns.
    struct Signature: Hashable {
        /// The event, as `category.event`.
        var event: String
        var columns: [String]
    }

    /// Returns the calls of earlier versions that have other names than the current one, newest first.
    /// - Parameter earlier: the versions of the lock file. Without them, each column has its newest former name.
    static func signatures(
        of event: Event, _ active: [Column], in category: String, _ earlier: [String: [LockFile.LockedShape]]
    ) -> [Signature] {
        guard event.hasFormerNames else { return [] }
        let current = Signature(event: "\(category).\(event.name)", columns: active.map(\.name))
        let names = [current.event] + event.formerNames.map(\.name)
        let versions = names.flatMap { earlier[$0] ?? [] }.sorted { $0.version > $1.version }
        var signatures = versions.map { version in
            let known = Set(version.shape.columns.map(\.name))
            return Signature(
                event: version.event,
                columns: active.map { column in
                    known.contains(column.name)
                        ? column.name : column.formerNames.first { known.contains($0.name) }?.name ?? column.name
                })
        }
        if signatures.isEmpty {
            signatures = names.map { name in
                Signature(event: name, columns: active.map { $0.formerNames.first?.name ?? $0.name })
            }
        }
        // Two names may be one in Swift: `page_2` and `page2`.
        var seen: Set<Signature> = [current]
        return signatures.filter { signature in
            Set(signature.columns.map(SwiftNames.memberName)).count == active.count && seen.insert(signature).inserted
        }
    }

    /// The declarations of an event's call with former names.
    ///
    /// If only labels of optional columns differ from those of a newer call, a call without them would be ambiguous. So
    /// there is a declaration for each of these labels, which requires it and omits those before it.
    /// - Parameters:
    ///   - newer: the next newer call of the same name in the same type.
    ///   - type: the type of the current category.
    ///   - qualifier: the type of the current category and a dot, outside of it.
    func event(
        _ signature: Signature, newer: Signature?, of event: Event, _ active: [Column], type: String,
        qualifier: String = "", category: Category
    ) -> String {
        let former = SwiftNames.escaped(SwiftNames.memberName(signature.event.eventNameParts.event))
        let current = SwiftNames.memberName(event.name)
        guard !active.isEmpty else {
            return unavailable(
                qualifier + current, indent: "    ", "static var \(former): \(type) { fatalError() }")
        }
        func declaration(requiring required: Int?, without missing: ArraySlice<Int> = []) -> String {
            let missing = Set(missing)
            let indices = active.indices.filter { !missing.contains($0) }
            let parameters = indices.map { index in
                let column = active[index]
                let type = qualifier.isEmpty ? SwiftColumns.type(column) : SwiftColumns.type(column, of: category)
                let label = SwiftNames.escaped(SwiftNames.memberName(signature.columns[index]))
                return "\(label): \(type)\(column.isRequired || index == required ? "" : " = nil")"
            }
            return unavailable(
                qualifier + Self.name(current, indices.map { active[$0].name }), indent: "    ",
                "static func \(former)(\(parameters.joined(separator: ", "))) -> \(type) { fatalError() }")
        }
        guard let newer else { return declaration(requiring: nil) }
        let other = active.indices.filter { signature.columns[$0] != newer.columns[$0] }
        if other.isEmpty || other.contains(where: { active[$0].isRequired }) { return declaration(requiring: nil) }
        return other.indices.map { declaration(requiring: other[$0], without: other[..<$0]) }.joined(separator: "\n")
    }

    private static func name(_ base: String, _ columns: [String]) -> String {
        "\(base)(\(columns.map { SwiftNames.memberName($0) + ":" }.joined()))"
    }
}
