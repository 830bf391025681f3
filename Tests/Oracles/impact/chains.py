"""Random chains of consumers: each one reads the name that the one before defines, in another notation.

usage: Tests/Oracles/impact/chains.py [--count 300] [--seed 1]
Requires: pip install sqlglot jinja2

Each file of a chain has to be connected to the first one, which reads a logged table. A second chain beside it begins with
another table, and must not be.
"""
import argparse
import json
import random
import subprocess
import sys

from lineage import PROGRAM

# The name of a file, its text, and the name that others read. `{s}` is a name that another file defines, and `{n}` and
# `{i}` are a name and a number for this one.
SQL = [
    ("{n}.sql", "select position from {s}", "{n}"),
    ("{f}.sql", "create or replace view mart.{n} as select position from {s};", "mart.{n}"),
    ("{f}.hql", "insert overwrite table {n} select position from {s}", "{n}"),
    ("{f}.sql", "create materialized view {f} to {n} as select position from {s}", "{n}"),
    ("{f}.sql", "merge into x.{n} t using {s} s on false when not matched then insert (p) values (s.position);", "x.{n}"),
    ("{f}.sql", "select position into {n} from {s}", "{n}"),
    ("{f}.sql", "create table x.{n} clone {s};", "{n}"),
    ("{f}.sql", "with q as (select position from {s}) insert into {n} (position) select position from q", "{n}"),
    ("{f}.sql.j2", "{{{{ config(alias='{n}') }}}} select position from {{{{ ref('{s}') }}}}", "{n}"),
    ("{f}.sql", "{{% macro {n}() %}} select position from {s} {{% endmacro %}}", "{{{{ {n}() }}}}"),
    ("{f}.sql", "create function {n}() returns table (p bigint) language sql as $$ select position from {s} $$;", "{n}()"),
    ("{f}.sql", "create macro {n}() as table select position from {s};", "{n}()"),
    ("{f}.sql", "copy (select position from {s}) to 's3://b/{n}.parquet';", "'s3://b/{n}.parquet'"),
    ("{f}.sql", "export data options(uri='gs://b/{n}/*.csv') as select position from {s}", "'gs://b/{n}/part-0.csv'"),
    ("{f}.sql", "unload ('select position from {s}') to 's3://b/{n}/'", "'s3://b/{n}/*.parquet'"),
    ("{f}.sqlx", 'config {{ type: "table", name: "{n}", schema: "x" }}\nselect position from ${{ref("{s}")}}', "{n}"),
    ("{n}.sqlx", 'config {{ type: "view" }}\nselect position from ${{ref({{schema: "x", name: "{s}"}})}}', "{n}"),
    ("{f}.py", "spark.sql('select position from {s}').write.mode('overwrite').saveAsTable('mart.{n}')", "mart.{n}"),
    ("{f}.py", "spark.sql(f'''create or replace temp view {n} as select position from {s}''')", "{n}"),
    ("{f}.py", "spark.table('{s}').select('position').createOrReplaceTempView(\"{n}\")", "{n}"),
    ("{f}.py", "con.sql('select position from {s}').df().to_parquet('out/{n}.parquet')", "'out/{n}.parquet'"),
    ("{f}.py", "@dlt.table(name='{n}')\ndef t():\n    return spark.table('{s}').select('position')", "{n}"),
    ("{f}.R", 'x <- dbGetQuery(con, "select position from {s}")\ndbWriteTable(con, "{n}", x)', "{n}"),
    ("{f}.scala", 'spark.sql("select position from {s}").createTempView("{n}")', "{n}"),
    ("{f}.rb", 'conn.exec(<<~SQL)\n  create table {n} as\n  select position from {s}\nSQL', "{n}"),
    ("{f}.tf", 'resource "google_bigquery_table" "v" {{\n  table_id = "{n}"\n  view {{\n    query = "select position from {s}"\n  }}\n}}', "{n}"),
    ("{f}.json", '{{"id":{i},"name":"A card","dataset_query":{{"native":{{"query":"select position from {s}"}}}}}}', "card__{i}"),
    ("{f}.yml", "cubes:\n  - name: {n}\n    sql: >\n      select position from {s}\n", "{n}"),
    ("{f}.yml", "models:\n- alias: {n}\n  sql: select position from {s}\n", "{n}"),
    ("{f}.view.lkml", "view: {n} {{ derived_table: {{ sql: select position from {s} ;; }} }}", "{n}"),
    ("{f}.md", "```sql\ncreate table {n} as select position from {s}\n```", "{n}"),
]
# References outside of SQL, which need a plain name.
OTHERS = [
    ("{f}.view.lkml", "view: {n} {{ extends: [{s}] measure: m {{ type: average sql: ${{position}} ;; }} }}", "{n}"),
    ("{f}.view.lkml", "view: {n} {{ sql_table_name: {s} ;; dimension: position {{ sql: ${{TABLE}}.position ;; }} }}", "{n}"),
    ("{f}.view.lkml", "view: {n} {{ derived_table: {{ sql: select position from ${{{s}.SQL_TABLE_NAME}} ;; }} }}", "{n}"),
    ("{f}.model.lkml", "explore: {n} {{ from: {s} sql_always_where: ${{{s}.position}} > 1 ;; }}", "{n}"),
    ("{f}.dashboard.lookml", "- dashboard: {n}\n  elements:\n  - name: e\n    explore: {s}\n    fields: [{s}.position]\n", ""),
    ("{f}.yml", "cubes:\n  - name: {n}\n    extends: {s}\n", "{n}"),
    ("{f}.json", '{{"charts": [{{"tableName": "{s}", "metrics": ["position"]}}]}}', ""),
    ("{f}.py", "df = client.read_table('{s}')\nprint(df['position'])", ""),
]
NUMBERS = [
    ("{f}.json", '{{"id":{i},"dataset_query":{{"type":"query","query":{{"source-table":"{s}"}}}}}}', "card__{i}"),
    ("{f}.json", '{{"id":{i},"dataset_query":{{"native":{{"query":"select avg(position) from {{{{#{number}-a-card}}}} as c"}}}}}}', "card__{i}"),
    ("{f}.json", '{{"dashcards": [{{"id": 1, "card_id": {number}}}]}}', ""),
]
KINDS = {"sql": "sql", "hql": "sql", "j2": "sql", "sqlx": "sqlx", "json": "json", "yml": "yaml", "lkml": "lookml", "lookml": "lookml",
         "md": "markdown"}


