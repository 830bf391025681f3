#!/usr/bin/env python3
"""Makes a synthetic set of log definitions for benchmarks.

usage: make_corpus.py OUT [--files N] [--events N] [--columns N] [--seed N]

The result is deterministic. The default is 1,000 files x 10 events x 4 columns.
"""
import argparse
import pathlib
import random

SCALARS = [
    "int16", "int32", "int64", "float", "double", "bool", "string(64 bytes)", "string(256 bytes)", "string", "date",
    "timestamp",
]
ENUMS = {"SearchOrder": ["newest", "popular", "relevant"], "DeviceKind": ["phone", "tablet", "watch"]}


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out", type=pathlib.Path)
    p.add_argument("--files", type=int, default=1000)
    p.add_argument("--events", type=int, default=10)
    p.add_argument("--columns", type=int, default=4)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    rng = random.Random(a.seed)
    kinds = SCALARS + list(ENUMS)
    pool = [(f"col_{i:03d}", kinds[i % len(kinds)]) for i in range(max(260, a.columns))]
    a.out.mkdir(parents=True, exist_ok=True)
    for old in a.out.glob("*.md"):
        old.unlink()

    def columns(rows):
        return ["| column | type | description |", "| --- | --- | --- |", *(f"| {n} | {t} | {d} |" for n, t, d in rows), ""]

    common = [("user_id", "int64?", "user"), ("user_agent", "string(1000 bytes)", "agent"),
              ("os_version", "string(32 bytes)", "system"), ("time_zone", "string(64 bytes)", "zone")]
    write(a.out / "common.md", ["# common", "", *columns(common)])
    lines = ["# types", ""]
    for name, values in ENUMS.items():
        lines += [f"## {name}", "", "| value | description |", "| --- | --- |", *(f"| {v} | {v} |" for v in values), ""]
    write(a.out / "types.md", lines)
    for i in range(a.files):
        lines = [f"# category_{i:04d}", "", f"Screen number {i} of the app.", ""]
        for e in range(a.events):
            retired = "[obsolete] " if e == a.events - 1 and i % 5 == 0 else ""
            lines += [f"## {retired}event_{e:02d}", "", f"Sent when the user does action {e} on screen {i}.", ""]
            rows = [(n, t + "?" * (rng.random() < 0.2), f"{n} as event {e} uses it") for n, t in rng.sample(pool, a.columns)]
            lines += columns(rows)
        write(a.out / f"category_{i:04d}.md", lines)


def write(path, lines):
    path.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
