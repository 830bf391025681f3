#!/usr/bin/env python3
"""Compares `loggen impact` for a dbt project with experiments in DuckDB.

usage: Tests/BlackBox/impact_dbt.py LOGGEN FOLDER [SEED]

Needs dbt-core and dbt-duckdb. Writes definitions, their tables, and a project with fixed and random models into FOLDER.
Each column is renamed, and in another copy given other values. The code that dbt has compiled runs in each copy: on the
source tables alone, and on the tables of an earlier run. Each node that fails, depends on a failed one, or has another
result has to be a reader; this holds for the manifests of `dbt compile` and `dbt parse`. dbt itself runs the project for
two renamed columns. At most 5% of the certain readers may be without an effect.
"""
import collections
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import subprocess
import sys

import duckdb
from dbt_runs import KINDS, alone, check, dbt, failures, manifest, ordered, selected, write_manifest, write_profile
from impact_dbt_project import DEFINITIONS, write_project

LOGGEN, FOLDER = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
TABLES = {"show": "main.search__show", "tap": "main.search__tap", "buy": "analytics.purchases"}
PROJECT, DEFINED = FOLDER / "project", FOLDER / "definitions"


def loggen(*arguments, code=0):
    done = subprocess.run([LOGGEN, *map(str, arguments)], capture_output=True, text=True, cwd=FOLDER)
    check(done.returncode == code, f"exit code {done.returncode}, expected {code}: {arguments}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr if code else done.stdout


def impact(subject, *arguments):
    return json.loads(loggen("impact", subject, "definitions", "--format", "json", *arguments))


# MARK: Warehouses


def value(kind, name, number, changed):
    """Returns an SQL value. Values repeat, so that joins find rows, unless they are changed."""
    number = number % 4 + (50 if changed else 0)
    if name == "event_name":
        return "'other'" if changed else None
    match kind:
        case "VARCHAR": return f"'{'x' if changed else 'v'}{number}'"
        case "UUID": return f"'01890a5d-ac96-774b-bcce-{number:012}'"
        case "BOOLEAN": return "true" if (number % 2 == 0) != changed else "false"
        case "TIMESTAMP" | "TIMESTAMP WITH TIME ZONE" | "DATE": return f"'{2027 if changed else 2026}-04-{number % 28 + 1:02} 12:00:00'"
        case _: return str(number + 1)


def make_warehouse(path):
    """Creates the tables of `loggen sql`, without constraints, which forbid changes of columns."""
    connection = duckdb.connect()
    connection.execute(loggen("sql", "definitions", "--dialect", "duckdb", "--part", "tables"))
    # Tables of `tables:` in loggen.yml have the names that loggen gives in its own output.
    own = {event: f"search__{event}" for event in TABLES}
    columns = {event: connection.execute(f"DESCRIBE {own[event]}").fetchall() for event in TABLES}
    path.mkdir(parents=True)
    connection = duckdb.connect(str(path / "warehouse.duckdb"))
    connection.execute("CREATE SCHEMA analytics")
    for event, table in TABLES.items():
        fields = ", ".join(f'"{name}" {kind}' for name, kind, *_ in columns[event])
        connection.execute(f"CREATE TABLE {table} ({fields})")
        for row in range(8):
            values = [value(kind, name, row, False) or f"'{event}'" for name, kind, *_ in columns[event]]
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join(values)})")
    connection.close()
    return {event: [(name, kind) for name, kind, *_ in columns[event]] for event in columns}


def change(path, base, event, column, kind, experiment):
    """Copies a warehouse, and changes a column."""
    path.mkdir(parents=True)
    shutil.copy(base / "warehouse.duckdb", path / "warehouse.duckdb")
    connection = duckdb.connect(str(path / "warehouse.duckdb"))
    table = TABLES[event]
    # Views of an earlier run depend on the table, and DuckDB binds them when they are used.
    if experiment == "rename":
        connection.execute(f'ALTER TABLE {table} RENAME "{column}" TO renamed_by_the_test')
    else:
        connection.execute(f'UPDATE {table} SET "{column}" = {value(kind, column, 1, True)}')
    connection.close()


def run(path):
    """Runs the models and snapshots with dbt, and returns those that fail or are skipped."""
    built = dbt(PROJECT, path, "build", "--no-fail-fast", "--exclude-resource-type", "test")
    if not built.result:
        raise RuntimeError(f"dbt build: {built.exception}")
    return {result.node.unique_id for result in built.result.results if result.status not in ("success", "pass", "no-op")}


def select(connection, node, replaces):
    """Runs the compiled code of a node as its materialization does, and returns its columns and rows."""
    code = selected(node)
    if replaces and node["relation_name"]:
        connection.execute(f"CREATE OR REPLACE TABLE {node['relation_name']} AS {code}")
        code = f"FROM {node['relation_name']}"
    rows = connection.execute(code)
    names = [column[0] for column in rows.description]
    return names, sorted(map(repr, rows.fetchall()))


