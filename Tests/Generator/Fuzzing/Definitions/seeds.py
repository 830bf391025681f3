#!/usr/bin/env python3
"""Writes the fuzzer's seeds: the sample's documents, every case of the diagnostics' tests, and HTML between lines.

usage: seeds.py FOLDER
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
CASES = ROOT / "Tests/Generator/LogOutputsTests/Cases/diagnostics.txt"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for document in sorted((ROOT / "Definitions").glob("*.md")):
        text = f"--- {document.name}\n{document.read_text(encoding='utf-8')}"
        (folder / f"sample-{document.stem}").write_text(text, encoding="utf-8")
    for number, case in enumerate(re.split(r"^##### .*\n", CASES.read_text(encoding="utf-8"), flags=re.M)[1:]):
        (folder / f"case-{number:03d}").write_text(case.split("\n===\n")[0] + "\n", encoding="utf-8")
    document = (ROOT / "Definitions" / "recipe_search.md").read_text(encoding="utf-8").split("\n")
    for number, tag in enumerate(["<br>", "<details>", "</details>", "<pre>", "<!-- a -->", "<!-- a --><!-- b -->", "<!--", "<![CDATA["]):
        lines = [line for index, text in enumerate(document) for line in ([tag, text] if index % 7 == number % 7 else [text])]
        (folder / f"html-{number}").write_text("--- recipe_search.md\n" + "\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
