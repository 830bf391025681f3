#!/usr/bin/env python3
"""How many raw records a warehouse checks in a second with what `loggen sql` writes, beside the same warehouse only parsing them.

usage: warehouse.py [ENGINE…] [--records N] [--bad N] [--rounds N] [--loggen PATH]

ENGINE is duckdb, spark, postgresql, clickhouse. The records are of the sample's definitions, of all events in turn, and already stand in
`raw_records`; one in 500 breaks a rule, which the engine has to count rightly. The floor is the engine's own parser of JSON over the same
rows. Floor and check run in turn, and the ratio is the median of the pairs' own. Needs PyPI's duckdb, pyarrow, pyspark (and Java 17),
chdb, and Debian's postgresql, for the engines that are asked for. Always exits with 0 when every count is right.
"""
import argparse
import json
import os
import pathlib
import random
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help="duckdb, spark, postgresql, clickhouse (all)")
    parser.add_argument("--records", type=int, default=100_000, help="how many records (100000)")
    parser.add_argument("--bad", type=int, default=500, help="one record of so many breaks a rule; 0 for none (500)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is counted, after a run that is not (3)")
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
    print(f"{len(rows):,} records of {size:.0f} bytes, {bad:,} of them bad; {os.cpu_count()} cores; {arguments.rounds} rounds\n")
    print("| engine | parsed/s | checked/s | ratio |\n| --- | ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory(prefix="loggen-bench-") as temporary:
        try:
            for name in arguments.engines or list(FLOORS):
                engine = warehouse.engine(name, pathlib.Path(temporary))
                for part in ["tables", "check"]:
                    for statement in warehouse.statements(printed("sql", definitions, "--dialect", name, "--part", part, "--quiet")):
                        engine.run(statement)
                engine.add(rows)

                def timed(query):
                    start = time.perf_counter()
                    row = engine.rows(query)[0]
                    return time.perf_counter() - start, row

                pairs = []
                for number in range(arguments.rounds + 1):
                    floor, parsed = timed(FLOORS[name])
                    check, found = timed(CHECK.format(IS_EMPTY[name]))
                    if int(parsed["n"]) != len(rows) or int(found["n"]) != len(rows) or int(found["bad"]) != bad:
                        sys.exit(f"{name}: {parsed}, {found}; expected {len(rows)} records, {bad} of them bad")
                    if number > 0:
                        pairs.append((floor, check))
                floor, check = (measure.median([pair[side] for pair in pairs]) for side in (0, 1))
                ratio = measure.median([check / floor for floor, check in pairs])
                print(f"| {name} | {len(rows) / floor:,.0f} | {len(rows) / check:,.0f} | {ratio:.1f} |", flush=True)
                engine.close()
        finally:
            warehouse.PostgreSQL.stop()


if __name__ == "__main__":
    main()
