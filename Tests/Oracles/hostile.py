#!/usr/bin/env python3
"""Writes the definitions for testing outputs in other languages, one folder per set: hostile.py FOLDER

In the fixtures, `@EVIL@` stands for text that must not break out of a comment or literal.
"""
import pathlib
import sys
import unicodedata

EVIL = (
    '*/ /* """ "# #" \\(fatalError()) ${x} $x `{{name}}` ``` {{{ }}} {{#category}} </script> # <br> <!-- --> \u202e\u2066 \u2028\u2029\x85 '
    "\x01\x1b\x7f \t %0A \\| \\u{202E} \\u002a/ /// @available ''' \u200b\ufeff &quot;&#10; ]]> \\")
VALUE = '*/ /* """ "# #" \\(fatalError()) ${x} $x {{name}} {{{ </script> # <br> \u202e \u2028 %0A \\| \\u{202E} 値 \\'
# A compiler or a tool interprets these at the beginning of a comment.
ORDER = "@ts-expect-error @ts-nocheck @internal @suppress"
SETS = (("Nasty", "Tests/Generator/Fixtures/Nasty", EVIL), ("Orders", "Tests/Generator/Fixtures/Nasty", ORDER), ("Keywords", "Tests/Generator/Fixtures/Keywords", EVIL),
        ("Snapshot", "Tests/Generator/Fixtures/Snapshot/Definitions", EVIL), ("Sample", "Definitions", EVIL))

root = pathlib.Path(__file__).resolve().parents[2]
for name, folder, evil in SETS:
    replacements = {
        "@TITLE@": evil.replace("`", ""), "@EVIL@": evil, "@VALUES@": VALUE + ", b;c, d]e)f(, x...y, q=r?", "@VALUE@": VALUE,
        "@LONG@": "very long text */ " * 5000,
    }
    target = pathlib.Path(sys.argv[1]) / name
    target.mkdir(parents=True)
    for file in (root / folder).iterdir():
        if file.suffix not in (".md", ".yml", ".lock"):
            continue
        text = file.read_text()
        for placeholder, replacement in replacements.items():
            text = text.replace(placeholder, replacement)
        (target / file.name).write_text(text)


# Names that would hide what the generated code or a language uses, for each kind of definition. Types keep their case.
WORDS = """
    abs any arguments array as async await boolean charsets class constructor copy date default entries equals error event exports get_class hash_code
    infinity init int java kotlin log log_record logs long map math max members name notify object order ordinal package promise record require self set
    string string_builder symbol then this to_record to_string type undefined unit value_of values violation when window write yield""".split()
TYPES = """
    ArrayList BigInteger Char CharSequence Character Comparable Enum Error Infinity Int32Array Iterable JSON LinkedHashMap Map Math
    MathContext NaN Number Object Pair Partial Promise Readonly Record RoundingMode Sequence Set StringBuilder Symbol Throwable Uint8Array __esModule abs
    apply as charsets check constructor encodeURIComponent exports floorDiv from isFinite java kotlin listOf logs max module never require self then
    to type unknown window with yield""".split()
# Swift has no types with these names.
SWIFT = "any array boolean date int log_record nested self string type".split()
# The other case of these letters has a combining mark, which is no letter.
MARKED = [
    letter for letter in map(chr, range(0x10000))
    if unicodedata.category(letter) in ("Lu", "Ll", "Lt", "Lm", "Lo")
    and any(unicodedata.category(other)[0] == "M" for other in letter.lower() + letter.upper())]


def table(*columns):
    return "\n| column | type |\n| --- | --- |\n" + "".join(f"| {name} | {kind} |\n" for name, kind in columns)


def written(name, files):
    target = pathlib.Path(sys.argv[1]) / name
    target.mkdir(parents=True)
    for file, text in files.items():
        (target / f"{file}.md").write_text(text)


ALL = (("at", "timestamp?"), ("size", "double?"), ("price", "decimal(5, 2)?"))
types = "# types\n"
events = "# hiding\n"
for index, name in enumerate(TYPES):
    types += f"\n## {name}\n\n| value |\n| --- |\n| a |\n| b |\n" if index % 2 else f"\n## {name}: string(10)\n"
    events += f"\n## has_type_{index}\n" + table((f"one_{index}", name), (f"some_{index}", f"[{name}]?"), *ALL)
for index, letter in enumerate(MARKED):
    events += f"\n## marked_{index}\n" + table((f"mark_{index}", f"enum({letter}stanbul, b{letter}c)?"))
written("Hiding", {"types": types, "hiding": events})
# Each event has the name of its column. The other column's type is outside of the event.
written("Nested", {"nested": "# nested\n" + "".join(
    f"\n## {word}\n" + table((word, "enum(a, b)?"), (f"{word}_list", f"[enum(c, {word})]?")) for word in WORDS if word not in SWIFT)})
written("Named", {word: f"# {word}\n\n## {word}\n" + table((word, "string?"), *ALL) + "\n## bare\n" for word in WORDS if word not in SWIFT})
