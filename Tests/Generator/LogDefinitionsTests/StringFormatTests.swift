import Foundation
import LogDefinitions
import Testing

@Suite struct StringFormatTests {
    @Test("The names of a format are types of the notation", arguments: StringFormat.allCases)
    func names(_ format: StringFormat) throws {
        #expect(format.type.form == .format(format))
        #expect(format.type.description == format.rawValue)
        for name in [format.rawValue] + format.aliases { #expect(try TypeNotation.parse(name).type == format.type) }
        for name in format.japaneseNames {
            #expect(TypeNotation.correction(of: name, for: .table) == format.rawValue)
        }
    }

    @Test("The pattern of a format matches the strings that it accepts", arguments: StringFormat.allCases)
    func pattern(_ format: StringFormat) throws {
        let pattern = try NSRegularExpression(pattern: format.pattern)
        let examples = StringFormat.allCases.map(\.example)
        let cut = examples.flatMap { [String($0.dropFirst()), String($0.dropLast()), $0 + "0", $0 + "é"] }
        for text in examples + cut + ["", "2026-02-29", "2026-04-01T24:00:00.000Z", "a:%4", "a:#b#c"] {
            let range = NSRange(text.startIndex..., in: text)
            #expect((pattern.firstMatch(in: text, range: range) != nil) == format.accepts(text), "\(text)")
        }
        #expect(format.accepts(format.example))
        if let length = format.length { #expect(format.example.utf8.count == length) }
    }
}
