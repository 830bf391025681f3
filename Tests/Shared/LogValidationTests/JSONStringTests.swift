@_spi(GeneratedCode) import ActivityTracking
import Foundation
import JSONSyntax
import Testing
import TestSupport

/// Compares the strings that the runtime and the generator write. The runtime has a separate writer, so that apps do
/// not link a JSON parser.
struct JSONStringTests {
    private struct Note: LogCategory {
        static let definition = LogDefinition("note\n.one|1-0-0\ntext|string")
        let text: String

        func encode(into encoder: LogEncoder) { encoder.event(0).string(text) }
    }

    /// Returns the string as the runtime writes it in a record.
    private static func runtime(_ text: String) -> String? {
        let json = String(decoding: LogRecord(Note(text: text)).json, as: UTF8.self)
        return json.range(of: "\"text\":").map { String(json[$0.upperBound...].dropLast()) }
    }

    private static func generator(_ text: String) -> String {
        var json = JSONWriter()
        json.value(text)
        return String(decoding: json.document().dropLast(), as: UTF8.self)
    }

    /// Returns whether a string contains a scalar that only the generator escapes. RFC 8259 does not require it, but
    /// the scalar has a meaning in HTML, in JavaScript or for a terminal.
    private static func isEscapedByGeneratorAlone(_ text: String) -> Bool {
        // Bytes are compared, because "<" and a combining mark are one `Character`.
        let bytes = Array(text.utf8)
        return bytes.contains(UInt8(ascii: "<"))
            || bytes.indices.contains { bytes[$0...].starts(with: "##[".utf8) }
            || text.unicodeScalars.contains { $0.value >= 0x20 && !ShownText.isHarmless($0) }
    }

    @Test("Runtime and generator escape strings equally, except characters of HTML and terminals")
    func equalEscapes() throws {
        var random = SeededGenerator(seed: 23)
        let special: [Unicode.Scalar] = [
            "\"", "\\", "/", "<", ">", "&", "#", "[", "\u{7F}", "\u{85}", "\u{A0}", "\u{2028}", "\u{2029}", "\u{202E}",
            "\u{FEFF}", "\u{FFFD}", "\u{301}", "\u{10FFFF}", "🍳", "絵", "é",
        ]
        var texts = (0..<0x80).map { String(Unicode.Scalar(UInt8($0))) } + special.map { String($0) } + ["", "##["]
        for _ in 0..<3000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let scalar =
                    switch Int.random(in: 0...3, using: &random) {
                    case 0: special.randomElement(using: &random)
                    case 1: Unicode.Scalar(UInt8.random(in: 0..<0x20, using: &random))
                    default: Unicode.Scalar(UInt8.random(in: 0x20..<0x7F, using: &random))
                    }
                text.append(scalar ?? "a")
            }
            texts.append(String(text))
        }
        var equal = 0
        for text in texts {
            let (runtime, generator) = (try #require(Self.runtime(text)), Self.generator(text))
            for json in [runtime, generator] {
                guard case .string(let read) = try JSONReader.read(Array(json.utf8), what: "the string").content else {
                    Issue.record("not a string: \(json)")
                    continue
                }
                #expect(Array(read.utf8) == Array(text.utf8))
            }
            if Self.isEscapedByGeneratorAlone(text) {
                #expect(runtime != generator)
            } else {
                #expect(runtime == generator)
                equal += 1
            }
        }
        #expect(equal > 500)
    }
}
