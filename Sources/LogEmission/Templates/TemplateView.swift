package import Mustache

/// A part of the model as templates see it: names, literals and comments already escaped for the output's language.
///
/// One declaration of the fields serves the lookup while rendering, the check of templates before, and `loggen templates`.
package protocol TemplateView: MustacheParent, Sendable {
    static var fields: TemplateFields<Self> { get }
}

extension TemplateView {
    package func child(named name: String) -> Any? { Self.fields.value(of: name, in: self) }
}

/// The value of a field that has none. Mustache looks for a name that is nowhere in a view in the views around it: a column that is not deprecated would be
/// as deprecated as its event.
private struct NoValue: MustacheCustomRenderable {
    var renderText: String { "" }
    var isNull: Bool { true }
}

/// The fields of one kind of view.
package struct TemplateFields<View: TemplateView>: Sendable {
    package private(set) var descriptions: [TemplateField] = []
    private var values: [String: @Sendable (View) -> Any?] = [:]

    package init() {}

    /// Nil for a name that is no field of the view.
    fileprivate func value(of name: String, in view: View) -> Any? { values[name].map { $0(view) ?? NoValue() } }

    /// A field that prints.
    package func text(_ name: String, _ meaning: String, _ value: @escaping @Sendable (View) -> String) -> Self {
        adding(TemplateField(name: name, meaning: meaning, kind: .text), { value($0) })
    }

    /// A field that prints, and is a section where there is something to print.
    package func optionalText(_ name: String, _ meaning: String, _ value: @escaping @Sendable (View) -> String?) -> Self {
        adding(TemplateField(name: name, meaning: meaning, kind: .optionalText), { view in value(view).map { $0 as Any } })
    }

    /// A field that is a section only.
    package func flag(_ name: String, _ meaning: String, _ value: @escaping @Sendable (View) -> Bool) -> Self {
        adding(TemplateField(name: name, meaning: meaning, kind: .flag), { value($0) })
    }

    /// A section per child.
    package func list<Child: TemplateView>(
        _ name: String, _ meaning: String, _ type: Child.Type, _ value: @escaping @Sendable (View) -> [Child]
    ) -> Self {
        adding(TemplateField(name: name, meaning: meaning, kind: .list(Child.fields.descriptions)), { value($0) })
    }

    /// A section once, where the child is there.
    package func view<Child: TemplateView>(
        _ name: String, _ meaning: String, _ type: Child.Type, _ value: @escaping @Sendable (View) -> Child?
    ) -> Self {
        adding(TemplateField(name: name, meaning: meaning, kind: .view(Child.fields.descriptions)), { view in value(view).map { $0 as Any } })
    }

    private func adding(_ field: TemplateField, _ value: @escaping @Sendable (View) -> Any?) -> Self {
        var copy = self
        copy.descriptions.append(field)
        copy.values[field.name] = value
        return copy
    }
}

/// What a template may name.
package struct TemplateField: Sendable {
    package indirect enum Kind: Sendable {
        case text
        case optionalText
        case flag
        case list([TemplateField])
        case view([TemplateField])
    }

    package var name: String
    package var meaning: String
    package var kind: Kind
}
