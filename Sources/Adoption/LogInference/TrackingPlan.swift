import JSONSyntax
import LogDefinitions

/// Systems whose tracking plans consist of events with a JSON Schema each.
enum PlanKind: Sendable { case rudderstack, segment }

/// Reads definitions from tracking plans.
///
/// For Segment, it reads the rules of the Public API (`{"data": {"rules": [{"type": "TRACK", "key": …, "jsonSchema":
/// …}]}}`) and of the older Config API (`{"rules": {"events": [{"name": …, "rules": …}]}}`). For RudderStack, it reads
/// the events of the Data Catalog API (`{"events": [{"name": …, "eventType": …, "rules": …}]}`) and the YAML of
/// `rudder-cli` in the forms `rudder/0.1` and `rudder/v1`.
struct TrackingPlan {
    private let category: String?
    private var draft = Draft()
    private var findings: [Finding] = []
    private var catalog = RudderCatalog()
    /// The places of the properties and events that rules refer to.
    private var used: Set<SourcePlace> = []
    /// Omitted keys that only the other system needs, such as dates, with the number of their occurrences and the first
    /// place.
    private var asides: [(key: String, count: Int, place: SourcePlace)] = []

    static func read(_ sources: [InferenceSource], _ kind: PlanKind, category: String?)
        -> (draft: Draft, findings: [Finding])
    {
        var reader = TrackingPlan(category: category)
        let trees = Tree.read(sources, allowsYAML: true, &reader.findings)
        // All files are read before the rules, because a rule may precede the properties that it refers to.
        var plans: [Tree] = []
        for tree in trees where !tree.isNull {
            if kind == .rudderstack, tree["kind"]?.string != nil {
                reader.catalog.collect(tree, plans: &plans, &reader.findings)
            } else {
                reader.read(tree)
            }
        }
        if !plans.isEmpty || !reader.catalog.isEmpty { reader.readCatalog(plans) }
        reader.tellAsides()
        return (reader.draft, reader.findings)
    }

    private init(category: String?) { self.category = category }

    /// Keys that only the other system needs, such as authors, dates and identifiers. These keys do not describe
    /// events.
    private static let bookkeeping: Set<String> = [
        "id", "slug", "version", "workspaceId", "trackingPlanId", "categoryId", "externalId", "creationType",
        "createdAt", "updatedAt", "createdBy",
        "updatedBy", "createTime", "updateTime", "create_time", "update_time", "pagination", "total", "currentPage",
        "pageSize", "identitySection",
        "identity_section", "metadata", "import",
    ]

    /// Reports members that are not read as lost.
    private mutating func tellRest(of tree: Tree?, read: Set<String>, _ what: String) {
        for (key, place, value) in tree?.members ?? [] where !read.contains(key) && !value.isEmpty {
            if Self.bookkeeping.contains(key) {
                if let index = asides.firstIndex(where: { $0.key == key }) {
                    asides[index].count += 1
                } else {
                    asides.append((key, 1, place))
                }
            } else {
                findings.warn("`\(key)` of \(what) is not carried over: definitions cannot express it", at: place)
            }
        }
    }

    private mutating func tellAsides() {
        guard let first = asides.first else { return }
        let list = asides.map { "`\($0.key)`" + ($0.count > 1 ? " (\($0.count) times)" : "") }.joined(separator: ", ")
        findings.note("left out, as it describes the plan's system and not events: \(list)", at: first.place)
    }

    // MARK: API plans

    private mutating func read(_ tree: Tree) {
        let data = tree["data"] ?? tree
        let isWrapped = tree["data"] != nil
        if isWrapped { tellRest(of: tree, read: ["data"], "the answer") }
        let plans = data[["trackingPlans", "tracking_plans"]]?.items
        let plan = data[["trackingPlan", "tracking_plan"]]
        for plan in plans ?? [] { readPlan(plan) }
        if plans != nil || plan != nil {
            tellRest(
                of: data, read: ["trackingPlans", "tracking_plans", "trackingPlan", "tracking_plan", "rules"],
                "the answer")
        }
        if plans == nil { readPlan(plan ?? data, outer: data) }
    }

