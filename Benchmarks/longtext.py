#!/usr/bin/env python3
"""Measures peak memory per byte of a long cell and of long prose, above that of a small document."""

import argparse
import os
import subprocess
import sys
import tempfile

TABLE = "## show\n\n| column | type | description |\n| --- | --- | --- |\n| a | bool | %s |\n"


def peak(arguments):
    """Returns the peak memory of a run in kilobytes. `wait4` measures this child only, not all previous children."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(arguments)}: status {status}")
    return usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loggen", required=True, help="the path of a built loggen")
    parser.add_argument("--megabytes", type=float, default=8, help="the size of the cell and of the prose (8)")
    arguments = parser.parse_args()
    loggen = os.path.abspath(arguments.loggen)
    size = int(arguments.megabytes * (1 << 20))
    lines = "The quick brown fox jumps over the lazy dog and then some words follow here.\n" * 6 + "\n"
    documents = {
        "small": "# search\n\n" + TABLE % "x",
        "a cell of letters": "# search\n\n" + TABLE % ("abcdefghij " * (size // 11)),
        "a cell of marks": "# search\n\n" + TABLE % ("**a** `b` _c_ " * (size // 14)),
        "prose": "# search\n\n" + lines * (size // len(lines)) + TABLE % "x",
    }
    commands = {"lint": [], "swift": ["--only", "swift"], "catalogue": ["--only", "catalogue"]}
    floor = {}
    for name, text in documents.items():
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/definitions")
            with open(f"{folder}/definitions/search.md", "w") as file:
                file.write(text)
            for command, options in commands.items():
                words = ["lint"] if command == "lint" else [*options, "--output", f"{folder}/out"]
                kilobytes = peak([loggen, *words, f"{folder}/definitions"])
                floor.setdefault(command, kilobytes)
                print(f"{name}, {command}: {kilobytes} kB, {(kilobytes - floor[command]) * 1024 / len(text):.1f} bytes a byte")


main()
