"""Compares impact-probe with sqlglot on random statements, and with DuckDB on tables without a column.

usage: Tests/Oracles/impact/lineage.py [--count 1000] [--seed 1] [--mutations 300] [--probe .build/release/impact-probe]
Requires: pip install sqlglot duckdb
"""
import argparse
import collections
import json
import logging
import os
import subprocess
import sys
import tempfile

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.lineage import lineage
from sqlglot.optimizer.pushdown_projections import pushdown_projections
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope

from statements import STRINGS, TABLES, Generator

logging.disable(logging.CRITICAL)
DIALECTS = ["bigquery", "snowflake", "duckdb", "spark"]
UNUSED = "`*` whose columns are not used"


def probe(path, statements):
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump({"tables": [{"name": n, "columns": c} for n, c in TABLES.items()]}, file)
    lines = "\n".join(json.dumps({"sql": s}) for s in statements)
    run = subprocess.run([path, file.name], input=lines, capture_output=True, text=True, check=True)
    os.unlink(file.name)
    result = [json.loads(line)["statements"] for line in run.stdout.splitlines()]
    assert len(result) == len(statements), "impact-probe lost a statement"
    return result


def reported(statements, with_unused=True):
    found = set()
    for statement in statements:
        for read in statement["reads"]:
            if not with_unused and read["certainty"] == UNUSED:
                continue
            tables = [read["table"]] if read["table"] else list(TABLES)
            for table in tables:
                found |= {(table, c) for c in ([read["column"]] if read["column"] else TABLES[table])}
    return found


def traced(tree):
    """The columns of tables in all scopes of a qualified tree."""
    found = set()
    for scope in traverse_scope(tree):
        for column in scope.columns:
            source = scope.sources.get(column.table.lower()) or scope.sources.get(column.table)
            parent = scope
            while source is None and parent.parent is not None:
                parent = parent.parent
                source = parent.sources.get(column.table)
            if isinstance(source, exp.Table) and source.name.lower() in TABLES:
                found.add((source.name.lower(), column.name.lower()))
    return found


def schema(dialect):
    return {t: {c: "VARCHAR" if c in STRINGS else "INT" for c in columns} for t, columns in TABLES.items()}


def compare(arguments):
    totals = collections.Counter()
    statements, judged = [], []
    seed = arguments.seed
    while len(statements) < arguments.count:
        dialect = DIALECTS[len(statements) % 4]
        sql = Generator(seed, dialect).statement()
        seed += 1
        try:
            tree = qualify(
                sqlglot.parse_one(sql, dialect=dialect), schema=schema(dialect), dialect=dialect,
                quote_identifiers=False, identify=False, validate_qualify_columns=True)
            full = traced(tree)
            pruned = traced(pushdown_projections(tree.copy()))
        except Exception as error:
            totals["rejected by sqlglot"] += 1
            if not isinstance(error, sqlglot.errors.SqlglotError):
                raise
            continue
        statements.append((dialect, sql))
        judged.append((full, pruned, tree))
    results = probe(arguments.probe, [s for _, s in statements])
    shown = 0
    for (dialect, sql), (full, pruned, tree), result in zip(statements, judged, results):
        ours, strong = reported(result), reported(result, with_unused=False)
        missing = full - ours
        totals["traced"] += len(full)
        totals["found"] += len(full & ours)
        totals["traced after pruning"] += len(pruned)
        totals["found after pruning"] += len(pruned & strong)
        totals["reported"] += len(ours)
        totals["reported, traced"] += len(ours & full)
        totals["strong"] += len(strong)
        totals["strong, traced"] += len(strong & full)
        totals["strong, traced after pruning"] += len(strong & pruned)
        totals[dialect] += 1
        if (missing or pruned - strong or (arguments.verbose and strong - full)) and shown < 10:
            shown += 1
            print(f"-- {dialect}: missing {sorted(missing)}, pruned {sorted(pruned - strong)}, "
                  f"extra {sorted(strong - full)}\n{sql}\n", file=sys.stderr)
    ratio = lambda a, b: round(totals[a] / max(1, totals[b]), 4)
    print(json.dumps(totals, indent=1))
    print("recall:", ratio("found", "traced"), "| recall of columns that reach the result:",
          ratio("found after pruning", "traced after pruning"))
    print("precision of all reads:", ratio("reported, traced", "reported"), "| without unused `*`:",
          ratio("strong, traced", "strong"), "| against pruned scopes:", ratio("strong, traced after pruning", "strong"))
    outputs(statements, judged, results, arguments)
    return totals["found"] == totals["traced"] and totals["found after pruning"] == totals["traced after pruning"]


