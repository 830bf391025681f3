#!/usr/bin/env python3
"""Compares the processor time of loggen with a C program that only reads the same files and has libcmark parse them.

usage: speed.py [--debug] [--loggen PATH]

Measures 500 and 4,000 files of 10 events; with `--debug`, a debug build and files of 2 events. The speed of a machine
changes within seconds by up to a half. Each run of a command is therefore divided by the runs of the floor before and
after it, which repeat the floor on all cores for about a second, and the median of such ratios counts. `ratio` is that
of 4,000 files, `growth` its relation to that of 500 files. A command above its figure by more than 15 %, or whose time
per file grows by more than a quarter, is measured in further rounds. Exits with 1 if it stays there. With `--debug`, a
command within these limits is measured once.
"""
import argparse
import concurrent.futures
import itertools
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import measure

# The ratios of each command in a release and in a debug build, and the aim in release. SwiftPM runs the tools of plugins
# as debug builds. Lower a figure when it is beaten.
FIGURES = {
    "lint": (5.8, 52, 3),
    "generate, cold": (13.5, 148, 6),
    "generate, unchanged": (13.5, 126, 4.5),
    "check": (12.5, 122, 4.5),
    "dump": (9, 78, None),
    "validate": (9, 82, None),
}
SIZES = (500, 4000)
TOLERANCE = 1.15
GROWTH = 1.25
ROUNDS = 3
FURTHER_ROUNDS = 8
FLOOR_SECONDS = 1


class Corpus:
    """The definitions of one size, with a lock file and generated files. Its commands leave it as it is."""

    def __init__(self, folder, files, events, loggen, floor):
        logs, output = str(folder / "logs"), str(folder / "generated")
        make = [sys.executable, str(measure.HERE / "make_corpus.py"), logs, "--files", str(files), "--events", str(events)]
        subprocess.run(make, check=True)
        measure.run([loggen, "lock", logs])
        measure.run([loggen, "generate", logs, "--output", output])
        # Each cold run has a new folder, because ext4 reuses space slowly after a removal.
        cold = (str(folder / f"generated{number}") for number in itertools.count())
        self.commands = {
            "lint": lambda: [loggen, "lint", logs],
            "generate, cold": lambda: [loggen, "generate", logs, "--output", next(cold)],
            "generate, unchanged": lambda: [loggen, "generate", logs, "--output", output],
            "check": lambda: [loggen, "check", logs, "--output", output],
            "dump": lambda: [loggen, "dump", logs],
            # Of no records: the time until the first one is read.
            "validate": lambda: [loggen, "validate", logs],
        }
        self.files = files
        self.floor = [floor, *[logs] * math.ceil(FLOOR_SECONDS / measure.run([floor, logs]).processor)]
        self.floors = []
        self.times = {name: [] for name in self.commands}
        self.ratios = {name: [] for name in self.commands}
        self.memory = dict.fromkeys(self.commands, 0)

    def measure_floor(self):
        """Returns the processor time of one pass of the floor, measured on all cores at once."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            costs = list(pool.map(lambda _: measure.run(self.floor), range(os.cpu_count())))
        self.floors.append(statistics.mean(cost.processor for cost in costs) / (len(self.floor) - 1))
        return self.floors[-1]

    def measure(self, names):
        before = self.measure_floor()
        for name in names:
            # Without records, `validate` fails.
            cost = measure.run(self.commands[name](), accept=(1,) if name == "validate" else (0,))
            after = self.measure_floor()
            self.times[name].append(cost.processor)
            self.ratios[name].append(2 * cost.processor / (before + after))
            self.memory[name] = max(self.memory[name], cost.memory)
            before = after

    def ratio(self, name):
        return statistics.median(self.ratios[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--debug", action="store_true", help="measure a debug build")
    parser.add_argument("--loggen", help="the build to measure (a new build of this clone)")
    arguments = parser.parse_args()
    figures = {name: debug if arguments.debug else release for name, (release, debug, _) in FIGURES.items()}
    events = 2 if arguments.debug else 10

    with tempfile.TemporaryDirectory(prefix="loggen-speed-") as temporary:
        folder = pathlib.Path(temporary)
        floor = measure.build_floor(folder)
        loggen = arguments.loggen or measure.build_loggen("debug" if arguments.debug else "release")
        small, large = corpora = [Corpus(folder / str(files), files, events, loggen, floor) for files in SIZES]

        def growth(name):
            return large.ratio(name) / small.ratio(name)

        def slow():
            return [name for name in figures if large.ratio(name) > figures[name] * TOLERANCE or growth(name) > GROWTH]

        rounds = 1 if arguments.debug else ROUNDS
        for number in range(rounds + FURTHER_ROUNDS):
            if names := figures if number < rounds else slow():
                for corpus in corpora:
                    corpus.measure(names)

        libcmark = statistics.median(large.floors) / large.files * 1e6
        print(f"{events} events and {4 * events} columns a file; libcmark needs {libcmark:.0f} ms for 1,000 files\n")
        print("| command | ms, 500 files | ms, 4,000 files | ratio | figure | aim | growth | peak MB |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for name, figure in figures.items():
            times = " | ".join(f"{statistics.median(corpus.times[name]) * 1000:.0f}" for corpus in corpora)
            aim = "" if arguments.debug else FIGURES[name][2] or ""
            print(f"| {name} | {times} | {large.ratio(name):.2f} | {figure} | {aim} | {growth(name):.2f} | {large.memory[name]:.0f} |")
        for name in slow():
            if growth(name) > GROWTH:
                print(f"{name}: the time per file grows by {growth(name) - 1:.0%} from 500 to 4,000 files, at most 25 %", file=sys.stderr)
            if large.ratio(name) > figures[name] * TOLERANCE:
                print(f"{name}: {large.ratio(name):.2f} × libcmark is more than 15 % above {figures[name]}", file=sys.stderr)
        return 1 if slow() else 0


if __name__ == "__main__":
    sys.exit(main())
