import LogDefinitions

/// The section of an app's privacy manifest that lists the collected data and its purposes.
///
/// The keys and the closed lists of data types and purposes are from [Apple's
/// documentation](https://developer.apple.com/documentation/bundleresources/describing-data-use-in-privacy-manifests).
struct PrivacyManifestOutput: Output {
    let name = "privacy-manifest"
    let folderName = "PrivacyManifest"
    let contents = "Apple's privacy manifest, with the collected types of data"
    let isMadeUnasked = false

    let options = [
        OutputOption("data") { PrivacyMapping.read($0).problems }
            .needed(
                by: "privacy-manifest", "`data`: the columns of each of Apple's data types",
                example: "data: {UserID: {columns: [user_id], purposes: [Analytics], linked: true}}")
    ]

    func prepare(_ analysis: inout AnalysisOptions, settings: OutputSettings) {
        // Without a mapping, every column would be reported. The missing mapping is reported once instead.
        guard settings.setting("data") != nil else { return }
        analysis.turnOn(.privacyManifest, .error)
        for entry in mapping(settings) {
            analysis.collectedData.columns.formUnion(entry.columns.compactMap(\.text))
            analysis.collectedData.types.formUnion(entry.types.compactMap(\.text))
        }
    }

    func unknownNames(in definitions: Definitions, settings: OutputSettings) -> [Setting.Problem] {
        let mapping = mapping(settings)
        let asked = Set(mapping.flatMap(\.columns).compactMap(\.text))
        var missing = asked
        definitions.forEachColumns { columns, _ in for column in columns { missing.remove(column.name) } }
        // Only names with their events, and unknown ones, need the names of all columns.
        let columns = missing.isEmpty ? asked : Self.mappableColumnNames(definitions)
        let types = Set(definitions.types.map(\.name))
        return mapping.flatMap { entry in
            [("column", entry.columns, columns), ("type", entry.types, types)].flatMap { what, names, known in
                names.filter { !known.contains($0.text ?? "") }.map { name in
                    let text = name.text ?? ""
                    return Setting.Problem(
                        "unknown \(what) `\(text)`", at: name.range, help: didYouMean(text, among: known.sorted()))
                }
            }
        }
    }

    private static func mappableColumnNames(_ definitions: Definitions) -> Set<String> {
        var columns: Set<String> = []
        for column in definitions.common?.columns ?? [] { columns.insert(column.name) }
        for category in definitions.categories {
            for event in category.events {
                for column in event.columns {
                    columns.formUnion([column.name, "\(category.name).\(event.name).\(column.name)"])
                }
            }
        }
        return columns
    }

    private func mapping(_ settings: OutputSettings) -> [PrivacyMapping] {
        settings.setting("data").map { PrivacyMapping.read($0).mapping } ?? []
    }

    func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        let mapping = mapping(settings)
        return [
            OutputPart(path: "PrivacyInfo.xcprivacy", document: nil) {
                PrivacyManifest.bytes(mapping, model.definitions)
            }
        ]
    }
}

/// One of Apple's data types with its settings in `loggen.yml`.
struct PrivacyMapping {
    var type: String
    var columns: [Setting] = []
    var types: [Setting] = []
    var purposes: [String] = []
    /// Indicates whether the data is linked to the user's identity.
    var isLinked = false
    var isTracking = false

    static let types = [
        "Name", "EmailAddress", "PhoneNumber", "PhysicalAddress", "OtherUserContactInfo", "Health", "Fitness",
        "PaymentInfo", "CreditInfo",
        "OtherFinancialInfo", "PreciseLocation", "CoarseLocation", "SensitiveInfo", "Contacts", "EmailsOrTextMessages",
        "PhotosorVideos",
        "AudioData", "GameplayContent", "CustomerSupport", "OtherUserContent", "BrowsingHistory", "SearchHistory",
        "UserID", "DeviceID",
        "PurchaseHistory", "ProductInteraction", "AdvertisingData", "OtherUsageData", "CrashData", "PerformanceData",
        "OtherDiagnosticData",
        "EnvironmentScanning", "Hands", "Head", "OtherDataTypes",
    ]

    static let purposes = [
        "ThirdPartyAdvertising", "DeveloperAdvertising", "Analytics", "ProductPersonalization", "AppFunctionality",
        "Other",
    ]

    /// Reads `data`. The result is in Apple's order of data types.
    static func read(_ setting: Setting) -> (mapping: [PrivacyMapping], problems: [Setting.Problem]) {
        guard let entries = setting.mapping, !entries.isEmpty else {
            return ([], [.init("`data` takes Apple's data types, each with its columns", at: setting.range)])
        }
        var mapping: [PrivacyMapping] = []
        var problems: [Setting.Problem] = []
        for (key, value) in entries {
            guard let type = word(key, types, "an Apple data type", &problems) else { continue }
            mapping.append(read(type, key, value, &problems))
        }
        mapping.sort { (types.firstIndex(of: $0.type) ?? 0) < (types.firstIndex(of: $1.type) ?? 0) }
        return (mapping, problems)
    }

