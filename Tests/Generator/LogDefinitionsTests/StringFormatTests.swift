import Foundation
import LogDefinitions
import Testing

@Suite struct StringFormatTests {
    /// All formats, also with arguments.
    static let formats =
        StringFormat.withoutArguments
        + [(10, 2), (38, 38), (1, 0), (5, 0)].map { .decimal(.init(precision: $0, scale: $1)) }

    @Test("The names of a format are types of the notation", arguments: formats)
    func names(_ format: StringFormat) throws {
        #expect(format.type.form == .format(format))
        let arguments = format.arguments.map { "\($0.value)" }.joined(separator: ", ")
        #expect(format.type.description == format.name + (arguments.isEmpty ? "" : "(\(arguments))"))
        #expect(try TypeNotation.parse(format.type.description).type == format.type)
        #expect(StringFormat.all.contains { $0.name == format.name })
        for name in format.aliases {
            let parsed = try TypeNotation.parse(
                format.type.description.replacingOccurrences(of: format.name, with: name))
            #expect(parsed.type == format.type)
        }
        for name in format.japaneseNames {
            #expect(TypeNotation.correction(of: name, for: .table) == format.name)
        }
    }

    @Test("The pattern of a format matches the strings that it accepts", arguments: formats)
    func pattern(_ format: StringFormat) throws {
        let pattern = try NSRegularExpression(pattern: format.pattern)
        let examples = Self.formats.map(\.example) + ["1.99", "-0.50", "01", "1.", "12345678.12", "123456789"]
        let cut = examples.flatMap { [String($0.dropFirst()), String($0.dropLast()), $0 + "0", $0 + "é"] }
        for text in examples + cut + ["", "2026-02-29", "2026-04-01T24:00:00.000Z", "a:%4", "a:#b#c"] {
            let range = NSRange(text.startIndex..., in: text)
            #expect((pattern.firstMatch(in: text, range: range) != nil) == format.accepts(text), "\(text)")
        }
        #expect(format.accepts(format.example))
        if let length = format.length { #expect(format.example.utf8.count == length) }
        if let length = format.maximumLength { #expect(format.example.utf8.count <= length) }
    }
}