def outputs(statements, judged, results, arguments):
    """Compares the sources of output columns with `sqlglot.lineage`."""
    totals = collections.Counter()
    shown = 0
    for (dialect, sql), (_, _, tree), result in list(zip(statements, judged, results))[: arguments.outputs]:
        names = [e.alias_or_name for e in tree.selects]
        for index, name in enumerate(names):
            if not name or names.count(name) > 1:
                continue
            try:
                node = lineage(name, sql, schema=schema(dialect), dialect=dialect)
            except Exception:
                totals["no lineage"] += 1
                continue
            sources = set()
            for leaf in node.walk():
                if isinstance(leaf.expression, exp.Table) and leaf.expression.name.lower() in TABLES and not leaf.downstream:
                    sources.add((leaf.expression.name.lower(), leaf.name.split(".")[-1].strip('"`').lower()))
            sources = {s for s in sources if s[1] in TABLES[s[0]]}
            mine = set()
            for statement in result:
                for output in statement["outputs"]:
                    if (output["name"] or "").lower() == name.lower():
                        for table, column in output["sources"]:
                            mine |= {(table, c) for c in ([column] if column else TABLES[table])}
            totals["sources"] += len(sources)
            totals["found"] += len(sources & mine)
            totals["ours"] += len(mine)
            if sources - mine and shown < 5:
                shown += 1
                print(f"-- output {name}: missing {sorted(sources - mine)} of {sorted(sources)}\n{sql}\n", file=sys.stderr)
    print("output columns:", dict(totals))


def connection():
    base = duckdb.connect()
    for table, columns in TABLES.items():
        kinds = ", ".join(f"{c} {'VARCHAR' if c in STRINGS else 'INTEGER'}" for c in columns)
        base.execute(f"CREATE TABLE {table} ({kinds})")
        for row in range(12):
            values = [f"'{['show', 'tap', 'x', 'sy'][(row * 7 + i) % 4]}'" if c in STRINGS else str((row * 3 + i) % 5)
                      for i, c in enumerate(columns)]
            base.execute(f"INSERT INTO {table} VALUES ({', '.join(values)})")
    return base


def rows(database, sql):
    return sorted(map(repr, database.execute(sql).fetchall()))


def is_unstable(database, sql, table, column, value):
    """Whether the result also differs from the first one without the change: DuckDB breaks ties in any order."""
    before = rows(database, sql)
    database.execute("BEGIN")
    database.execute(f"UPDATE {table} SET {column} = {column}")
    same = rows(database, sql)
    database.execute(f"UPDATE {table} SET {column} = {value}")
    after = rows(database, sql)
    database.execute("ROLLBACK")
    return before == after or same == after


def mutate(arguments):
    """Renames or changes one column at a time. A statement that fails or returns other rows reads the column."""
    database = connection()
    totals = collections.Counter()
    statements = []
    seed = arguments.seed + 1_000_000
    while len(statements) < arguments.mutations:
        sql = Generator(seed, "duckdb").statement()
        seed += 1
        try:
            before = rows(database, sql)
            if before == rows(database, sql):
                statements.append((sql, before))
        except Exception as error:
            totals["rejected by DuckDB"] += 1
            if arguments.verbose and totals["rejected by DuckDB"] < 5:
                print(error, sql, file=sys.stderr)
    results = probe(arguments.probe, [s for s, _ in statements])
    good = True
    for table, columns in TABLES.items():
        for column in columns:
            relevant = [i for i, (sql, _) in enumerate(statements) if table in sql]
            database.execute(f"ALTER TABLE {table} RENAME {column} TO renamed_column")
            broken = set()
            for index in relevant:
                try:
                    database.execute(statements[index][0]).fetchall()
                except (duckdb.BinderException, duckdb.CatalogException):
                    broken.add(index)
                except Exception as error:
                    totals[f"failed without a name: {str(error)[:60]}"] += 1
            database.execute(f"ALTER TABLE {table} RENAME renamed_column TO {column}")
            value = f"{column} || 'q'" if column in STRINGS else f"({column} + 1 + rowid) % 7"
            database.execute("BEGIN")
            database.execute(f"UPDATE {table} SET {column} = {value}")
            changed = set()
            # The order of ties changes with the storage, so these functions return other rows without a reason.
            stable = [i for i in relevant if "ROW_NUMBER" not in statements[i][0] and "LAG" not in statements[i][0]]
            for index in stable:
                try:
                    if rows(database, statements[index][0]) != statements[index][1]:
                        changed.add(index)
                except Exception:
                    changed.add(index)
            database.execute("ROLLBACK")
            for index in broken | changed:
                # A column that changes the result must be more than an unused `*`.
                all_reads = reported(results[index])
                strong = reported(results[index], with_unused=False)
                totals["broken"] += index in broken
                totals["changed"] += index in changed
                if (table, column) not in (strong if index in changed else all_reads):
                    if index not in broken and is_unstable(database, statements[index][0], table, column, value):
                        totals["unstable"] += 1
                        continue
                    totals["missed"] += 1
                    good = False
                    print(f"-- missed {table}.{column}: {statements[index][0]}", file=sys.stderr)
                elif (table, column) not in strong:
                    totals["broken, reported as unused `*`"] += 1
                    if arguments.verbose:
                        print(f"-- unused {table}.{column}: {statements[index][0]}", file=sys.stderr)
    print("mutations:", dict(totals), "statements:", len(statements))
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--outputs", type=int, default=200)
    parser.add_argument("--mutations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--probe", default=".build/release/impact-probe")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    good = compare(arguments)
    good = mutate(arguments) and good
    sys.exit(0 if good else 1)


main()
