#!/usr/bin/env python3
"""Measures the time from raw JSON lines to typed tables: `loggen validate --split`, then `loggen sql --part load`.

usage: warehouse.py [ENGINE…] [--records N] [--times N] [--bad N] [--rounds N] [--loggen PATH] [--old PATH]

ENGINE is duckdb, spark, postgresql or clickhouse; the default is all. The records belong to all events of the sample's
definitions in turn, and each is repeated `--times` times. One in `--bad` records breaks a rule. The tables exist and
are empty before the clock starts. Afterwards the rows of all tables are counted: each record must be in one of them.

`--old PATH` is a build of a commit whose `loggen sql` checked raw records in SQL (up to 47605ff). It processes the same
lines in turn, through `raw_records`. `--old-records` limits their number, because its PostgreSQL takes a second for a
thousand records.

Needs PyPI's duckdb, pyarrow, pyspark (and Java 17), chdb, and Debian's postgresql, as far as their engines are
selected. Exits with 0 if every count is as expected.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

import measure

sys.dont_write_bytecode = True
sys.path.insert(0, str(measure.ROOT / "Tests/Oracles"))
import fitting
import warehouse

ENGINES = ["duckdb", "spark", "postgresql", "clickhouse"]


def records(model, count, bad):
    """Returns records, and the number of bad ones. Every `bad`-th record breaks one of several rules."""
    chance = random.Random(18)
    events = [(category, event) for category in model["categories"] for event in category["events"] if event["status"] != "retired"]
    wrong = [{"event_id": "x"}, {"undeclared": 1}, {"schema_version": "9-0-0"}, {"occurred_at": None}, {"session_id": 7}]
    result = []
    for number in range(count):
        category, event = events[number % len(events)]
        members = fitting.members(category, event, model, chance)
        if bad and number % bad == 0:
            members.update(wrong[number // bad % len(wrong)])
        result.append(json.dumps(members, ensure_ascii=False, separators=(",", ":")))
    return result, len(range(0, count, bad)) if bad else 0


class Way:
    """A pipeline from lines to tables, with the build of loggen that validates and generates the statements."""

    def __init__(self, loggen, definitions):
        self.loggen, self.definitions = loggen, definitions

    def printed(self, *words):
        return subprocess.run([self.loggen, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def statements(self, engine, part, *more):
        text = self.printed("sql", self.definitions, "--dialect", engine, "--part", part, "--quiet", *more)
        # With psql, a transaction needs a single session.
        return [text] if engine == "postgresql" else warehouse.statements(text)

    def prepare(self, engine):
        for statement in self.statements(engine.name, "tables"):
            engine.run(statement)

    def fill(self, engine, lines, folder):
        """Returns the seconds of validation and of the load."""
        start = time.perf_counter()
        rows = folder / f"rows-{time.time_ns()}"
        self.printed("validate", self.definitions, "--split", rows, "--dialect", engine.name, "--quiet", "--limit", 0, lines)
        judged = time.perf_counter() - start
        for statement in self.statements(engine.name, "load", "--records", rows):
            engine.run(statement)
        return judged, time.perf_counter() - start - judged


class OldWay(Way):
    def prepare(self, engine):
        super().prepare(engine)
        for statement in self.statements(engine.name, "check"):
            engine.run(statement)

    RAW = {
        "duckdb": "SELECT * FROM read_csv('{}', header = false, delim = '\\x01', quote = '', escape = '', columns = {{record: 'VARCHAR'}})",
        "spark": "SELECT value FROM text.`{}`",
        "clickhouse": "SELECT line FROM file('{}', 'LineAsString', 'line String')",
    }

    def fill(self, engine, lines, folder):
        start = time.perf_counter()
        if engine.name == "postgresql":
            engine.run(f"\\copy raw_records FROM '{lines}' WITH (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')")
        else:
            engine.run("INSERT INTO raw_records " + self.RAW[engine.name].format(lines))
        read = time.perf_counter() - start
        for statement in self.statements(engine.name, "load"):
            engine.run(statement)
        return read, time.perf_counter() - start - read


def run(way, name, lines, folder, count, bad):
    engine = warehouse.engine(name, folder)
    try:
        way.prepare(engine)
        seconds = way.fill(engine, lines, folder)
        tables = [f"{c['name']}__{e['name']}" for c in json.loads(way.printed("dump", way.definitions))["categories"] for e in c["events"]]
        quoted = [warehouse.quoted(table, name) for table in tables if table]
        total = " + ".join(f"(SELECT COUNT(*) FROM {table})" for table in quoted)
        found = engine.rows(f"SELECT {total} AS good, (SELECT COUNT(*) FROM bad_records) AS bad")[0]
        if (int(found["good"]), int(found["bad"])) != (count - bad, bad):
            sys.exit(f"{name}: the tables contain {found}, of {count} records with {bad} bad ones")
        return seconds
    finally:
        engine.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help="duckdb, spark, postgresql or clickhouse (all)")
    parser.add_argument("--records", type=int, default=100_000, help="the number of different records (100000)")
    parser.add_argument("--times", type=int, default=4, help="the number of copies of each record (4)")
    parser.add_argument("--bad", type=int, default=500, help="the number of records per bad one; 0 for none (500)")
    parser.add_argument("--rounds", type=int, default=3, help="the number of runs of each pipeline (3)")
    parser.add_argument("--loggen", help="a release build to measure (a new build of this clone)")
    parser.add_argument("--old", help="a build of a commit that checked records in SQL")
    parser.add_argument("--old-records", type=int, help="the number of lines for the old build (all)")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.engines if name not in ENGINES]
    if unknown:
        parser.error(f"unknown engine: {', '.join(unknown)}; the engines are {', '.join(ENGINES)}")

    loggen = arguments.loggen or measure.build_loggen("release")
    definitions = str(measure.ROOT / "Definitions")
    new = Way(loggen, definitions)
    old = OldWay(arguments.old, definitions) if arguments.old else None
    some, _ = records(json.loads(new.printed("dump", definitions)), arguments.records, arguments.bad)
    rows = some * arguments.times
    size = sum(len(row.encode()) for row in some) / len(some)
    print(f"{len(rows):,} records of {size:.0f} bytes; {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}; medians of {arguments.rounds}\n")
    print("| engine | validated, s | loaded, s | records/s | old build, s | old build, records/s | ratio |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory(prefix="loggen-bench-") as temporary:
        folder = pathlib.Path(temporary)
        # The server belongs to another user and cannot read these files, but its client can.
        lines, fewer = folder / "lines.ndjson", folder / "fewer.ndjson"
        lines.write_text("".join(row + "\n" for row in rows))
        old_count = min(arguments.old_records or len(rows), len(rows))
        fewer.write_text("".join(row + "\n" for row in rows[:old_count]))

        def bad(count):
            return sum(bool(arguments.bad) and index % len(some) % arguments.bad == 0 for index in range(count))

        try:
            for name in arguments.engines or ENGINES:
                times, olds = [], []
                for _ in range(arguments.rounds):
                    times.append(run(new, name, lines, folder, len(rows), bad(len(rows))))
                    if old:
                        olds.append(sum(run(old, name, fewer, folder, old_count, bad(old_count))))
                judged, loaded = (statistics.median(part) for part in zip(*times))
                rate = len(rows) / statistics.median(map(sum, times))
                beside = "| | | |"
                if olds:
                    old_rate = old_count / statistics.median(olds)
                    beside = f"| {statistics.median(olds):.1f} | {old_rate:,.0f} | {rate / old_rate:.1f} |"
                print(f"| {name} | {judged:.2f} | {loaded:.2f} | {rate:,.0f} {beside}", flush=True)
        finally:
            warehouse.PostgreSQL.stop()


if __name__ == "__main__":
    main()
