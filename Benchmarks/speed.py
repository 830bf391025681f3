#!/usr/bin/env python3
"""Compares the time of loggen with a C program that only reads the same files and has libcmark parse them.

usage: speed.py [--rounds N] [--no-debug] [--loggen PATH]

The two run in turn, and a row shows medians over the rounds. Compare `ratio`, the median of the ratios of the pairs: it
is the same on a slow and on a busy machine. Times are in milliseconds, memory in megabytes. Exits with 0 if every
command succeeds.
"""
import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import measure

RATIO_TARGETS = {"lint": "3", "generate, cold": "8 (aim 5)", "generate, unchanged": "5 (aim 3)", "check": "5 (aim 3)"}
MEMORY_TARGET = "150"
DEBUG_TARGET = "2000 ms"


def corpus(folder, files):
    subprocess.run([sys.executable, str(measure.HERE / "make_corpus.py"), str(folder), "--files", str(files)], check=True)
    return str(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="pairs counted per row (9)")
    parser.add_argument("--no-debug", action="store_true", help="omit the debug build")
    parser.add_argument("--loggen", help="a release build to measure (a new build of this clone)")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="loggen-bench-") as temporary:
        folder = pathlib.Path(temporary)
        floor = measure.build_floor(folder)
        loggen = arguments.loggen or measure.build_loggen("release")
        logs = corpus(folder / "logs", 1000)
        locked = corpus(folder / "locked", 1000)
        measure.run([loggen, "lock", locked])
        measure.run([loggen, "generate", locked, "--output", str(folder / "checked")])
        canonical = corpus(folder / "canonical", 1000)
        measure.run([loggen, "format", canonical])
        # Each cold run has a new folder, and all are removed at the end, because ext4 reuses space slowly after a
        # removal.
        folders = (str(folder / f"generated{number}") for number in itertools.count())
        generated = next(folders)
        size = sum(file.stat().st_size for file in pathlib.Path(logs).iterdir())
        print(f"1,000 files, 10,000 events, 40,000 columns, {size / 1e6:.1f} MB; {os.cpu_count()} cores; {arguments.rounds} rounds\n")
        print("| command | floor ms | ms | ratio | target | peak MB | target |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")

        def row(name, command, source=logs):
            counted = measure.pairs([floor, source], command, arguments.rounds)
            bottom, wall = (measure.median(pair[index].wall for pair in counted) * 1000 for index in (0, 1))
            ratio = measure.median(pair[1].wall / pair[0].wall for pair in counted)
            memory = max(pair[1].memory for pair in counted)
            target = RATIO_TARGETS.get(name, "")
            print(f"| {name} | {bottom:.0f} | {wall:.0f} | {ratio:.2f} | {target} | {memory:.0f} | {MEMORY_TARGET} |", flush=True)

        row("lint", lambda: [loggen, "lint", logs])
        row("generate, cold", lambda: [loggen, "generate", logs, "--output", next(folders)])
        row("generate, unchanged", lambda: [loggen, "generate", logs, "--output", generated])
        row("check", lambda: [loggen, "check", locked, "--output", str(folder / "checked")], source=locked)
        row("dump", lambda: [loggen, "dump", logs])
        row("format --check", lambda: [loggen, "format", "--check", canonical], source=canonical)

        if not arguments.no_debug:
            debug = measure.build_loggen("debug")
            few = corpus(folder / "few", 100)
            print("\n| debug build, 100 files | ms | target | peak MB |\n| --- | ---: | ---: | ---: |")
            for name, command in (
                ("lint", lambda: [debug, "lint", few]),
                ("generate, cold", lambda: [debug, "generate", few, "--output", next(folders)]),
            ):
                runs = [measure.run(command()) for _ in range(3)]
                wall = measure.median(run.wall for run in runs) * 1000
                print(f"| {name} | {wall:.0f} | {DEBUG_TARGET} | {max(run.memory for run in runs):.0f} |", flush=True)


if __name__ == "__main__":
    main()
