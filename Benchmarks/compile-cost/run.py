#!/usr/bin/env python3
"""Compares the compile time of generated Swift with a floor: enums with only the same cases.

usage: run.py [--trials N] [--categories N] [--events N] [--columns N] [--keep DIR]

Makes definitions (by default 50 categories x 20 events x 4 columns, with every scalar type, enums, and every fifth
column optional), generates Swift with loggen, and compiles both with

    swiftc -parse-as-library -wmo -swift-version 6 [-Onone|-O] -c

in turn, against a compiled ActivityTracking module. Prints the sum of user and system time. The best trial counts,
because other work on the machine can only add time. The object file is removed before each trial, because the compiler
skips code generation if it exists.

Exits with 1 if the generated code takes more than 3x of the floor at -Onone or 4x at -O.
"""
import argparse
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
AIMS = {"-Onone": 3.0, "-O": 4.0}
KINDS = [  # Types in definitions and in Swift.
    ("int16", "Int16"), ("int32", "Int32"), ("int64", "Int64"), ("float", "Float"), ("double", "Double"), ("bool", "Bool"),
    ("string(64)", "String"), ("string(256 bytes)", "String"), ("string", "String"), ("date", "LogDate"), ("timestamp", "Date"),
    ("SearchOrder", "SearchOrder"), ("DeviceKind", "DeviceKind"),
]
ENUMS = {"SearchOrder": ["newest", "popular", "relevant"], "DeviceKind": ["phone", "tablet", "watch"]}


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def model(options):
    rng = random.Random(1)
    pool = [(f"col_{i:03d}", KINDS[i % len(KINDS)]) for i in range(max(260, options.columns))]
    return {
        f"category_{c:04d}": {
            f"event_{e:02d}": [(name, kind, rng.random() < 0.2) for name, kind in rng.sample(pool, options.columns)]
            for e in range(options.events)
        }
        for c in range(options.categories)
    }


def write_definitions(folder, categories):
    folder.mkdir()
    lines = ["# types"]
    for name, values in ENUMS.items():
        lines += ["", f"## {name}", "", "| value | description |", "| --- | --- |", *(f"| {v} | {v} |" for v in values)]
    (folder / "types.md").write_text("\n".join(lines) + "\n")
    for category, events in categories.items():
        lines = [f"# {category}", "", f"What happens in {category}."]
        for event, columns in events.items():
            lines += ["", f"## {event}", "", f"Sent when the user does {event}.", "", "| column | type | description |", "| --- | --- | --- |"]
            lines += [f"| {n} | {k[0]}{'?' if o else ''} | {n} as {event} uses it |" for n, k, o in columns]
        (folder / f"{category}.md").write_text("\n".join(lines) + "\n")


def write_floor(folder, categories):
    folder.mkdir()
    for category, events in categories.items():
        lines = ["import ActivityTracking", ""]
        if any(kind[1] == "Date" for columns in events.values() for _, kind, _ in columns):
            lines.insert(0, "import Foundation")
        lines.append(f"public enum {camel('_' + category)}: Sendable {{")
        for event, columns in events.items():
            parameters = ", ".join(f"{camel(n)}: {k[1]}{'? = nil' if o else ''}" for n, k, o in columns)
            lines.append(f"    case {camel(event)}({parameters})")
        (folder / f"{category}.swift").write_text("\n".join(lines) + "\n}\n")
    lines = [f"public enum {n}: String, CaseIterable, Sendable {{ case {', '.join(v)} }}" for n, v in ENUMS.items()]
    (folder / "types.swift").write_text("\n".join(lines) + "\n")


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode or "warning:" in done.stderr:
        sys.exit(f"{' '.join(map(str, command))[:300]}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def compile_seconds(folder, work, optimization):
    output = work / "out.o"
    output.unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run("swiftc", "-parse-as-library", "-wmo", "-swift-version", "6", optimization, "-I", work, "-module-name", "Logs", "-c", "-o", output,
        *sorted(folder.rglob("*.swift")))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    size = int(run("size", output).splitlines()[1].split()[0])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--categories", type=int, default=50)
    parser.add_argument("--events", type=int, default=20)
    parser.add_argument("--columns", type=int, default=4)
    parser.add_argument("--keep", type=pathlib.Path, help="an empty working folder to keep (a temporary folder)")
    options = parser.parse_args()

    run("swift", "build", "--package-path", ROOT, "-c", "release", "--product", "loggen")
    loggen = pathlib.Path(run("swift", "build", "--package-path", ROOT, "-c", "release", "--show-bin-path").strip()) / "loggen"
    with tempfile.TemporaryDirectory() as temporary:
        work = options.keep or pathlib.Path(temporary)
        categories = model(options)
        write_definitions(work / "definitions", categories)
        write_floor(work / "floor", categories)
        run(loggen, "generate", work / "definitions", "--only", "swift", "--output", work / "generated")
        for module, sources in [
            ("LogTypes", "Sources/Shared/LogTypes"), ("TextEncoding", "Sources/Shared/TextEncoding"),
            ("JSONSyntax", "Sources/Shared/JSONSyntax"), ("ActivityTracking", "Sources/Runtime/ActivityTracking/Encoding"),
        ]:
            run("swiftc", "-parse-as-library", "-wmo", "-O", "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny",
                "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
                "-package-name", "loggen", "-I", work, "-module-name", module, "-emit-module", "-emit-module-path",
                work / f"{module}.swiftmodule", "-c", "-o", work / f"{module}.o", *sorted((ROOT / sources).glob("*.swift")))

        events = options.categories * options.events
        print(f"{events} events x {options.columns} columns, best of {options.trials}")
        for optimization, aim in AIMS.items():
            best = {"floor": (float("inf"), 0), "generated": (float("inf"), 0)}
            for _ in range(options.trials):
                for shape in best:
                    best[shape] = min(best[shape], compile_seconds(work / shape, work, optimization))
            ratio = best["generated"][0] / best["floor"][0]
            for shape, (seconds, size) in best.items():
                print(f"{optimization:7} {shape:10} {seconds:6.2f} s  text {size // 1024} KiB")
            print(f"{optimization:7} ratio      {ratio:6.2f}   (aim {aim})")


if __name__ == "__main__":
    main()
