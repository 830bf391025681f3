#!/usr/bin/env python3
"""Compares the readers that `loggen impact --all` finds in public dbt projects with the calls of `source(…)` in them.

usage: Tests/Oracles/impact/projects.py FOLDER [--loggen .build/debug/loggen] [--record]

FOLDER has a clone of each project of projects.json, named by its repository without the owner. Every table of the
project's `source(…)` calls becomes an event. The files with such a call have to be its readers, and all certain readers
have to have such a call, the table's name, or `ref(…)` with it, themselves or in a macro that they name: without a
manifest, a model cannot be distinguished from a table of the same name. A statement that sqlglot does not parse makes
its readers possible ones. The numbers of files and readers have to be those in projects.json for its commit;
`--record` writes them. The gate has no network, so it does not run this script.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COMMENT = re.compile(r"\{#.*?#\}|--[^\n]*|/\*.*?\*/", re.S)
MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)(.*?)endmacro", re.S)
CALL = re.compile(r"\bsource\(\s*['\"](\w+)['\"]\s*,\s*['\"](\w+)['\"]\s*\)")


def sources(project):
    """Returns the files with a call of `source` in SQL, by the schema and the table. Comments have no calls."""
    found = {}
    for path in sorted(project.rglob("*.sql")):
        if {"target", "dbt_packages", "node_modules"} & set(path.relative_to(project).parts):
            continue
        for call in CALL.findall(COMMENT.sub(" ", path.read_text(encoding="utf-8"))):
            found.setdefault(call, set()).add(str(path.relative_to(project)))
    return found


def rendered(project, path, macros):
    """Returns the text of a file and of the macros that it names."""
    text = (project / path).read_text(encoding="utf-8")
    return text + "".join(body for name, body in macros if re.search(rf"\b{name}\b", text))


def readers(loggen, project, calls):
    """Returns the certain and the possible readers of each table, and the report."""
    with tempfile.TemporaryDirectory() as folder:
        definitions = pathlib.Path(folder, "definitions")
        definitions.mkdir()
        names = {call: f"e{number}" for number, call in enumerate(calls)}
        events = "".join(f"## {name}\n\n| column | type |\n| --- | --- |\n| c | int |\n\n" for name in names.values())
        (definitions / "events.md").write_text("# events\n\n" + events)
        tables = "".join(f"  events__{name}: {call[0]}.{call[1]}\n" for call, name in names.items())
        (definitions / "loggen.yml").write_text("outputs: {}\ntables:\n" + tables)
        run = subprocess.run(
            [loggen, "impact", "--all", definitions, "--consumers", project, "--format", "json"],
            capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{project}: loggen ended with {run.returncode}: {run.stderr}")
    report = json.loads(run.stdout)
    by_event = {event["event"].split(".")[1]: event["readers"] for event in report["events"]}
    certain, possible = {}, {}
    for call, name in names.items():
        certain[call], possible[call] = set(), set()
        for reader in by_event[name]:
            path = str(pathlib.Path(reader["file"]).relative_to(project))
            if path.endswith(".sql") and reader["columns"] or reader["certain"]:
                (certain if reader["certain"] else possible)[call].add(path)
    return certain, possible, report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--loggen", default=".build/debug/loggen")
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    file = HERE / "projects.json"
    projects = json.loads(file.read_text())
    failed = False
    for project in projects:
        clone = arguments.folder / project["repository"].split("/")[1]
        commit = subprocess.run(
            ["git", "-C", clone, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        folder = clone / project["folder"]
        wanted = sources(folder)
        certain, possible, report = readers(arguments.loggen, folder, wanted)
        missing = [(call, path) for call in wanted for path in sorted(wanted[call] - certain[call] - possible[call])]
        macros = [found for path in sorted(folder.rglob("macros/**/*.sql")) for found in MACRO.findall(path.read_text())]
        more = [
            (call, path) for call in wanted for path in sorted(certain[call] - wanted[call])
            if not re.search(
                rf"\bref\(\s*['\"]{call[1]}['\"]|\b{call[0]}[\"`]?\.[\"`]?{call[1]}\b",
                rendered(folder, path, macros), re.I)
        ]
        counts = {
            "commit": commit, "sqlFiles": len(list(folder.rglob("*.sql"))), "tables": len(wanted),
            "readers": sum(map(len, wanted.values())),
            "certain": sum(map(len, certain.values())), "unread": len(report["unread"]),
        }
        print(f"{project['repository']}/{project['folder']}: {counts}, missing {missing[:9]}, more {more[:9]}")
        failed = failed or bool(missing or more)
        if arguments.record:
            project.update(counts)
        elif any(project.get(key) != value for key, value in counts.items()):
            print(f"  recorded: {project}")
            failed = True
    if arguments.record:
        file.write_text(json.dumps(projects, indent=2) + "\n")
    sys.exit(1 if failed else 0)


main()
