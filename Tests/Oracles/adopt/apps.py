#!/usr/bin/env python3
"""Compares the calls that `tapgen adopt` finds in public iOS apps with a search of their text, and compiles the result.

usage: Tests/Oracles/adopt/apps.py FOLDER --tapgen TAPGEN --modules MODULES [--loggen .build/debug/loggen] [--record]

FOLDER has a clone of each app of apps.json, named by its repository without the owner. MODULES is the folder with
ActivityTracking.swiftmodule. For each app:

1. The search removes comments and the contents of strings, finds the functions by their names, and reads the labels of
   their arguments. It shares nothing with tapgen. The calls have to be the same, line by line. `read` in apps.json
   lists calls without a receiver, which were found by reading.
2. `tapgen adopt --rewrite` runs on a copy of the sources. The definitions have to pass `loggen lint`, and the rewritten
   files have to parse with swiftc.
3. The rewritten calls are compiled with the generated code. The apps' own types are missing here, so a value that is
   not a literal is replaced by one of the type that tapgen reports for it.

The numbers have to be those in apps.json for the commit; `--record` writes them. The gate has no network, so it does
not run this script.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {"string": "String", "int": "Int", "double": "Double", "float": "Float", "bool": "Bool", "uuid": "UUID",
         "url": "URL", "timestamp": "Date"}
LITERAL = re.compile(r'-?[0-9][0-9._]*|true|false|"[^"\\]*"')


def bare(text):
    """Returns Swift with blanks for comments and the contents of strings. Code in interpolations is removed, too."""
    out, place, depth = [], 0, 0
    pattern = re.compile(r'//[^\n]*|/\*|(#*)("""|")')
    while True:
        found = pattern.search(text, place)
        if not found:
            return "".join(out) + text[place:]
        out.append(text[place:found.start()])
        end = found.end()
        if found.group() == "/*":
            depth = 1
            while depth and end < len(text):
                if text.startswith("/*", end):
                    depth, end = depth + 1, end + 2
                elif text.startswith("*/", end):
                    depth, end = depth - 1, end + 2
                else:
                    end += 1
        elif found.group(2):
            end = string_end(text, end, found.group(2), found.group(1))
        out.append(re.sub(r"[^\n]", " ", text[found.start():end]) if not found.group(2)
                   else '"' + re.sub(r"[^\n]", " ", text[found.start() + 1:end - 1]) + '"')
        place = end


def string_end(text, place, quote, marks):
    """Returns the end of a string literal whose content begins at a place."""
    while place < len(text):
        if text.startswith(quote + marks, place):
            return place + len(quote) + len(marks)
        if text.startswith("\\" + marks + "(", place):
            depth, place = 1, place + 2 + len(marks)
            while depth and place < len(text):
                inner = re.match(r'(#*)("""|")', text[place:])
                if inner:
                    place = string_end(text, place + inner.end(), inner.group(2), inner.group(1))
                    continue
                depth += {"(": 1, ")": -1}.get(text[place], 0)
                place += 1
        elif text[place] == "\\" and not marks:
            place += 2
        else:
            place += 1
    return place


def labels(text, place):
    """Returns the labels of the arguments after an opening parenthesis."""
    depth, start, parts = 1, place, []
    while depth and place < len(text):
        character = text[place]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if (character == "," and depth == 1) or depth == 0:
            parts.append(text[start:place])
            start = place + 1
        place += 1
    names = [re.match(r"\s*([A-Za-z_]\w*)\s*:", part) for part in parts if part.strip()]
    return [name.group(1) if name else "_" for name in names]


def fits(found, wanted):
    rest = iter(wanted)
    return wanted[0] in found and all(label in rest for label in found)


def search(folder, app):
    """Returns the places of calls, as `file:line`."""
    calls = []
    for path in sorted(folder.rglob("*.swift")):
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            continue
        text = bare(path.read_text(encoding="utf-8"))
        for function in app["functions"]:
            name, wanted = function["name"].split("(")
            for found in re.finditer(function["pattern"], text):
                if re.search(r"\bfunc\s+$", text[:found.start()]):
                    continue
                if fits(labels(text, found.end()), wanted.rstrip("):").split(":")):
                    line = text.count("\n", 0, found.start()) + 1
                    calls.append(f"{path.relative_to(folder)}:{line}")
    return sorted(calls + app.get("read", []))


