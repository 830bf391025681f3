#!/usr/bin/env python3
"""Compiles apps with former names against the Swift of later definitions: they fail, and after the compiler's fix-its they
compile and log the same values.

usage: renames_apps.py LOGGEN [--chains N] [--first N] [--keep]

Exit codes: 0 no differences, 1 differences, 2 wrong usage.
"""

import argparse
import collections
import copy
import ctypes
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import renames
import warehouse

root = pathlib.Path(__file__).resolve().parents[2]
# Names that Swift has as keywords, and values whose names in Swift are themselves. Not `self`: in `renamed:`, this label has
# another meaning, so Swift offers no fix-it.
renames.COLUMNS = {
    "int32": ["key", "in", "place", "size_of_it"], "int64": ["item", "default", "total"], "string": ["title", "class", "query", "func"],
    "[int64]": ["keys", "is", "items"], "ListOrder": ["order", "var", "filter"], "[ListOrder]": ["orders", "where", "filters"],
    "Stage": ["mode", "repeat", "phase"],
}
renames.COMMON = {"int64": ["user_id", "member_id", "account_id"], "Stage": ["plan", "tier", "grade"]}
renames.VALUES = ["newest", "latest", "popular", "default", "in_between", "x", "top", "case"]
renames.EVENTS = ["buy", "purchase", "look", "view", "repeat", "open_page", "switch"]


class World(renames.World):
    """Edits that an app survives: renames and new optional columns."""

    def edit(self):
        for _ in range(50):
            # The next attempt has other random numbers.
            before = copy.deepcopy({name: value for name, value in self.__dict__.items() if name != "chance"})
            if (edit := super().edit()) and not edit.startswith(("retired", "new event")):
                return edit
            self.__dict__.update(before)
        return None


def swift(name):
    """The name of a member: `seen_at` is `seenAt`."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def type_name(name):
    return "".join(word.capitalize() for word in name.split("_"))


def calls(world, records):
    """Returns the code of an app that prints its records."""
    names = {v.number: v.name for values in world.types.values() for v in values}

    def literal(value):
        match value:
            case list():
                return "[" + ", ".join(map(literal, value)) + "]"
            case tuple():
                return "." + swift(names[value[1]])
            case str():
                return json.dumps(value, ensure_ascii=False)
            case _:
                return str(value)

    def arguments(columns, record):
        parts = [f"{swift(c.name)}: {literal(record.values[c.number])}" for c in columns if c.number in record.values]
        return "(" + ", ".join(parts) + ")" if any(not c.retired for c in columns) else ""

    lines = ["import ActivityTracking\nimport Logs\n\nfunc show(_ record: LogRecord) { print(String(decoding: record.json, as: UTF8.self)) }\n\n"]
    for record in records:
        category, event = next((c, e) for c, e in world.events() if e.number == record.event)
        call = f"{type_name(category.name)}.{swift(event.name)}{arguments(event.columns, record)}"
        common = f", common: CommonColumns{arguments(world.common, record)}" if world.common else ""
        lines.append(f"show(LogRecord({call}{common}))\n")
    return "".join(lines)


class String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("flags", ctypes.c_uint)]


class Location(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p * 2), ("offset", ctypes.c_uint)]


class Range(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p * 2), ("begin", ctypes.c_uint), ("end", ctypes.c_uint)]


class Compiler:
    """The compiler with the runtime's modules, which it builds once."""

    strict = [word for feature in ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility") for word in ("-enable-upcoming-feature", feature)]

    def __init__(self, folder):
        self.runtime = folder / "runtime"
        self.runtime.mkdir()
        toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parents[1]
        self.clang = ctypes.CDLL(str(next((toolchain / "lib").glob("libclang.*"))))
        for name, result, arguments in [
            ("clang_loadDiagnostics", ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]),
            ("clang_getNumDiagnosticsInSet", ctypes.c_uint, [ctypes.c_void_p]),
            ("clang_getDiagnosticInSet", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_uint]),
            ("clang_getDiagnosticSeverity", ctypes.c_int, [ctypes.c_void_p]),
            ("clang_getDiagnosticNumFixIts", ctypes.c_uint, [ctypes.c_void_p]),
            ("clang_getDiagnosticFixIt", String, [ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p]),
            ("clang_getCString", ctypes.c_char_p, [String]),
            ("clang_getRangeStart", Location, [Range]), ("clang_getRangeEnd", Location, [Range]),
            ("clang_getFileLocation", None, [Location, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]),
        ]:
            function = getattr(self.clang, name)
            function.restype, function.argtypes = result, arguments
        for module, path in [
            ("LogTypes", "Sources/Shared/LogTypes"), ("TextEncoding", "Sources/Shared/TextEncoding"),
            ("JSONSyntax", "Sources/Shared/JSONSyntax"), ("ActivityTracking", "Sources/Runtime/ActivityTracking/Encoding"),
        ]:
            self.library(module, sorted((root / path).rglob("*.swift")), self.runtime, ["-package-name", "loggen", *self.strict], check=True)

    def swiftc(self, *words, cwd):
        command = ["swiftc", "-swift-version", "6", "-Onone", "-I", self.runtime, "-I", cwd, *words]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=cwd)

    def library(self, module, sources, folder, more=(), check=False):
        result = self.swiftc("-parse-as-library", "-module-name", module, "-emit-library", "-static", "-emit-module", *more, *sources, cwd=folder)
        if result.returncode:
            raise RuntimeError(f"{module} does not compile: {result.stderr[:3000]}")

    def app(self, folder):
        """Compiles `main.swift`. Returns the exit code, the messages and the fix-its of each message: offsets in bytes, and
        the new text."""
        file = folder / "main.dia"
        file.unlink(missing_ok=True)
        result = self.swiftc(
            "-module-name", "App", "-o", "app", "main.swift", "-L", folder, "-L", self.runtime, "-lLogs", "-lActivityTracking", "-lJSONSyntax", "-lLogTypes",
            "-lTextEncoding",
            "-Xfrontend", "-serialize-diagnostics-path", "-Xfrontend", file, cwd=folder)
        return result.returncode, result.stderr, list(self.fixes(file)) if file.exists() else []

    def fixes(self, file):
        """Reads fix-its of errors from serialized diagnostics, with the toolchain's libclang."""
        clang = self.clang
        diagnostics = clang.clang_loadDiagnostics(str(file).encode(), ctypes.byref(ctypes.c_int()), ctypes.byref(String()))
        for number in range(clang.clang_getNumDiagnosticsInSet(diagnostics)):
            diagnostic = clang.clang_getDiagnosticInSet(diagnostics, number)
            if clang.clang_getDiagnosticSeverity(diagnostic) < 3:
                continue
            group = []
            for index in range(clang.clang_getDiagnosticNumFixIts(diagnostic)):
                span = Range()
                text = clang.clang_getCString(clang.clang_getDiagnosticFixIt(diagnostic, index, ctypes.byref(span)))
                offsets = []
                for end in (clang.clang_getRangeStart(span), clang.clang_getRangeEnd(span)):
                    offset = ctypes.c_uint()
                    clang.clang_getFileLocation(end, None, None, None, ctypes.byref(offset))
                    offsets.append(offset.value)
                group.append((*offsets, text))
            if group:
                yield group


