import LogDefinitions

/// The subject of a template: the part of the definitions that it is rendered for. The template's file is
/// `KIND.mustache`.
package enum TemplateKind: String, CaseIterable, Sendable {
    case category, common, types, all

    var meaning: String {
        switch self {
        case .category: "rendered for each category"
        case .common: "rendered if there is a common.md"
        case .types: "rendered if there is a types.md"
        case .all: "rendered once"
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
    /// Nil if types are written as in a table.
    var types: TypeMap?
    /// Nil if templates print no checks.
    var checks: CheckMap?
    var limits = LanguageLimits()
    /// The options that `loggen.yml` can set.
    var options: [TemplateOption] = []
    /// The platform whose apps compile the files; nil if all do.
    var platform: Platform?
    var text: (string: TextLanguage, comment: TextLanguage) = (.json, .c)
}

/// The limits of the language's compiler; nil means unlimited.
struct LanguageLimits: Sendable {
    /// The maximum number of parameters for an event's columns. A type in `wide` counts as two. Every 32 columns add
    /// one parameter, which marks the omitted ones.
    var parameters: Int?
    var wide: Set<ExactText> = []
    /// The maximum number of values of an enumeration.
    var values: Int?

    /// Returns the number of parameters for columns of the given types.
    func parameters(_ types: [String]) -> Int {
        types.reduce((types.count + 31) / 32) { $0 + (wide.contains(ExactText($1)) ? 2 : 1) }
    }
}

extension OutputManifest {
    package struct Key: Sendable {
        package var name: String
        package var meaning: String
    }

    /// The keys of `output.yml`. `loggen templates` prints them as a table, which the documentation contains.
    package static let keys: [Key] = [
        Key(name: "extension", meaning: "the ending of the files, without the dot; needed"),
        Key(
            name: "file",
            meaning:
                "a template of the name of a category's file, without the ending: `\"{{category.name(pascal)}}\"`; or one for each of `category`, `common`, `types`, `all`. Left out: the category's name, `common`, `types`, `all`"
        ),
        Key(
            name: "platform",
            meaning:
                "the platform that the files are for: `ios`, `android` or `web`. Events and columns of other platforms are left out. Left out: all"
        ),
        Key(
            name: "names",
            meaning:
                "the case of `identifier` for `category`, `event`, `column`, `value`, `type`, `enum`: `snake`, `camel`, `pascal`, `upper` or `kebab`. Left out: as written, a value in `snake`"
        ),
        Key(
            name: "keywords.words",
            meaning: "words that the language takes for something else: an `identifier` that is one of them is escaped"),
        Key(name: "keywords.escape", meaning: "how it is escaped, with `{}` in its place. Left out: `{}_`"),
        Key(
            name: "types",
            meaning:
                "how `{{type}}` is written: a text for each of `string`, `integer`, `number`, `decimal`, `boolean`, `date`, `timestamp`, `uuid`, `url`, `enum`, `array`, `named`, of those that documents use. Left out: as a table writes it"
        ),
        Key(
            name: "types.integer",
            meaning:
                "a text, or one for each of the widths `8`, `16`, `32`, `64`, and `unsigned` with the same. A width that is left out takes the next wider one; without `unsigned`, an unsigned integer takes the next wider signed one"
        ),
        Key(name: "types.number", meaning: "a text, or one for each of the widths `32`, `64`"),
        Key(
            name: "types.enum",
            meaning:
                "a template over the names of the type that the column brings along: `\"{{identifier}}\"`; `{{column.name}}` is the column's"
        ),
        Key(name: "types.array", meaning: "a template over `{{item}}`, the items' type"),
        Key(
            name: "types.named",
            meaning:
                "a template over the fields of the type of `types.md`: `\"{{identifier}}\"`. `{{#external}}` is a type that the documents know by name alone"
        ),
        Key(
            name: "types.optional",
            meaning: "what a column that may be left out makes of its type, with `{}` in its place. Left out: `{}`"),
        Key(
            name: "checks",
            meaning:
                "how `{{check}}` is written, which stands for what a value must keep to: a template over the facts of a type (what a section such as `{{#type.integer}}` holds) for each kind, as for `types`. `{{#item}}{{check}}{{/item}}` and `{{#named}}{{#scalar}}{{check}}{{/scalar}}{{/named}}` are those of the types within"
        ),
        Key(
            name: "limits.parameters",
            meaning:
                "how many parameters the columns of an event may make; more are an error. Types that `limits.wide` lists, as `{{type}}` writes them, count as two, and every 32 parameters take one more. Left out: any number"
        ),
        Key(
            name: "limits.values",
            meaning: "how many values an enumeration may have; more are an error. Left out: any number"),
        Key(
            name: "options",
            meaning:
                "what `loggen.yml` may say below `outputs.NAME`, each with its `default`; `{{option.package}}` prints it. The value is a name or names with dots between them, such as `com.example.logs`. With `words`, such as `{short: \"\", long: .js}`, it is one of these words, and what stands beside it is printed"
        ),
        Key(name: "text.string", meaning: "the language of literals; needed"),
        Key(name: "text.comment", meaning: "the language of comments, for which all other text is escaped; needed"),
        Key(
            name: "reserved",
            meaning:
                "for `category`, `event`, `column`, `value`, `type`, `enum`: an `identifier` that the language cannot take, not even escaped, gets a `_` behind it"
        ),
    ]

    /// The keys at the top of the file.
    static var topKeys: [String] {
        keys.reduce(into: []) { names, key in
            let name = String(key.name.prefix { $0 != "." })
            if names.last != name { names.append(name) }
        }
    }
}