    private mutating func readPlan(_ plan: Tree, outer: Tree? = nil) {
        let name = plan[["display_name", "displayName", "name"]]?.string
        let category = category ?? name ?? plan.source.stem
        let lists: [[Tree]?] = [
            plan.items, plan["rules"]?.items, outer?["rules"]?.items, plan["events"]?.items,
            plan["rules"]?["events"]?.items,
        ]
        guard let rules = lists.compactMap(\.self).first else {
            // RudderStack's API can also return a single event.
            if plan["rules"]?["properties"] != nil, plan["name"] != nil || plan["eventType"] != nil {
                return readRule(plan, into: draft.index(ofCategory: self.category ?? plan.source.stem, at: plan.place))
            }
            return findings.warn("this is not a tracking plan: it has neither `rules` nor `events`", at: plan.place)
        }
        tellRest(
            of: plan, read: ["display_name", "displayName", "name", "type", "rules", "events", "description"],
            "the plan")
        let index = draft.index(ofCategory: category, at: plan.place)
        if let description = plan["description"]?.string {
            draft.categories[index].description = DraftText(description)
        }
        for rule in rules { readRule(rule, into: index) }
        if let legacy = plan["rules"], legacy.isObject {
            for (key, type) in [("identify", "identify"), ("group", "group"), ("global", "common")] {
                if let schema = legacy[key], !(schema["properties"]?.members ?? []).isEmpty {
                    read(schema, named: nil, type: type, description: nil, into: index, at: schema.place)
                }
            }
            for key in ["identify_traits", "group_traits"] where !(legacy[key]?.items ?? []).isEmpty {
                findings.warn("`\(key)` is not carried over", at: legacy[key]?.place ?? legacy.place)
            }
        }
    }

    private mutating func readRule(_ rule: Tree, into category: Int) {
        let schema = rule[["jsonSchema", "json_schema", "rules"]]
        let type = rule[["type", "eventType", "event_type"]]?.string ?? "track"
        let known: Set<String> = [
            "key", "name", "type", "eventType", "event_type", "jsonSchema", "json_schema", "rules", "description",
            "deprecatedAt",
            "additionalProperties",
        ]
        tellRest(of: rule, read: known, "a rule")
        guard let schema, schema.isObject else { return findings.warn("the rule has no JSON Schema", at: rule.place) }
        read(
            schema, named: rule[["key", "name"]]?.string, type: type,
            description: rule["description"]?.string ?? schema["description"]?.string,
            deprecated: rule["deprecatedAt"]?.string, into: category, at: rule[["key", "name"]]?.place ?? rule.place)
    }

    /// Reads a rule's schema, which describes the whole message: `properties` of track, page and screen, `traits` of
    /// identify and group.
    private mutating func read(
        _ schema: Tree, named key: String?, type: String, description: String?, deprecated: String? = nil,
        into category: Int, at place: SourcePlace
    ) {
        let kind = type.lowercased()
        let name = key.flatMap { $0.isEmpty ? nil : $0 } ?? kind
        var event = DraftEvent(name: name, place: place)
        if let description { event.description = DraftText(description) }
        // Segment represents a missing date by one in the year 1.
        if let deprecated, !deprecated.isEmpty, !deprecated.hasPrefix("0001-") {
            event.details.append(DraftDetail(.deprecated, "since \(deprecated)"))
        }
        var reader = SchemaReader()
        var definitions: [String: Tree] = [:]
        for keyword in ["$defs", "definitions"] {
            for (name, _, value) in schema[keyword]?.members ?? [] { definitions["#/\(keyword)/\(name)"] = value }
        }
        let known = definitions
        reader.reference = { known[$0].map { .schema($0) } ?? .unknown }
        let isPerson = kind == "identify" || kind == "group"
        let body = schema["properties"]
        let sections: [(name: String, schema: Tree)] =
            body?["properties"] == nil && body?["traits"] == nil && body?["context"] == nil
            ? [("", schema)]
            : (body?.members ?? []).map { ($0.key, $0.value) }
        if sections.first?.name != "" {
            let read: Set<String> = [
                "$schema", "$id", "id", "type", "description", "properties", "required", "labels", "$defs",
                "definitions",
            ]
            for (key, place, value) in schema.members ?? [] where !read.contains(key) && !value.isEmpty {
                if key == "title", value.string?.isExactly(name) == true { continue }
                if key == "additionalProperties", value.bool != nil { continue }
                reader.findings.warn(
                    "`\(key)` of `\(name)` is not carried over: definitions cannot express it", at: place)
            }
        }
        for (section, schema) in sections {
            var source = schema
            if section == "context", isPerson, let traits = schema["properties"]?["traits"] { source = traits }
            let isOurs =
                section == "" || (section == "properties" && !isPerson) || (section == "traits" && isPerson)
                || source.value.at != schema.value.at
            guard isOurs || section == "properties" || section == "traits" else {
                if !(schema["properties"]?.members ?? []).isEmpty {
                    reader.findings.warn(
                        "the content of `\(section)` of `\(name)` is not carried over: only `properties` become "
                            + "columns", at: schema.place)
                }
                continue
            }
            let required = Set((source["required"]?.items ?? []).compactMap(\.string).map { ExactString($0) })
            for (key, place, property) in source["properties"]?.members ?? [] {
                if let column = reader.column(key, property, isRequired: required.contains(ExactString(key)), at: place)
                {
                    event.columns.append(column)
                }
            }
            for (key, place, value) in source.members ?? [] {
                switch key {
                case "properties", "required", "type", "$schema", "$id", "id", "$defs", "definitions": break
                case "labels", "description":
                    // The description and labels of the schema itself are read elsewhere; those of a section are lost.
                    if !section.isEmpty, !value.isEmpty {
                        reader.findings.warn(
                            "`\(key)` of the \(section) of `\(name)` is not carried over: definitions cannot "
                                + "express it", at: place)
                    }
                case "title": if value.string?.isExactly(name) != true { fallthrough }
                case "additionalProperties":
                    if value.bool == true {
                        reader.findings.note(
                            "`\(name)` allows other properties: they are not carried over, as definitions list all "
                                + "columns", at: place)
                    }
                default:
                    if !value.isNull {
                        reader.findings.warn(
                            "`\(key)` of `\(name)` is not carried over: definitions cannot express it", at: place)
                    }
                }
            }
        }
        for (key, place, value) in schema["labels"]?.members ?? [] where !value.isNull {
            if key == "owner", let owner = value.string {
                event.details.append(DraftDetail(.owner, owner))
            } else {
                reader.findings.warn("the label `\(key)` of `\(name)` is not carried over", at: place)
            }
        }
        findings += reader.findings
        if kind == "common" {
            draft.common += event.columns
        } else if let same = draft.categories[category].events.firstIndex(where: { $0.name.isExactly(name) }) {
            // Segment has a rule for each version of an event.
            findings.warn(
                "`\(name)` has a second rule; the last one is used, and not the one "
                    + "at \(draft.categories[category].events[same].place)",
                at: place)
            draft.categories[category].events[same] = event
        } else {
            draft.categories[category].events.append(event)
        }
    }

