#!/usr/bin/env python3
"""How many raw records a warehouse checks in a second with what `loggen sql` writes, beside the same warehouse only parsing them.

usage: warehouse.py [ENGINE…] [--records N] [--times N] [--bad N] [--rounds N] [--loggen PATH]

ENGINE is duckdb, spark (these two, if none is named), postgresql, clickhouse. The records are of the sample's definitions, of all events in
turn, and already stand in `raw_records`, each so many times as `--times` says; one in 500 breaks a rule, which the engine has to count
rightly. The floor is the engine's own parser of JSON over the same rows. Floor and check run in turn, and the ratio is the median of the
pairs' own.

The rate per core is in processor time, of all of the engine's threads: a busy machine changes it less. It has everything in it: planning,
and what Java's compilers take. `fixed` is what a check takes in processor time if only one of `--times` parts of the records is there, less
that part's share: what many records do not make more. PostgreSQL's time is its server's and is not asked for; give it some 1,000 records.

Needs PyPI's duckdb, pyarrow, pyspark (and Java 17), chdb, and Debian's postgresql, for the engines that are asked for. Always exits with 0
when every count is right.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

import measure

sys.dont_write_bytecode = True
sys.path[:0] = [str(measure.ROOT / ".ci"), str(measure.ROOT / "Tests/Support/Python")]
import fitting

FLOORS = {
    "duckdb": "SELECT count(*) AS n FROM raw_records WHERE json_valid(record)",
    "spark": "SELECT count(try_parse_json(record)) AS n FROM raw_records",
    "postgresql": "SELECT count(record::jsonb) AS n FROM raw_records",
    "clickhouse": "SELECT toUInt32(countIf(isValidJSON(record))) AS n FROM raw_records",
}
CHECK = "SELECT COUNT(*) AS n, SUM(CASE WHEN {} THEN 0 ELSE 1 END) AS bad FROM checked_records"
IS_EMPTY = {"duckdb": "len(violations) = 0", "spark": "size(violations) = 0", "postgresql": "cardinality(violations) = 0", "clickhouse": "empty(violations)"}


def records(model, count, bad):
    """Records, every `bad`-th of which breaks a rule, each time another one, and how many those are."""
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


def processor_time(name):
    """What the engine's process has taken so far, in seconds; nil where it is no process of ours."""
    if name == "postgresql":
        return None
    if name == "spark":
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                command, fields = stat.read_text().split("(", 1)[1].rsplit(")", 1)
            except OSError:
                continue
            fields = fields.split()
            if command == "java" and int(fields[1]) == os.getpid():
                return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return None
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help="duckdb, spark, postgresql, clickhouse (duckdb and spark)")
    parser.add_argument("--records", type=int, default=100_000, help="how many records (100000)")
    parser.add_argument("--times", type=int, default=4, help="how often each record is there (4)")
    parser.add_argument("--bad", type=int, default=500, help="one record of so many breaks a rule; 0 for none (500)")
    parser.add_argument("--rounds", type=int, default=2, help="how often each is counted, after a run that is not (2)")
    parser.add_argument("--loggen", help="a build to use; without it, a release build of this clone is made")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.engines if name not in FLOORS]
    if unknown:
        parser.error(f"no engine: {', '.join(unknown)}; there are {', '.join(FLOORS)}")
    import warehouse

    loggen = arguments.loggen or measure.build_loggen("release")
    definitions = str(measure.ROOT / "Definitions")

    def printed(*words):
        return subprocess.run([loggen, *words], check=True, capture_output=True, text=True).stdout

    rows, bad = records(json.loads(printed("dump", definitions)), arguments.records, arguments.bad)
    size = sum(len(row.encode()) for row in rows) / len(rows)
    times, count = arguments.times, len(rows) * arguments.times
    print(f"{count:,} records of {size:.0f} bytes, {bad * times:,} of them bad; {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}; {arguments.rounds} rounds\n")
    print("| engine | parsed/s | checked/s | ratio | checked/s per core | fixed, s |\n| --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory(prefix="loggen-bench-") as temporary:
        try:
            for name in arguments.engines or ["duckdb", "spark"]:
                engine = warehouse.engine(name, pathlib.Path(temporary))
                for part in ["tables", "check"]:
                    for statement in warehouse.statements(printed("sql", definitions, "--dialect", name, "--part", part, "--quiet")):
                        engine.run(statement)

                def timed(query):
                    start, before = time.perf_counter(), processor_time(name)
                    row = engine.rows(query)[0]
                    return time.perf_counter() - start, (processor_time(name) or 0) - (before or 0), row

                def rounds(times):
                    """For each round: seconds of the floor, of the check, and processor seconds of the check."""
                    found = []
                    for number in range(arguments.rounds + 1):
                        floor, _, parsed = timed(FLOORS[name])
                        check, processor, judged = timed(CHECK.format(IS_EMPTY[name]))
                        if int(parsed["n"]) != len(rows) * times or int(judged["n"]) != len(rows) * times or int(judged["bad"]) != bad * times:
                            sys.exit(f"{name}: {parsed}, {judged}; expected {len(rows) * times} records, {bad * times} of them bad")
                        if number > 0:
                            found.append((floor, check, processor))
                    return found

                engine.add(rows)
                few = rounds(1) if times > 1 else []
                for _ in range(times - 1):
                    engine.add(rows)
                many = rounds(times)
                floor, check, processor = (measure.median([found[side] for found in many]) for side in range(3))
                ratio = measure.median([check / floor for floor, check, _ in many])
                core = f"{count / processor:,.0f}" if processor else "–"
                fixed = "–"
                if few and processor:
                    first = measure.median([found[2] for found in few])
                    fixed = f"{max(0, first - (processor - first) / (times - 1)):.1f}"
                print(f"| {name} | {count / floor:,.0f} | {count / check:,.0f} | {ratio:.1f} | {core} | {fixed} |", flush=True)
                engine.close()
        finally:
            warehouse.PostgreSQL.stop()


if __name__ == "__main__":
    main()
