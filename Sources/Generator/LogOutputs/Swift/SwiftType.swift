package import LogDefinitions

/// Swift code that editors show for a definition.
package enum SwiftType {
    /// The column's type for code outside the type of its category. For a common column, `category` is nil.
    package static func text(of column: Column, in category: Category?) -> String {
        category.map { SwiftColumns.type(column, of: $0) } ?? SwiftColumns.type(column)
    }

    /// The call that posts an event, with example values. Nil if the event is retired or is not logged on iOS.
    package static func call(_ event: Event, of category: Category) -> String? {
        EventCall.all.first?.text(event, of: category)
    }
}