def results(path, nodes):
    """Runs the compiled code of all nodes; the result of a node that fails or is skipped is nil."""
    connection = duckdb.connect(str(path / "warehouse.duckdb"))
    found = {}
    for key in ordered(nodes):
        node = nodes[key]
        is_incremental = "is_incremental()" in node["raw_code"] and "built" in path.name
        found[key] = None
        if any(found.get(other, "") is None for other in node["depends_on"]["nodes"]):
            continue
        try:
            found[key] = select(connection, node, not is_incremental)
        except duckdb.Error as error:
            if path.name.startswith("unchanged"):
                print(f"{path.name}: {key}: {error}")
    connection.close()
    return found


def experiment(job):
    path, base, event, column, kind, name, nodes = job
    change(path, base, event, column, kind, name)
    found = results(path, nodes)
    shutil.rmtree(path)
    return event, column, base.name, found


# MARK: Comparison


def readers(event, column):
    """Returns the readers by their kinds and names, and those of them that are certain."""
    report = impact(f"search.{event}.{column}", "--consumers", "project")
    check(not report["unread"], f"unread: {report['unread']}")
    names = {(reader["kind"], reader["name"]) for reader in report["readers"]}
    return names, {(reader["kind"], reader["name"]) for reader in report["readers"] if reader["certain"]}


def compare(truth, nodes, columns, kind):
    """Reports missing readers; returns the numbers of pairs of a column and a reader."""
    counts = collections.Counter()
    for event, column in columns:
        found, certain = readers(event, column)
        affected = {nodes[node] for node in truth[event, column]}
        for name in sorted(affected - found):
            check(False, f"{kind}: search.{event}.{column} has an effect on {name}, which is not a reader")
        counts += collections.Counter(
            affected=len(affected), missing=len(affected - found), readers=len(found & set(nodes.values())),
            certain=len(certain), idle=len(certain - affected))
        for name in sorted(certain - affected):
            print(f"certain without effect ({kind}): search.{event}.{column} {name}")
    print(f"{kind}: {len(columns)} columns × {len(nodes)} nodes: {counts['affected']} affected, {counts['missing']} "
          f"missing, {counts['readers']} readers, {counts['certain']} certain, of them {counts['idle']} without an effect")
    check(counts["idle"] * 20 <= counts["certain"], "more than 5% of the certain readers have no effect")


def unchanged(base, origin, nodes):
    """Returns the results on unchanged tables."""
    shutil.copytree(base / origin, base / f"unchanged.{origin}")
    found = results(base / f"unchanged.{origin}", nodes)
    failed = [key for key in found if found[key] is None]
    check(not failed, f"{origin}: the compiled code fails on unchanged tables: {failed}")
    return found


def measure(columns, manifests):
    """Returns the nodes that each column has an effect on."""
    base = FOLDER / "warehouses"
    expected = {"fresh": unchanged(base, "fresh", manifests["fresh"])}
    # The second run begins with the tables of the first one.
    shutil.copytree(base / "unchanged.fresh", base / "built")
    expected["built"] = unchanged(base, "built", manifests["built"])
    jobs = [
        (FOLDER / "experiments" / f"{event}.{column}.{name}.{origin}", base / origin, event, column, kind, name, manifests[origin])
        for event in columns for column, kind in columns[event] for name in ("rename", "values") for origin in expected
    ]
    truth = collections.defaultdict(set)
    with multiprocessing.get_context("fork").Pool(max(2, os.cpu_count())) as pool:
        for event, column, origin, found in pool.imap_unordered(experiment, jobs, chunksize=1):
            truth[event, column] |= {node for node in found if found[node] != expected[origin][node]}
    print(f"{len(jobs)} experiments, {sum(map(len, truth.values()))} effects", flush=True)
    return truth


def dbt_agrees(columns, truth):
    """Renames two columns and runs dbt itself: the nodes that fail are those of the experiments."""
    for event, column in (("tap", "dwell"), ("buy", "price")):
        path = FOLDER / "dbt" / event
        change(path, FOLDER / "warehouses/fresh", event, column, dict(columns[event])[column], "rename")
        failed = alone(run, path)
        check(failed, f"dbt does not need {column}")
        check(failed <= truth[event, column], f"{column}: dbt also fails for {failed - truth[event, column]}")


# MARK: Other contracts


