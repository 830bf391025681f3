#!/usr/bin/env python3
"""Compares the consumers in reports of `loggen review` with experiments in DuckDB.

usage: Tests/BlackBox/impact_review.py LOGGEN FOLDER [--changes 300] [--models 80] [--seed 1] [--only NUMBER] [--verbose]

Needs dbt-core and dbt-duckdb. Writes definitions, a dbt project and queries into FOLDER. Random changes are made to the
definitions and their records. The tables are those that `loggen sql` prints for the changed definitions. Half of the
changes are made next to a lock file, so that columns of earlier versions stay. All models, snapshots, tests and queries
whose tables differ run again. Each one that fails, reads a failed one, or returns other rows has to be among the
consumers of the review. The review has to report a break if a name does not exist any more.
"""
import argparse
import collections
import dataclasses
import json
import multiprocessing
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import time

import duckdb
from dbt_runs import KINDS, alone, check, failures, is_name_missing, manifest, ordered, selected, write_manifest, write_profile
from impact_review_changes import CHANGES, base, changed
from impact_review_project import write_project

GROUPINGS = ["event", "category", "wide"]
SETTINGS = "outputs: {}\nrules: {column-type: off}\nconsumers: [../analytics, ../queries]\n"
parser = argparse.ArgumentParser()
parser.add_argument("loggen", type=pathlib.Path)
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--changes", type=int, default=300)
parser.add_argument("--models", type=int, default=80)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--only", type=int)
parser.add_argument("--verbose", action="store_true")
arguments = parser.parse_args()
LOGGEN, FOLDER = arguments.loggen.resolve(), arguments.folder.resolve()
# A repository without and one with a lock file.
REPOSITORIES = {False: FOLDER / "repository", True: FOLDER / "locked"}


def run(*words, code=(0,)):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    check(done.returncode in code, f"exit code {done.returncode}: {words}\n{done.stdout}{done.stderr}")
    return done.stdout


# MARK: Tables


def tables_of(folder):
    """Returns the columns and types of the tables of `loggen sql`, in the order of their groupings."""
    tables = {}
    for grouping in GROUPINGS:
        text = run(LOGGEN, "sql", folder, "--dialect", "duckdb", "--part", "tables", "--tables", grouping)
        for name, body in re.findall(r'CREATE TABLE IF NOT EXISTS "(\w+)" \((.*?)\n\);', text, re.DOTALL):
            if name != "bad_records":
                tables[name] = dict(re.findall(r'\n    "(\w+)" (.+?)(?: NOT NULL)?(?=,?(?:\n|$))', body))
    return tables


def columns_by_member(columns, own, event):
    """Returns the column of a table for each member of an event's records.

    Members with several types have several columns, such as `x`, `x_tap` and `x_v1`. The record's has its type.
    """
    found = {}
    for member, kind in own.items():
        pattern = re.escape(member) + r"(_[a-z]+)?(_v\d+)?_*"
        candidates = [name for name in columns if name == member or name not in own and re.fullmatch(pattern, name)]
        same = [name for name in candidates if columns[name] == kind]
        is_integer = kind in ("INTEGER", "SMALLINT", "BIGINT")
        wider = [name for name in candidates if is_integer and columns[name] in ("BIGINT", "DOUBLE")]
        if chosen := same or wider or candidates:
            found[member] = chosen[0]
    return found


def literal(value):
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


def contents(tables, records, order):
    """Returns the columns and rows of each table. Columns keep their order; new ones follow, as after ALTER TABLE."""
    result = {}
    for name, columns in tables.items():
        names = [column for column in order.get(name, {}) if column in columns]
        names += [column for column in columns if column not in names]
        events = [event for event in records if name in (event.replace(".", "__"), event.split(".")[0], "records")]
        lines = []
        for event in events:
            members = columns_by_member(columns, tables[event.replace(".", "__")], event)
            for record in records[event]:
                values = {members[member]: value for member, value in record.items() if member in members}
                # The envelope's names of the event are not columns of its own table.
                values |= {key: record[key] for key in ("event_name", "event_category") if key in columns}
                lines.append(tuple(literal(values.get(column)) for column in names))
        result[name] = ([(column, columns[column]) for column in names], lines)
    return result


def create(connection, name, content):
    columns, lines = content
    fields = ", ".join(f'"{column}" {kind}' for column, kind in columns)
    connection.execute(f'CREATE TABLE "{name}" ({fields})')
    if lines:
        connection.execute(f'INSERT INTO "{name}" VALUES ' + ", ".join(f"({', '.join(line)})" for line in lines))


# MARK: Runs


@dataclasses.dataclass
class Result:
    """The columns of a query with their types, and its names and rows in the order of names."""
    columns: list
    names: list
    rows: list

    def has_rows_of(self, other):
        return (self.names, self.rows) == (other.names, other.rows)


