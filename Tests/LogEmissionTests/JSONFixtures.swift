import MarkdownSyntax

@testable import LogDefinitions

// Definitions put together by hand, so that a failure here is the emission's and not the parser's.

extension Place {
    static let unknown = Place(file: 0, range: 0..<0)
}

extension Column {
    init(_ name: String, _ type: ColumnType, required: Bool = true, description: String = "", example: String? = nil) {
        self.init(
            name: name, type: type, isRequired: required, description: description, example: example, privacy: nil, since: nil,
            deprecated: nil, status: .active, annotations: [], place: .unknown, typePlace: .unknown)
    }
}

extension Event {
    init(_ name: String, title: String = "", status: Status = .active, columns: [Column] = []) {
        self.init(
            name: name, title: title, description: "", notes: "", details: Details(), status: status, trigger: nil, place: .unknown,
            columns: columns)
    }
}

extension Category {
    init(_ name: String, title: String = "", events: [Event] = []) {
        self.init(
            file: 0, name: name, title: title, description: "", notes: "", details: Details(), place: .unknown, events: events)
    }
}

extension NamedType {
    init(_ name: String, _ kind: Kind, swift: String? = nil, description: String = "", isDeclared: Bool = true) {
        self.init(name: name, kind: kind, swift: swift, description: description, place: .unknown, isDeclared: isDeclared)
    }

    static func enumeration(_ name: String, _ values: [(String, String)]) -> NamedType {
        NamedType(name, .enumeration(values.map { EnumValue(value: $0.0, description: $0.1, place: .unknown) }))
    }
}

extension Definitions {
    init(_ categories: [Category], common: [Column]? = nil, types: [NamedType] = []) {
        self.init(
            files: [SourceFile(path: "Definitions/recipe_search.md", relativePath: "recipe_search.md", source: SourceText([]))],
            common: common.map { CommonColumns(file: 0, description: "", columns: $0) }, types: types,
            categories: categories)
    }
}
