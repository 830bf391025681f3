package import JSONSyntax

extension JSONWriter {
    /// Writes an array with an object for each element.
    package mutating func array<Element>(
        _ key: StaticString, of elements: some Sequence<Element>, inline: Bool = false,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        array(key) { json in for element in elements { json.object(inline: inline) { write(element, &$0) } } }
    }
}
