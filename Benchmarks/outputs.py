#!/usr/bin/env python3
"""Measures each output of the 1,000-file corpus and all outputs together, relative to a C program that only parses.

usage: outputs.py [--files N] [--rounds N] [--loggen PATH]

Floor and command run in turn. Costs are processor time of all threads in milliseconds. `ratio` is the median of the
ratios of the pairs. `elapsed` is the same ratio in wall time. loggen uses all cores, the floor one core.

`cold` writes into an empty folder after the output of the previous run has been removed, because the first use of
memory by a virtual machine can take longer than everything else. `unchanged` writes into a folder that has the files.
`lint` has no output, so an output costs the difference from it. `sql` generates for one warehouse, `sql, six` for all.
The last row is a C program that only writes as many files of the same sizes. Exits with 0 if every command
succeeds.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import measure

TARGET = 25
# The settings of the outputs in loggen.yml.
SETTINGS = {
    "swift": "", "json-schema": "", "catalogue": "", "sql": "{dialect: duckdb}", "iglu": "{vendor: com.example}", "dbt": "{dialect: duckdb}",
    "privacy-manifest": "{data: {UserID: {columns: [col_068], purposes: [Analytics], linked: true}}}", "index": "", "kotlin": "", "typescript": "",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1000, help="the number of documents, each with ten events (1000)")
    parser.add_argument("--rounds", type=int, default=5, help="pairs counted per row (5)")
    parser.add_argument("--loggen", help="a release build to measure (a new build of this clone)")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="loggen-bench-") as temporary:
        folder = pathlib.Path(temporary)
        floor = measure.build_floor(folder)
        loggen = arguments.loggen or measure.build_loggen("release")

        def corpus(name, settings):
            path = folder / name
            subprocess.run([sys.executable, str(measure.HERE / "make_corpus.py"), str(path), "--files", str(arguments.files)], check=True)
            (path / "loggen.yml").write_text("outputs:\n" + "".join(f"  {output}: {options}\n" for output, options in settings.items()))
            return str(path)

        logs = corpus("logs", SETTINGS)
        six = corpus("six", {"sql": ""})
        print(f"{arguments.files} files, {arguments.files * 10} events; {os.cpu_count()} cores; {arguments.rounds} rounds\n")
        print("| outputs | floor ms | cold ms | ratio | elapsed | unchanged ms | ratio | elapsed | target |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")

        def cost(command):
            """Returns the milliseconds of the floor, and the columns of the command."""
            counted = measure.pairs([floor, logs], command, arguments.rounds)
            processor = [measure.median(pair[index].processor for pair in counted) * 1000 for index in (0, 1)]
            ratio = measure.median(pair[1].processor / pair[0].processor for pair in counted)
            elapsed = measure.median(pair[1].wall / pair[0].wall for pair in counted)
            return processor[0], f"{processor[1]:.0f} | {ratio:.1f} | {elapsed:.1f}"

        def removed(name):
            """Removes a path and returns it."""
            shutil.rmtree(folder / name, ignore_errors=True)
            return str(folder / name)

        def row(name, arguments, source=logs, target=""):
            bottom, cold = cost(lambda: [loggen, "generate", source, *arguments, "--output", removed("cold")])
            made = removed("made")
            measure.run([loggen, "generate", source, *arguments, "--output", made])
            _, again = cost(lambda: [loggen, "generate", source, *arguments, "--output", made])
            print(f"| {name} | {bottom:.0f} | {cold} | {again} | {target} |", flush=True)
            return pathlib.Path(made)

        bottom, lint = cost(lambda: [loggen, "lint", logs])
        print(f"| none (lint) | {bottom:.0f} | {lint} | | | | |", flush=True)
        for name in SETTINGS:
            row(name, ["--only", name])
        row("sql, six", ["--only", "sql"], source=six)
        made = row("all", [], target=TARGET)

        files = [path for path in made.rglob("*") if path.is_file()]
        writing = str(folder / "writing")
        subprocess.run(["cc", "-O2", "-o", writing, str(measure.HERE / "writing.c")], check=True)
        listing = folder / "listing"

        def write():
            target = removed("cold")
            pathlib.Path(target).mkdir()
            listing.write_text("".join(f"{path.stat().st_size} {target}/{path.relative_to(made)}\n" for path in files))
            return ["/bin/sh", "-c", f"exec {writing} < {listing}"]

        bottom, alone = cost(write)
        print(f"| writing alone | {bottom:.0f} | {alone} | | | | |", flush=True)
        print(f"\nall: {len(files)} files, {sum(path.stat().st_size for path in files) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
