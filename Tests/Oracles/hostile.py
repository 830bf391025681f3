#!/usr/bin/env python3
"""Writes the definitions for testing outputs in other languages, one folder per set: hostile.py FOLDER

In the fixtures, `@EVIL@` stands for text that must not break out of a comment or literal.
"""
import pathlib
import sys

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
