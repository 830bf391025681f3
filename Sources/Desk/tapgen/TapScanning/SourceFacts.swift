/// The facts of one Swift file about taps: its types, properties that may be buttons, and aliases.
///
/// The facts depend only on this file, so they can be cached until the file changes. Offsets are UTF-8 bytes.
struct SourceFacts: Sendable, Codable, Equatable {
    var declarations: [Declaration] = []
    var aliases: [Alias] = []
    var syntaxErrors: [SyntaxError] = []

    /// A declaration of a type, or an extension.
    struct Declaration: Sendable, Codable, Equatable {
        enum Kind: String, Sendable, Codable {
            case `class`, `extension`, `protocol`
            /// A structure, an enumeration or an actor, in which types may be nested.
            case other
        }

        var kind: Kind
        /// The enclosing types followed by the name. An extension has the path of the type that it extends.
        var path: [String]
        /// The superclass and protocols as written, dotted.
        var inherited: [String] = []
        /// A Boolean value that indicates whether the conformance is conditional.
        var isConditional = false
        /// The enclosing `#if` conditions, each in parentheses.
        var conditions: [String] = []
        /// A Boolean value that indicates whether other files can name the type.
        var isVisible = true
        /// The `@available` attributes of the type.
        var availability: [String] = []
        var members: [Member] = []
        /// A Boolean value that indicates whether the type declares `tapEvents`, which replace the definitions' events.
        var hasTapEvents = false
        /// The offset of `tapEvents` if they are private, because generated code cannot read them.
        var privateTapEvents: Int?
        var offset: Int
    }

    /// A property that may be a button.
    struct Member: Sendable, Codable, Equatable {
        enum Exclusion: String, Sendable, Codable {
            case computed = "it is computed"
            case isStatic = "it belongs to the type"
            case ignored = "`// loggen:ignore` excludes it"
        }

        /// The name as written, in backticks if it needs them.
        var name: String
        /// The type from an annotation or an evident expression; nil otherwise.
        var type: TypeShape?
        var exclusion: Exclusion?
        /// A Boolean value that indicates whether only this file can name the property.
        var isPrivate = false
        var isLazy = false
        /// The enclosing `#if` conditions within its type.
        var conditions: [String] = []
        var offset: Int
    }

    /// A type, reduced to the parts that identify a button: `[UIButton]?` is an array of `UIButton`.
    struct TypeShape: Sendable, Codable, Equatable {
        /// The type's name, dotted. A composition has several.
        var names: [String]
        var isArray = false
        /// The type as written, for messages.
        var text: String

        init(_ names: [String], text: String) {
            self.names = names
            self.text = text
        }
    }

    struct Alias: Sendable, Codable, Equatable {
        var path: [String]
        var type: TypeShape
    }

    struct SyntaxError: Sendable, Codable, Equatable {
        var message: String
        var offset: Int
    }
}
