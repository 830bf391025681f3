/// The facts of one Swift file about taps: its types, properties that may be buttons, and aliases.
///
/// The facts depend only on this file, so they can be cached until the file changes. Offsets are UTF-8 bytes.
package struct SourceFacts: Sendable, Codable, Equatable {
    package var declarations: [Declaration] = []
    package var aliases: [Alias] = []
    package var syntaxErrors: [SyntaxError] = []

    package init() {}

    /// A declaration of a type, or an extension.
    package struct Declaration: Sendable, Codable, Equatable {
        package enum Kind: String, Sendable, Codable {
            case `class`, `extension`, `protocol`
            /// A structure, an enumeration or an actor, in which types may be nested.
            case other
        }

        package var kind: Kind
        /// The enclosing types followed by the name. An extension has the path of the type that it extends.
        package var path: [String]
        /// The superclass and protocols as written, dotted.
        package var inherited: [String] = []
        /// A Boolean value that indicates whether the conformance is conditional.
        package var isConditional = false
        /// The enclosing `#if` conditions, each in parentheses.
        package var conditions: [String] = []
        /// A Boolean value that indicates whether other files can name the type.
        package var isVisible = true
        /// The `@available` attributes of the type.
        package var availability: [String] = []
        package var members: [Member] = []
        /// A Boolean value that indicates whether the type declares `tapEvents`, which replace the definitions' events.
        package var hasTapEvents = false
        /// The offset of `tapEvents` if they are private, because generated code cannot read them.
        package var privateTapEvents: Int?
        package var offset: Int
    }

    /// A property that may be a button.
    package struct Member: Sendable, Codable, Equatable {
        package enum Exclusion: String, Sendable, Codable {
            case computed = "it is computed"
            case isStatic = "it belongs to the type"
            case ignored = "`// loggen:ignore` excludes it"
        }

        /// The name as written, in backticks if it needs them.
        package var name: String
        /// The type from an annotation or an evident expression; nil otherwise.
        package var type: TypeShape?
        package var exclusion: Exclusion?
        /// A Boolean value that indicates whether only this file can name the property.
        package var isPrivate = false
        package var isLazy = false
        /// The enclosing `#if` conditions within its type.
        package var conditions: [String] = []
        package var offset: Int
    }

    /// A type, reduced to the parts that identify a button: `[UIButton]?` is an array of `UIButton`.
    package struct TypeShape: Sendable, Codable, Equatable {
        /// The type's name, dotted. A composition has several.
        package var names: [String]
        package var isArray = false
        /// The type as written, for messages.
        package var text: String

        package init(_ names: [String], text: String) {
            self.names = names
            self.text = text
        }
    }

    package struct Alias: Sendable, Codable, Equatable {
        package var path: [String]
        package var type: TypeShape
    }

    package struct SyntaxError: Sendable, Codable, Equatable {
        package var message: String
        package var offset: Int
    }
}
