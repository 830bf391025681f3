/// The places of one file that name cases of generated categories. ``EventUsage`` finds out from all files which events
/// they are.
///
/// A pattern (`case .show:`) makes no event, so it is left out.
package struct EventUses: Sendable, Equatable {
    /// A case that is named.
    package struct Use: Sendable, Equatable {
        /// The type before the dot; nil if there is none.
        package var base: String?
        package var name: String
        /// The labels of its arguments; nil if it is not called.
        package var labels: [String?]?
        /// The types around it, in which names are looked up.
        package var scope: [String]
        /// What tells its type, if nothing stands before the dot.
        package var context = Context.unknown
        package var offset: Int
    }

    package enum Context: Sendable, Equatable {
        case unknown
        /// The value has this type: it is written beside or around the value.
        case type(String)
        /// It is an argument of a function, an initializer or a case; `hasReceiver` if the function is called on
        /// another value.
        case argument(of: String, label: String?, position: Int, hasReceiver: Bool)
    }

    /// A function and its parameters' types, which tell the types of arguments.
    package struct Function: Sendable, Equatable {
        package var name: String
        package var scope: [String]
        /// The generic parameters of the function and of the types around it.
        package var generics: Set<String>
        package var parameters: [(label: String?, type: String?)]

        package static func == (left: Function, right: Function) -> Bool {
            left.name == right.name && left.scope == right.scope && left.generics == right.generics
                && left.parameters.elementsEqual(right.parameters, by: ==)
        }
    }

    package var uses: [Use] = []
    package var functions: [Function] = []
    /// Names inside functions: aliases, and constants that hold a type.
    package var localAliases: [LocalAlias] = []

    package struct LocalAlias: Sendable, Equatable {
        package var name: String
        package var meant: String
        /// The part of the file in which the name is known.
        package var range: Range<Int>
    }

    package init() {}
}
