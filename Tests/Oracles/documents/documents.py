#!/usr/bin/env python3
"""Compares the events and columns that `loggen infer` finds in public tracking plans with counts by hand.

usage: Tests/Oracles/documents/documents.py FOLDER [--loggen .build/debug/loggen]

documents.json names the documents by repository, path and commit. FOLDER has a copy of each of them, as
OWNER/NAME/PATH; a missing copy is skipped. The script fetches nothing, and the documents are not part of this
repository. A copy whose git blob differs from the listed one is reported.

For each document, `events` and `columns` were counted by reading it: the events that it defines in headings, rows or
lists, and their properties, without the repeats of common ones. `loggen infer` has to find exactly these numbers,
except where `found` names others; `note` gives the reason. The output has to pass `loggen lint`.

Where `first` is present, the document was found and counted before the reader had read it, and `first` is what the
reader found at its first run. In eight rounds of 38, 37, 27, 38, 19, 15, 18 and 16 documents, of which 166 are listed,
it found 852 of 974, 754 of 928, 523 of 596, 481 of 552, 346 of 381, 244 of 273, 567 of 639 and 268 of 296 events by
their names, and 1,519 of 2,305, 918 of 1,199, 691 of 833, 582 of 836, 448 of 640, 380 of 430, 806 of 862 and 479 of 541
columns. The 20 older ones had 401 of 588 events and 577 of 733 columns. The misses were mended after each round.
"""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEADER = re.compile(r"\| column +\|")


def blob(data):
    """Returns git's hash of a file."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def counts(folder):
    """Returns the numbers of events and of their columns in definition files."""
    events = columns = 0
    for path in sorted(folder.glob("*.md")):
        if path.name in ("common.md", "types.md"):
            continue
        in_table = False
        for line in path.read_text(encoding="utf-8").split("\n"):
            events += line.startswith("## ")
            if HEADER.match(line) and not in_table:
                in_table = True
            elif not line.startswith("|"):
                in_table = False
            elif in_table and set(line) - set("|- :"):
                columns += 1
    return events, columns


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--loggen", default=".build/debug/loggen")
    options = arguments.parse_args()
    documents = json.loads((HERE / "documents.json").read_text(encoding="utf-8"))
    failures = seen = 0
    total = {"events": 0, "columns": 0, "found events": 0, "found columns": 0}
    for document in documents:
        name = f"{document['repository']}/{document['path']}"
        copy = options.folder / name
        if not copy.is_file():
            print(f"skipped: {name}")
            continue
        seen += 1
        problems = []
        if blob(copy.read_bytes()) != document["blob"]:
            problems.append("another version")
        with tempfile.TemporaryDirectory() as scratch:
            output = pathlib.Path(scratch) / "Definitions"
            subprocess.run(
                [options.loggen, "infer", "--from", "markdown", copy, "--output", output, "--quiet"],
                capture_output=True, check=False)
            events, columns = counts(output) if output.is_dir() else (0, 0)
            if output.is_dir():
                lint = subprocess.run([options.loggen, "lint", output], capture_output=True, text=True, check=False)
                if lint.returncode:
                    problems.append("lint: " + lint.stderr.split("\n")[0])
        wanted = document.get("found", [document["events"], document["columns"]])
        if [events, columns] != wanted:
            problems.append(f"wanted {wanted[0]} and {wanted[1]}")
        total["events"] += document["events"]
        total["columns"] += document["columns"]
        total["found events"] += min(events, document["events"])
        total["found columns"] += min(columns, document["columns"])
        failures += bool(problems)
        print(f"{name}: {events} of {document['events']} events, {columns} of {document['columns']} columns"
              + "".join(f"; {problem}" for problem in problems))
    print(f"{seen} documents: {total['found events']} of {total['events']} events, "
          f"{total['found columns']} of {total['columns']} columns; {failures} differ")
    sys.exit(1 if failures or not seen else 0)


if __name__ == "__main__":
    main()