@dataclasses.dataclass
class Failure:
    message: str
    # Indicates whether the cause is a name that does not exist.
    is_missing: bool

    def has_rows_of(self, other):
        return False


@dataclasses.dataclass
class Node:
    """A node of dbt, or a query."""
    identifier: str
    kind: str
    name: str
    relation: str | None
    # The code of the first run, and that of later ones if it differs.
    codes: list
    dependencies: list

    def __post_init__(self):
        self.codes = [code.replace('"warehouse"."main".', "") for code in dict.fromkeys(self.codes)]
        self.words = set(re.findall(r"\w+", " ".join(self.codes))) - {self.relation}


def nodes_of(first, later, targets):
    """Returns the nodes of two manifests and the queries, each after those that it reads."""
    nodes, owners = [], {}
    for key in ordered(first):
        node = first[key]
        has_relation = node["resource_type"] in ("model", "snapshot") and node["config"]["materialized"] != "ephemeral"
        codes = [selected(one[key]) for one in (first, later)]
        relation = node["alias"] if has_relation else None
        nodes.append(Node(key, KINDS[node["resource_type"]], node["name"], relation, codes, node["depends_on"]["nodes"]))
        owners[relation] = key
    for name, (relation, code) in targets.items():
        sources = re.findall(r"(?:from|join)\s+(\w+)", code)
        nodes.append(Node(f"query.{name}", "query", name, relation, [code], [owners[one] for one in sources if one in owners]))
        owners[relation] = f"query.{name}"
    return nodes


class Run:
    """A run of all nodes on tables. Nodes whose relations are those of an earlier run do not run again."""

    def __init__(self, connection, database, tables, nodes, earlier=None):
        self.connection, self.database, self.tables, self.earlier = connection, database, tables, earlier
        connection.execute(f"ATTACH ':memory:' AS {database}")
        connection.execute(f"USE {database}")
        self.results, self.made = {}, set()
        former = earlier.tables if earlier else {}
        self.changed = {name for name in {**former, **tables} if former.get(name) != tables.get(name)}
        self.relations = {*former, *tables, *(node.relation for node in nodes)}
        # Other relations are not created.
        self.used = set().union(*(node.words for node in nodes))
        for node in nodes:
            self.add(node)

    def add(self, node):
        reads = node.words & self.relations
        if self.earlier and not reads & self.changed:
            self.results[node.identifier] = self.earlier.results[node.identifier]
            return
        results = self.results[node.identifier] = self.run(node, sorted(reads))
        self.made.add(node.relation)
        if node.relation and (not self.earlier or results != self.earlier.results[node.identifier]):
            self.changed.add(node.relation)

    def run(self, node, reads):
        broken = [self.results[other][0] for other in node.dependencies if isinstance(self.results.get(other, [0])[0], Failure)]
        if broken:
            return [Failure("reads a broken one", any(one.is_missing for one in broken))]
        for name in reads:
            self.provide(name)
        first, *later = node.codes
        try:
            found = []
            if later and self.earlier:
                # The table of an incremental model has the rows of the earlier run.
                self.connection.execute(f'CREATE TABLE "{node.relation}" AS FROM {self.earlier.database}."{node.relation}"')
                found = [self.select(later[0])]
                self.connection.execute(f'DROP TABLE "{node.relation}"')
            if node.relation and (node.relation in self.used or later):
                self.connection.execute(f'CREATE TABLE "{node.relation}" AS {first}')
                first = f'FROM "{node.relation}"'
            found.insert(0, self.select(first))
            return found if self.earlier else found + [self.select(code) for code in later]
        except duckdb.Error as error:
            return [Failure(str(error).splitlines()[0], is_name_missing(error))]

    def provide(self, name):
        """Creates a table, or a view of a relation of the earlier run."""
        if name in self.made:
            return
        self.made.add(name)
        if name in self.changed or not self.earlier:
            if name in self.tables:
                create(self.connection, name, self.tables[name])
        else:
            self.connection.execute(f'CREATE VIEW "{name}" AS FROM {self.earlier.database}."{name}"')

    def select(self, code):
        cursor = self.connection.execute(code)
        columns = [(column[0], str(column[1])) for column in cursor.description]
        order = sorted(range(len(columns)), key=lambda index: columns[index][0])
        rows = sorted(repr([row[index] for index in order]) for row in cursor.fetchall())
        return Result(columns, [columns[index][0] for index in order], rows)

    def end(self):
        self.connection.execute("USE memory")
        self.connection.execute(f"DETACH {self.database}")


def connected():
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute("SET TimeZone = 'UTC'")
    return connection


# MARK: Preparation


def write_definitions(folder, definitions):
    """Replaces the definition files."""
    for file in folder.glob("*.md"):
        file.unlink()
    for name, text in definitions.files().items():
        (folder / name).write_text(text)


