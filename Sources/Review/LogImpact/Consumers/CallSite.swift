/// A place in an app's code that creates an event, and the columns that it passes.
package struct CallSite: Hashable, Sendable {
    /// The event, as `category.event`.
    package var event: String
    package var line: Int
    /// The column in the line; nil if the source does not contain it.
    package var column: Int?
    /// The button whose tap posts the event; nil if code creates it.
    package var tap: String?
    /// The reason why the call site might not create the event; nil if it certainly does.
    package var doubt: Doubt?
    /// The record's members that the call passes.
    package var passed: Set<String> = []
    /// The record's members that the call may pass, because tapgen does not list arguments.
    package var possible: Set<String> = []

    /// The reason for an uncertain call. The raw value is the string in reports.
    package enum Doubt: String, Hashable, Sendable, CaseIterable {
        case unlisted = "tapgen does not list arguments"
        case otherCase = "a case that another type can have"
    }
}
