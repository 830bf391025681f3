#!/usr/bin/env python3
"""Renames definitions at random, and compares the rows of warehouses with records that the script itself rewrites.

usage: renames.py LOGGEN ENGINE… [--chains N] [--first N] [--records N] [--keep]

ENGINE is duckdb, spark, postgresql or clickhouse. DuckDB checks each chain with all groupings of tables, the other
engines with one of them. Columns, events and values have numbers here, so a rewritten record is one that is written
with the current names. Exit codes: 0 no differences, 1 differences, 2 wrong usage.
"""

import argparse
import collections
import copy
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import types
import uuid

import warehouse

# The names of columns by their type: a name has one type in all events.
COLUMNS = {
    "int32": ["key", "rank", "place", "size"], "int64": ["item", "amount", "total"], "string": ["title", "group", "query", "it"],
    "[int64]": ["keys", "ids", "items"], "timestamp": ["seen_at", "opened_at", "at_time"], "ListOrder": ["order", "sort", "filter"],
    "[ListOrder]": ["orders", "sorts", "filters"], "Stage": ["mode", "stage", "phase"],
}
TYPES = ["ListOrder", "Stage"]
COMMON = {"int64": ["user_id", "member_id", "account_id"], "Stage": ["plan", "tier", "grade"], "[Stage]": ["plans", "tiers", "grades"]}
CATEGORIES = ["shop", "store", "market", "garden", "kitchen", "atelier", "office"]
EVENTS = ["buy", "purchase", "look", "view", "tap", "open_page", "select"]
VALUES = ["newest", "latest", "popular", "人気", "it's", "a.b", "50%", "x=y", "b c", "top"]


class Chance(random.Random):
    def percent(self, share):
        return self.random() * 100 < share


