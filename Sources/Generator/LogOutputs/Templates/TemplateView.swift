/// A part of the model for use in templates. Names, literals and comments are already escaped for the output's
/// language.
///
/// One declaration of a field serves the template reader, the renderer and `loggen templates`.
///
/// A view is passed to every tag. So the views that are large and have many tags are classes.
package protocol TemplateView: Sendable {
    static var fields: TemplateFields<Self> { get }
}

package struct TemplateFields<View: TemplateView>: Sendable {
    package private(set) var descriptions: [TemplateField] = []

    package init() {}

    /// Adds a field that prints.
    package func text(_ name: String, _ meaning: String, _ value: @escaping @Sendable (View) -> String) -> Self {
        adding(name, meaning, .text(isOptional: false) { ($0 as? View).map(value) })
    }

    /// Adds a field that prints. The field is also a section, which is rendered if there is something to print.
    package func optionalText(_ name: String, _ meaning: String, _ value: @escaping @Sendable (View) -> String?) -> Self
    {
        adding(name, meaning, .text(isOptional: true) { ($0 as? View).flatMap(value) })
    }

    /// Adds a field that is only a section.
    package func flag(_ name: String, _ meaning: String, _ value: @escaping @Sendable (View) -> Bool) -> Self {
        adding(name, meaning, .flag { ($0 as? View).map(value) ?? false })
    }

    /// Adds a section that repeats for each child.
    /// - Parameter child: the child's name in dotted names, such as `event` in `{{event.name}}`. With it, a template
    ///   can name the child's field where another view's field of the same name hides it.
    package func list<Child: TemplateView>(
        _ name: String, of child: String = "", _ meaning: String, _ type: Child.Type,
        _ value: @escaping @Sendable (View) -> [Child]
    ) -> Self {
        let children = TemplateField.Children(type: "\(Child.self)", child: child) { Child.fields.descriptions }
        return adding(name, meaning, .views(children, isList: true) { ($0 as? View).map(value) ?? [] })
    }

    /// Adds a section that is rendered once if the child exists.
    package func view<Child: TemplateView>(
        _ name: String, _ meaning: String, _ type: Child.Type, _ value: @escaping @Sendable (View) -> Child?
    ) -> Self {
        let children = TemplateField.Children(type: "\(Child.self)", child: name) { Child.fields.descriptions }
        return adding(
            name, meaning,
            .views(children, isList: false) { ($0 as? View).flatMap(value).map { [$0] } ?? [] })
    }

    /// Adds fields that lists of fields show as a single one, such as `name(CASE)`.
    package func family(_ name: String, _ meaning: String, _ more: (Self) -> Self) -> Self {
        var copy = more(self)
        for index in descriptions.count..<copy.descriptions.count {
            copy.descriptions[index].family = TemplateField.Family(name: name, meaning: meaning)
        }
        return copy
    }

    private func adding(_ name: String, _ meaning: String, _ value: TemplateField.Value) -> Self {
        var copy = self
        copy.descriptions.append(TemplateField(name: name, meaning: meaning, value: value))
        return copy
    }
}

/// A field that templates can name.
package struct TemplateField: Sendable {
    /// The fields inside a section. The fields are computed lazily, because a type may contain itself.
    package struct Children: Sendable {
        /// The kind of view. Views of the same kind have the same fields.
        package var type: String
        package var child: String
        package var fields: @Sendable () -> [TemplateField]
    }

    package enum Value: Sendable {
        /// A string. An optional one is also a section.
        case text(isOptional: Bool, @Sendable (any TemplateView) -> String?)
        case flag(@Sendable (any TemplateView) -> Bool)
        case views(Children, isList: Bool, @Sendable (any TemplateView) -> [any TemplateView])
    }

    package var name: String
    package var meaning: String
    package var value: Value
    /// The entry in the list of fields for names that differ in one word; nil for a field with a separate entry.
    package var family: Family?

    package struct Family: Sendable {
        package var name: String
        package var meaning: String
    }

    /// The fields that only exist inside the section, if any.
    package var children: Children? {
        if case .views(let children, _, _) = value { children } else { nil }
    }
}
