import MarkdownSyntax

@testable import LogDefinitions
@testable import LogOutputs

// These definitions are made without the parser, so a failing test points to the output.

extension Place {
    static let unknown = Place(file: 0, range: 0..<0)
}

extension Column {
    init(_ name: String, _ type: LogValueType, required: Bool = true, description: String = "", example: String? = nil)
    {
        self.init(
            name: name, type: type, isRequired: required, description: description, example: example, privacy: nil,
            since: nil,
            deprecated: nil, status: .active, annotations: [], place: .unknown, typePlace: .unknown)
    }
}

extension Event {
    init(_ name: String, title: String = "", status: LogStatus = .active, columns: [Column] = []) {
        self.init(
            name: name, title: title, description: "", notes: "", details: Details(), status: status, place: .unknown,
            columns: columns)
    }
}

extension Category {
    init(_ name: String, title: String = "", events: [Event] = []) {
        self.init(
            file: 0, name: name, title: title, description: "", notes: "", details: Details(), place: .unknown,
            events: events)
    }
}

extension NamedType {
    init(_ name: String, _ kind: Kind, swift: String? = nil, description: String = "") {
        self.init(
            name: name, kind: kind, swift: swift, description: description, place: .unknown)
    }

    static func enumeration(_ name: String, _ values: [(String, String)]) -> NamedType {
        NamedType(name, .enumeration(values.map { EnumValue(value: $0.0, description: $0.1, place: .unknown) }))
    }
}

extension Definitions {
    init(_ categories: [Category], common: [Column]? = nil, types: [NamedType] = []) {
        self.init(
            files: [
                SourceFile(
                    path: "Definitions/recipe_search.md", relativePath: "recipe_search.md", source: SourceText([]))
            ],
            common: common.map { CommonColumns(file: 0, description: "", columns: $0) }, types: types,
            categories: categories)
        self = resolved()
    }

    func resolved() -> Definitions {
        var resolved = self
        let types = Dictionary(types.map { ($0.name, $0.valueType) }, uniquingKeysWith: { first, _ in first })
        func resolve(_ columns: inout [Column]) {
            for index in columns.indices {
                columns[index].type = columns[index].type.resolved { types[$0.name] ?? .named(.init($0.name)) }
            }
        }
        if var common = resolved.common {
            resolve(&common.columns)
            resolved.common = common
        }
        for category in categories.indices {
            for event in categories[category].events.indices {
                resolve(&resolved.categories[category].events[event].columns)
            }
        }
        return resolved
    }
}

extension JSONSchemaEmitter {
    convenience init(_ definitions: Definitions, baseURL: String? = nil) {
        self.init(Model(definitions), baseURL: baseURL)
    }
}

extension ModelDump {
    static func json(of definitions: Definitions) -> [UInt8] { json(of: Model(definitions)) }
}
