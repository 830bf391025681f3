#!/usr/bin/env python3
"""What each output of the 1,000-file corpus costs, and all of them together, beside the C program that only parses the same files.

usage: outputs.py [--files N] [--rounds N] [--loggen PATH]

Floor and command run in turn. Costs are processor time of all threads, in milliseconds; `ratio` is the median of each pair's own ratio.
`cold` writes into an empty folder, `unchanged` into one that has the files. `lint` makes nothing: what is above it is the outputs' own.
`sql` writes for one warehouse, `sql, six` for all. Always exits with 0 when every command did its work.
"""
import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import measure

TARGET = 25
# What the outputs need to be told.
SETTINGS = {
    "swift": "", "json-schema": "", "catalogue": "", "sql": "{dialect: duckdb}", "iglu": "{vendor: com.example}", "dbt": "{dialect: duckdb}",
    "privacy-manifest": "{data: {UserID: {columns: [col_068], purposes: [Analytics], linked: true}}}", "index": "", "kotlin": "", "typescript": "",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1000, help="documents of ten events each (1000)")
    parser.add_argument("--rounds", type=int, default=5, help="pairs counted per row (5)")
    parser.add_argument("--loggen", help="a release build to measure; without it, one of this clone is made")
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
        folders = (str(folder / f"made{number}") for number in itertools.count())
        print(f"{arguments.files} files, {arguments.files * 10} events; {os.cpu_count()} cores; {arguments.rounds} rounds\n")
        print("| outputs | floor ms | cold ms | ratio | unchanged ms | ratio | target |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")

        def cost(command):
            counted = measure.pairs([floor, logs], command, arguments.rounds)
            processor = [measure.median(pair[index].processor for pair in counted) * 1000 for index in (0, 1)]
            return processor[0], processor[1], measure.median(pair[1].processor / pair[0].processor for pair in counted)

        def row(name, arguments, source=logs, target=""):
            made = next(folders)
            bottom, cold, ratio = cost(lambda: [loggen, "generate", source, *arguments, "--output", next(folders)])
            measure.run([loggen, "generate", source, *arguments, "--output", made])
            _, again, second = cost(lambda: [loggen, "generate", source, *arguments, "--output", made])
            print(f"| {name} | {bottom:.0f} | {cold:.0f} | {ratio:.1f} | {again:.0f} | {second:.1f} | {target} |", flush=True)

        bottom, lint, ratio = cost(lambda: [loggen, "lint", logs])
        print(f"| none (lint) | {bottom:.0f} | {lint:.0f} | {ratio:.1f} | | | |", flush=True)
        for name in SETTINGS:
            row(name, ["--only", name])
        row("sql, six", ["--only", "sql"], source=six)
        row("all", [], target=TARGET)


if __name__ == "__main__":
    main()
