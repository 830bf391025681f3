#!/usr/bin/env python3
"""Writes the calls that a catalogue shows in a language to a file for its compiler: calls.py LANGUAGE PAGE FILE

In a call, a value without a literal is a variable with the name of its column. The file declares it as a parameter of
the type without values, which fits every column. LANGUAGE is Kotlin or TypeScript.
"""
import json
import pathlib
import re
import sys

language, page, target = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
text = page.read_text(encoding="utf-8")
calls = []
for element in re.findall(r'<script type="application/json" id="data-c[0-9]+">(.*?)</script>', text, re.S):
    for event in json.loads(element)["events"]:
        calls += [call for name, call in event.get("calls", []) if name == language]
if not calls:
    sys.exit(f"failed: the catalogue shows no call in {language}")

NAME = r"`[^`]+`|[^\W\d]\w*"
lines = []
modules = set()
for number, call in enumerate(calls):
    bare = re.sub(r'"(?:\\.|[^"\\])*"', '""', call)
    between = " = " if language == "Kotlin" else ": "
    variables = [name for name, value in re.findall(rf"({NAME}){between}({NAME})(?=[,\n)}}])", bare) if name == value]
    modules.add(re.match(NAME, call)[0])
    if language == "Kotlin":
        lines.append(f"fun call{number}({', '.join(name + ': Nothing' for name in variables)}) {{\n    {call}\n}}\n")
    else:
        lines.append(f"export function call{number}({', '.join(name + ': never' for name in variables)}) {{\n    return {call};\n}}\n")
head = "import logs.*\n" if language == "Kotlin" else "".join(f'import * as {name} from "./{name}";\n' for name in sorted(modules))
target.write_text(head + "\n" + "\n".join(lines), encoding="utf-8")
print(f"{len(calls)} calls in {language}")
