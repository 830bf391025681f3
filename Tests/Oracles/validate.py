"""Validates JSON Schemas and instances with an independent validator.

Reads a JSON object from standard input:

- "schemas": [STRING…]. A self-describing schema (Iglu) is draft-04, with the URI iglu:VENDOR/NAME/FORMAT/VERSION.
- "cases": [{"schema": URI, "instance": STRING}…].
- "refusesUnreadable": true rejects an instance that is not JSON. Otherwise such an instance is an error of the caller.
- "versions": {"category.event VERSION": URI…}. A case without a schema is a log record, validated with the schema of
  the version that it names. An unlisted version of a listed event is rejected.
- "otherwise": URI of the schema for records of events that are not listed.

Writes {"verdicts": [BOOL…], "problems": [STRING…]} to standard output. The problems are errors in the schemas.
"""

import datetime
import json
import re
import sys

try:
    from jsonschema import Draft4Validator, Draft202012Validator
    from referencing import Registry, Resource
except ImportError as error:
    json.dump({"verdicts": [], "problems": [], "missing": str(error)}, sys.stdout)
    sys.exit()

problems = []


def without_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        problems.append(f"an object has a key twice: {keys}")
    return dict(pairs)


def objects(node):
    """Yields all objects in a JSON value, including the value itself."""
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from objects(item)


def check_calendar(pattern):
    """Checks that a pattern accepts exactly the days of the Gregorian calendar."""
    expression = re.compile(pattern)
    for year in [1, 4, 100, 400, 1600, 1700, 1900, 1999, 2000, 2023, 2024, 2100, 2400, 9996, 9999]:
        for month in range(0, 14):
            for day in range(0, 33):
                try:
                    datetime.date(year, month, day)
                    exists = True
                except ValueError:
                    exists = False
                text = f"{year:04}-{month:02}-{day:02}"
                if (expression.search(text) is not None) != exists:
                    problems.append(f"the pattern for dates is wrong about {text}")


request = json.load(sys.stdin)
schemas = [json.loads(text, object_pairs_hook=without_duplicates) for text in request["schemas"]]

# The rules for "self" in Iglu's meta-schema (iglu:com.snowplowanalytics.self-desc/schema/jsonschema/1-0-0).
SELF = {
    "type": "object",
    "properties": {
        "vendor": {"type": "string", "pattern": "^[a-zA-Z0-9-_.]+$"},
        "name": {"type": "string", "pattern": "^[a-zA-Z0-9-_]+$"},
        "format": {"type": "string", "pattern": "^[a-zA-Z0-9-_]+$"},
        "version": {"type": "string", "pattern": "^[0-9]+-[0-9]+-[0-9]+$"},
    },
    "required": ["vendor", "name", "format", "version"],
    "additionalProperties": False,
}
self_describing = {}
for schema in [schema for schema in schemas if "self" in schema]:
    uri = "iglu:" + "/".join(str(schema["self"].get(key)) for key in ["vendor", "name", "format", "version"])
    self_describing[uri] = Draft4Validator(schema)
    for part, meta in [(schema, Draft4Validator.META_SCHEMA), (schema["self"], SELF)]:
        problems += [f"{uri}: {error.message}" for error in Draft4Validator(meta).iter_errors(part)]
    if schema["$schema"] != "http://iglucentral.com/schemas/com.snowplowanalytics.self-desc/schema/jsonschema/1-0-0#":
        problems.append(f"{uri}: {schema['$schema']}")

schemas = [schema for schema in schemas if "self" not in schema]
registry = Registry().with_resources((schema["$id"], Resource.from_contents(schema)) for schema in schemas)

patterns = {}
for schema in schemas:
    try:
        Draft202012Validator.check_schema(schema)
    except Exception as error:
        problems.append(f"{schema['$id']}: {error}")
    resolver = registry.resolver(base_uri=schema["$id"])
    for node in objects(schema):
        if isinstance(node.get("$ref"), str):
            try:
                resolver.lookup(node["$ref"])
            except Exception as error:
                problems.append(f"{schema['$id']}: {error}")
        if isinstance(node.get("pattern"), str):
            patterns[node["pattern"]] = node.get("format")

for pattern, kind in patterns.items():
    if re.search(r"\\[dwsDWSbB1-9]|\(\?[^:]", pattern):
        problems.append(f"not every validator reads this pattern alike: {pattern}")
    if kind == "date":
        check_calendar(pattern)

versions = request.get("versions")
events = {name.split(" ")[0] for name in versions or {}}


def schema_of(record):
    """Returns the schema of the version that a record names, or None if the version is unknown."""
    if isinstance(record, dict):
        category, event, version = (record.get(name) for name in ("event_category", "event_name", "schema_version"))
        if all(isinstance(text, str) for text in (category, event, version)) and f"{category}.{event}" in events:
            return versions.get(f"{category}.{event} {version}")
    return request["otherwise"]


validators = dict(self_describing)
verdicts = []
for case in request["cases"]:
    try:
        instance = json.loads(case["instance"])
    except (ValueError, RecursionError):
        if not request.get("refusesUnreadable"):
            raise
        verdicts.append(False)
        continue
    uri = case["schema"] or schema_of(instance)
    if uri is None:
        verdicts.append(False)
        continue
    if uri not in validators:
        validators[uri] = Draft202012Validator({"$ref": uri}, registry=registry)
    verdicts.append(validators[uri].is_valid(instance))
json.dump({"verdicts": verdicts, "problems": problems}, sys.stdout)