class World:
    """Definitions. Each column, event and value has a number that stays the same, and former names, newest first."""

    def __init__(self, chance):
        self.chance, self.numbers = chance, 0
        # A known limit: if one of the events in a table renames a column, the column remains without values, and a
        # migration cannot give another column of the table its name. Names are not used again.
        self.left = set()
        self.types = {name: [self.named(value) for value in chance.sample(VALUES, 3)] for name in TYPES}
        # The current names of types.
        self.shown = {name: name for name in TYPES}
        self.common = [self.column(COMMON, set()) for _ in range(chance.randrange(3))]
        self.common = list({c.name: c for c in self.common}.values())
        self.categories = [self.named(name, events=[]) for name in chance.sample(CATEGORIES, 2)]
        # The names of all events, also former ones (`category.event`), what has changed since the last version, and the
        # values that a version contains: a name that no version has is not a former name.
        self.taken, self.fresh, self.known = set(), set(), set()
        # The values that were removed.
        self.gone = set()
        for category in self.categories:
            for name in chance.sample(EVENTS, chance.randint(1, 3)):
                self.add_event(category, name)

    def named(self, name, **more):
        self.numbers += 1
        return types.SimpleNamespace(number=self.numbers, name=name, former=[], **more)

    def column(self, pool, taken):
        names = [(name, kind) for kind, all in pool.items() for name in all if name not in taken | self.left]
        name, kind = self.chance.choice(names)
        return self.named(name, kind=kind, optional=self.chance.percent(50), retired=False)

    def add_event(self, category, name):
        event = self.named(name, columns=[])
        for _ in range(self.chance.randint(1, 5)):
            event.columns.append(self.column(COLUMNS, self.names(event.columns)))
        self.taken.add(f"{category.name}.{name}")
        category.events.append(event)

    @staticmethod
    def names(columns):
        return {name for column in columns for name in [column.name, *column.former]}

    def events(self):
        return [(category, event) for category in self.categories for event in category.events]

    # MARK: Edits

    def step(self, count):
        """Makes random edits after a version. Returns their descriptions."""
        used = {c.kind.strip("[]") for _, event in self.events() for c in event.columns + self.common if not c.retired}
        self.known |= {value.number for kind in used & set(self.types) for value in self.types[kind]}
        self.fresh = set()
        return [edit for edit in (self.edit() for _ in range(count)) if edit]

    def touch(self, *things):
        """Returns whether nothing has changed these things since the last version, and marks them."""
        numbers = {thing.number for thing in things}
        if numbers & self.fresh:
            return False
        self.fresh |= numbers
        return True

    def edit(self):
        """Makes a random edit. Returns its description, or nothing if none is possible."""
        choice = self.chance.choice
        kind = choice(["column"] * 5 + ["value"] * 3 + ["event"] * 3 + ["move"] * 2 + ["category"] * 2 + ["common"] * 2 + ["add", "retire", "new event", "type"])
        category, event = choice(self.events())
        match kind:
            case "column" | "common":
                columns, pool = (event.columns, COLUMNS) if kind == "column" else (self.common, COMMON)
                columns = [c for c in columns if not c.retired]
                if not columns:
                    return None
                column = choice(columns)
                taken = self.names(event.columns if kind == "column" else self.common)
                # An integer may become wider.
                kinds = ["int32", "int64"] if column.kind == "int32" else [column.kind]
                free = [(name, k) for k in kinds for name in pool[k] if name not in taken | self.left]
                if self.chance.percent(40):
                    # The column returns to a former name.
                    free = [(name, column.kind) for name in column.former if name in pool[column.kind]] or free
                if not free:
                    return None
                if not self.touch(column):
                    return None
                self.left.add(column.name)
                name, column.kind = choice(free)
                return self.rename(column, name)
            case "value":
                values = choice(list(self.types.values()))
                free, value = [v for v in VALUES if v not in self.names(values) | self.gone], choice(values)
                if self.chance.percent(40):
                    free = value.former or free
                return self.rename(value, choice(free)) if free and value.number in self.known and self.touch(value) else None
            case "event" | "move":
                target = choice([c for c in self.categories if c is not category]) if kind == "move" else category
                free = [n for n in EVENTS if f"{target.name}.{n}" not in self.taken]
                if self.chance.percent(40):
                    free = [n for n in EVENTS if f"{target.name}.{n}" in event.former] or free
                if not free or kind == "move" and len(category.events) == 1 or not self.touch(event):
                    return None
                name = event.name if kind == "move" and event.name in free and self.chance.percent(60) else choice(free)
                old = f"{category.name}.{event.name}"
                category.events.remove(event)
                target.events.append(event)
                event.name, event.former = name, [old, *(n for n in event.former if n != f"{target.name}.{name}")]
                self.taken.add(f"{target.name}.{name}")
                return f"{old} → {target.name}.{name}"
            case "category":
                used = {name for c in self.categories for name in [c.name, *c.former]}
                free = [n for n in CATEGORIES if n not in used]
                if self.chance.percent(40):
                    free = category.former or free
                if not free or not self.touch(category, *category.events):
                    return None
                old, name = category.name, choice(free)
                for event in category.events:
                    event.former = [f"{old}.{event.name}", *(n for n in event.former if n != f"{name}.{event.name}")]
                    self.taken.add(f"{name}.{event.name}")
                return self.rename(category, name)
            case "add":
                taken = self.names(event.columns)
                if len(taken) > 9:
                    return None
                column = self.column(COLUMNS, taken)
                column.optional = True
                self.touch(column)
                event.columns.append(column)
                return f"new column {column.name} of {event.name}"
            case "retire":
                optional = [c for c in event.columns if not c.retired and c.optional]
                if not optional:
                    return None
                column = choice(optional)
                if not self.touch(column):
                    return None
                column.retired = True
                return f"retired column {column.name} of {event.name}"
            case "type":
                name = choice(TYPES)
                if name in self.fresh:
                    return None
                self.fresh.add(name)
                old, self.shown[name] = self.shown[name], choice([n for n in [name, f"New{name}", f"Other{name}"] if n != self.shown[name]])
                return f"type {old} → {self.shown[name]}"
            case "new event":
                # A name that an event of the category's former name has had would have two heirs.
                free = [n for n in EVENTS if not any(f"{c}.{n}" in self.taken for c in [category.name, *category.former])]
                if not free:
                    return None
                self.add_event(category, choice(free))
                self.touch(category.events[-1], *category.events[-1].columns)
                return f"new event {category.name}.{category.events[-1].name}"

    @staticmethod
    def rename(what, name):
        old, what.name = what.name, name
        what.former = [old, *(n for n in what.former if n != name)]
        return f"{old} → {name}"

    # MARK: Documents

    def write(self, folder):
        for file in folder.glob("*.md"):
            file.unlink()
        details = lambda names: f"\n| key | value |\n| --- | --- |\n| renamed from | {', '.join(names)} |\n" if names else ""

        def kind(column):
            name = column.kind.strip("[]")
            return column.kind.replace(name, self.shown.get(name, name))

        def table(columns):
            rows = [
                f"| {f'~~{c.name}~~' if c.retired else c.name} | {kind(c)}{'?' if c.optional else ''} | {', '.join(c.former)} |\n"
                for c in columns]
            return "\n| column | type | renamed from |\n| --- | --- | --- |\n" + "".join(rows) if columns else ""

        for category in self.categories:
            text = f"# {category.name}\n" + details(category.former)
            for event in category.events:
                covered = {f"{former}.{event.name}" for former in category.former}
                names = [n.removeprefix(category.name + ".") for n in event.former if n not in covered]
                text += f"\n## {event.name}\n" + details(names) + table(event.columns)
            (folder / f"{category.name}.md").write_text(text)
        if self.common:
            (folder / "common.md").write_text("# common\n" + table(self.common))
        text = "# types\n"
        for name, values in self.types.items():
            text += f"\n## {self.shown[name]}\n\n| value | renamed from |\n| --- | --- |\n"
            text += "".join(f"| {v.name} | {', '.join(f'`{n}`' for n in v.former)} |\n" for v in values)
        (folder / "types.md").write_text(text)

    # MARK: Records

    def record(self, chance, version):
        """Returns a record by numbers."""
        category, event = chance.choice(self.events())
        values = {}
        for column in self.common + event.columns:
            if not column.retired and not (column.optional and chance.percent(30)):
                values[column.number] = self.value(chance, column.kind)
        return types.SimpleNamespace(id=str(uuid.UUID(int=chance.getrandbits(128), version=4)), event=event.number, version=version, values=values)

    def value(self, chance, kind):
        if kind.startswith("["):
            return [self.value(chance, kind[1:-1]) for _ in range(chance.randrange(4))]
        match kind:
            case "int32" | "int64":
                return chance.randrange(-100, 1 << (31 if kind == "int32" else 60))
            case "string":
                # Strings that look like values must not be renamed.
                return chance.choice(VALUES + ["", "x'; --"])
            case "timestamp":
                return f"2026-0{chance.randint(1, 9)}-11T01:02:03.{chance.randrange(1000):03}Z"
        return ("value", chance.choice(self.types[kind]).number)

    def rendered(self, record):
        """Returns the event (`category.event`) and the members of a record under the names of these definitions."""
        category, event = next((c, e) for c, e in self.events() if e.number == record.event)
        names = {v.number: v.name for values in self.types.values() for v in values}

        def text(value):
            return [text(v) for v in value] if isinstance(value, list) else names[value[1]] if isinstance(value, tuple) else value

        members = {c.name: text(record.values[c.number]) for c in self.common + event.columns if c.number in record.values}
        return category.name, event.name, {"event_id": record.id, "schema_version": record.version, "occurred_at": "2026-04-01T12:34:56.789Z", **members}

    def line(self, record):
        category, event, members = self.rendered(record)
        return json.dumps({"event_category": category, "event_name": event, **members}, ensure_ascii=False)


