#!/usr/bin/env python3
"""Reports uses of declarations that are newer than the platforms in a package's Package.swift.

Linux has no Apple SDK, so the compiler does not check availability there. However, its index store contains the
declaration to which each name in the sources refers, and the symbol graphs of the toolchain's modules contain the
version that introduced each declaration. This script joins the two. It does not check modules that Linux lacks (UIKit,
SwiftUI), or declarations without availability in the toolchain's Foundation.

usage: check.py [--self-test] PACKAGE [STORE…]   a package that has been built (`swift build`, debug), and index stores of
                                                 other builds of its sources
       check.py --self-test                      only compiles a file of known mistakes
"""

import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# Modules of the toolchain that sources cannot import on Apple's platforms, or that only tests import.
NOT_LOOKED_AT = {"Glibc", "SwiftOnoneSupport", "Testing", "XCTest"}

# The requirement of the protocol is newer. On older platforms, the compiler uses the same operator of its extension.
WRAPPING_PRODUCT = "s:s17FixedWidthIntegerP2amoiyxx_xtFZ"
# A loop calls `next()` on older platforms, but the index contains the call of newer ones, at the first word of the
# loop.
LOOP_NAME, LOOP = "next(isolation:)", "for"

ROLE_REFERENCE = 1 << 2
DEPENDENCY_RECORD = 2


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


Visitor = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
NameVisitor = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)


class IndexStore:
    """The required part of libIndexStore's C interface."""

    def __init__(self, path, toolchain):
        library = next(pathlib.Path(toolchain).glob("libIndexStore.*"), None)
        if library is None:
            sys.exit(f"availability: libIndexStore is missing in {toolchain}")
        self.library = ctypes.CDLL(str(library))
        self.path = path
        self.store = self.call("store_create", ctypes.c_void_p, str(path).encode(), None)
        if not self.store:
            sys.exit(f"availability: {path} is not an index store: build the package first")

    def call(self, name, result, *arguments):
        function = getattr(self.library, "indexstore_" + name)
        function.restype = result
        # Pointers are returned as plain numbers, which ctypes would pass as 32 bits.
        return function(*[ctypes.c_void_p(argument) if isinstance(argument, int) and argument > 1 else argument for argument in arguments])

    def text(self, name, of):
        return str(self.call(name, Text, of))

    def each(self, name, visitor_type, visit, *arguments):
        def visited(_, item):
            visit(item)
            return True

        self.call(name, ctypes.c_bool, *arguments, None, visitor_type(visited))

    def records(self):
        """Returns the source file of each record of references, by the record's name. Units that are older than their
        source remain from builds of other configurations."""
        units, found = [], {}
        self.each("store_units_apply_f", NameVisitor, lambda name: units.append(str(name)), self.store, 0)

        def visit(dependency):
            if self.call("unit_dependency_get_kind", ctypes.c_int, dependency) == DEPENDENCY_RECORD:
                path = self.text("unit_dependency_get_filepath", dependency)
                if os.path.exists(path) and os.path.getmtime(path) <= written:
                    found[self.text("unit_dependency_get_name", dependency)] = os.path.realpath(path)

        for unit in units:
            written = os.path.getmtime(os.path.join(self.path, "v5", "units", unit))
            reader = self.call("unit_reader_create", ctypes.c_void_p, self.store, unit.encode(), None)
            if reader:
                self.each("unit_reader_dependencies_apply_f", Visitor, visit, reader)
                self.call("unit_reader_dispose", None, reader)
        return found

    def references(self, record, symbols):
        """Returns the references of a file to the symbols: line, column, symbol."""
        reader = self.call("record_reader_create", ctypes.c_void_p, self.store, record.encode(), None)
        if not reader:
            return []
        usrs, found = set(), []
        self.each("record_reader_symbols_apply_f", Visitor, lambda symbol: usrs.add(self.text("symbol_get_usr", symbol)), reader, 0)

        def visit(occurrence):
            usr = self.text("symbol_get_usr", self.call("occurrence_get_symbol", ctypes.c_void_p, occurrence))
            if usr in symbols and self.call("occurrence_get_roles", ctypes.c_uint64, occurrence) & ROLE_REFERENCE:
                line, column = ctypes.c_uint(), ctypes.c_uint()
                self.call("occurrence_get_line_col", None, occurrence, ctypes.byref(line), ctypes.byref(column))
                found.append((line.value, column.value, usr))

        if usrs & symbols:
            self.each("record_reader_occurrences_apply_f", Visitor, visit, reader)
        self.call("record_reader_dispose", None, reader)
        return found


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def version(text):
    return tuple(int(part) for part in (str(text).split(".") + ["0"])[:2])


