/// Where a file names cases of generated categories, and how.
///
/// What a pattern names (`case .show:`) is looked at, not made, and stands nowhere here.
package struct EventUses: Sendable, Equatable {
    /// A case that is named.
    package struct Use: Sendable, Equatable {
        /// What stands before the dot: a type, dotted; nil where nothing does.
        package var base: String?
        package var name: String
        /// The labels of its arguments; nil where it is not called.
        package var labels: [String?]?
        /// The types around it, by which bare names and names of types are looked up.
        package var scope: [String]
        /// Where nothing stands before the dot: what tells its type.
        package var context = Context.unknown
        package var offset: Int
    }

    package enum Context: Sendable, Equatable {
        case unknown
        /// A type that is written where the value goes, or around it.
        case type(String)
        /// An argument of a function, an initializer or a case; whether it is another value's.
        case argument(of: String, label: String?, position: Int, hasReceiver: Bool)
    }

    /// A function's parameter types, by which arguments tell theirs; nil where a type is no single name.
    package struct Function: Sendable, Equatable {
        package var name: String
        package var scope: [String]
        /// Of it and of the types around it: names that mean any type.
        package var generics: Set<String>
        package var parameters: [(label: String?, type: String?)]

        package static func == (left: Function, right: Function) -> Bool {
            left.name == right.name && left.scope == right.scope && left.generics == right.generics
                && left.parameters.elementsEqual(right.parameters, by: ==)
        }
    }

    package var uses: [Use] = []
    package var functions: [Function] = []
    /// Names of one function's own: aliases, and constants that hold a type.
    package var localAliases: [LocalAlias] = []

    package struct LocalAlias: Sendable, Equatable {
        package var name: String
        package var meant: String
        /// Where it can be seen.
        package var range: Range<Int>
    }

    package init() {}
}
