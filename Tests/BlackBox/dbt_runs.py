"""Runs of dbt, and of the code that it has compiled, for comparisons with the reports of loggen."""
import json
import multiprocessing
import os

import duckdb

# The kinds of nodes that select rows, as reports name them.
KINDS = {"model": "model", "snapshot": "snapshot", "test": "test", "analysis": "analysis"}
os.environ["DO_NOT_TRACK"] = "1"
failures = []


def check(condition, what):
    if not condition:
        print(f"FAILED  {what}", flush=True)
        failures.append(what)


def alone(function, *arguments):
    """Calls a function in a process of its own."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(function, arguments)


def write_profile(folder):
    (folder / "profiles.yml").write_text(
        'logs: {target: test, outputs: {test: {type: duckdb, threads: 1, path: "{{ env_var(\'WAREHOUSE\') }}"}}}\n')


def dbt(project, warehouse, *arguments):
    """Runs dbt in this process, which can do so once per warehouse, and returns the result."""
    os.environ["WAREHOUSE"] = str(warehouse / "warehouse.duckdb")
    from dbt.cli.main import dbtRunner

    common = ["--project-dir", str(project), "--profiles-dir", str(project.parent), "--target-path", str(warehouse / "target")]
    silent = ["--quiet", "--no-use-colors", "--no-partial-parse", "--log-path", str(warehouse / "logs")]
    return dbtRunner().invoke([*silent, *arguments, *common])


def write_manifest(project, warehouse, command):
    """Writes the manifest of a project for the relations of a warehouse."""
    done = dbt(project, warehouse, command)
    if not done.success:
        raise RuntimeError(f"dbt {command}: {done.exception or [r.message for r in done.result.results if r.message]}")


def manifest(warehouse):
    return json.loads((warehouse / "target/manifest.json").read_text())


def ordered(nodes):
    """Returns the nodes that select rows, each after those that it reads."""
    order, seen = [], set()

    def visit(key):
        if key in seen or key not in nodes or nodes[key]["resource_type"] not in KINDS:
            return
        seen.add(key)
        for other in sorted(nodes[key]["depends_on"]["nodes"]):
            visit(other)
        order.append(key)

    for key in sorted(nodes):
        visit(key)
    return order


def selected(node):
    """Returns a query with the rows of a node. A snapshot also reads the columns of its configuration."""
    code = node["compiled_code"]
    if node["resource_type"] == "snapshot":
        config = node["config"]
        used = [config["unique_key"], config["updated_at"], *(config["check_cols"] or [])]
        columns = ", ".join(name for name in used if name)
        # DuckDB binds only subqueries that are used.
        is_bound = f"(SELECT count(*) FROM (SELECT {columns} FROM code)) >= 0"
        code = f"WITH code AS ({code}) SELECT *, NULL::timestamp AS dbt_valid_to FROM code WHERE {is_bound}"
    return code


def is_name_missing(error):
    """Returns true if a query fails because a column or a table does not exist."""
    text = str(error)
    return isinstance(error, (duckdb.BinderException, duckdb.CatalogException)) and any(
        part in text for part in ("not found", "does not exist", "does not have a column", "not contain column"))
