#!/usr/bin/env python3
"""Judges and splits records with `loggen validate`, loads them into engines with `loggen sql`, and compares all values.

usage: warehouse.py LOGGEN ENGINE… [--records N] [--seed N] [--parts accept,load,evolution] [--keep]

ENGINE is duckdb, spark, postgresql or clickhouse. For bigquery and snowflake, sqlglot parses the statements.
Exit codes: 0 no differences, 1 differences, 2 wrong usage.
"""

import argparse
import collections
import csv
import datetime
import decimal
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

root = pathlib.Path(__file__).resolve().parents[2]
import warehouse_records as records_of  # noqa: E402

ENGINES = ["duckdb", "spark", "postgresql", "clickhouse", "bigquery", "snowflake"]
problems = []


def fail(text):
    problems.append(text)
    print("failed:", text[:2000].encode("utf-8", "backslashreplace").decode(), flush=True)


def statements(script):
    """Returns the statements of a script. Each ends with a semicolon at the end of a line."""
    return [text for text in (part.strip() for part in re.split(r";\n", script)) if text and not text.startswith("--") or "\n\n" in text]


# MARK: Engines


class DuckDB:
    name = "duckdb"

    def __init__(self, folder):
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute("SET TimeZone = 'UTC'")

    def run(self, statement):
        self.connection.execute(statement)

    def run_script(self, script):
        try:
            self.connection.execute(script)
        except Exception:
            self.connection.rollback()
            raise

    def rows(self, query):
        cursor = self.connection.execute(query)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor.fetchall()]

    def close(self):
        self.connection.close()


class Spark:
    name = "spark"
    session = None

    def __init__(self, folder):
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        from pyspark.sql import SparkSession

        if Spark.session is None:
            Spark.folder = folder
            Spark.session = (
                SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.memory", "4g")
                .config("spark.sql.warehouse.dir", str(folder / "spark-warehouse")).config("spark.sql.session.timeZone", "Asia/Tokyo")
                .config("spark.driver.extraJavaOptions", f"-Dderby.system.home={folder}/derby").config("spark.sql.shuffle.partitions", "4")
                .config("spark.ui.showConsoleProgress", "false").getOrCreate()
            )
            Spark.session.sparkContext.setLogLevel("OFF")
        self.folder = Spark.folder
        self.database = "d" + uuid.uuid4().hex[:12]
        self.run(f"CREATE DATABASE {self.database}")
        self.run(f"USE {self.database}")

    def run(self, statement):
        Spark.session.sql(statement)

    def rows(self, query):
        """Returns rows with dates in UTC as strings: Python has no year 0, and the session has another time zone."""
        zone = "spark.sql.session.timeZone"
        Spark.session.conf.set(zone, "UTC")
        try:
            frame = Spark.session.sql(query)
            texts = {field.name: re.sub("date|timestamp", "string", field.dataType.simpleString()) for field in frame.schema.fields}
            return [row.asDict() for row in frame.select([frame[f"`{name}`"].cast(kind).alias(name) for name, kind in texts.items()]).collect()]
        finally:
            Spark.session.conf.set(zone, "Asia/Tokyo")

    def close(self):
        self.run(f"DROP DATABASE {self.database} CASCADE")


