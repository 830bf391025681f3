extension MarkdownDocument {
    package init(_ source: SourceText) { self.source = source; self.blocks = [] }
}
package func firstInvalidUTF8(in bytes: [UInt8]) -> Int? { nil }