# MARK: Chains


class Chain:
    """The versions of a random chain: each is a copy of a git repository with the definitions in `D`."""

    def __init__(self, seed, folder, records, kind=World):
        self.chance, self.folder, self.seed = Chance(seed), folder, seed
        self.worlds, self.records, self.edits = [], [], []
        world = kind(self.chance)
        steps = self.chance.randint(1, 5)
        repository = folder / "repository"
        (repository / "D").mkdir(parents=True)
        (repository / "D/loggen.yml").write_text("outputs: {}\n")
        self.git(repository, "init", "-q")
        for version in range(steps + 1):
            edits = []
            while version and not edits:
                edits = world.step(self.chance.choice([1, 1, 2]))
            self.edits.append(edits)
            world.write(repository / "D")
            warehouse.loggen("lock", repository / "D", "--accept", "--quiet")
            self.git(repository, "add", "-A")
            self.git(repository, "commit", "-qm", str(version))
            shutil.copytree(repository, folder / str(version))
            model = json.loads(warehouse.loggen("dump", repository / "D"))
            versions = {f"{c['name']}.{e['name']}": e["version"] for c in model["categories"] for e in c["events"]}
            self.worlds.append(copy.deepcopy(world))
            for _ in range(records):
                record = world.record(self.chance, None)
                category, event, _ = world.rendered(record)
                record.version = versions[f"{category}.{event}"]
                self.records.append((version, record))

    @staticmethod
    def git(folder, *words):
        subprocess.run(["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "gc.auto=0", *words], check=True, capture_output=True)

    def definitions(self, version):
        return self.folder / str(version) / "D"

    def check(self, engine, grouping, path, views):
        """Creates tables at the first version of a path and migrates them to the others. Each record is loaded at its
        own version or a later one of the path."""
        where = f"chain {self.seed}, {engine}, {grouping}, versions {path}{', views' if views else ''}"
        problem = lambda text: warehouse.fail(f"{where}: {text}\n    edits: {self.edits}")
        target = warehouse.engine(engine, self.folder.parent)
        more = ("--tables", grouping)
        times = [self.chance.choice([p for p in path if p >= version] or path[-1:]) for version, _ in self.records]
        try:
            for index, now in enumerate(path):
                if index == 0:
                    script = warehouse.sql(self.definitions(now), engine, "tables", *more)
                else:
                    script = self.migration(engine, path[index - 1], now, [*more, *["--views"] * views])
                    if isinstance(script, str):
                        moved = grouping == "category" and self.moves(path[index - 1], now)
                        return None if moved and "are in the table" in script else problem(f"refused: {script}")
                if not warehouse.run_all(target, script, f"{where}, migration to {now}, edits {self.edits}"):
                    return None
                lines = [self.worlds[version].line(record) for (version, record), time in zip(self.records, times) if time == now]
                rows = warehouse.split(self.definitions(now), lines, engine, self.folder, *more)
                if not warehouse.run_all(target, warehouse.sql(self.definitions(now), engine, "load", *more, "--records", rows), f"{where}, load"):
                    return None
            self.compare(target, grouping, problem, views and len(path) > 1)
            if len(path) > 1:
                self.repeat(target, script)
                self.compare(target, grouping, lambda text: problem(f"after a second run: {text}"), False)
        finally:
            target.close()
        return len(self.records)

    def migration(self, engine, old, new, more):
        command = [warehouse.options.loggen, "sql", self.definitions(new), "--dialect", engine, "--quiet", "--from", f"HEAD~{new - old}", *more]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode == 0:
            return warehouse.statements(result.stdout)
        return result.stderr if result.returncode == 1 and result.stderr and not result.stdout else f"exit code {result.returncode}: {result.stderr}"

    def moves(self, old, new):
        """Returns whether an event has another category. With a table for each category, no statement moves its rows."""
        categories = [{e.number: c.number for c, e in self.worlds[version].events()} for version in (old, new)]
        return any(categories[1][event] != category for event, category in categories[0].items())

    @staticmethod
    def repeat(target, script):
        """Runs a migration again, until an error as the engines' clients do."""
        try:
            for statement in [";\n".join(script)] if target.name == "postgresql" else script:
                target.run(statement)
        except Exception:  # noqa: BLE001
            if target.name == "duckdb":
                target.connection.rollback()

    def compare(self, target, grouping, problem, views):
        """Checks that each record is one row of its table, with the current names."""
        world = self.worlds[-1]
        expected = collections.defaultdict(dict)
        for _, record in self.records:
            category, event, members = world.rendered(record)
            more = {"category": {"event_name": event}, "wide": {"event_category": category, "event_name": event}}.get(grouping, {})
            table = {"event": f"{category}__{event}", "category": category, "wide": "records"}[grouping]
            expected[table][record.id] = {**members, **more}
        if found := target.rows("SELECT record, violations FROM bad_records"):
            problem(f"{len(found)} bad records: {found[0]}")
        for table, records in expected.items():
            self.compare_table(target, table, records, problem)
        if not views:
            return
        # Former names are readable: those of tables with the columns, or those of columns in another view.
        aliases = {e.number: {former: c.name for c in world.common + e.columns for former in c.former} for _, e in world.events()}
        for _, record in self.records:
            category, event, members = world.rendered(record)
            table = {"event": f"{category}__{event}", "category": category, "wide": "records"}[grouping]
            for former, name in aliases[record.event].items():
                expected[table][record.id][former] = members.get(name)
        for category, event in world.events():
            former = {"event": [name.replace(".", "__") for name in event.former], "category": category.former, "wide": []}[grouping]
            table = {"event": f"{category.name}__{event.name}", "category": category.name, "wide": "records"}[grouping]
            for view in former or [table + "_formerly"] * bool(aliases[event.number]):
                self.compare_table(target, view, expected[table], lambda text: problem(f"view: {text}"))

    @staticmethod
    def compare_table(target, table, records, problem):
        try:
            rows = target.rows(f"SELECT * FROM {warehouse.quoted(table, target.name)}")
        except Exception as error:  # noqa: BLE001
            return problem(f"{table}: {str(error)[:300]}")
        if collections.Counter(str(row["event_id"]) for row in rows) != collections.Counter(list(records)):
            return problem(f"{table} has {len(rows)} rows for {len(records)} records")
        for row in rows:
            wanted = records[str(row["event_id"])]
            for name in {*row, *wanted} - {"occurred_on"}:
                found, value = row.get(name), wanted.get(name)
                # ClickHouse has no missing lists.
                if not warehouse.same(value, found) and not (target.name == "clickhouse" and value is None and found == []):
                    return problem(f"{table}.{name} is {found!r}, not {value!r}: {row}")


def paths(chance, steps):
    """Returns paths from the first versions to the last: in one step, in all steps, and some."""
    start = chance.choice([0, 0, chance.randrange(steps)])
    some = [start, *[v for v in range(start + 1, steps) if chance.percent(50)], steps]
    return list(dict.fromkeys([(0, steps), tuple(range(steps + 1)), tuple(some), (steps,)]))


def main():
    done = collections.Counter()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="loggen-renames."))
    try:
        for seed in range(options.first, options.first + options.chains):
            inside = folder / str(seed)
            try:
                chain = Chain(seed, inside, options.records)
            except RuntimeError as error:
                warehouse.fail(f"chain {seed}: {error}")
                continue
            for path in paths(chain.chance, len(chain.worlds) - 1):
                for engine in options.engines:
                    groupings = ["event", "category", "wide"]
                    for grouping in groupings if engine == "duckdb" else [chain.chance.choice(groupings)]:
                        count = chain.check(engine, grouping, path, chain.chance.percent(40))
                        done["refused or failed" if count is None else f"{engine}, tables per {grouping}"] += 1
                        done["records"] += count or 0
            done["renames"] += sum(map(len, chain.edits))
            if not options.keep:
                shutil.rmtree(inside)
    finally:
        warehouse.PostgreSQL.stop()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{options.chains} chains: {dict(sorted(done.items()))}")
    if warehouse.problems:
        print(f"{len(warehouse.problems)} problems")
    return 1 if warehouse.problems else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loggen", help="the executable")
    parser.add_argument("engines", nargs="+", choices=warehouse.ENGINES[:4], metavar="ENGINE")
    parser.add_argument("--chains", type=int, default=20, help="how many chains (20)")
    parser.add_argument("--first", type=int, default=1, help="the number of the first chain (1)")
    parser.add_argument("--records", type=int, default=12, help="how many records of each version (12)")
    parser.add_argument("--keep", action="store_true", help="leave the files")
    options = warehouse.options = parser.parse_args()
    options.loggen = str(pathlib.Path(options.loggen).resolve())
    sys.exit(main())
