import LogDefinitions
import Testing
import TestSupport

/// Tests of the type notation. The diagnostics' cases cover its errors.
struct TypeNotationTests {
    private static func int(_ bits: Int, signed: Bool = true, _ minimum: Int64? = nil, _ maximum: Int64? = nil)
        -> LogValueType
    {
        .integer(.init(bits: bits, isSigned: signed, minimum: minimum, maximum: maximum))
    }

    static let types: [(text: String, type: LogValueType, isOptional: Bool)] = [
        ("string", .string(.init()), false),
        ("text?", .string(.init()), true),
        ("string(256)", .string(.init(maxLength: 256)), false),
        ("string( 256 )?", .string(.init(maxLength: 256)), true),
        ("string(256 bytes)", .string(.init(maxBytes: 256)), false),
        ("string(1 byte)", .string(.init(maxBytes: 1)), false),
        ("int", .integer(.init(bits: 64, isPlain: true)), false),
        ("int(0...)?", .integer(.init(bits: 64, minimum: 0, isPlain: true)), true),
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
        ("double", .number(.init()), false),
        ("number(0...1)", .number(.init(minimum: 0, maximum: 1)), false),
        ("double(-1.5...1e3)", .number(.init(minimum: -1.5, maximum: 1000)), false),
        ("float(0.5...)", .number(.init(bits: 32, minimum: 0.5)), false),
        ("real", .number(.init(bits: 32)), false),
        ("bool", .boolean, false), ("boolean?", .boolean, true), ("date", .date, false),
        ("timestamp", .timestamp, false),
        ("datetime", .timestamp, false), ("timestamptz", .timestamp, false), ("uuid", .uuid, false),
        ("url?", .url, true),
        ("decimal(10, 2)", .decimal(.init(precision: 10, scale: 2)), false),
        ("numeric(5)?", .decimal(.init(precision: 5, scale: 0)), true),
        ("decimal( 38 , 38 )", .decimal(.init(precision: 38, scale: 38)), false),
        ("enum(newest, popular)", .enumeration(["newest", "popular"]), false),
        ("enum(most popular,新着)?", .enumeration(["most popular", "新着"]), true),
        ("[string(64)]", .array(.init(of: .string(.init(maxLength: 64)))), false),
        ("[int8; 1...10]?", .array(.init(of: int(8), minItems: 1, maxItems: 10)), true),
        ("[ [date;...2] ; 1... ]", .array(.init(of: .array(.init(of: .date, maxItems: 2)), minItems: 1)), false),
        ("[enum(a; b, c)]", .array(.init(of: .enumeration(["a; b", "c"]))), false),
        ("ListOrder", .named(.init("ListOrder")), false),
        ("[RecipeID]?", .array(.init(of: .named(.init("RecipeID")))), true),
    ]

    @Test("A type is parsed", arguments: types)
    func typeIsRead(_ example: (text: String, type: LogValueType, isOptional: Bool)) throws {
        let parsed = try TypeNotation.parse(example.text)
        #expect(parsed.type == example.type)
        #expect(parsed.isOptional == example.isOptional)
    }

    @Test("A type survives a round trip through its canonical notation", arguments: types)
    func typeReadsTheSameFromItsCanonicalNotation(_ example: (text: String, type: LogValueType, isOptional: Bool))
        throws
    {
        #expect(try TypeNotation.parse(example.type.description).type == example.type)
    }