def prepare():
    """Writes the definitions, the project and the queries, and returns the definitions, their tables and the nodes."""
    definitions = base(random.Random(arguments.seed))
    folder = REPOSITORIES[False] / "Definitions"
    folder.mkdir(parents=True)
    (folder / "loggen.yml").write_text(SETTINGS)
    write_definitions(folder, definitions)
    tables = contents(tables_of(folder), definitions.records, {})
    project, warehouses = REPOSITORIES[False] / "analytics", FOLDER / "warehouses"
    write_profile(REPOSITORIES[False])
    targets = make_models(project, tables)
    manifests = []
    for name in ("first", "later"):
        (warehouses / name).mkdir(parents=True)
        connection = duckdb.connect(str(warehouses / name / "warehouse.duckdb"))
        for table, content in tables.items():
            create(connection, table, content)
        # dbt compiles incremental models for later runs if their tables exist.
        for model in manifests and [one for one in manifests[0].values() if one["config"]["materialized"] == "incremental"]:
            connection.execute(f"CREATE TABLE {model['alias']} AS {model['compiled_code']}")
        connection.close()
        alone(write_manifest, project, warehouses / name, "compile")
        manifests.append(manifest(warehouses / name)["nodes"])
    whole = manifest(warehouses / "later")
    # Most of the manifest are macros of dbt's own packages. Each review would read them.
    whole["macros"] = {key: macro for key, macro in whole["macros"].items() if macro["package_name"] == "shop"}
    (project / "target").mkdir(exist_ok=True)
    (project / "target/manifest.json").write_text(json.dumps(whole))
    repositories(definitions)
    return definitions, tables, nodes_of(*manifests, targets)


def make_models(project, tables):
    """Writes the project and the queries. Models have rows that do not depend on the order of stored rows."""
    connections = []
    for is_reversed in (False, True):
        connection = connected()
        for name, (columns, lines) in tables.items():
            create(connection, name, (columns, lines[::-1] if is_reversed else lines))
        connections.append(connection)

    def make(name, query):
        found = []
        try:
            for connection in connections:
                connection.execute(f'CREATE TABLE "{name}" AS {query}')
                rows = connection.execute(f'FROM "{name}" LIMIT 1500').fetchall()
                found.append(sorted(map(repr, rows)))
        except duckdb.Error:
            pass
        if len(found) == 2 and found[0] == found[1] and 0 < len(found[0]) < 1500:
            return [row[0] for row in connections[0].execute(f'DESCRIBE "{name}"').fetchall()]
        for connection in connections:
            connection.execute(f'DROP TABLE IF EXISTS "{name}"')
        return None

    columns = {name: [column for column, _ in columns] for name, (columns, _) in tables.items()}
    queries = project.parent / "queries"
    return write_project(project, queries, make, random.Random(arguments.seed), columns, arguments.models)


