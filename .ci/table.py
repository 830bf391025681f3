#!/usr/bin/env python3
"""Writes CONTRIBUTING.md's table of stages: what each checks and needs as its own first comment has it, and its processor time.

usage: .ci/table.py [TIMES] | --check

TIMES has a line for each stage of a run: its name, its seconds, its seconds of processor time (`.ci/run --record`). Without it the times stay.
With --check nothing is written. Exits with 1 if the table is not current.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = "libcmark-dev, libsqlite3-dev, zlib1g-dev, pkg-config"
ROW = re.compile(r"^\| `([a-z-]+)` \|.*\| *([0-9]*) *\|$", re.M)
TABLE = re.compile(r"^\| stage \| checks \|.*?\n\n", re.M | re.S)


def row(name, time):
    """A stage's row."""
    lines = []
    for line in (ROOT / ".ci/stages" / name).read_text(encoding="utf-8").splitlines()[1:]:
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# ").rstrip())
    checks, needs = " ".join(lines).split(" Needs: ")
    needs = needs.rstrip(".").replace(PACKAGE, "P").replace("Debian's ", "").replace("nothing but Swift", "nothing")
    return f"| `{name}` | {checks.rstrip('.').replace('|', '&#124;')} | {needs} | {time} |\n"


def main():
    document = ROOT / "CONTRIBUTING.md"
    text = document.read_text(encoding="utf-8")
    found = TABLE.search(text)
    if not found:
        sys.exit("CONTRIBUTING.md has no table of stages")
    times = dict(ROW.findall(found[0]))
    for argument in sys.argv[1:]:
        if argument != "--check":
            with open(argument, encoding="utf-8") as file:
                # Tens of seconds: the rest differs from run to run.
                times.update({name: str(max(1, round(int(processor), -1) or int(processor))) for name, _, processor, *_ in map(str.split, file)})
    names = [line.split()[0] for line in subprocess.run([str(ROOT / ".ci/run"), "--list"], check=True, capture_output=True, text=True).stdout.splitlines()
             if not line.startswith(" ")]
    table = "| stage | checks | needs, besides Swift | CPU s |\n| --- | --- | --- | ---: |\n" + "".join(row(name, times.get(name, "")) for name in names) + "\n"
    if table == found[0]:
        return
    if "--check" in sys.argv:
        sys.exit("CONTRIBUTING.md's table of stages is not current: run .ci/table.py")
    document.write_text(text[:found.start()] + table + text[found.end():], encoding="utf-8")


if __name__ == "__main__":
    main()
