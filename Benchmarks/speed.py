#!/usr/bin/env python3
"""Compares the processor time of loggen with a C program that only reads the same files and has libcmark parse them.

usage: speed.py [--debug] [--loggen PATH]

Measures 500 and 4,000 files of 10 events; with `--debug`, a debug build and files of 2 events. Floor and commands run
in turn, and the smallest of five times counts, because other work on the machine can only add time. `ratio` is the time
for 4,000 files relative to the floor, `growth` that of the time per file. A command above its figure by more than 15 %,
or whose time per file grows by more than a quarter, is measured up to ten times more. Exits with 1 if it stays there.
With `--debug`, a time of 4,000 files within these limits is the last one: a smaller time would not change the answer.
"""
import argparse
import itertools
import pathlib
import subprocess
import sys
import tempfile

import measure

# The ratios of each command in a release and in a debug build, and the aim in release. SwiftPM runs the tools of plugins
# as debug builds. Lower a figure when it is beaten.
FIGURES = {
    "lint": (8, 46, 3),
    "generate, cold": (19, 140, 6),
    "generate, unchanged": (15, 126, 4.5),
    "check": (15, 122, 4.5),
    "dump": (11, 70, None),
}
SIZES = (500, 4000)
TOLERANCE = 1.15
GROWTH = 1.25
ROUNDS = 5
FURTHER_ROUNDS = 10


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
            "floor": lambda: [floor, logs],
            "lint": lambda: [loggen, "lint", logs],
            "generate, cold": lambda: [loggen, "generate", logs, "--output", next(cold)],
            "generate, unchanged": lambda: [loggen, "generate", logs, "--output", output],
            "check": lambda: [loggen, "check", logs, "--output", output],
            "dump": lambda: [loggen, "dump", logs],
        }
        self.files = files
        self.times = dict.fromkeys(self.commands, float("inf"))
        self.memory = dict.fromkeys(self.commands, 0)

    def measure(self, names):
        for name in names:
            cost = measure.run(self.commands[name]())
            self.times[name] = min(self.times[name], cost.processor)
            self.memory[name] = max(self.memory[name], cost.memory)


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

        def ratio(name):
            return large.times[name] / large.times["floor"]

        def growth(name):
            return large.times[name] / small.times[name] * small.files / large.files

        def slow():
            return [name for name in figures if ratio(name) > figures[name] * TOLERANCE or growth(name) > GROWTH]

        for _ in range(ROUNDS):
            small.measure(small.commands)
            large.measure(["floor"] if arguments.debug else large.commands)
        if arguments.debug:
            large.measure(figures)
        for _ in range(FURTHER_ROUNDS):
            if names := slow():
                for corpus in corpora:
                    corpus.measure(["floor", *names])

        libcmark = large.times["floor"] / large.files * 1e6
        print(f"{events} events and {4 * events} columns a file; libcmark needs {libcmark:.0f} ms for 1,000 files\n")
        print("| command | ms, 500 files | ms, 4,000 files | ratio | figure | aim | growth | peak MB |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for name, figure in figures.items():
            times = " | ".join(f"{corpus.times[name] * 1000:.0f}" for corpus in corpora)
            aim = "" if arguments.debug else FIGURES[name][2] or ""
            print(f"| {name} | {times} | {ratio(name):.2f} | {figure} | {aim} | {growth(name):.2f} | {large.memory[name]:.0f} |")
        for name in slow():
            if growth(name) > GROWTH:
                print(f"{name}: the time per file grows by {growth(name) - 1:.0%} from 500 to 4,000 files, at most 25 %", file=sys.stderr)
            if ratio(name) > figures[name] * TOLERANCE:
                print(f"{name}: {ratio(name):.2f} × libcmark is more than 15 % above {figures[name]}", file=sys.stderr)
        return 1 if slow() else 0


if __name__ == "__main__":
    sys.exit(main())