def run(arguments, codes=(0,), **options):
    process = subprocess.run([str(part) for part in arguments], capture_output=True, text=True, **options)
    if process.returncode not in codes:
        sys.exit(f"{' '.join(map(str, arguments))[:300]} ended with {process.returncode}: {process.stderr[-3000:]}")
    return process


def program(calls):
    """Returns functions with the rewritten calls."""
    lines = ["import ActivityTracking", "import Foundation", "let activityLogger = ActivityLogger(destinations: [])",
             "func value<T>() -> T { fatalError() }"]
    for number, call in enumerate(calls):
        text = call["replacement"]
        for column in call["columns"]:
            if LITERAL.fullmatch(column["value"]) or not column["type"]:
                continue
            kind = column["type"]
            swift = f"[{TYPES[kind[1:-1]]}]" if kind[0] == "[" else TYPES.get(kind) or kind.capitalize()
            swift = swift.replace("Uint", "UInt") + ("?" if column["optional"] else "")
            text = text.replace(": " + column["value"], f": (value() as {swift})", 1)
        lines.append(f"func call{number}() {{\n{text}\n}}")
    return "\n".join(lines) + "\n"


def check(app, clone, arguments, work):
    sources = work / "Sources"
    for path in clone.rglob("*.swift"):
        if path.is_symlink() or any(part.startswith(".") for part in path.relative_to(clone).parts):
            continue
        target = sources / path.relative_to(clone)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    found = search(sources, app)
    command = [arguments.tapgen, "adopt", "Sources", "--output", "Definitions", "--format", "json"]
    for function in app["functions"]:
        if not function.get("isKnown"):
            command += ["--calls", function["receiver"] + "." + function["name"]]
    report = json.loads(run(command + ["--rewrite"], (0, 1), cwd=work).stdout)
    own = sorted(f"{call['file'][len('Sources/'):]}:{call['line']}" for call in report["calls"])
    different = [f"- {place}" for place in found if place not in own]
    different += [f"+ {place}" for place in own if place not in found]
    rewritten = [call for call in report["calls"] if call["replacement"]]
    run([arguments.loggen.resolve(), "lint", "Definitions"], cwd=work)
    run([arguments.loggen.resolve(), "Definitions", "--only", "swift", "--output", "Generated"], cwd=work)
    files = sorted({call["file"] for call in rewritten})
    run(["swiftc", "-frontend", "-parse", *files], cwd=work)
    (work / "Calls.swift").write_text(program(rewritten))
    run(["swiftc", "-typecheck", "-parse-as-library", "-module-name", "App", "-I", arguments.modules.resolve(),
         "Calls.swift", *map(str, (work / "Generated").rglob("*.swift"))], cwd=work)
    return different, {
        "swiftFiles": len(list(sources.rglob("*.swift"))), "searched": len(found), "calls": len(own),
        "named": sum(1 for call in report["calls"] if call["name"]),
        "events": len({call["event"] for call in report["calls"] if call["event"]}),
        "rewritten": len(rewritten), "files": len(files),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tapgen", type=pathlib.Path, required=True)
    parser.add_argument("--modules", type=pathlib.Path, required=True)
    parser.add_argument("--loggen", type=pathlib.Path, default=pathlib.Path(".build/debug/loggen"))
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    arguments.tapgen = arguments.tapgen.resolve()
    file = HERE / "apps.json"
    apps = json.loads(file.read_text())
    failed = False
    for app in apps:
        clone = arguments.folder / app["repository"].split("/")[1]
        commit = run(["git", "-C", clone, "rev-parse", "HEAD"]).stdout.strip()
        with tempfile.TemporaryDirectory() as work:
            different, counts = check(app, clone, arguments, pathlib.Path(work))
        counts = {"commit": commit, **counts}
        print(f"{app['repository']}: {counts}", *different[:20], sep="\n  ")
        failed = failed or bool(different)
        if arguments.record:
            app.update(counts)
        elif any(app.get(key) != value for key, value in counts.items()):
            print(f"  recorded: {app}")
            failed = True
    if arguments.record:
        file.write_text(json.dumps(apps, indent=2) + "\n")
    sys.exit(1 if failed else 0)


main()
