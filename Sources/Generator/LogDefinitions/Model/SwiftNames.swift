/// The Swift names for identifiers and values of a definition.
///
/// Names are derived without escaping, so that collisions are visible. `escaped(_:)` makes a derived name valid in
/// source. A derived name has `_` only as its first character, before a digit or `none`.
package enum SwiftNames {
    /// The type name for a `snake_case` identifier: `recipe_search` → `RecipeSearch`.
    package static func typeName(_ snake: String) -> String { camelCase(snake, capitalizesFirst: true) }

    /// The name of the Swift file for a definition file, both without extensions. The result depends only on the
    /// definition file's name, because the build plugin does not read contents.
    package static func fileName(ofStem stem: String) -> String { stem == "common" ? "CommonColumns" : typeName(stem) }

    /// The name of a case, property or parameter for a `snake_case` identifier: `recipe_id` → `recipeId`.
    package static func memberName(_ snake: String) -> String { camelCase(snake, capitalizesFirst: false) }

    /// The case name for a value of an enumeration, which may be any string. Nil if no character of it is valid in an
    /// identifier.
    ///
    /// Words are separated by `_` and by characters that are invalid in identifiers: `Most popular!` → `mostPopular`,
    /// `NEW_ARRIVAL` → `newArrival`, `3d` → `_3d`, `新着` → `新着`. Signs at the end are words: `c++` → `cPlusPlus`.
    /// `none` becomes `_none`, because `.none` of an optional enumeration is nil.
    package static func caseName(forValue value: String) -> String? {
        var name = ""
        for word in value.unicodeScalars.split(whereSeparator: { !isIdentifierPart($0) }) {
            var text = String(word)
            if text == text.uppercased() { text = text.lowercased() }
            name += withFirstLetter(of: text, capitalized: !name.isEmpty)
        }
        guard let first = name.unicodeScalars.first else { return nil }
        name += signs(atEndOf: value).joined()
        return isIdentifierHead(first) && name != "none" ? name : "_" + name
    }

    /// The words of the signs at the end of a value, in order: those of `c++` and of `c#` differ.
    package static func signs(atEndOf value: String) -> [String] {
        let signs = value.unicodeScalars.reversed().prefix { $0 == "+" || $0 == "#" }
        return signs.reversed().map { $0 == "+" ? "Plus" : "Sharp" }
    }

    /// The name in source code, in backticks if Swift would parse it as a keyword, a metatype or an initializer.
    package static func escaped(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// The label of an argument in a call, where Swift takes most keywords as they are.
    package static func label(_ snake: String) -> String {
        let name = memberName(snake)
        return ["inout", "let", "var"].contains(name) ? escaped(name) : name
    }

    /// The types of generated files, and the runtime's public types. An app's type with such a name would hide one.
    package static let reservedTypeNames: Set<String> = generatedTypeNames.union(runtimeTypeNames)

    /// Returns true for the name of a type that generated code, the runtime, Swift, Foundation or SwiftUI already has.
    package static func isTaken(_ name: String) -> Bool {
        reservedTypeNames.contains(name) || frameworkTypeNames.contains(name)
    }

    /// The types that generated files use. A nested enumeration of a category with the same name would hide them.
    package static let reservedNestedTypeNames: Set<String> = generatedTypeNames.union([
        "ActivityTracking", "LogCategory", "LogColumns", "LogDate", "LogDefinition", "LogEncoder", "LogRecord",
        "LogValue", "LogViolation",
    ])

    /// Category names whose files would overwrite those of types, of the envelope, or `CommonColumns.swift`.
    package static let reservedCategoryNames: Set<String> = ["common", "envelope", "types"]

    /// Words with another meaning where Swift expects a type. In backticks, they would be hard to read.
    package static let contextualTypeNames: Set<String> = [
        "any", "async", "didSet", "each", "willSet",
    ]

    /// A similar name that does not clash with a type of the runtime.
    package static func free(_ snake: String) -> String {
        let candidates = ["log", "screen", "events"].map { "\(snake)_\($0)" }
        return candidates.first { !isTaken(typeName($0)) } ?? "\(snake)_2"
    }

    /// Names that are invalid for nested types: `Outer.Type` is a metatype, even in backticks. At the top level of a
    /// module, they are valid in backticks.
    package static let metatypeNames: Set<String> = ["Protocol", "Type"]

    /// Returns whether a string can name a type of the app: `RecipeID`, `Kitchen.RecipeID`.
    static func canBeType(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.allSatisfy { LogTrigger.isSwiftIdentifier($0) }
            && (parts.count == 1 || !metatypeNames.contains(String(parts.last ?? "")))
            && !parts.contains { contextualTypeNames.contains(String($0)) }
    }

    /// Derived names that are invalid for cases, because generated types have a static member with that name.
    ///
    /// `allCases` of `CaseIterable` matters for enumerations. Instance members, such as `encode(into:)`, do not clash.
    package static let protocolMemberNames: Set<String> = ["allCases"]

    /// Derived names that are invalid for events, because `LogCategory` requires them as members of the type.
    package static let categoryMemberNames: Set<String> = ["definition"]

    /// The Swift type for the values of a string format. A method of `LogEncoder` with the format's name encodes it.
    package static func type(of format: StringFormat) -> (name: String, isOfFoundation: Bool) {
        switch format {
        case .decimal: ("Decimal", true)
        case .date: ("LogDate", false)
        case .timestamp: ("Date", true)
        case .uuid: ("UUID", true)
        case .url: ("URL", true)
        }
    }

    private static let generatedTypeNames = Set(StringFormat.withoutArguments.map { type(of: $0).name }).union(
        """
        Any AnyObject Array Bool CaseIterable CommonColumns CustomStringConvertible Decimal Double Equatable Float
        Foundation Hashable Int Int16 Int32 Int64 Int8 Never Optional RawRepresentable Self Sendable StaticString
        String Swift UInt UInt16 UInt32 UInt64 UInt8 Void
        """.words)

    /// The runtime's modules and their public types. A test compares the list with the sources.
    static let runtimeTypeNames =
        """
        ActivityInspector ActivityInspectorView ActivityLogger ActivityLogging ActivityOutbox ActivityScope
        ActivityTracking ActivityTrackingSwiftUI ActivityTrackingTesting ActivityTrackingUIKit AppEnvironmentReader
        BackgroundWork BatchEncoding CloseFullScreenCover CollectionPolicy ConsoleDestination ContentRoot
        ContentVisibility DeadLetter FullScreenCoverHost FullScreenCovers GenericTap HTTPUploader ImpressionRule
        ImpressionTracker ImpressionTrackingController InspectorDestination InvalidRecords LogBatch LogButtonStyle
        LogCategory LogColumns LogDate LogDecision LogDefinition LogDestination LogEncoder LogPrivacy LogProcessor
        LogRecord LogStatus LogTrigger LogTypes LogUploader LogValue LogValueType LogViolation Outbox
        PresentationStack RecordResult RecordingDestination Redaction RootVisibility Sampling ScopeAddress
        ScopeDestination ScreenTracker ScrollViewTracker TapRegistration TapRegistry TapTrackable TrackableScrollView
        TrackedContents UploadResult VisibilityClock VisitEngagement
        """.words

    private static let keywords =
        """
        Any Protocol Self Type _ as associatedtype await break case catch class continue default defer deinit do else
        enum extension fallthrough false fileprivate for func guard if import in init inout internal is let nil none
        operator precedencegroup private protocol public repeat rethrows return self some static struct subscript
        super switch throw throws true try typealias var where while
        """.words

    private static func camelCase(_ snake: String, capitalizesFirst: Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(snake.utf8.count)
        var capitalizes = capitalizesFirst
        for byte in snake.utf8 {
            if byte == UInt8(ascii: "_") {
                capitalizes = capitalizesFirst || !bytes.isEmpty
            } else {
                let isLowercase = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
                bytes.append(capitalizes && isLowercase ? byte - 0x20 : byte)
                capitalizes = false
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func withFirstLetter(of word: String, capitalized: Bool) -> String {
        guard let first = word.first else { return word }
        return (capitalized ? first.uppercased() : first.lowercased()) + word.dropFirst()
    }

    /// Swift's `identifier-character` without `_` and invisible characters (joiners, direction marks, selectors).
    static func isIdentifierPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39: true
        case 0x5F: false
        case 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: isIdentifierHead(scalar)
        }
    }

    /// Swift's `identifier-head` (The Swift Programming Language, Lexical Structure) without invisible characters.
    static func isIdentifierHead(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x5F, 0x61...0x7A: true
        case 0..<0x80: false
        case 0x200B...0x200D, 0x202A...0x202E, 0x2060...0x206F, 0xAD, 0x180B...0x180F, 0x115F, 0x1160, 0x3164, 0xFFA0:
            false
        case 0xA8, 0xAA, 0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0xFF: true
        case 0x100...0x2FF, 0x370...0x167F, 0x1681...0x180D, 0x180F...0x1DBF: true
        case 0x1E00...0x1FFF: true
        case 0x203F...0x2040, 0x2054, 0x2070...0x20CF, 0x2100...0x218F, 0x2460...0x24FF, 0x2776...0x2793: true
        case 0x2C00...0x2DFF, 0x2E80...0x2FFF: true
        case 0x3004...0x3007, 0x3021...0x302F, 0x3031...0x303F, 0x3040...0xD7FF: true
        case 0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFDFF, 0xFE30...0xFE44, 0xFE47...0xFEFE, 0xFF00...0xFFF8: true
        case 0x10000...0xEFFFD: scalar.value & 0xFFFF < 0xFFFE
        default: false
        }
    }
}

extension String {
    var words: Set<String> { Set(split(whereSeparator: \.isWhitespace).map(String.init)) }
}
