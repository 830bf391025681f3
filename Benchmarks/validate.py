#!/usr/bin/env python3
"""Records per second: `loggen validate` on one and on all cores, beside jsonschema-rs over the generated schemas.

Needs `pip install jsonschema-rs`.

The records are of the sample's definitions, with values drawn from their types, of the event whose records come nearest
to 566 bytes. All readers get the same file; each is run three times, and the best run counts.
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
import uuid

root = pathlib.Path(__file__).resolve().parent.parent
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("records", nargs="?", type=int, default=1_000_000, help="how many records (1000000)")
count = parser.parse_args().records
chance = random.Random(18)


def value(kind, types):
    match kind["kind"]:
        case "named":
            declared = types[kind["name"]]
            if declared["kind"] == "enum":
                return chance.choice([entry["value"] for entry in declared["values"]])
            return value(declared["type"], types)
        case "string":
            most = min(kind.get("maxLength") or kind.get("maxBytes") or 40, 24)
            return "".join(chance.choice("abcdefgh 検索レシピ" if "maxLength" in kind else "abc-") for _ in range(chance.randint(most // 2, most)))[:most]
        case "integer":
            low = kind.get("minimum", 0)
            return chance.randint(low, min(kind.get("maximum", low + 100), 127 if kind["bits"] == 8 else 10**6))
        case "number":
            return round(chance.uniform(kind.get("minimum", 0), kind.get("maximum", 100)), 3)
        case "decimal":
            return "12.50"
        case "boolean":
            return chance.random() < 0.5
        case "date":
            return "2026-04-01"
        case "timestamp":
            return "2026-04-01T12:34:56.789Z"
        case "uuid":
            return str(uuid.UUID(int=chance.getrandbits(128)))
        case "url":
            return f"https://example.com/recipes/{chance.randint(1, 10**6)}?from=search"
        case "enum":
            return chance.choice(kind["values"])
        case "array":
            return [value(kind["items"], types) for _ in range(chance.randint(kind.get("minItems", 0), min(kind.get("maxItems", 3), 3)))]


def record(category, event, common, types):
    members = {
        "event_id": str(uuid.UUID(int=chance.getrandbits(128))), "event_category": category["name"], "event_name": event["name"],
        "schema_version": event["version"], "occurred_at": "2026-04-01T12:34:56.789Z",
    }
    for column in common + event["columns"]:
        if column["status"] != "retired" and (column["required"] or chance.random() < 0.9):
            members[column["name"]] = value(column["type"], types)
    return json.dumps(members, ensure_ascii=False, separators=(",", ":"))


def best(run):
    times = []
    for _ in range(3):
        start = time.monotonic()
        run()
        times.append(time.monotonic() - start)
    return min(times)


subprocess.run(["swift", "build", "-c", "release", "--product", "loggen", "--quiet"], cwd=root, check=True)
loggen = subprocess.run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=root, check=True, capture_output=True, text=True).stdout.strip() + "/loggen"
model = json.loads(subprocess.run([loggen, "dump", "Definitions"], cwd=root, check=True, capture_output=True).stdout)
types = {entry["name"]: entry for entry in model["types"]}
common = model["common"]["columns"]
events = [(category, event) for category in model["categories"] for event in category["events"] if event["status"] != "retired"]
samples = {id(pair): [record(*pair, common, types) for _ in range(50)] for pair in events}
with_21 = [pair for pair in events if any(len(json.loads(text)) == 21 for text in samples[id(pair)])]
category, event = min(with_21, key=lambda pair: abs(566 - sum(len(text.encode()) for text in samples[id(pair)]) / 50))

with tempfile.TemporaryDirectory() as folder:
    path = f"{folder}/records.ndjson"
    some = [record(category, event, common, types) for _ in range(20_000)]
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
    seconds = best(lambda: [validator.is_valid(instance) for instance in instances])
    print(f"jsonschema-rs without parsing, one core: {len(lines) / seconds:,.0f} records/s")