def repositories(definitions):
    """Commits the definitions and their consumers, without and with a lock file."""
    shutil.copytree(REPOSITORIES[False], REPOSITORIES[True])
    for is_locked, repository in REPOSITORIES.items():
        if is_locked:
            run(LOGGEN, "lock", repository / "Definitions")
        git = ["git", "-C", repository, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
        run(*git, "init", "-q", "-b", "main")
        run(*git, "add", "Definitions")
        run(*git, "commit", "-qm", "definitions")


# MARK: Comparison


def start(definitions, tables, nodes):
    """Runs the nodes on the unchanged tables, in copies of the repositories for one process."""
    state.update(definitions=definitions, tables=tables, nodes=nodes, connection=connected())
    state["folders"] = {}
    for is_locked, repository in REPOSITORIES.items():
        state["folders"][is_locked] = FOLDER / f"process-{os.getpid()}" / repository.name
        shutil.copytree(repository, state["folders"][is_locked])
    state["earlier"] = Run(state["connection"], "earlier", tables, nodes)


state = {}


def experiment(number):
    """Makes a change, and returns it, the results of the nodes, and the report."""
    chooser = random.Random(f"{arguments.seed}.{number}")
    kinds = [list(CHANGES)[number % len(CHANGES)]]
    if chooser.random() < 0.2:
        kinds.append(chooser.choice(list(CHANGES)))
    definitions, words = changed(state["definitions"], kinds, chooser)
    is_locked = number // len(CHANGES) % 2 == 1
    folder = state["folders"][is_locked] / "Definitions"
    write_definitions(folder, definitions)
    order = {name: [column for column, _ in columns] for name, (columns, _) in state["tables"].items()}
    tables = contents(tables_of(folder), definitions.records, order)
    later = Run(state["connection"], "warehouse", tables, state["nodes"], state["earlier"])
    later.end()
    before = state["earlier"].results
    affected = {}
    for node in state["nodes"]:
        found = later.results[node.identifier]
        known = before[node.identifier]
        if len(found) != len(known) or not all(map(lambda one, two: one.has_rows_of(two), found, known)):
            affected[node.kind, node.name] = found[0]
    report = json.loads(run(LOGGEN, "review", folder, "--base", "main", "--format", "json", code=(0, 1)))
    return number, kinds, is_locked, words, affected, report


def with_exposures(affected, exposures, nodes):
    """Returns the affected consumers, with the exposures that depend on them."""
    names = {node.identifier: (node.kind, node.name) for node in nodes}
    more = {("exposure", key): next((affected[names[one]] for one in dependencies if names.get(one) in affected), None)
            for key, dependencies in exposures.items()}
    return {**affected, **{key: value for key, value in more.items() if value}}


def compare(number, kinds, is_locked, words, affected, report, counts):
    """Compares a report with the affected consumers."""
    title = f"change {number} ({', '.join(kinds)}{', locked' if is_locked else ''}): {'; '.join(words)}"
    if report["verdict"] == "errors":
        return check(False, f"{title}: the definitions have errors")
    check(not report["unread"], f"{title}: unread {report['unread']}")
    consumers = {(one["kind"], one["name"]): one for one in report["consumers"]}
    unaffected = {(one["kind"], one["name"]) for one in report["unaffected"]} & set(affected)
    check(not unaffected, f"{title}: reported as unaffected: {unaffected}")
    missing = sorted(set(affected) - set(consumers))
    for key in missing:
        check(False, f"{title}: has an effect on {key}, which is not reported: {affected[key]}"[:600])
    gone = {key for key, result in affected.items() if isinstance(result, Failure) and result.is_missing}
    weak = sorted(key for key in gone & set(consumers) if consumers[key]["effect"] != "breaks")
    for key in weak:
        check(False, f"{title}: breaks {key}, which is reported as {consumers[key]['effect']}: {affected[key]}"[:600])
    failed = {key for key, result in affected.items() if isinstance(result, Failure)}
    certain = {key for key, one in consumers.items() if one["certain"]}
    breaking = {key for key in certain if consumers[key]["effect"] == "breaks"}
    found = collections.Counter(
        changes=1, affected=len(affected), missing=len(missing), weak=len(weak), failed=len(failed), gone=len(gone),
        reported=len(consumers), idle=len(set(consumers) - set(affected)), certain=len(certain),
        idle_certain=len(certain - set(affected)), breaking=len(breaking), not_failed=len(breaking - failed),
        idle_breaking=len(breaking - set(affected)))
    counts["all"] += found
    for kind in kinds if len(kinds) == 1 else []:
        counts[kind] += found
    if arguments.verbose:
        print(f"{title}: {dict(found)}")
        for key in sorted(breaking - set(affected)):
            print(f"  breaks without effect: {key} {consumers[key]['reads']} {consumers[key]['through']}")


def main():
    started = time.monotonic()
    definitions, tables, nodes = prepare()
    later = manifest(FOLDER / "warehouses/later")
    exposures = {one["name"]: one["depends_on"]["nodes"] for one in later["exposures"].values()}
    deepest = {}
    for node in nodes:
        deepest[node.identifier] = 1 + max((deepest.get(other, 0) for other in node.dependencies), default=0)
    print(f"{len(nodes)} nodes {dict(collections.Counter(node.kind for node in nodes))}, up to {max(deepest.values())} levels, "
          f"{len(tables)} tables; prepared in {time.monotonic() - started:.1f} s", flush=True)
    counts = collections.defaultdict(collections.Counter)
    numbers = range(arguments.changes) if arguments.only is None else [arguments.only]
    with multiprocessing.get_context("fork").Pool(2, start, (definitions, tables, nodes)) as pool:
        for number, kinds, is_locked, words, affected, report in pool.imap(experiment, numbers, chunksize=4):
            compare(number, kinds, is_locked, words, with_exposures(affected, exposures, nodes), report, counts)
    for kind, found in sorted(counts.items()):
        if arguments.verbose or kind == "all":
            print(f"{kind}: {dict(found)}")
    found = counts["all"]
    print(f"{found['changes']} changes × {len(nodes) + len(exposures)} consumers: {found['affected']} affected, "
          f"{found['missing']} of them missing; {found['failed']} failed, {found['gone']} of them because of a name, "
          f"{found['weak']} of those not reported as breaking")
    print(f"{found['reported']} reported, {found['idle']} of them without an effect; {found['certain']} certain, "
          f"{found['idle_certain']} of them without an effect; {found['breaking']} certainly breaking, "
          f"{found['not_failed']} of them did not fail, {found['idle_breaking']} without an effect")
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"{time.monotonic() - started:.0f} s, {sum(one.ru_utime + one.ru_stime for one in used):.0f} s of processors")
    sys.exit(1 if failures else 0)


main()
