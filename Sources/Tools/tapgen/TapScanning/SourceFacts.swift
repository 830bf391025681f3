/// What one Swift file says about taps: its types, properties that may be buttons, and aliases.
///
/// It depends on the file alone, so it can be kept until the file changes. Offsets are bytes of UTF-8.
package struct SourceFacts: Sendable, Codable, Equatable {
    package var declarations: [Declaration] = []
    package var aliases: [Alias] = []
    package var syntaxErrors: [SyntaxError] = []

    package init() {}

    /// A type's declaration, or an extension of one.
    package struct Declaration: Sendable, Codable, Equatable {
        package enum Kind: String, Sendable, Codable {
            case `class`, `extension`, `protocol`
            /// A structure, an enumeration or an actor: types may be nested in it.
            case other
        }

        package var kind: Kind
        /// The types around it, then its own name. An extension has the path of the type that it extends.
        package var path: [String]
        /// The superclass and protocols as written, dotted.
        package var inherited: [String] = []
        /// Whether it conforms under conditions, so that not every instance conforms.
        package var isConditional = false
        /// The `#if`s around it, each in parentheses.
        package var conditions: [String] = []
        /// Whether another file can name it.
        package var isVisible = true
        /// Its `@available` attributes.
        package var availability: [String] = []
        package var members: [Member] = []
        /// Whether it has events of its own in place of the definitions': `tapEvents`.
        package var hasTapEvents = false
        /// Where they are declared, if they are private: nobody else can ask for them.
        package var privateTapEvents: Int?
        package var offset: Int
    }

    /// A property that may be a button.
    package struct Member: Sendable, Codable, Equatable {
        package enum Exclusion: String, Sendable, Codable {
            case computed = "it is computed"
            case isStatic = "it belongs to the type"
            case ignored = "`// loggen:ignore` leaves it out"
        }

        /// As written, in backticks if it needs them.
        package var name: String
        /// Its type, declared or evident; nil if it is neither.
        package var type: TypeShape?
        package var exclusion: Exclusion?
        /// Whether only its own file can name it.
        package var isPrivate = false
        package var isLazy = false
        /// The `#if`s around it within its type.
        package var conditions: [String] = []
        package var offset: Int
    }

    /// A type, reduced to what decides whether it is a button's: `[UIButton]?` is an optional array of `UIButton`.
    package struct TypeShape: Sendable, Codable, Equatable {
        /// The type's name, dotted. A composition has several.
        package var names: [String]
        package var isArray = false
        /// As written, for messages.
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
