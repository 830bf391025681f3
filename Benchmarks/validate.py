#!/usr/bin/env python3
"""Measures records per second of `loggen validate`, jsonschema-rs with the generated schemas, and DuckDB.

Needs `pip install jsonschema-rs duckdb`.

The records belong to one event of the sample's definitions, with random values of the columns' types: the event with
21 members whose records are closest to 566 bytes. All readers get the same records. Each runs three times, and the best
run counts. DuckDB reads the raw file with a type for each column, and counts the rows within the columns' bounds,
lengths and enumerations. It does not check undeclared columns, formats and versions.

--memory measures the peak memory for several numbers of records from a pipe. --growth measures the time for adversarial
lines of 1 MB and of 10 MB.
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

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "Tests/Oracles"))
import fitting

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("records", nargs="?", type=int, default=1_000_000, help="the number of records (1000000)")
parser.add_argument(
    "--memory", metavar="COUNTS", nargs="?", const="100000,1000000,10000000",
    help="measure memory for these numbers of records (100000,1000000,10000000)"
)
parser.add_argument("--growth", action="store_true", help="measure adversarial lines of 1 MB and of 10 MB")
arguments = parser.parse_args()
count = arguments.records
chance = random.Random(18)


def record(category, event, model):
    return json.dumps(fitting.members(category, event, model, chance), ensure_ascii=False, separators=(",", ":"))


def best(run):
    times = []
    for _ in range(3):
        start = time.monotonic()
        run()
        times.append(time.monotonic() - start)
    return min(times)


def peak(arguments, feed):
    """Runs a process with input from `feed`. Returns peak memory in MB, seconds, exit code and stderr."""
    start = time.monotonic()
    process = subprocess.Popen(arguments, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    feed(process.stdin)
    highest = high_water(process.pid)
    process.stdin.close()
    said = process.stderr.read().decode()
    highest = max(highest, high_water(process.pid))
    return highest, time.monotonic() - start, process.wait(), said


def high_water(pid):
    """Returns the peak memory of a process in MB. `getrusage` of a child would include that of this script."""
    try:
        with open(f"/proc/{pid}/status") as status:
            return next((int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def measure_memory(some, counts):
    """Measures memory with records from a pipe, so that they do not occupy the disk."""
    block = ("\n".join(some) + "\n").encode()
    for flags in [[], ["--coverage"], ["--coverage", "--statistics"]]:
        for count in counts:

            def feed(pipe):
                for _ in range(count // len(some)):
                    pipe.write(block)

            megabytes, seconds, code, said = peak([loggen, "validate", "--definitions", "Definitions", *flags, "-"], feed)
            assert code == 0 and f"{count:,} valid" in said, said
            print(f"{count:>10,} records {' '.join(flags) or '(no flags)'}: {megabytes:.0f} MB, {seconds:.1f} s", flush=True)


def measure_growth(record):
    """Measures adversarial lines. A line that is ten times as long should take ten times as long."""
    head = record[:-1]
    kinds = {
        "one string": lambda size: head + ',"note":"' + "x" * size + '"}',
        "escapes": lambda size: head + ',"note":"' + "\\u0041" * (size // 6) + '"}',
        "characters outside ASCII": lambda size: head + ',"note":"' + "絵" * (size // 3) + '"}',
        "undeclared columns": lambda size: head + "".join(f',"c{number}":1' for number in range(size // 12)) + "}",
        "one repeated name": lambda size: head + ',"note":1' * (size // 9) + "}",
        "names, each twice": lambda size: head + "".join(f',"c{number // 2}":1' for number in range(size // 12)) + "}",
        "an array": lambda size: head + ',"note":[' + "1," * (size // 2) + "1]}",
        "arrays of 500 levels": lambda size: (
            head + ',"note":[' + ",".join(["[" * 500 + "]" * 500] * (size // 1000)) + "]}"),
        "unclosed brackets": lambda size: "[" * size,
        "one number": lambda size: head + ',"note":' + "1" * size + "}",
        "digits after a point": lambda size: head + ',"note":0.' + "1" * size + "}",
        "not JSON at the end": lambda size: head + ',"note":[' + "{}," * (size // 3) + "}",
        "short lines, not JSON": lambda size: "x\n" * (size // 2),
        "blank lines": lambda size: "\n" * size + record,
    }
    for name, text in kinds.items():
        seconds = []
        for size in [1_000_000, 10_000_000]:
            bytes = (text(size) + "\n").encode()
            seconds.append(min(peak([loggen, "validate", "--definitions", "Definitions", "-"], lambda pipe: pipe.write(bytes))[1] for _ in range(3)))
        print(f"{name}: {seconds[0] * 1000:.0f} ms for 1 MB, {seconds[1] * 1000:.0f} ms for 10 MB", flush=True)


def sql_type(kind, types):
    """Returns DuckDB's type of a column, and a condition for the bounds of the type."""
    match kind["kind"]:
        case "named":
            declared = types[kind["name"]]
            return sql_type({"kind": "enum", "values": [entry["value"] for entry in declared["values"]]} if declared["kind"] == "enum" else declared["type"], types)
        case "integer" | "number":
            bounds = [(f"{{}} >= {kind['minimum']}" if "minimum" in kind else ""), (f"{{}} <= {kind['maximum']}" if "maximum" in kind else "")]
            whole = {8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT"}
            return whole[kind["bits"]] if kind["kind"] == "integer" else "DOUBLE", " AND ".join(filter(None, bounds))
        case "string":
            return "VARCHAR", f"length({{}}) <= {kind['maxLength']}" if "maxLength" in kind else ""
        case "enum":
            return "VARCHAR", "{} IN (" + ", ".join("'" + value.replace("'", "''") + "'" for value in kind["values"]) + ")"
        case "array":
            bounds = [(f"len({{}}) >= {kind['minItems']}" if "minItems" in kind else ""), (f"len({{}}) <= {kind['maxItems']}" if "maxItems" in kind else "")]
            return sql_type(kind["items"], types)[0] + "[]", " AND ".join(filter(None, bounds))
        case other:
            return {"boolean": "BOOLEAN", "uuid": "UUID", "date": "DATE", "timestamp": "TIMESTAMP"}.get(other, "VARCHAR"), ""


def measure_duckdb(path, columns, category, event, types):
    try:
        import duckdb
    except ImportError:
        return print("DuckDB is missing: pip install duckdb")
    kinds = {name: "VARCHAR" for name in ["event_category", "event_name", "schema_version"]} | {"event_id": "UUID", "occurred_at": "TIMESTAMP"}
    conditions = [f"event_category = '{category['name']}'", f"event_name = '{event['name']}'", f"schema_version = '{event['version']}'", "event_id IS NOT NULL", "occurred_at IS NOT NULL"]
    for column in columns:
        if column["status"] == "retired":
            continue
        name = column["name"]
        kinds[name], condition = sql_type(column["type"], types)
        condition = condition.replace("{}", name)
        if column["required"]:
            conditions.append(f"{name} IS NOT NULL")
        if condition:
            conditions.append(f"({name} IS NULL OR ({condition}))")
    structure = "{" + ", ".join(f"'{name}': '{kind}'" for name, kind in kinds.items()) + "}"
    query = f"SELECT count(*) FROM read_json('{path}', format = 'newline_delimited', columns = {structure}) WHERE {' AND '.join(conditions)}"
    for threads in [os.cpu_count(), 1]:
        connection = duckdb.connect(config={"threads": threads})
        assert connection.execute(query).fetchone()[0] == count
        seconds = best(lambda: connection.execute(query).fetchall())
        print(f"DuckDB {duckdb.__version__} over raw NDJSON, {'one core' if threads == 1 else 'all cores'}: {count / seconds:,.0f} records/s", flush=True)


subprocess.run(["swift", "build", "-c", "release", "--product", "loggen", "--quiet"], cwd=root, check=True)
loggen = subprocess.run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=root, check=True, capture_output=True, text=True).stdout.strip() + "/loggen"
model = json.loads(subprocess.run([loggen, "dump", "Definitions"], cwd=root, check=True, capture_output=True).stdout)
types = {entry["name"]: entry for entry in model["types"]}
common = model["common"]["columns"]
events = [(category, event) for category in model["categories"] for event in category["events"] if event["status"] != "retired"]
samples = {id(pair): [record(*pair, model) for _ in range(50)] for pair in events}
with_21 = [pair for pair in events if any(len(json.loads(text)) == 21 for text in samples[id(pair)])]
category, event = min(with_21, key=lambda pair: abs(566 - sum(len(text.encode()) for text in samples[id(pair)]) / 50))