def check_reports():
    report = impact("search.show.position", "--consumers", "project")
    exposure = next((reader for reader in report["readers"] if reader["kind"] == "exposure"), {})
    check(exposure.get("name") == "Search CTR", f"exposure: {exposure}")
    check(exposure.get("owner") == {"name": "Ana", "email": "ana@example.com"}, f"owner: {exposure}")
    check(exposure.get("url") == "https://example.com/ctr", f"url: {exposure}")
    check("search_ctr" in exposure.get("through", []), f"through: {exposure}")
    check(not exposure.get("certain"), "an exposure reads no column itself")
    for kind in ("semantic model", "metric"):
        check(any(reader["kind"] == kind for reader in report["readers"]), f"no {kind} reads position")
    model = next(reader for reader in report["readers"] if reader["name"] == "stg_show")
    line = next(number for number, text in enumerate((PROJECT / "models/stg_show.sql").read_text().splitlines(), 1)
                if "position" in text)
    check([read["line"] for read in model["reads"]] == [line], f"place: {model}, expected line {line}")
    purchase = impact("search.buy.quantity", "--consumers", "project")
    model = next(reader for reader in purchase["readers"] if reader["name"] == "stg_buy")
    check(model["certain"] and model["reads"][0]["line"] > 1, f"place in a table of another name: {model}")
    text = loggen("impact", "search.show.position", "definitions", "--consumers", "project")
    check("exposure Search CTR reads search_ctr" in text and "owners: " in text, text)
    # The configuration names the consumers.
    (DEFINED / "loggen.yml").write_text("consumers: [../project]\ntables: {search__buy: analytics.purchases}\n")
    found = [(reader["name"], reader["reads"]) for reader in impact("search.show.position")["readers"]]
    check(found == [(reader["name"], reader["reads"]) for reader in report["readers"]], "`consumers` of loggen.yml")
    (DEFINED / "loggen.yml").write_text("consumers: [../project]\n")
    names = {reader["name"] for reader in impact("search.buy.quantity")["readers"]}
    check("stg_buy" not in names, "`tables` of loggen.yml has no effect")
    (DEFINED / "loggen.yml").write_text("tables: {search__buy: analytics.purchases}\n")


def check_errors():
    file = PROJECT / "target/manifest.json"
    text = file.read_text()
    file.write_text('{\n  "nodes": {\n    "model": {"name": }\n  }\n}\n')
    unread = impact("search.show.position", "--consumers", "project")["unread"]
    check(len(unread) == 1 and unread[0]["file"].endswith("target/manifest.json") and unread[0].get("line") == 3, f"broken: {unread}")
    file.write_text("{}\n")
    check("no `nodes`" in str(impact("search.show", "--consumers", "project")["unread"]), "a manifest without nodes")
    file.unlink()
    report = impact("search.show.position", "--consumers", "project")
    check(len(report["unread"]) == 1 and "target/manifest.json" in report["unread"][0]["message"], f"missing: {report['unread']}")
    names = {reader["name"] for reader in report["readers"]}
    check("hard_coded" in names, "the SQL is read without a manifest")
    file.write_text(text)
    (FOLDER / "empty").mkdir()
    report = impact("search.show.position", "--consumers", "empty")
    check(report["readers"] == [] and report["unread"] == [], "an empty folder has no readers")
    check("no readers" in loggen("impact", "search.show", "definitions", "--consumers", "empty"), "no readers in the text")
    loggen("impact", "search.show", "definitions", code=2)
    loggen("impact", "search.show.positoin", "definitions", "--consumers", "project", code=2)
    loggen("impact", "search.shown", "definitions", "--consumers", "project", code=2)
    loggen("impact", "search", "definitions", "--consumers", "project", code=2)
    loggen("impact", "search.show", "definitions", "--consumers", "nowhere", code=2)
    loggen("impact", "search.show", "definitions", "--consumers", "project", "--format", "xml", code=2)


def prepare():
    FOLDER.mkdir(parents=True, exist_ok=True)
    DEFINED.mkdir()
    (DEFINED / "search.md").write_text(DEFINITIONS)
    (DEFINED / "loggen.yml").write_text("tables: {search__buy: analytics.purchases}\n")
    write_profile(FOLDER)
    columns = make_warehouse(FOLDER / "warehouses/fresh")
    shutil.copytree(FOLDER / "warehouses/fresh", FOLDER / "warehouses/fresh_run")
    write_project(PROJECT, columns, random.Random(SEED))
    return columns


columns = prepare()
(PROJECT / "target").mkdir(exist_ok=True)
nodes, manifests = {}, {}
for folder, command in (("parsed", "parse"), ("compiled", "compile"), ("built", "compile")):
    shutil.copytree(FOLDER / "warehouses/fresh", FOLDER / folder)
    if folder == "built":
        failed = alone(run, FOLDER / folder)
        check(not failed, f"the project fails on unchanged tables: {failed}")
    alone(write_manifest, PROJECT, FOLDER / folder, command)
    nodes[folder] = manifest(FOLDER / folder)["nodes"]
names = {key: (KINDS[node["resource_type"]], node["name"]) for key, node in nodes["built"].items() if node["resource_type"] in KINDS}
truth = measure(columns, {"fresh": nodes["compiled"], "built": nodes["built"]})
dbt_agrees(columns, truth)
pairs = [(event, column) for event in columns for column, _ in columns[event]]
for folder in nodes:
    shutil.copy(FOLDER / folder / "target/manifest.json", PROJECT / "target/manifest.json")
    compare(truth, names, pairs, folder)
check_reports()
check_errors()
sys.exit(1 if failures else 0)
