import LogDefinitions
import Testing

/// The notation of types; what it refuses is among the diagnostics' cases.
struct TypeSyntaxTests {
    private static func int(_ bits: Int, signed: Bool = true, _ minimum: Int64? = nil, _ maximum: Int64? = nil) -> ColumnType {
        .integer(bits: bits, signed: signed, minimum: minimum, maximum: maximum)
    }

    static let types: [(text: String, type: ColumnType, isOptional: Bool)] = [
        ("string", .string(maxLength: nil, maxBytes: nil), false),
        ("text?", .string(maxLength: nil, maxBytes: nil), true),
        ("string(256)", .string(maxLength: 256, maxBytes: nil), false),
        ("string( 256 )?", .string(maxLength: 256, maxBytes: nil), true),
        ("string(256 bytes)", .string(maxLength: nil, maxBytes: 256), false),
        ("string(1 byte)", .string(maxLength: nil, maxBytes: 1), false),
        ("int", .integer(bits: 64, signed: true, minimum: nil, maximum: nil, isPlain: true), false),
        ("int(0...)?", .integer(bits: 64, signed: true, minimum: 0, maximum: nil, isPlain: true), true),
        ("int8(-128...127)", int(8, -128, 127), false),
        ("int16", int(16), false),
        ("smallint", int(16), false),
        ("int32( 0 ... 100 )", int(32, 0, 100), false),
        ("integer", int(32), false),
        ("int64(...-1)", int(64, nil, -1), false),
        ("int64(-9223372036854775808...9223372036854775807)", int(64, .min, .max), false),
        ("bigint?", int(64), true),
        ("uint8(0...255)", int(8, signed: false, 0, 255), false),
        ("uint16", int(16, signed: false), false),
        ("uint32(...4294967295)", int(32, signed: false, nil, 4_294_967_295), false),
        ("double", .number(bits: 64, minimum: nil, maximum: nil), false),
        ("number(0...1)", .number(bits: 64, minimum: 0, maximum: 1), false),
        ("double(-1.5...1e3)", .number(bits: 64, minimum: -1.5, maximum: 1000), false),
        ("float(0.5...)", .number(bits: 32, minimum: 0.5, maximum: nil), false),
        ("real", .number(bits: 32, minimum: nil, maximum: nil), false),
        ("bool", .boolean, false), ("boolean?", .boolean, true), ("date", .date, false), ("timestamp", .timestamp, false),
        ("datetime", .timestamp, false), ("timestamptz", .timestamp, false), ("uuid", .uuid, false), ("url?", .url, true),
        ("enum(newest, popular)", .enumeration(["newest", "popular"]), false),
        ("enum(most popular,新着)?", .enumeration(["most popular", "新着"]), true),
        ("[string(64)]", .array(.string(maxLength: 64, maxBytes: nil), minItems: nil, maxItems: nil), false),
        ("[int8; 1...10]?", .array(int(8), minItems: 1, maxItems: 10), true),
        ("[ [date;...2] ; 1... ]", .array(.array(.date, minItems: nil, maxItems: 2), minItems: 1, maxItems: nil), false),
        ("[enum(a; b, c)]", .array(.enumeration(["a; b", "c"]), minItems: nil, maxItems: nil), false),
        ("SortOrder", .named("SortOrder"), false), ("[RecipeID]?", .array(.named("RecipeID"), minItems: nil, maxItems: nil), true),
    ]

    @Test(arguments: types)
    func typeIsRead(_ example: (text: String, type: ColumnType, isOptional: Bool)) throws {
        let parsed = try TypeSyntax.parse(example.text)
        #expect(parsed.type == example.type)
        #expect(parsed.isOptional == example.isOptional)
    }

    @Test(arguments: types)
    func typeReadsTheSameFromItsCanonicalNotation(_ example: (text: String, type: ColumnType, isOptional: Bool)) throws {
        #expect(try TypeSyntax.parse(example.type.notation).type == example.type)
    }

    /// Random texts of the notation's own characters: every one is read or refused, none ends the process.
    @Test func anyTextIsReadOrRefused() {
        let pieces = [
            "[", "]", "(", ")", ";", "...", "?", "int", "string", "enum", "a", ",", " ", "0", "-1", "9999999999999999999", "`", "é", "\u{600}", "🇯🇵",
            ".",
        ]
        var generator = SplitMix(state: 7)
        var accepted = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            if let parsed = try? TypeSyntax.parse(text) {
                accepted += 1
                #expect((try? TypeSyntax.parse(parsed.type.notation))?.type == parsed.type, "\(text)")
            }
        }
        #expect(accepted > 100)
    }
}