    /// Tries random strings of the notation's characters.
    @Test("Any string is accepted or rejected without a trap") func anyStringIsAcceptedOrRejected() {
        let pieces = [
            "[", "]", "(", ")", ";", "...", "?", "int", "string", "enum", "a", ",", " ", "0", "-1",
            "9999999999999999999", "`", "é", "\u{600}", "🇯🇵",
            ".",
        ]
        var generator = SeededGenerator(seed: 7)
        var accepted = 0
        let count = Depth.cases(750, deep: 6_000)
        for _ in 0..<count {
            let text = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
                pieces.randomElement(using: &generator)
            }.joined()
            if let parsed = try? TypeNotation.parse(text) {
                accepted += 1
                #expect((try? TypeNotation.parse(parsed.type.description))?.type == parsed.type, "\(text)")
            }
            for use in [TypeNotation.CorrectionUse.inference, .advice] {
                guard let correction = TypeNotation.correction(of: text, for: use) else { continue }
                #expect((try? TypeNotation.parse(correction)) != nil, "\(text) becomes \(correction)")
            }
        }
        #expect(accepted > count / 200)
    }

    /// A repair may be another meaning than the author's, so nothing applies it unseen.
    @Test("Arguments that are nearly right are repaired only as advice")
    func repairsAreAdvice() {
        for (text, repaired) in [
            "int(100...0)": "int(0...100)", "int8(0...300)?": "int16(0...300)?", "enum(a, a,)": "enum(a)",
            "string(16": "string(16)",
        ] {
            #expect(TypeNotation.correction(of: text, for: .inference) == nil)
            #expect(TypeNotation.correction(of: text, for: .table) == nil)
            #expect(TypeNotation.correction(of: text, for: .advice) == repaired)
        }
    }

    @Test("The repair of an enumeration has each of its values once, in their order")
    func repairedEnumerationKeepsItsValues() throws {
        var generator = SeededGenerator(seed: 8)
        var repairs = 0
        for _ in 0..<500 {
            let written = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                ["", " ", "a", "b ", " c", "あ", "A"].randomElement(using: &generator) ?? ""
            }
            let text = "enum(\(written.joined(separator: ",")))"
            guard (try? TypeNotation.parse(text)) == nil else { continue }
            var values: [String] = []
            for value in written.map({ String(trimmed($0[...])) }) where !value.isEmpty && !values.contains(value) {
                values.append(value)
            }
            let repair = TypeNotation.correction(of: text, for: .advice)
            #expect((repair == nil) == values.isEmpty, "\(text)")
            guard let repair else { continue }
            repairs += 1
            #expect(try TypeNotation.parse(repair).type == .enumeration(.init(values)), "\(text) becomes \(repair)")
        }
        #expect(repairs > 100)
    }

    /// Hexadecimal digits are case-insensitive (RFC 3986, section 2.1).
    @Test("A percent-encoded value may have digits in either case") func percentEncodingIgnoresCase() throws {
        let type = LogValueType.enumeration(.init(["%あ"]))
        for text in ["enum(%25%E3%81%82)", "enum(%25%e3%81%82)", "enum(%25%E3%81%82)"] {
            #expect(try TypeNotation.parse(text, .exact).type == type, "\(text)")
        }
        for text in ["enum(%e)", "enum(%g0)", "enum(%+5)", "enum(%e3)"] {
            #expect(throws: TypeNotation.Failure.self) { try TypeNotation.parse(text, .exact) }
        }
    }

    /// The lock file and generated code contain this notation. A trigger that it cannot represent would be lost.
    @Test(
        "A trigger survives a round trip through its notation",
        arguments: [
            "impression(80%, 500ms)", "impression(0.000001%, 0.0000001s)",
            "impression(33.3%, 100000000000000000000000s)",
            "impression(7%, 1.5ms)",
            "impression(0.1%)", "impression(12345678901234567.5s)", "tap(A.b)", "show", "leave", "leave(99.9%)",
        ])
    func aTriggerReadsTheSameFromItsNotation(_ text: String) throws {
        let trigger = try LogTrigger(parsing: text)
        #expect(try LogTrigger(parsing: trigger.description) == trigger, "\(trigger)")
    }
}

extension TypeNotationTests {
    @Test("A percentage is the number that is nearest to its digits") func percentages() {
        for thousandths in 0...100_000 {
            let digits = "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
            #expect(PercentageNotation.fraction(digits + "%") == Double("\(digits)e-2"))
        }
        #expect(PercentageNotation.fraction("99.9%") == 0.999 && PercentageNotation.text(0.999) == "99.9%")
        #expect(PercentageNotation.fraction("100.1%") == nil && PercentageNotation.fraction("%") == nil)
    }
}
