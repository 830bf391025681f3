import LogDefinitions
import Testing
import TestSupport

@testable import LogOutputs

/// Tests of names in the naming conventions of languages other than Swift.
struct IdentifierTests {
    @Test(
        "A name has a form in each naming convention",
        arguments: [
            ("recipe_search", "recipe_search RecipeSearch recipeSearch RECIPE_SEARCH recipe-search"),
            ("a__b", "a_b AB aB A_B a-b"),
            ("x_1", "x_1 X1 x1 X_1 x-1"),
            ("Most popular!", "most_popular MostPopular mostPopular MOST_POPULAR most-popular"),
            ("mostPopular", "most_popular MostPopular mostPopular MOST_POPULAR most-popular"),
            ("RecipeID", "recipe_id RecipeId recipeId RECIPE_ID recipe-id"),
            ("3d", "_3d _3d _3d _3D _3d"), ("新着", "新着 新着 新着 新着 新着"),
            ("か\u{3099}", "かu3099 かu3099 かu3099 かU3099 かu3099"),
            ("😀", "u1f600 U1f600 u1f600 U1F600 u1f600"),
            ("+", "u002b U002b u002b U002B u002b"), ("*/ a", "a A a A a"), ("é", "é É é É é"),
            ("𠮷", "u20bb7 U20bb7 u20bb7 U20BB7 u20bb7"),
            // The lowercase of `İ` and the uppercase of `ẖ` have a combining mark.
            ("İstanbul", "İstanbul İstanbul İstanbul İSTANBUL İstanbul"), ("ẖa", "ẖa ẖa ẖa ẖA ẖa"),
        ])
    func cases(name: String, expected: String) {
        let words = NameWords(name)
        #expect(
            [NameCase.snake, .pascal, .camel, .upper, .kebab].map { words.name(in: $0) }.joined(separator: " ")
                == expected)
        #expect(
            [NameCase.snake, .pascal, .camel, .upper, .kebab].map { NameWords.name(name, in: $0) }.joined(
                separator: " ") == expected)
    }

    /// ASCII names take a fast path.
    @Test("The fast path for names gives the same result") func theShortWayGivesTheSame() {
        var random = SeededGenerator(seed: 1)
        let signs = Array("aZ_b-9C 1*.dE\u{0}\u{7F}é")
        for _ in 0..<Depth.cases(750, deep: 6_000) {
            let name = String(
                (0..<Int.random(in: 0...7, using: &random)).compactMap { _ in signs.randomElement(using: &random) })
            for nameCase in NameCase.allCases {
                #expect(
                    NameWords.name(name, in: nameCase) == NameWords(name).name(in: nameCase),
                    "\(name.debugDescription) \(nameCase)")
            }
        }
    }

    /// Strings without escapes take a fast path, too.
    @Test(
        "Plain strings are unchanged",
        arguments: [TextLanguage.swift, .kotlin, .javascript, .java, .c, .json, .yaml, .sql])
    func plainStringsAreUnchanged(_ language: TextLanguage) {
        let plain = "Az 09_-.,"
        #expect(
            TextLanguage.isPlain(plain) && language.string(plain).dropFirst().dropLast() == plain
                && language.comment(plain) == plain)
        // After a character that is not plain, the slow path applies.
        #expect(language.comment("é" + plain) == "é" + plain && language.string("é" + plain).contains(plain))
        for scalar in (0..<0x100).compactMap({ Unicode.Scalar(UInt32($0)) }) where TextLanguage.isPlain(String(scalar))
        {
            #expect(
                plain.unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar),
                "\(scalar)")
        }
    }

    @Test("Keywords and reserved names are escaped") func keywordsAndReservedNamesAreSetApart() {
        let identifiers = Identifiers(
            cases: [.column: .camel, .value: .upper], keywords: ["in", "isNew"], escape: ("`", "`"),
            reserved: [.column: ["order"]])
        #expect(identifiers.identifier("in", .column) == "`in`")
        #expect(identifiers.identifier("is_new", .column) == "`isNew`")
        #expect(identifiers.identifier("order", .column) == "order_")
        #expect(identifiers.identifier("order", .event) == "order")
        #expect(identifiers.identifier("a/b c", .value) == "A_B_C")
    }
}
