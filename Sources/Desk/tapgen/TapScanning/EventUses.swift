/// The places of one file that name cases of generated categories. ``EventUsage`` determines their events from all
/// files.
///
/// Patterns (`case .show:`) are excluded, because they do not create an event.
struct EventUses: Sendable {
    struct Use: Sendable {
        /// The type before the dot; nil for `.name`.
        var base: String?
        var name: String
        /// The labels of the arguments; nil if the case is not called.
        var labels: [String?]?
        /// The enclosing types, in which names are looked up.
        var scope: [String]
        /// The context that determines the type of `.name`.
        var context = Context.unknown
        var offset: Int
    }

    enum Context: Sendable {
        case unknown
        /// The type of the value, from an annotation, a cast or the enclosing declaration.
        case type(String)
        /// The value is an argument of a call. `hasReceiver` is true if the function is called on another value.
        case argument(of: String, label: String?, position: Int, hasReceiver: Bool)
    }

    /// A function and the types of its parameters, from which the types of arguments follow.
    struct Function: Sendable {
        var name: String
        var scope: [String]
        /// The generic parameters of the function and its enclosing types.
        var generics: Set<String>
        var parameters: [(label: String?, type: String?)]
    }

    var uses: [Use] = []
    var functions: [Function] = []
    /// Type aliases inside functions, and constants that hold a type.
    var localAliases: [LocalAlias] = []

    struct LocalAlias: Sendable {
        var name: String
        var meant: String
        /// The byte range in which the name is known.
        var range: Range<Int>
    }
}
