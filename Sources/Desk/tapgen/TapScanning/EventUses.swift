/// The places of one file that name cases of generated categories. ``EventUsage`` determines their events from all
/// files.
///
/// Patterns (`case .show:`) are excluded, because they do not create an event.
package struct EventUses: Sendable {
    /// A use of a case.
    package struct Use: Sendable {
        /// The type before the dot; nil for `.name`.
        package var base: String?
        package var name: String
        /// The labels of the arguments; nil if the case is not called.
        package var labels: [String?]?
        /// The enclosing types, in which names are looked up.
        package var scope: [String]
        /// The context that determines the type of `.name`.
        package var context = Context.unknown
        package var offset: Int
    }

    package enum Context: Sendable {
        case unknown
        /// The type of the value, from an annotation, a cast or the enclosing declaration.
        case type(String)
        /// The value is an argument of a call. `hasReceiver` is true if the function is called on another value.
        case argument(of: String, label: String?, position: Int, hasReceiver: Bool)
    }

    /// A function and the types of its parameters, from which the types of arguments follow.
    package struct Function: Sendable {
        package var name: String
        package var scope: [String]
        /// The generic parameters of the function and its enclosing types.
        package var generics: Set<String>
        package var parameters: [(label: String?, type: String?)]
    }

    package var uses: [Use] = []
    package var functions: [Function] = []
    /// Type aliases inside functions, and constants that hold a type.
    package var localAliases: [LocalAlias] = []

    package struct LocalAlias: Sendable {
        package var name: String
        package var meant: String
        /// The byte range in which the name is known.
        package var range: Range<Int>
    }
}
