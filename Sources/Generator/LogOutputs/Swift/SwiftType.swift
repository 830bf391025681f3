package import LogDefinitions

/// The Swift that definitions become, for people: what an editor shows beside a document.
package enum SwiftType {
    /// A column's type, as code outside its category names it; nil for a common column.
    package static func text(of column: Column, in category: Category?) -> String {
        category.map { SwiftColumns().type(column, of: $0) } ?? SwiftColumns().type(column)
    }

    /// The call that posts an event, with example values. Nil if apps cannot post it.
    package static func call(_ event: Event, of category: Category) -> String? {
        EventCall.all.first?.text(event, of: category)
    }
}