class PostgreSQL:
    name = "postgresql"
    started = None

    def __init__(self, folder):
        if PostgreSQL.started is None:
            bins = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
            if not bins:
                raise SystemExit("warehouse.py: PostgreSQL's server is missing (Debian: postgresql)")
            self.bin = bins[-1].parent
            PostgreSQL.started = self
            self.data = pathlib.Path(tempfile.mkdtemp(prefix="loggen-pg.", dir="/tmp"))
            # A PostgreSQL server refuses to run as root.
            if os.getuid() == 0:
                shutil.chown(self.data, "postgres", "postgres")
            self.as_postgres(self.bin / "initdb", "-D", self.data / "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C")
            options = f"-c listen_addresses='' -c unix_socket_directories={self.data} -c fsync=off -c max_stack_depth=6MB"
            self.as_postgres(self.bin / "pg_ctl", "-D", self.data / "data", "-o", options, "-l", self.data / "log", "-w", "start")
        self.server = PostgreSQL.started
        self.database = "d" + uuid.uuid4().hex[:12]
        self.psql("postgres", f"CREATE DATABASE {self.database}")

    @staticmethod
    def as_postgres(*command):
        prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run(prefix + [str(word) for word in command], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def psql(self, database, text, *options, stop=("-v", "ON_ERROR_STOP=1")):
        result = subprocess.run(
            ["psql", "-X", "-q", "-h", str(self.server.data), "-U", "postgres", "-d", database, *stop, *options],
            input=text.encode(), capture_output=True, env={**os.environ, "PGTZ": "UTC", "PGCLIENTENCODING": "UTF8", "PGOPTIONS": "-c client_min_messages=warning"})
        if result.returncode != 0:
            raise RuntimeError(result.stderr.decode()[:2000])
        return result.stdout.decode()

    def run(self, statement):
        self.psql(self.database, statement + ";\n")

    def run_script(self, script):
        """Runs a script with psql's default settings."""
        self.psql(self.database, script, stop=())

    def rows(self, query):
        output = self.psql(self.database, f"SELECT row_to_json(t)::text FROM ({query}) AS t;", "-At")
        return [json.loads(line) for line in output.split("\n") if line]

    def close(self):
        self.psql("postgres", f"DROP DATABASE {self.database}")

    @classmethod
    def stop(cls):
        if cls.started:
            cls.as_postgres(cls.started.bin / "pg_ctl", "-D", cls.started.data / "data", "-m", "immediate", "stop")
            shutil.rmtree(cls.started.data)


class ClickHouse:
    name = "clickhouse"

    def __init__(self, folder):
        from chdb import session

        self.folder = folder / ("chdb-" + uuid.uuid4().hex)
        self.session = session.Session(str(self.folder))
        self.run("CREATE DATABASE d")
        self.run("USE d")

    def run(self, statement):
        self.session.query(statement)

    def rows(self, query):
        # JSON has no infinite numbers, so they are returned as strings. A whole number may be a double with inexact
        # digits.
        result = self.session.query(query + "\nSETTINGS output_format_json_quote_denormals = 1", "JSONCompactEachRowWithNamesAndTypes").bytes()
        lines = [json.loads(line) for line in (result or b"").decode().split("\n") if line]
        names, types = lines[:2] if lines else ([], [])
        return [{name: float(value) if "Float64" in kind and isinstance(value, int) else value for name, kind, value in zip(names, types, row)} for row in lines[2:]]

    def close(self):
        self.session.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Parsed:
    """A warehouse that cannot run here: sqlglot parses its statements."""

    def __init__(self, name):
        self.name = name

    def run(self, statement):
        import sqlglot

        # sqlglot knows BigQuery's options of a table, but not those of an existing column, which have the same form.
        if self.name == "bigquery":
            statement = re.sub(r"^(ALTER TABLE `\w+`) ALTER COLUMN `\w+` (SET OPTIONS \()", r"\1 \2", statement)
        parsed = sqlglot.parse(statement, dialect=self.name, error_level=sqlglot.ErrorLevel.RAISE)
        if not parsed or any(part is None or isinstance(part, sqlglot.exp.Command) for part in parsed):
            raise RuntimeError("sqlglot does not understand it: " + statement[:300])

    def close(self):
        pass


def engine(name, folder):
    made = {"duckdb": DuckDB, "spark": Spark, "postgresql": PostgreSQL, "clickhouse": ClickHouse}
    return made[name](folder) if name in made else Parsed(name)


# MARK: loggen


def loggen(*arguments, codes=(0,), cwd=None):
    result = subprocess.run([options.loggen, *map(str, arguments)], capture_output=True, cwd=cwd)
    if result.returncode not in codes:
        raise RuntimeError(f"loggen {' '.join(map(str, arguments))}: exit code {result.returncode}\n{result.stderr.decode()[:2000]}")
    return result.stdout.decode()


def sql(definitions, dialect, part, *more):
    return statements(loggen("sql", definitions, "--dialect", dialect, "--part", part, "--quiet", *more))


def run_all(warehouse, parts, where):
    # A transaction needs a single session, and a process per statement would take longer than the statements.
    for statement in [";\n".join(parts)] if warehouse.name == "postgresql" else parts:
        try:
            warehouse.run(statement)
        except Exception as error:  # noqa: BLE001
            fail(f"{warehouse.name}, {where}: {str(error)[:1200]}\n{statement[:400]}")
            return False
    return True


# MARK: Accepted definitions


def accept(name, folder, sets):
    for label, definitions in sets:
        for tables in ["event", "category", "wide"]:
            # The sample is large for a parser in Python, so only one table layout is tested.
            if name in ("spark", "bigquery", "snowflake") and tables != "event" and label in ("Keywords", "sample"):
                continue
            warehouse = engine(name, folder)
            rows = split(definitions, [], name, folder, "--tables", tables)
            fine = run_all(warehouse, sql(definitions, name, "tables", "--tables", tables), f"{label}, {tables}, tables") and run_all(
                warehouse, sql(definitions, name, "load", "--tables", tables, "--records", rows), f"{label}, {tables}, load")
            warehouse.close()
            if fine:
                print(f"{name}: {label}, tables per {tables}: accepted", flush=True)


def split(definitions, records, name, folder, *more):
    """Writes records, splits them with `loggen validate`, and returns the folder of rows."""
    given, rows = folder / "given.ndjson", folder / f"rows-{uuid.uuid4().hex}"
    given.write_bytes(b"".join(r.encode() + b"\n" for r in records))
    loggen("validate", "--definitions", definitions, "--split", rows, "--dialect", name, "--quiet", "--limit", "0", *more, given)
    return rows


# MARK: Verdicts


def verdicts(definitions, records, folder):
    """Returns the violations of each line by `loggen validate`, as `column: rule`."""
    given, bad, good = folder / "given.ndjson", folder / "bad.ndjson", folder / "good.ndjson"
    given.write_bytes(b"".join(r.encode() + b"\n" for r in records))
    loggen("validate", "--definitions", definitions, "--bad", bad, "--good", good, "--force", "--quiet", "--limit", "0", given, codes=(0, 1))
    result = [{"violations: declared"} for _ in records]
    decoder = json.JSONDecoder()
    for line in bad.read_text().split("\n"):
        if line:
            number = int(re.search(r'"line": (\d+)', line).group(1))
            violations, _ = decoder.raw_decode(line, line.index('"violations": ') + 14)
            result[number - 1] = {f"{'record' if v['column'] is None else v['column']}: {v['rule']}" for v in violations}
    valid = collections.Counter(good.read_bytes().split(b"\n"))
    for index, record in enumerate(records):
        if valid[record.encode()] > 0:
            result[index] = set()
    return result


def unstorable(record, columns, dialect):
    """Returns the columns of a valid record whose values an engine cannot store."""
    years = {"postgresql": (1, 9999), "bigquery": (1, 9999), "clickhouse": (1900, 2299)}.get(dialect, (0, 9999))

    def bad(value, kind):
        match kind["kind"]:
            case _ if value is None:
                return False
            case "array":
                return any(bad(item, kind["items"]) for item in value)
            case "named":
                kind = types_of.get(kind["name"], {})
                # A type that only the app knows is stored as JSON with escapes.
                return kind.get("kind") == "scalar" and bad(value, kind["type"])
            case "number":
                return as_double(value) in (float("inf"), float("-inf"))
            case "date" | "timestamp":
                return not years[0] <= int(value[:4]) <= years[1]
            case "string" | "url":
                return any("\ud800" <= c <= "\udfff" for c in value) or dialect == "postgresql" and "\0" in value
        return False

    value = json.loads(record)
    types_of = columns["types"]
    # For an older version, only strings can be a problem.
    texts = {name: {"kind": "string"} for name, member in value.items() if isinstance(member, str)}
    kinds = columns.get((value["event_category"], value["event_name"], value["schema_version"]), texts)
    return {f"{name}: storage" for name, member in value.items() if name in kinds and bad(member, kinds[name])} | (
        {"occurred_at: storage"} if not years[0] <= int(value["occurred_at"][:4]) <= years[1] else set())


def kinds_of(definitions):
    """Returns the types of the current columns by event, and the named types."""
    model = json.loads(loggen("dump", definitions))
    common = (model.get("common") or {}).get("columns", [])
    kinds = {"types": {entry["name"]: entry for entry in model["types"]}}
    for category in model["categories"]:
        for event in category["events"]:
            kinds[category["name"], event["name"], event["version"]] = {c["name"]: c["type"] for c in common + event["columns"]}
    return kinds


# MARK: Values


def as_double(number):
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def json_or_none(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def same(wanted, found):
    if wanted is None or found is None:
        return wanted is None and found is None
    if isinstance(found, str) and isinstance(wanted, (str, bool, int, float)) and found[:1] in '"tf-0123456789' and json_or_none(found) == wanted:
        # The type is the app's, and its column contains JSON.
        return type(json_or_none(found)) is type(wanted)
    if isinstance(wanted, bool):
        return found in (wanted, int(wanted)) and not isinstance(found, str)
    if isinstance(wanted, list):
        if isinstance(found, str):
            found = json.loads(found)
        return len(wanted) == len(found) and all(map(same, wanted, found))
    if isinstance(wanted, (int, float)):
        if isinstance(found, (int, decimal.Decimal)):
            return found == wanted
        return float(found) == as_double(wanted)
    if isinstance(found, decimal.Decimal) or (isinstance(found, (int, float)) and not isinstance(found, bool)):
        return decimal.Decimal(str(found)) == decimal.Decimal(wanted)
    if isinstance(found, uuid.UUID):
        return found == uuid.UUID(wanted)
    if isinstance(found, datetime.datetime):
        moment = found.astimezone(datetime.timezone.utc)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.").rjust(20, "0") + f"{moment.microsecond // 1000:03}Z" == wanted
    if isinstance(found, datetime.date):
        return found.isoformat() == wanted
    if found.endswith(" (BC)"):
        # The year 0 is the year 1 BC.
        return wanted.startswith("0000") and found[4:10] == wanted[4:10] and found.startswith("0001")
    if wanted == found or json.dumps(wanted) == found:
        return True
    if re.fullmatch(r"[0-9A-Fa-f-]{36}", wanted):
        return wanted.lower() == found.lower()
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|\+00:00)?", found)
    return bool(match) and wanted == f"{match[1]}T{match[2]}.{(match[3] or '').ljust(3, '0')[:3]}Z"


def quoted(name, dialect):
    return f"`{name}`" if dialect in ("spark", "clickhouse") else f'"{name}"'


def compare_loaded(warehouse, records, expected, columns_of):
    """Checks that each record is once in its table or in bad_records, with equal values or its violations."""
    bad = collections.defaultdict(list)
    for row in warehouse.rows("SELECT record, violations FROM bad_records"):
        bad[row["record"]].append(set(row["violations"]))
    bad_count = sum(map(len, bad.values()))
    good = collections.defaultdict(list)
    blank = 0
    differences = []
    for record, wanted in zip(records, expected):
        if not record.strip(" \t\r\n"):
            blank += 1
        elif wanted:
            # Strings of the engine cannot contain U+0000, and records do not end in a carriage return.
            found = bad[kept(record, warehouse.name)]
            if wanted in found:
                found.remove(wanted)
            else:
                differences.append(f"{sorted(wanted)} became {[sorted(f) for f in found]}: {record[:400]!r}")
        else:
            value = json.loads(record)
            good[value["event_category"], value["event_name"]].append(value)
    for record, left in bad.items():
        if left:
            differences.append(f"{len(left)} times too often among the bad records: {record[:300]!r}")
    if differences:
        fail(f"{warehouse.name}: {len(differences)} bad records differ\n" + "\n".join(differences[:8]))
    differences = []
    total = 0
    for (category, event), values in good.items():
        rows = collections.defaultdict(list)
        for row in warehouse.rows(f"SELECT * FROM {quoted(f'{category}__{event}', warehouse.name)}"):
            rows[str(row["event_id"]).lower()].append(row)
        total += len(values)
        if sum(map(len, rows.values())) != len(values):
            differences.append(f"{category}.{event}: {sum(map(len, rows.values()))} rows of {len(values)} records")
        for value in values:
            candidates = rows[value["event_id"].lower()]
            if not any(same_record(value, row, warehouse.name, columns_of) for row in candidates):
                differences.append(f"{category}.{event}: {json.dumps(value, ensure_ascii=False)[:600]} came back as {candidates[:1]}")
    if differences:
        fail(f"{warehouse.name}: {len(differences)} records did not come back equal\n" + "\n".join(differences[:6]))
    return total, bad_count, blank


def kept(record, dialect):
    record = record.rstrip("\r")
    return record.replace("\0", "\ufffd") if dialect == "postgresql" else record


def same_record(value, row, dialect, columns_of):
    wanted = {name: member for name, member in value.items() if name not in ("event_category", "event_name") and member is not None}
    renamed = columns_of(value)
    for name, found in row.items():
        if name == "occurred_on" and dialect == "spark":
            if str(found) != value["occurred_at"][:10]:
                return False
            continue
        field = renamed.get(name, name)
        member = wanted.pop(field, None) if field is not None else None
        # Lists in ClickHouse cannot be NULL.
        if dialect == "clickhouse" and member is None and found == []:
            continue
        if not same(member, found):
            return False
    return not wanted


# MARK: Two revisions


BEFORE = """# c

## e

| column | type | description |
| --- | --- | --- |
| small | int8 | It grows. |
| wide | int64? | |
| count | string(8) | |
| gone | string | |
| price | decimal(4, 2)? | |
| tags | [int8]? | |
"""
AFTER = """# c

## 見た `e`

| column | type | description |
| --- | --- | --- |
| small | int32 | It has grown; it's `wide`. |
| wide | int64? | |
| count | int | |
| price | decimal(8, 4)? | |
| added | enum(a, b)? | |
| tags | [int32]? | |

## f
"""
# `count`, which has had two types, is removed. The descriptions of other columns change.
LAST = """# c

## 二度見た `e`

| column | type | description | privacy |
| --- | --- | --- | --- |
| small | int32 | 宛先 | sensitive |
| wide | int64? | Said now. | |
| price | decimal(8, 4)? | | |
| added | enum(a, b)? | | personal |
| tags | [int32]? | | |

## f
"""
COMMENTS = {
    "duckdb": (
        "SELECT column_name AS name, comment FROM duckdb_columns() WHERE table_name = 'c__e'",
        "SELECT comment FROM duckdb_tables() WHERE table_name = 'c__e'"),
    "postgresql": (
        "SELECT attname AS name, col_description(attrelid, attnum) AS comment FROM pg_attribute WHERE attrelid = 'c__e'::regclass AND attnum > 0",
        "SELECT obj_description('c__e'::regclass) AS comment"),
    "clickhouse": (
        "SELECT name, comment FROM system.columns WHERE database = 'd' AND table = 'c__e'",
        "SELECT comment FROM system.tables WHERE database = 'd' AND name = 'c__e'"),
    "spark": ("DESCRIBE TABLE c__e", "DESCRIBE TABLE EXTENDED c__e"),
}


def check_comments(warehouse, table, columns):
    """Checks the comments of the table `c__e` and of some columns. Those of other columns are unchanged."""
    of_columns, of_table = (warehouse.rows(query) for query in COMMENTS[warehouse.name])
    if warehouse.name == "spark":
        of_columns = [{"name": row["col_name"], "comment": row["comment"]} for row in of_columns]
        of_table = [{"comment": row["data_type"]} for row in of_table if row["col_name"] == "Comment"]
    found = {row["name"]: row["comment"] or "" for row in of_columns}
    if [row["comment"] for row in of_table] != [table] or any(found.get(name) != text for name, text in columns.items()):
        fail(f"{warehouse.name}: the comments are {of_table} and {found}")


def evolve(name, folder):
    """Applies the statements between two revisions to tables with data: old rows stay, and new records are loaded."""
    definitions = folder / f"evolution-{name}"
    definitions.mkdir()

    def git(*words):
        subprocess.run(["git", "-C", str(definitions), "-c", "user.name=n", "-c", "user.email=e@example.com", *words], check=True, capture_output=True)

    def record(event, version, **columns):
        members = {"event_id": str(uuid.uuid4()), "event_category": "c", "event_name": event, "schema_version": version, "occurred_at": "2026-04-01T12:34:56.789Z"}
        return json.dumps({**members, **columns})

    git("init", "-q")
    (definitions / "c.md").write_text(BEFORE)
    loggen("lock", definitions)
    git("add", "-A")
    git("commit", "-qm", "before")
    old = [record("e", "1-0-0", small=n % 100, count=str(n), gone="x'; --", price="12.34", tags=[n % 100]) for n in range(20)] + [record("e", "1-0-0")]
    warehouse = engine(name, folder)
    try:
        run_all(warehouse, sql(definitions, name, "tables"), "evolution, tables")
        load(warehouse, definitions, old, folder, "evolution, load")
        (definitions / "c.md").write_text(AFTER)
        # Without the version in the lock file, `count` must not change its type.
        lock = (definitions / "loggen.lock").read_text()
        (definitions / "loggen.lock").unlink()
        refused = subprocess.run([options.loggen, "sql", definitions, "--dialect", name, "--from", "HEAD"], capture_output=True)
        if refused.returncode != 1 or b"cannot hold its values" not in refused.stderr or refused.stdout:
            fail(f"{name}: a change with loss is not refused: {refused.returncode} {refused.stderr[:300]}")
        (definitions / "loggen.lock").write_text(lock)
        loggen("lock", "--accept", definitions)
        git("add", "-A")
        changes = statements(loggen("sql", definitions, "--dialect", name, "--from", "HEAD", "--quiet"))
        run_all(warehouse, changes, "evolution, from")
        if engine_class(name) is None:
            git("commit", "-qm", "after")
            (definitions / "c.md").write_text(LAST)
            loggen("lock", "--accept", definitions)
            last = statements(loggen("sql", definitions, "--dialect", name, "--from", "HEAD", "--quiet"))
            run_all(warehouse, last, "evolution, from, again")
            print(f"{name}: {len(changes) + len(last)} statements between three revisions were parsed")
            return
        check_comments(warehouse, "見た", {"small": "It has grown; it's wide."})
        version = next(e["version"] for c in json.loads(loggen("dump", definitions))["categories"] for e in c["events"] if e["name"] == "e")
        new = [record("e", version, small=100000, count=7, price="1234.5678", added="a", tags=[70000]), record("f", "1-0-0"), old[0]]
        load(warehouse, definitions, new, folder, "evolution, the new load")
        rows = warehouse.rows(f"SELECT * FROM {quoted('c__e', name)}")
        found = {str(row["event_id"]): row for row in rows}
        for text in old[:20] + new[:1]:
            value = json.loads(text)
            row = found.get(value["event_id"])
            isOld = value["schema_version"] == "1-0-0"
            fields = lambda value: {"count": None, "count_v1": "count"} if isOld else {"count": "count", "count_v1": None}
            if row is None or not same_record(value, row, name, fields):
                fail(f"{name}: after ALTER TABLE {value} is {row}")
        if len(rows) != 22 or len(warehouse.rows("SELECT * FROM " + quoted("c__f", name))) != 1:
            fail(f"{name}: {len(rows)} rows after ALTER TABLE, of 22")
        git("commit", "-qm", "after")
        (definitions / "c.md").write_text(LAST)
        loggen("lock", "--accept", definitions)
        last = statements(loggen("sql", definitions, "--dialect", name, "--from", "HEAD", "--quiet"))
        if any("RENAME" in statement for statement in last) and name != "spark":
            fail(f"{name}: a column that nothing fills any more is renamed: {last}")
        run_all(warehouse, last, "evolution, from, again")
        check_comments(warehouse, "二度見た", {"small": "(sensitive) 宛先", "wide": "Said now.", "added": "(personal)", "price": ""})
        newest = next(e["version"] for c in json.loads(loggen("dump", definitions))["categories"] for e in c["events"] if e["name"] == "e")
        last = [record("e", newest, small=1), record("e", version, small=2, count=8), record("e", "1-0-0", small=3, count="9", gone="")]
        load(warehouse, definitions, last, folder, "evolution, the last load")
        counts = {(row["small"], row["count"], row["count_v1"]) for row in warehouse.rows(f"SELECT * FROM {quoted('c__e', name)}")}
        if not {(1, None, None), (2, 8, None), (3, None, "9")} <= counts:
            fail(f"{name}: the columns of a field that is gone hold {counts}")
        print(f"{name}: {len(changes) + len(last)} statements between three revisions, {len(rows)} rows as they were", flush=True)
    finally:
        warehouse.close()


# MARK: Running


def check_missing_file(name, folder, definitions, records):
    """Checks that a load with a missing last file fails and leaves no rows of the others."""
    warehouse = engine(name, folder)
    try:
        run_all(warehouse, sql(definitions, name, "tables"), "a missing file, tables")
        rows = split(definitions, records, name, folder)
        (rows / "bad_records.ndjson").unlink()
        try:
            warehouse.run_script(loggen("sql", definitions, "--dialect", name, "--part", "load", "--records", rows, "--quiet"))
            fail(f"{name}: a load without one of its files does not fail")
        except Exception as error:  # noqa: BLE001
            if "bad_records" not in str(error):
                fail(f"{name}: the error does not name the missing file: {str(error)[:300]}")
        left = warehouse.rows(f"SELECT count(*) AS n FROM {quoted('marks__a', name)}")[0]["n"]
        if left:
            fail(f"{name}: a load that failed leaves {left} rows")
        print(f"{name}: a load without one of its files fails, and leaves no row", flush=True)
    finally:
        warehouse.close()


def article(folder):
    """Runs the session of the article unchanged."""
    text = (root / "Sources/Generator/loggen/Documentation.docc/Warehouse.md").read_text()
    blocks = dict((kind, body) for kind, body in reversed(re.findall(r"```(\w*)\n(.*?)```", text, re.S)))
    place = folder / "article"
    (place / "Definitions").mkdir(parents=True)
    (place / "Definitions/search.md").write_text(blocks["markdown"])
    head = {"event_id": str(uuid.uuid4()), "event_category": "search", "event_name": "show", "schema_version": "1-0-0", "occurred_at": "2026-04-01T12:34:56.789Z"}
    (place / "events.ndjson").write_text("".join([json.dumps({**head, "position": 3}) + "\n", json.dumps({**head, "position": -1, "extra": 1}) + "\n", "x\n"]))
    path = {**os.environ, "PATH": f"{pathlib.Path(options.loggen).parent}:{os.environ['PATH']}", "TZ": "UTC"}
    subprocess.run(["bash", "-ec", blocks["sh"]], cwd=place, env=path, check=True, capture_output=True)
    found = subprocess.run([sys.executable, "-c", blocks["python"]], cwd=place, env=path, check=True, capture_output=True, text=True).stdout
    if found.split() != blocks[""].split():
        fail(f"the article's session prints\n{found}")
    print("the article's session prints what is written there", flush=True)


def check_expressions(warehouse, definitions, folder, label):
    """Checks that the expressions of dbt's tests are valid and hold for every loaded record."""
    copy = folder / f"dbt-{uuid.uuid4().hex}"
    shutil.copytree(definitions, copy)
    (copy / "loggen.yml").write_text(f"outputs: {{dbt: {{dialect: {warehouse.name}, to: Generated}}}}\n")
    loggen("generate", copy, "--quiet")
    count = 0
    for properties in sorted((copy / "Generated/models").glob("log_*.yml")):
        for line in properties.read_text().splitlines():
            if match := re.match(r"  - name: (\w+)$", line):
                query = (properties.parent / (match[1] + ".sql")).read_text()
                query = re.sub(r"\{\{ source\('logs', '(\w+)'\) \}\}", lambda table: quoted(table[1], warehouse.name), query)
            if match := re.match(r' +- loggen_expression: \{arguments: \{expression: ("(?:[^"\\]|\\.)*")', line):
                # A filter belongs to records of older versions, which had other bounds.
                if "config: {where: " in line:
                    continue
                expression = json.loads(match[1]).replace("{{ '{' }}", "{")
                count += 1
                statement = f"SELECT * FROM (\n{query}\n) AS m WHERE NOT ({expression})"
                try:
                    found = warehouse.rows(statement) if engine_class(warehouse.name) else warehouse.run(statement)
                except Exception as error:  # noqa: BLE001
                    fail(f"{warehouse.name}, {label}, a test of dbt: {str(error)[:600]}\n{expression}")
                    continue
                if found:
                    fail(f"{warehouse.name}, {label}: {expression} does not hold for {found[:1]}")
    print(f"{warehouse.name}: {label}: {count} expressions of dbt's tests {'hold' if engine_class(warehouse.name) else 'were parsed'}", flush=True)
    return count


def load(warehouse, definitions, records, folder, where):
    rows = split(definitions, records, warehouse.name, folder)
    return run_all(warehouse, sql(definitions, warehouse.name, "load", "--records", rows), where)


def check_load(name, folder, label, definitions, records, columns_of=lambda value: {}):
    expected = verdicts(definitions, records, folder)
    kinds = kinds_of(definitions)
    stored = 0
    for index, record in enumerate(records):
        if record.strip(" \t\r\n") and not expected[index]:
            expected[index] = unstorable(record, kinds, name)
            stored += bool(expected[index])
    warehouse = engine(name, folder)
    try:
        if not run_all(warehouse, sql(definitions, name, "tables"), f"{label}, tables"):
            return
        start = time.monotonic()
        if not load(warehouse, definitions, records, folder, f"{label}, load"):
            return
        seconds = time.monotonic() - start
        good, bad, blank = compare_loaded(warehouse, records, expected, columns_of)
        if good + bad + blank != len(records):
            fail(f"{name}: {len(records)} records, of which {good} are good, {bad} bad and {blank} blank")
        if records and not (good and bad):
            fail(f"{name}: {label} shows little: {good} good, {bad} bad")
        if check_expressions(warehouse, definitions, folder, label) == 0 and label != "marks":
            fail(f"{name}: {label} has no test of dbt")
        rules = collections.Counter(text.split(": ")[-1] for texts in expected for text in texts)
        print(
            f"{name}: {label}: {len(records)} records, {good} in their tables, {bad} bad, {stored} of these by storage; {len(rules)} rules broken; "
            f"split and loaded in {seconds:.1f} s",
            flush=True)
    finally:
        warehouse.close()


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="loggen-warehouse."))
    try:
        probe = folder / "probe"
        records_of.write_probe(probe)
        small = records_of.write_small(folder)
        sets = [("probe", probe), ("Nasty", root / "Tests/Generator/Fixtures/Nasty"), ("Keywords", root / "Tests/Generator/Fixtures/Keywords"), ("sample", root / "Definitions"), *small]
        for name in options.engines:
            if "accept" in options.parts:
                accept(name, folder, sets)
            if "evolution" in options.parts:
                evolve(name, folder)
            if name == "duckdb":
                article(folder)
            if engine_class(name) is None:
                check_expressions(engine(name, folder), probe, folder, "probe")
            if engine_class(name) is None or "load" not in options.parts:
                continue
            chance = random.Random(options.seed)
            if name in ("duckdb", "postgresql"):
                check_missing_file(name, folder, folder / "marks", records_of.marks())
            check_load(name, folder, "marks", folder / "marks", records_of.marks())
            check_load(name, folder, "probe", probe, records_of.probe(chance, options.records), records_of.columns_of_probe)
            model = json.loads(loggen("dump", root / "Definitions"))
            check_load(name, folder, "sample", root / "Definitions", records_of.sample(chance, model, max(200, options.records // 5)))
    finally:
        PostgreSQL.stop()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if problems:
        print(f"{len(problems)} problems")
    return 1 if problems else 0


def engine_class(name):
    return {"duckdb": DuckDB, "spark": Spark, "postgresql": PostgreSQL, "clickhouse": ClickHouse}.get(name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loggen", help="the executable")
    parser.add_argument("engines", nargs="+", choices=ENGINES, metavar="ENGINE")
    parser.add_argument("--records", type=int, default=5000, help="how many records (5000)")
    parser.add_argument("--seed", type=int, default=18, help="which records (18)")
    parser.add_argument("--parts", type=lambda text: text.split(","), default=["accept", "load", "evolution"], help="the parts to run (all)")
    parser.add_argument("--keep", action="store_true", help="leave the files")
    options = parser.parse_args()
    options.loggen = str(pathlib.Path(options.loggen).resolve())
    csv.field_size_limit(1 << 30)
    sys.exit(main())
