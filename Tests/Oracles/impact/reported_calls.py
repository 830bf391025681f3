"""The common part of the comparisons of calls: their arguments, and the calls that `loggen impact` reports."""

import argparse
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile


def arguments(description, count):
    """Returns the arguments of a comparison. `count` is the default number of random files."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("loggen", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    return parser.parse_args()


@contextlib.contextmanager
def folder(keep):
    """Makes the folder of a comparison, which stays if it has a name."""
    with tempfile.TemporaryDirectory() as temporary:
        work = keep or pathlib.Path(temporary)
        work.mkdir(exist_ok=True)
        yield work


def reported(work, loggen, events):
    """Returns the reported calls: file, line, column, event -> certain, columns, possible columns.

    `events` has the columns of each event.
    """
    calls = {}
    for event, columns in events.items():
        for column in [None, *columns]:
            subject = event if column is None else f"{event}.{column}"
            result = subprocess.run(
                [loggen, "impact", subject, "D", "--consumers", "app", "--format", "json"], cwd=work, capture_output=True, text=True)
            if result.returncode != 0:
                sys.exit("failed: loggen impact\n" + result.stderr)
            for call in json.loads(result.stdout)["calls"]:
                key = (call["file"], call["line"], call["column"], event)
                if column is None:
                    calls[key] = (call["certain"], set(), set())
                else:
                    calls[key][1 if call["certain"] else 2].add(column)
    return calls


def finish(counts, failures, seed):
    """Prints the result, and ends with 1 if there are failures."""
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    for failure in failures[:20]:
        print(failure)
    if failures:
        sys.exit(f"failed: {len(failures)} differences, seed {seed}")