def module_of(graph):
    """Returns the module that a graph extends: `_Concurrency@Swift.symbols.json` gives `_Concurrency`."""
    return graph.name.split(".")[0].split("@")[0]


def dated_symbols(target, resources):
    """Returns symbols with introducing versions: USR, name and versions by platform. This takes about ten seconds."""
    modules = [path.stem for path in sorted(pathlib.Path(resources, "linux").glob("*.swiftmodule")) if path.stem not in NOT_LOOKED_AT]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for module in modules:
            extract = ["swift", "symbolgraph-extract", "-module-name", module, "-target", target, "-output-dir", folder]
            # Internal modules of the compiler may not be loadable, but sources do not import them.
            subprocess.run(extract, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        graphs = sorted(pathlib.Path(folder).glob("*.symbols.json"))
        for module in ["Swift", "_Concurrency", "_StringProcessing", "FoundationEssentials", "Foundation"]:
            if not any(module_of(graph) == module for graph in graphs):
                sys.exit(f"availability: the symbol graph of {module} is missing")
        for graph in graphs:
            for symbol in json.loads(graph.read_text())["symbols"]:
                introduced = {}
                for entry in symbol.get("availability", []):
                    since = entry.get("introduced")
                    if since:
                        platform = entry.get("domain", "").lower()
                        introduced[platform] = max(introduced.get(platform, (0, 0)), (since["major"], since.get("minor") or 0))
                if introduced:
                    name = module_of(graph) + "." + ".".join(symbol["pathComponents"])
                    found.setdefault(symbol["identifier"]["precise"], []).append((name, introduced))
    return found


def newer_symbols(dated, platforms):
    """Returns symbols newer than the platforms: USR, name and introducing versions."""
    found = {}
    for usr, graphs in dated.items():
        for name, introduced in graphs:
            needed = {platform: since for platform, since in introduced.items() if platform in platforms and since > platforms[platform]}
            if needed:
                found[usr] = (name, needed)
    return found


def blanked(source):
    """Returns the source with spaces for comments and literals, so that all braces and attributes are code."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"', re.S)
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source)


def closing(code, opening):
    """Returns the offset after the brace that closes the one at `opening`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, opening):
        depth += 1 if match.group() == "{" else -1
        if depth <= 0:
            return match.end()
    return len(code)


def checked_ranges(source):
    """Returns the ranges of a source in which newer declarations are available, with their versions."""
    code = blanked(source)
    ranges = []
    for match in re.finditer(r"([#@])available\s*\(([^)]*)\)", code):
        versions = {name.lower(): version(number) for name, number in re.findall(r"(\w+)\s+([\d.]+)", match.group(2))}
        if not versions:
            continue
        start = match.end()
        if match.group(1) == "@":
            # A declaration without a body ends with its line.
            declaration = re.compile(r"(?:\s|@\w+(?:\([^)]*\))?)*[^\n{]*").match(code, start)
            opening = declaration.end()
            end = closing(code, opening) if code[opening : opening + 1] == "{" else opening
        else:
            opening = code.find("{", start)
            end = closing(code, opening) if opening >= 0 else len(code)
            statement = re.findall(r"\b(if|guard|while)\b", code[:start])
            if statement and statement[-1] == "guard":
                # The range of a guard ends with the enclosing block.
                depth, start = 0, end
                end = len(code)
                for brace in re.compile(r"[{}]").finditer(code, start):
                    depth += 1 if brace.group() == "{" else -1
                    if depth < 0:
                        end = brace.start()
                        break
        ranges.append((start, end, versions))
    return ranges