    // MARK: rudder-cli

    private mutating func readCatalog(_ plans: [Tree]) {
        for (name, tree) in catalog.customTypes { readCustomType(name, tree) }
        let described: Set<String> = ["name", "description"]
        let typed: Set<String> = described.union([
            "type", "types", "item_type", "itemType", "item_types", "itemTypes", "config", "propConfig",
        ])
        for (kind, item) in catalog.items {
            let name = "`\(item[["name", "id"]]?.string ?? "")`"
            switch kind {
            case .document: tellRest(of: item, read: ["kind", "spec"], "the document")
            case .property: tellRest(of: item, read: typed, "the property \(name)")
            case .event: tellRest(of: item, read: described.union(["event_type", "category"]), "the event \(name)")
            case .category: tellRest(of: item, read: ["name"], "the category \(name)")
            case .customType:
                // The members of an object are lost together with the object. The loss is reported for the property
                // that has this type.
                tellRest(of: item, read: typed.union(["properties", "variants"]), "the type \(name)")
            }
        }
        if plans.isEmpty {
            findings.warn("no file has rules: a tracking plan has the kind `tp` or `tracking-plan`", at: catalog.place)
        }
        for plan in plans {
            let spec = plan["spec"] ?? plan
            let planName = category ?? spec[["display_name", "name", "id"]]?.string ?? plan.source.stem
            for rule in spec["rules"]?.items ?? [] { readRudderRule(rule, planName, plan) }
            tellRest(of: plan["spec"] == nil ? nil : plan, read: ["kind", "spec"], "the document")
            tellRest(of: spec, read: ["kind", "display_name", "name", "description", "rules"], "the tracking plan")
            if let description = spec["description"]?.string,
                let index = draft.categories.firstIndex(where: { $0.name.isExactly(planName) })
            {
                draft.categories[index].description = DraftText(description)
            }
        }
        for unused in catalog.withoutUse(used) {
            findings.note("`\(unused.id)` is left out: no rule refers to it", at: unused.place)
        }
    }

    private mutating func readCustomType(_ name: String, _ tree: Tree) {
        var reader = rudderReader()
        let kind = tree["type"]?.string ?? "string"
        guard ["string", "integer", "number", "boolean"].contains(kind),
            var type = reader.type(name, RudderCatalog.schema(of: tree), at: tree.place)
        else { return }
        findings += reader.findings
        type.description = DraftText(tree["description"]?.string ?? "")
        draft.types.append(type)
    }

