import LogDefinitions

/// The subject of a template: the part of the definitions that it is rendered for. Its file is `KIND.mustache`.
package enum TemplateKind: String, CaseIterable, Sendable {
    case category, common, types, all, index

    var meaning: String {
        switch self {
        case .category: "rendered for each category"
        case .common: "rendered if there is a common.md"
        case .types: "rendered if there is a types.md"
        case .all: "rendered once"
        case .index: "rendered once, to name the other files"
        }
    }
}

/// The contents of `output.yml`: the paths of files, the form of names and types, and the escaping.
struct OutputManifest: Sendable {
    static let fileName = "output.yml"

    var fileExtension = ""
    /// The templates of the files' paths, without the file extension.
    var paths: [TemplateKind: OutputTemplate] = [:]
    /// The range of the paths in `output.yml`, for messages.
    var pathRange = 0..<0
    var identifiers = Identifiers()
    /// Indicates whether an enumeration with the identifier of an event is inside of that event.
    var nestsEnumerations = false
    /// The types of the language. Nil if types are written in the notation of definition files.
    var types: TypeMap?
    /// The conditions that values have to meet. Nil if templates print no conditions.
    var checks: CheckMap?
    var limits = LanguageLimits()
    var options: [TemplateOption] = []
    /// The platform whose apps compile the files; nil for all platforms.
    var platform: Platform?
    var text: (string: TextLanguage, comment: TextLanguage) = (.json, .c)
}

/// The limits of the language's compiler; nil means unlimited.
struct LanguageLimits: Sendable {
    /// The maximum number of parameters for an event's columns. A type in `wide` counts as two. Every 32 columns add
    /// one parameter, a bit mask of the omitted columns.
    var parameters: Int?
    var wide: Set<ExactString> = []
    /// The maximum number of values of an enumeration.
    var values: Int?

    /// Returns the number of parameters for columns of the given types.
    func parameters(_ types: [String]) -> Int {
        types.reduce((types.count + 31) / 32) { $0 + (wide.contains(ExactString($1)) ? 2 : 1) }
    }
}

extension OutputManifest {
    package struct Key: Sendable {
        package var name: String
        package var meaning: String
    }

    private static let kindNames = TypeFacts.Kind.allCases.map { "`\($0.name)`" }.joined(separator: ", ")

    /// The keys of `output.yml`. `loggen templates` prints them as a table, which the documentation contains.
    package static let keys: [Key] = """
        extension | the extension of the files, without the dot; required
        file | the name of a category's file without the extension, as a template: `"{{category.name(pascal)}}"`; or \
        one for each of `category`, `common`, `types`, `all`, `index`. Default: `{{category.name}}` for a category, \
        and the template's name for the others
        platform | the platform of the files: `ios`, `android` or `web`. Events and columns of other platforms are \
        omitted. Default: all
        names | the case of `identifier` for `category`, `event`, `column`, `value`, `type`, `enum`: `snake`, \
        `camel`, `pascal`, `upper` or `kebab`. Default: as written, a value in `snake`
        keywords.words | the keywords of the language: an `identifier` that is one of them is escaped
        keywords.escape | the form of an escaped keyword, which replaces `{}`. Default: `{}_`
        nested | `enum`: an enumeration whose `identifier` is that of an event is in the event's `enumerations` \
        instead of the category's. `types.enum` then has `{{#nested}}`. Default: two equal identifiers are an error
        classes | those of `category`, `event`, `enum`, `type` for which the compiler writes a file with the \
        `identifier`: two that differ in case only are an error. Default: none
        types | the form of `{{type}}`: a string for each of \(kindNames), of those that definitions use. Default: \
        the notation of tables
        types.integer | a string, or one for each of the widths `8`, `16`, `32`, `64`, and `unsigned` with the same. \
        A missing width uses the next wider one; without `unsigned`, an unsigned integer uses the next wider signed \
        one
        types.number | a string, or one for each of the widths `32`, `64`
        types.enum | a template with the names of the column's enumeration: `"{{identifier}}"`; `{{column.name}}` is \
        the column's. In `{{#nested}}`, `{{identifier}}` is the category and `{{event}}` the event that the \
        enumeration is in
        types.array | a template with `{{item}}`, the items' type
        types.named | the form of a type that `types.md` defines: a template with its fields, as `"{{identifier}}"`. \
        `{{#external}}` is a type that the app defines
        types.optional | the type of an optional column, whose type replaces `{}`. Default: `{}`
        checks | the form of `{{check}}`, the constraint on a value: a template for each kind of type, as in `types`. \
        The template has the fields of a type (those of a section such as `{{#type.integer}}`). \
        `{{#item}}{{check}}{{/item}}` and `{{#named}}{{#scalar}}{{check}}{{/scalar}}{{/named}}` are the constraints \
        of the inner types
        limits.parameters | the maximum number of parameters for the columns of an event; more are an error. Types in \
        `limits.wide`, in the form of `{{type}}`, count as two, and every 32 parameters take one more. Default: any \
        number
        limits.values | the maximum number of values of an enumeration; more are an error. Default: any number
        options | the options below `outputs.NAME` in `loggen.yml`, each with its `default`; `{{option.package}}` \
        prints it. The value is a name, or names separated by dots, such as `com.example.logs`. With `words`, such as \
        `{short: "", long: .js}`, it is one of these words, and the word's value is printed
        text.string | the language of literals; required
        text.comment | the language of comments, for which all other text is escaped; required
        reserved | for `category`, `event`, `column`, `value`, `type`, `enum`: an `identifier` that the language does \
        not allow, even if it is escaped, gets the suffix `_`. `"{{option.package}}"` reserves the first name of an \
        option's value
        """.split(separator: "\n").map { line in
            let parts = line.split(separator: "|", maxSplits: 1)
            return Key(name: String(parts[0].dropLast()), meaning: String(parts[parts.count - 1].dropFirst()))
        }

    static var topKeys: [String] {
        keys.reduce(into: []) { names, key in
            let name = String(key.name.prefix { $0 != "." })
            if names.last != name { names.append(name) }
        }
    }
}