def complaints(path, references, symbols):
    data = path.read_bytes()
    lines = data.split(b"\n")
    source = data.decode()
    ranges = checked_ranges(source)
    for line, column, usr in sorted(set(references)):
        name, needed = symbols[usr]
        # Columns count bytes.
        position = len(b"\n".join(lines[: line - 1] + [lines[line - 1][: column - 1]]).decode())
        if usr == WRAPPING_PRODUCT or (name.endswith("." + LOOP_NAME) and source[position:].startswith(LOOP)):
            continue
        missing = {
            platform: since
            for platform, since in needed.items()
            if not any(start <= position < end and versions.get(platform, (0, 0)) >= since for start, end, versions in ranges)
        }
        if missing:
            since = ", ".join(f"{platform} {major}.{minor}" for platform, (major, minor) in sorted(missing.items()))
            yield path, line, f"{os.path.relpath(path)}:{line}:{column}: error: `{name}` is newer than the package's platforms: {since}"


def sources_of(package):
    """Returns the package's platforms, and the Swift sources that are built for them.

    The index store does not contain plugins. SwiftPM builds tests for the platforms of its XCTest, which are newer.
    Executables in Tests, such as `impact-probe`, only run where the package is built.
    """
    description = json.loads(run("swift", "package", "describe", "--type", "json", cwd=package, stderr=subprocess.DEVNULL))
    platforms = {platform["name"].lower(): version(platform["version"]) for platform in description["platforms"]}
    sources = {
        os.path.realpath(os.path.join(package, target["path"], source))
        for target in description["targets"]
        if target["type"] == "library" or target["type"] == "executable" and not target["path"].startswith("Tests/")
        for source in target.get("sources", [])
        if source.endswith(".swift")
    }
    return platforms, sources


def check(stores, sources, symbols):
    """Returns the complaints, and the sources that are missing in all stores."""
    unseen, found = set(sources), set()
    for store in stores:
        for record, path in store.records().items():
            if path in sources:
                unseen.discard(path)
                found.update(complaints(pathlib.Path(path), store.references(record, symbols.keys()), symbols))
    return [text for _, _, text in sorted(found)], unseen


def self_test(toolchain, symbols, target):
    """Checks that exactly the lines with the comment `newer` are reported."""
    source = HERE / "Mistakes.swift"
    wanted = {number for number, line in enumerate(source.read_text().splitlines(), 1) if line.endswith("// newer")}
    with tempfile.TemporaryDirectory() as folder:
        run("swiftc", "-target", target, "-parse-as-library", "-c", "-index-store-path", folder, "-o", folder + "/mistakes.o", str(source))
        found, _ = check([IndexStore(folder, toolchain)], {str(source)}, symbols)
    lines = {int(text.split(":")[1]) for text in found}
    if lines != wanted or not wanted:
        sys.exit("availability: the self-test failed: lines " + f"{sorted(lines)}, expected {sorted(wanted)}\n" + "\n".join(found))
    print(f"availability: {len(wanted)} mistakes found, as they should be")


def main():
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(__doc__)
    info = json.loads(run("swiftc", "-print-target-info"))
    target, resources = info["target"]["unversionedTriple"], info["paths"]["runtimeResourcePath"]
    toolchain = pathlib.Path(resources).parent
    dated = dated_symbols(target, resources)
    if arguments[0] == "--self-test":
        self_test(toolchain, newer_symbols(dated, {"macos": (12, 0), "ios": (15, 0)}), target)
        arguments = arguments[1:]
        if not arguments:
            return
    package, *builds = map(os.path.realpath, arguments)
    platforms, sources = sources_of(package)
    symbols = newer_symbols(dated, platforms)
    stores = [IndexStore(path, toolchain) for path in [os.path.join(package, ".build/debug/index/store"), *builds]]
    found, unseen = check(stores, sources, symbols)
    found += [f"{os.path.relpath(path)}: error: it is not in the index store: build the package first" for path in sorted(unseen)]
    for text in found:
        print(text)
    named = ", ".join(f"{name} {major}.{minor}" for name, (major, minor) in sorted(platforms.items()))
    print(f"availability: {len(found)} problems in {len(sources)} sources, of {len(symbols)} declarations that are newer than {named}")
    sys.exit(1 if found else 0)


main()