    private func rudderReader() -> SchemaReader {
        var reader = SchemaReader()
        let catalog = catalog
        let types = Set(draft.types.map { ExactString($0.name) })
        reader.reference = { text in
            guard let tree = catalog[.customType, text] else { return .unknown }
            let name = tree["name"]?.string ?? text
            return types.contains(ExactString(name)) ? .type(name) : .schema(RudderCatalog.schema(of: tree))
        }
        return reader
    }

    private mutating func readRudderRule(_ rule: Tree, _ planName: String, _ plan: Tree) {
        let reference = rule["event"]?.string ?? rule["event"]?["$ref"]?.string
        guard let reference else { return findings.warn("the rule does not name an event", at: rule.place) }
        guard let event = catalog[.event, reference] else {
            return findings.warn(
                "the event `\(reference)` is not in any of the files", at: rule["event"]?.place ?? rule.place)
        }
        used.insert(event.place)
        let type = event["event_type"]?.string ?? "track"
        let name = event["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? type
        var made = DraftEvent(name: name, place: rule.place)
        made.description = DraftText(event["description"]?.string ?? "")
        var reader = rudderReader()
        for entry in rule["properties"]?.items ?? [] {
            guard let reference = entry[["$ref", "property"]]?.string else {
                findings.warn("the entry does not name a property", at: entry.place)
                continue
            }
            guard let property = catalog[.property, reference] else {
                findings.warn("the property `\(reference)` is not in any of the files", at: entry.place)
                continue
            }
            used.insert(property.place)
            tellRest(
                of: entry,
                read: ["$ref", "property", "required", "properties", "additionalProperties", "additional_properties"],
                "a rule's property")
            let schema = RudderCatalog.schema(of: property)
            let propertyName = property["name"]?.string ?? reference
            if let column = reader.column(
                propertyName, schema, isRequired: entry["required"]?.bool ?? false, at: entry.place)
            {
                made.columns.append(column)
            }
        }
        if let variants = rule["variants"] {
            findings.warn(
                "the variants of `\(name)` are not carried over: an event has one list of columns", at: variants.place)
        }
        if rule["event"]?["allow_unplanned"]?.bool ?? rule["additional_properties"]?.bool ?? false {
            findings.note(
                "`\(name)` allows other properties: they are not carried over, as definitions list all columns",
                at: rule.place)
        }
        tellRest(
            of: rule, read: ["type", "event", "properties", "variants", "additional_properties"],
            "the rule of `\(name)`")
        tellRest(of: rule["event"], read: ["$ref", "allow_unplanned"], "the rule of `\(name)`")
        findings += reader.findings
        // In the form `rudder/0.1`, the category is a reference, or an object with the reference as its `$ref`.
        let categoryReference = event["category"]?.string ?? event["category"]?["$ref"]?.string
        if category == nil, let reference = categoryReference, catalog.categoryName(reference) == nil {
            findings.warn(
                "the category `\(reference)` of `\(name)` is not in any of the files",
                at: event["category"]?.place ?? event.place)
        }
        let categoryName = category ?? categoryReference.flatMap { catalog.categoryName($0) } ?? planName
        let index = draft.index(ofCategory: categoryName, at: plan.place)
        if let same = draft.categories[index].events.firstIndex(where: { $0.name.isExactly(name) }) {
            findings.warn(
                "`\(name)` has a second rule; the first one is used, at \(draft.categories[index].events[same].place)",
                at: rule.place)
        } else {
            draft.categories[index].events.append(made)
        }
    }
}

/// The parts of a `rudder-cli` project that rules refer to.
struct RudderCatalog {
    enum Kind: String { case document, property, event, category, customType = "custom-type" }

    /// The items of each kind by reference.
    private var entries: [Kind: [String: Tree]] = [:]
    private(set) var customTypes: [(name: String, tree: Tree)] = []
    private(set) var place = SourcePlace("")
    /// All collected parts, to report their unread members.
    private(set) var items: [(kind: Kind, tree: Tree)] = []

    var isEmpty: Bool { entries[.property] == nil && entries[.event] == nil && entries[.customType] == nil }

    /// The kinds of the items of a document, and the member that contains them, by the document's kind.
    private static let documents: [String: (kind: Kind, member: String)] = [
        "properties": (.property, "properties"), "events": (.event, "events"), "categories": (.category, "categories"),
        "custom-types": (.customType, "types"),
    ]