if arguments.memory or arguments.growth:
    some = [record(category, event, model) for _ in range(20_000)]
    if arguments.memory:
        measure_memory(some, [int(text) for text in arguments.memory.split(",")])
    if arguments.growth:
        measure_growth(some[0])
    sys.exit()

with tempfile.TemporaryDirectory() as folder:
    path = f"{folder}/records.ndjson"
    some = [record(category, event, model) for _ in range(20_000)]
    with open(path, "w") as file:
        for index in range(count):
            file.write(some[index % len(some)] + "\n")
    size = os.path.getsize(path)
    print(f"{count} records of {category['name']}.{event['name']}, {size / count:.0f} bytes each")

    def validate(*prefix, flags=()):
        def run():
            subprocess.run([*prefix, loggen, "validate", "--definitions", "Definitions", "--quiet", *flags, path], cwd=root, check=True, stdout=subprocess.DEVNULL)

        return run

    results = {
        "loggen validate, all cores": best(validate()),
        "loggen validate, one core": best(validate("taskset", "-c", "0")),
        "loggen validate --coverage --statistics, all cores": best(validate(flags=["--coverage", "--statistics", "--format", "markdown"])),
    }
    for name, seconds in results.items():
        print(f"{name}: {count / seconds:,.0f} records/s, {size / seconds / 1e6:,.0f} MB/s")

    measure_duckdb(path, common + event["columns"], category, event, types)
    try:
        import jsonschema_rs
    except ImportError:
        print("jsonschema-rs is missing: pip install jsonschema-rs")
        sys.exit()
    schemas = {}
    subprocess.run([loggen, "generate", "Definitions", "--only", "json-schema", "--output", folder + "/schemas", "--quiet"], cwd=root, check=True)
    for file in pathlib.Path(folder + "/schemas").rglob("*.json"):
        schema = json.loads(file.read_text())
        schemas[schema["$id"]] = schema
    registry = jsonschema_rs.Registry(schemas.items())
    validator = jsonschema_rs.Draft202012Validator(next(schema for name, schema in schemas.items() if name.endswith("envelope.schema.json")), registry=registry)
    lines = some[: min(len(some), count)]

    def parse_and_judge():
        for line in lines:
            assert validator.is_valid(json.loads(line))

    seconds = best(parse_and_judge)
    print(f"jsonschema-rs with Python's json, one core: {len(lines) / seconds:,.0f} records/s")
    instances = [json.loads(line) for line in lines]

    def judge():
        assert all(validator.is_valid(instance) for instance in instances)

    seconds = best(judge)
    print(f"jsonschema-rs without parsing, one core: {len(lines) / seconds:,.0f} records/s")
