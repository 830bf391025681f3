#!/usr/bin/env python3
"""Writes CONTRIBUTING.md's table of stages: checks and needs from each stage's first comment, and processor times.

usage: .ci/table.py [TIMES] | --check

TIMES has a line for each stage of a run: name, seconds, and seconds of processor time (`.ci/run --record`). Without it,
the times do not change. --check writes nothing, and exits with 1 if the table is not current.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = "libcmark-dev, libsqlite3-dev, zlib1g-dev, pkg-config"
ROW = re.compile(r"^\| `([a-z-]+)` \|.*\| *([0-9]*) *\|$", re.M)
TABLE = re.compile(r"^\| stage \| checks \|.*?\n\n", re.M | re.S)


def row(name, time):
    """Returns the row of a stage."""
    lines = []
    for line in (ROOT / ".ci/stages" / name).read_text(encoding="utf-8").splitlines()[1:]:
        if not line.startswith("#"):
            break
        # Declarations for .ci/run.
        if re.match("# (Alone|Holds|Uses): ", line):
            continue
        lines.append(line.lstrip("# ").rstrip())
    checks, needs = " ".join(lines).split(" Needs: ")
    needs = needs.rstrip(".").replace(PACKAGE, "P").replace("Debian's ", "").replace("nothing but Swift", "nothing")
    return f"| `{name}` | {checks.rstrip('.').replace('|', '&#124;')} | {needs} | {time} |\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("times", nargs="*", metavar="TIMES", help="a file with a line for each stage of a run")
    parser.add_argument("--check", action="store_true", help="write nothing, and exit with 1 if the table is not current")
    options = parser.parse_args()
    document = ROOT / "CONTRIBUTING.md"
    text = document.read_text(encoding="utf-8")
    found = TABLE.search(text)
    if not found:
        sys.exit("CONTRIBUTING.md has no table of stages")
    times = dict(ROW.findall(found[0]))
    for path in options.times:
        try:
            with open(path, encoding="utf-8") as file:
                # Rounded to tens of seconds, because runs differ.
                times.update({name: str(max(1, round(int(processor), -1) or int(processor))) for name, _, processor, *_ in map(str.split, file)})
        except OSError as error:
            parser.error(f"cannot read `{path}`: {error.strerror}")
    names = [line.split()[0] for line in subprocess.run([str(ROOT / ".ci/run"), "--list"], check=True, capture_output=True, text=True).stdout.splitlines()
             if not line.startswith(" ")]
    table = "| stage | checks | needs, besides Swift | CPU s |\n| --- | --- | --- | ---: |\n" + "".join(row(name, times.get(name, "")) for name in names) + "\n"
    if table == found[0]:
        return
    if options.check:
        sys.exit("CONTRIBUTING.md's table of stages is not current: run .ci/table.py")
    document.write_text(text[:found.start()] + table + text[found.end():], encoding="utf-8")


if __name__ == "__main__":
    main()