    /// Collects the items of one YAML document of a `rudder-cli` project.
    mutating func collect(_ tree: Tree, plans: inout [Tree], _ findings: inout [Finding]) {
        let kind = tree["kind"]?.string ?? ""
        let group = tree["metadata"]?["name"]?.string ?? ""
        if place.path.isEmpty { place = tree.place }
        if kind == "tp" || kind == "tracking-plan" { return plans.append(tree) }
        if tree["spec"] != nil { items.append((.document, tree)) }
        guard let document = Self.documents[kind] else {
            return findings.warn(
                "the document is left out: `\(kind)` is not part of a tracking plan", at: tree.place)
        }
        for item in (tree["spec"] ?? tree)[document.member]?.items ?? [] {
            items.append((document.kind, item))
            guard let id = item["id"]?.string else {
                findings.warn("this is left out: it has no `id`, so no rule can refer to it", at: item.place)
                continue
            }
            // The references are `#/properties/GROUP/ID` in the form `rudder/0.1`, and `#property:ID` in `rudder/v1`.
            for key in ["#/\(kind)/\(group)/\(id)", "#\(document.kind.rawValue):\(id)", "#\(kind):\(id)"]
            where self[document.kind, key] == nil {
                entries[document.kind, default: [:]][key] = item
            }
            if document.kind == .customType { customTypes.append((item["name"]?.string ?? id, item)) }
        }
    }

    subscript(kind: Kind, reference: String) -> Tree? { entries[kind]?[reference] }

    /// Returns the properties and events that no rule refers to, ordered by place.
    /// - Parameter used: the places of the properties and events that rules refer to.
    func withoutUse(_ used: Set<SourcePlace>) -> [(id: String, place: SourcePlace)] {
        var seen = used
        let all = [Kind.property, .event].flatMap { Array((entries[$0] ?? [:]).values) }
        let rest = all.filter { seen.insert($0.place).inserted }
        return rest.map { ($0["id"]?.string ?? "", $0.place) }.sorted {
            ($0.1.path, $0.1.line) < ($1.1.path, $1.1.line)
        }
    }

    func categoryName(_ reference: String) -> String? { self[.category, reference]?["name"]?.string }

    static func schema(of item: Tree) -> Tree {
        var members: [(key: String, at: Int, value: JSONValue)] = []
        func add(_ key: String, _ value: JSONValue, at: Int) {
            if !members.contains(where: { $0.key == key }) { members.append((key, at, value)) }
        }
        for (key, at, value) in item.value.content.members {
            switch key {
            case "description": add(key, value, at: at)
            case "type", "types": addType(value, at: at, &members)
            case "item_type", "itemType": add("items", schema(ofType: [value]), at: at)
            case "item_types", "itemTypes":
                if case .array(let types) = value.content { add("items", schema(ofType: types), at: at) }
            case "config", "propConfig":
                for rule in value.content.members { addRule(rule, &members) }
            default: break
            }
        }
        return Tree(JSONValue(content: .object(members), at: item.value.at), in: item.source)
    }

    private static func addRule(
        _ rule: (key: String, at: Int, value: JSONValue), _ members: inout [(key: String, at: Int, value: JSONValue)]
    ) {
        // The key is `min_length` in one form and `minLength` in the other.
        let parts = rule.key.split(separator: "_")
        let key = parts.enumerated().map {
            $0.offset == 0 ? String($0.element) : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
        }.joined()
        if key == "itemTypes", case .array(let types) = rule.value.content {
            members.append(("items", rule.at, schema(ofType: types)))
        } else if key == "itemType" {
            members.append(("items", rule.at, schema(ofType: [rule.value])))
        } else {
            members.append((key, rule.at, rule.value))
        }
    }

    /// Adds a type: `string`, `string, null`, a list of names, or a reference to a custom type.
    private static func addType(
        _ value: JSONValue, at: Int, _ members: inout [(key: String, at: Int, value: JSONValue)]
    ) {
        var names: [JSONValue] = []
        switch value.content {
        case .string(let text) where text.hasPrefix("#"):
            members.append(("$ref", at, value))
            return
        case .string(let text):
            names = text.split(separator: ",").map { JSONValue(content: .string(String(trimmed($0))), at: value.at) }
        case .array(let items): names = items
        default: return
        }
        members.append(("type", at, JSONValue(content: .array(names), at: value.at)))
    }

    private static func schema(ofType types: [JSONValue]) -> JSONValue {
        let at = types.first?.at ?? 0
        if types.count == 1, case .string(let text) = types[0].content, text.hasPrefix("#") {
            return JSONValue(content: .object([("$ref", at, types[0])]), at: at)
        }
        return JSONValue(content: .object([("type", at, JSONValue(content: .array(types), at: at))]), at: at)
    }
}
