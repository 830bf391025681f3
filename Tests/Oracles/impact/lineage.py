"""Compares the columns that `loggen impact` finds in random statements with experiments in DuckDB.

usage: Tests/Oracles/impact/lineage.py [--count 1000] [--seed 1] [--verbose]
Requires: pip install sqlglot duckdb

Each column is renamed, and then given other values. A statement that fails or returns other rows reads the column: it has
to be reported, and not only as a `*` whose columns are not used. At least 77% of the reported columns have an effect.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

import duckdb

from statements import STRINGS, TABLES, Generator

PROGRAM = pathlib.Path(__file__).resolve().parents[3] / "Sources/Review/LogImpact/Reader/read_consumers.py"
UNUSED = "`*` whose columns are not used"


def read(texts, dialect=None):
    """Returns the consumer of each text."""
    request = {
        "tables": [{"name": name, "columns": columns} for name, columns in TABLES.items()], "dialect": dialect,
        "showsProgress": False, "files": [{"path": str(number), "kind": "sql", "text": text} for number, text in enumerate(texts)]}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM.read_text()], input=json.dumps(request), capture_output=True, text=True, check=True)
    found = {one["file"]: one for one in json.loads(run.stdout)["consumers"]}
    return [found.get(str(number), {"uses": []}) for number in range(len(texts))]


def reported(consumer, with_unused=True):
    found = set()
    for use in consumer["uses"]:
        for column, may, _ in use["reads"]:
            if not with_unused and may and may[1] == UNUSED:
                continue
            for name in [use["table"]] if use["table"] else list(TABLES):
                found |= {(name, one) for one in ([column] if column else TABLES[name])}
    return found


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    database = connection()
    totals = collections.Counter()
    statements = []
    seed = arguments.seed + 1_000_000
    while len(statements) < arguments.count:
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
    results = read([sql for sql, _ in statements])
    strong = [reported(result, with_unused=False) for result in results]
    effects = [set() for _ in statements]
    for table, columns in TABLES.items():
        for column in columns:
            relevant = [number for number, (sql, _) in enumerate(statements) if table in sql]
            database.execute(f"ALTER TABLE {table} RENAME {column} TO renamed_column")
            broken = set()
            for number in relevant:
                try:
                    database.execute(statements[number][0]).fetchall()
                except (duckdb.BinderException, duckdb.CatalogException):
                    broken.add(number)
                except Exception as error:
                    totals[f"failed without a name: {str(error)[:60]}"] += 1
            database.execute(f"ALTER TABLE {table} RENAME renamed_column TO {column}")
            value = f"{column} || 'q'" if column in STRINGS else f"({column} + 1 + rowid) % 7"
            database.execute("BEGIN")
            database.execute(f"UPDATE {table} SET {column} = {value}")
            changed = set()
            # The order of ties changes with the storage, so these functions return other rows without a reason.
            for number in relevant:
                sql, before = statements[number]
                if "ROW_NUMBER" in sql or "LAG" in sql:
                    continue
                try:
                    if rows(database, sql) != before:
                        changed.add(number)
                except Exception:
                    changed.add(number)
            database.execute("ROLLBACK")
            for number in broken | changed:
                totals["broken"] += number in broken
                totals["changed"] += number in changed
                is_found = (table, column) in (strong[number] if number in changed else reported(results[number]))
                if not is_found and number not in broken and is_unstable(database, statements[number][0], table, column, value):
                    totals["unstable"] += 1
                    continue
                effects[number].add((table, column))
                if not is_found:
                    totals["missed"] += 1
                    print(f"-- missed {table}.{column}: {statements[number][0]}", file=sys.stderr)
    totals["reported"] = sum(map(len, strong))
    totals["reported with an effect"] = sum(len(found & own) for found, own in zip(strong, effects))
    precision = totals["reported with an effect"] / totals["reported"]
    print(dict(totals), "statements:", len(statements), "precision:", round(precision, 4))
    sys.exit(1 if totals["missed"] or precision < 0.77 else 0)


if __name__ == "__main__":
    main()