    private static func read(_ type: String, _ key: Setting, _ value: Setting, _ problems: inout [Setting.Problem])
        -> PrivacyMapping
    {
        var entry = PrivacyMapping(type: type)
        let keys = ["columns", "types", "purposes", "linked", "tracking"]
        var given: Set<String> = []
        for (name, setting) in value.mapping ?? [] {
            guard let name = word(name, keys, "a key of `\(type)`", &problems) else { continue }
            given.insert(name)
            switch name {
            case "columns": entry.columns = names(setting, "columns", &problems)
            case "types": entry.types = names(setting, "types", &problems)
            case "purposes":
                for text in names(setting, "purposes", &problems) {
                    guard let purpose = word(text, purposes, "an Apple purpose", &problems) else { continue }
                    if entry.purposes.contains(purpose) {
                        problems.append(.init("`\(purpose)` is listed twice", at: text.range))
                    } else {
                        entry.purposes.append(purpose)
                    }
                }
            default:
                let isTrue = setting.text.flatMap { ["true": true, "false": false][$0] }
                if isTrue == nil { problems.append(.init("`\(name)` must be `true` or `false`", at: setting.range)) }
                if name == "linked" { entry.isLinked = isTrue ?? false } else { entry.isTracking = isTrue ?? false }
            }
        }
        if given.isDisjoint(with: ["columns", "types"]) {
            problems.append(.init("`\(type)` has neither `columns` nor `types`", at: key.range))
        }
        for (name, help) in [
            ("purposes", "choose from " + list(purposes)),
            ("linked", "`true` if the data is linked to the user's identity, else `false`"),
        ] where !given.contains(name) {
            problems.append(.init("`\(type)` needs `\(name)`", at: key.range, help: help))
        }
        return entry
    }

    private static func names(_ setting: Setting, _ key: String, _ problems: inout [Setting.Problem]) -> [Setting] {
        let items = if case .list(let items) = setting.content { items } else { [setting] }
        guard setting.texts != nil else {
            problems.append(.init("`\(key)` takes a name or a list of names", at: setting.range))
            return []
        }
        return items
    }

    private static func word(_ setting: Setting, _ words: [String], _ what: String, _ problems: inout [Setting.Problem])
        -> String?
    {
        let text = setting.text ?? ""
        if words.containsExactly(text) { return text }
        problems.append(
            .init(
                "`\(text)` is not \(what)", at: setting.range,
                help: didYouMean(text, among: words) ?? choice(of: words)))
        return nil
    }

    private static func list(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }
}

/// The content of the property list. All strings in it come from Apple's lists.
private enum PrivacyManifest {
    static func bytes(_ mapping: [PrivacyMapping], _ definitions: Definitions) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- \(GeneratedHeader.text(from: "all log definitions")) -->
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>NSPrivacyCollectedDataTypes</key>
            \t<array>

            """
        for entry in mapping where isCollected(entry, definitions) {
            text += """
                \t\t<dict>
                \t\t\t<key>NSPrivacyCollectedDataType</key>
                \t\t\t<string>NSPrivacyCollectedDataType\(entry.type)</string>
                \t\t\t<key>NSPrivacyCollectedDataTypeLinked</key>
                \t\t\t<\(entry.isLinked)/>
                \t\t\t<key>NSPrivacyCollectedDataTypeTracking</key>
                \t\t\t<\(entry.isTracking)/>
                \t\t\t<key>NSPrivacyCollectedDataTypePurposes</key>
                \t\t\t<array>
                \(entry.purposes.map { "\t\t\t\t<string>NSPrivacyCollectedDataTypePurpose\($0)</string>" }.joined(separator: "\n"))
                \t\t\t</array>
                \t\t</dict>

                """
        }
        return Array((text + "\t</array>\n</dict>\n</plist>\n").utf8)
    }

    /// Returns whether a data type is listed. It is omitted if all its columns are retired or of other platforms.
    private static func isCollected(_ entry: PrivacyMapping, _ definitions: Definitions) -> Bool {
        var data = CollectedData()
        data.columns = Set(entry.columns.compactMap(\.text))
        data.types = Set(entry.types.compactMap(\.text))
        var isFound = false
        definitions.forEachCollectedColumn { columns, index, event in
            isFound = isFound || data.contains(columns[index], of: event)
        }
        return isFound
    }
}