def chain(choice: random.Random, table: str, prefix: str) -> list[tuple[str, str]]:
    files, name = [], table
    for number in range(choice.randrange(3, 7)):
        own = f"{prefix}{number}_{choice.choice(['daily', 'shows', 'stats'])}"
        is_plain = name.replace("_", "").isalnum() and not name.startswith("card__")
        notations = NUMBERS if name.startswith("card__") else SQL + 2 * OTHERS * is_plain
        notations = [one for one in notations if not (name.startswith("'") and one[1].count("'") > 1 and ".py" in one[0])]
        if name.startswith("'"):
            # A file is read in SQL that has no other quotes around it.
            notations = [one for one in SQL if "'" not in one[1]]
        if name.startswith("{{"):
            notations = SQL[:3]
        file, text, defined = choice.choice(notations)
        values = {"n": own, "f": f"file{prefix}{number}", "i": choice.randrange(100, 10**6), "s": name, "number": name[6:]}
        files.append((file.format(**values), text.format(**values)))
        name = defined.format(**values)
        if not name:
            break
    return files


def read(files: list[tuple[str, str]]) -> dict:
    inputs = [{"path": f"{number}/{file}", "kind": KINDS.get(file.rsplit(".")[-1], "code"), "text": text}
              for number, (file, text) in enumerate(files)]
    request = {"tables": [{"name": name, "columns": ["position", "keyword"]} for name in ("search__show", "search__tap")],
               "dialect": None, "showsProgress": False, "files": inputs}
    run = subprocess.run([sys.executable, "-c", PROGRAM.read_text()], input=json.dumps(request), capture_output=True,
                         text=True, check=True)
    return json.loads(run.stdout)


def connected(output: dict, *tables: "str | None") -> set[int]:
    """Returns the numbers of the files that read a table, or another file that does. A computed name of a table is nil."""
    consumers, unreadable = output["consumers"], output["unreadable"]
    found = {one["file"] for one in consumers if {use["table"] for use in one["uses"]} & {*tables}}
    while True:
        names = {f"`{name}`" for name in [*filter(None, tables), *found]}
        more = found | {one["file"] for one in consumers if any(
            consumers[number]["file"] in found for number in one["dependencies"] + one["possibleDependencies"])}
        more |= {one["file"] for one in unreadable if any(name in one["message"] for name in names)}
        if more == found:
            return {int(file.split("/")[0]) for file in found}
        found = more


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    choice = random.Random(arguments.seed)
    # The chains of a run are read together, so each name is that of one chain.
    chains = [(chain(choice, "search__show", f"a{number}x"), chain(choice, "search__tap", f"b{number}x"))
              for number in range(arguments.count)]
    files = [file for pair in chains for part in pair for file in part]
    output = read(files)
    # Whatever computes the name of a table may read any.
    found, certain = connected(output, "search__show", None), connected(output, "search__show")
    missed, wrong, number = 0, 0, 0
    for shows, taps in chains:
        for files in (shows, taps):
            numbers = range(number, number + len(files))
            number += len(files)
            for position, index in enumerate(numbers):
                if files is shows and index not in found:
                    missed += 1
                    print("-- missed", files[position], "after", files[position - 1], file=sys.stderr)
                    break
                if files is taps and index in certain:
                    wrong += 1
                    print("-- wrong", files[position], file=sys.stderr)
    print({"chains": len(chains), "files": number, "missed": missed, "wrong": wrong})
    sys.exit(1 if missed or wrong else 0)


if __name__ == "__main__":
    main()