def applied(text, fixes):
    data = text.encode()
    kept = []
    # The fix-its of one message belong together. Of two messages about one place, the other one has its turn in the next
    # round.
    for group in sorted(fixes):
        if not any(start <= other[1] and other[0] <= end for start, end, _ in group for other in kept):
            kept += group
    for start, end, new in sorted(kept, reverse=True):
        data = data[:start] + new + data[end:]
    return data.decode()


def logged(folder):
    result = subprocess.run([folder / "app"], capture_output=True, text=True, check=True)
    drop = ("event_id", "schema_version", "occurred_at")
    return [{name: value for name, value in json.loads(line).items() if name not in drop} for line in result.stdout.split("\n") if line]


def build(compiler, chain, version):
    """Builds the module of a version's definitions, and returns its folder."""
    folder = chain.folder / f"module-{version}"
    if not folder.exists():
        folder.mkdir()
        warehouse.loggen("generate", chain.definitions(version), "--only", "swift", "--output", folder / "Generated", "--quiet")
        compiler.library("Logs", sorted((folder / "Generated").rglob("*.swift")), folder)
    return folder


def check(compiler, chain, done):
    last = len(chain.worlds) - 1
    new = chain.worlds[last]
    for version in range(last):
        world = chain.worlds[version]
        records = [r for v, r in chain.records if v == version]
        problem = lambda text: warehouse.fail(f"chain {chain.seed}, version {version}: {text}\n    edits: {chain.edits[version + 1:]}")
        text = calls(world, records)
        old, folder = build(compiler, chain, version), build(compiler, chain, last)
        (old / "main.swift").write_text(text)
        code, errors, _ = compiler.app(old)
        if code:
            problem(f"the app does not compile with its own version: {errors[:1500]}")
            continue
        # The script's own names for the last version are the expectation.
        expected = []
        for record in records:
            category, event, members = new.rendered(record)
            members = {name: value for name, value in members.items() if name not in ("event_id", "schema_version", "occurred_at")}
            expected.append({"event_category": category, "event_name": event, **members})
        renamed = calls(new, records) != text
        rounds = 0
        while rounds < 8:
            (folder / "main.swift").write_text(text)
            code, errors, fixes = compiler.app(folder)
            if code == 0 or not fixes:
                break
            text, rounds = applied(text, fixes), rounds + 1
        if code:
            wrong = [line for line in errors.split("\n") if ": error:" in line]
            problem(f"after {rounds} rounds of fix-its: {wrong[:3]}\n" + "\n".join(errors.split("\n")[:12]))
        elif renamed != (rounds > 0):
            problem(f"names {'changed' if renamed else 'did not change'}, and {rounds} rounds of fix-its were needed")
        elif (found := logged(folder)) != expected:
            index = next((i for i, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]), None)
            problem(f"the app logs {found[index]}, not {expected[index]}")
        done[f"{rounds} rounds"] += 1
        done["records"] += len(records)


def main():
    done = collections.Counter()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="loggen-renames."))
    try:
        compiler = Compiler(folder)
        for seed in range(options.first, options.first + options.chains):
            try:
                chain = renames.Chain(seed, folder / str(seed), options.records, World)
                check(compiler, chain, done)
            except RuntimeError as error:
                warehouse.fail(f"chain {seed}: {error}")
            if not options.keep:
                shutil.rmtree(folder / str(seed), ignore_errors=True)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{options.chains} chains: {dict(sorted(done.items()))}")
    if warehouse.problems:
        print(f"{len(warehouse.problems)} problems")
    return 1 if warehouse.problems else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loggen", help="the executable")
    parser.add_argument("--chains", type=int, default=20, help="how many chains (20)")
    parser.add_argument("--first", type=int, default=1, help="the number of the first chain (1)")
    parser.add_argument("--records", type=int, default=12, help="how many records of each version (12)")
    parser.add_argument("--keep", action="store_true", help="leave the files")
    options = warehouse.options = parser.parse_args()
    options.loggen = str(pathlib.Path(options.loggen).resolve())
    sys.exit(main())
