#!/usr/bin/env python3
"""Compares what `loggen check` and `loggen lock` report of random renames with a list of rules, and merges branches.

usage: renames_drift.py LOGGEN [--chains N] [--first N] [--merges N] [--keep]

Exit codes: 0 no differences, 1 differences, 2 wrong usage.
"""

import argparse
import collections
import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types

import renames
import warehouse

APP, WAREHOUSE, OLD = "app code", "the warehouse", "old apps"
ALL = {APP, WAREHOUSE, OLD}
BUMPS = ["no new version", "addition", "revision", "model"]


class World(renames.World):
    def edit(self):
        """Makes a random edit: a rename, or another one of a column or a value."""
        category, event = self.chance.choice(self.events())
        active = [c for c in event.columns if not c.retired]
        values = self.chance.choice(list(self.types.values()))
        match self.chance.randrange(16):
            case 0 if active:
                column = self.chance.choice(active)
                if not self.touch(column):
                    return None
                column.optional = not column.optional
                return f"{column.name} of {event.name} is {'optional' if column.optional else 'required'}"
            case 1:
                if len(event.columns) > 12:
                    return None
                event.columns.append(self.column(renames.COLUMNS, self.names(event.columns)))
                self.touch(event.columns[-1])
                return f"new column {event.columns[-1].name} of {event.name}"
            case 2 if len(active) > 1:
                event.columns.reverse()
                return f"other order in {event.name}"
            case 3:
                free = [v for v in renames.VALUES if v not in self.names(values) | self.gone]
                if free:
                    values.append(self.named(self.chance.choice(free)))
                    self.touch(values[-1])
                    return f"new value {values[-1].name}"
            case 4:
                plain = [v for v in values if not v.former]
                if plain and len(values) > 2 and self.touch(plain[0]):
                    values.remove(plain[0])
                    self.gone.add(plain[0].name)
                    return f"no value {plain[0].name}"
            case _:
                return super().edit()

    # MARK: Mistakes

    MISTAKES = range(24)

    def mistake(self, number):
        """Makes a mistake. Returns words of the message and the name in the line of its place, or nothing."""
        one = self.chance.choice
        category, event = one(self.events())
        columns = [c for c in event.columns if not c.retired]
        column, other = (self.chance.sample(columns, 2) + [None] * 2)[:2] if len(columns) > 1 else (columns + [None] * 2)[:2]
        values = one(list(self.types.values()))
        value, second = self.chance.sample(values, 2)
        old = f"{category.name}.{event.name}"
        other_event = next(((c, e) for c, e in self.events() if e is not event), None)
        other_category = next(c for c in self.categories if c is not category)
        free = [n for names in renames.COLUMNS.values() for n in names if n not in self.names(event.columns)]
        covered = {f"{former}.{event.name}" for former in category.former}
        renamed = [c for c in columns if c.former]
        match number:
            case 0 if column:
                column.former.append("never_was")
                return "loggen.lock has no column `never_was`", "never_was"
            case 1 if other:
                column.former.insert(0, other.name)
                return "is still defined", column.name
            case 2 if renamed and len(columns) > 1:
                heir = next(c for c in columns if c is not renamed[0])
                heir.former.append(renamed[0].former[0])
                return "has two heirs", renamed[0].former[0]
            case 3 if column:
                column.former.insert(0, column.name)
                return "is its own former name", column.name
            case 4 if other:
                column.former.insert(0, other.name)
                other.former.insert(0, column.name)
                return "is still defined", column.name
            case 5 if column and free:
                kind, name = one([(k, n) for k, names in renames.COLUMNS.items() for n in names if n in free])
                if kind == column.kind or (column.kind, kind) == ("int32", "int64"):
                    return None
                column.former.insert(0, column.name)
                column.name, column.kind = name, kind
                return "does not accept all values", column.former[0]
            case 6 if column and column.optional:
                names = [n for n in renames.COLUMNS[column.kind] if n in free]
                if not names:
                    return None
                column.former.insert(0, column.name)
                column.name, column.optional = names[0], False
                return "does not accept all values", column.former[0]
            case 7 if other and other.kind == column.kind and (not column.optional or not other.optional) is False:
                event.columns.remove(other)
                column.former.append(other.name)
                return "records have both", other.name
            case 8 if renamed:
                name = renamed[0].former.pop(0)
                if any(c.name == name and c.kind != renamed[0].kind for _, e in self.events() for c in e.columns):
                    # Two types of one name are another mistake.
                    return None
                event.columns.append(types.SimpleNamespace(name=name, kind=renamed[0].kind, optional=True, retired=False, former=[], number=0))
                return "stays reserved", name
            case 9 if event.former and event.former[0] not in covered:
                event.former.pop(0)
                return "is deleted but not retired", ""
            case 10:
                event.former.append(f"{category.name}.never_was")
                return f"has no event `{category.name}.never_was`", "never_was"
            case 11 if other_event:
                event.former.insert(0, f"{other_event[0].name}.{other_event[1].name}")
                return "is still defined", other_event[1].name
            case 12 if event.former and event.former[0] not in covered and other_event:
                other_event[1].former.append(event.former[0])
                return "has two heirs", event.former[0].split(".")[1]
            case 13:
                category.former.append("never_was")
                return "has no category `never_was`", "never_was"
            case 14:
                category.former.insert(0, other_category.name)
                return "is still defined", other_category.name
            case 15:
                value.former.append("never was")
                return "has no value `never was`", "never was"
            case 16:
                value.former.insert(0, second.name)
                return "is still defined", second.name
            case 17 if value.former:
                second.former.append(value.former[0])
                return "has two heirs", value.former[0]
            case 18 if value.former and any(values is self.types[c.kind.strip("[]")] for _, e in self.events() for c in e.columns + self.common if not c.retired and c.kind.strip("[]") in self.types):
                values.append(types.SimpleNamespace(name=value.former.pop(0), former=[], number=0))
                return "stays reserved", ""
            case 19 if event.former and event.former[0] not in covered:
                name = event.former.pop(0)
                home = next((c for c in self.categories if c.name == name.split(".")[0]), None)
                if home is None or any(e.name == name.split(".")[1] for e in home.events):
                    return None
                home.events.append(types.SimpleNamespace(name=name.split(".")[1], former=[], columns=copy.deepcopy(event.columns), number=0))
                for column in home.events[-1].columns:
                    column.former = []
                return "stays reserved", ""
            case 20 if category.former:
                other_category.former.append(category.former[0])
                return "has two heirs", category.former[0]
            case 21 if renamed and len(columns) > 1:
                heir = next(c for c in columns if c is not renamed[0])
                heir.former.append(renamed[0].former.pop(0))
                # If the types differ, the column cannot continue the other one.
                return "" if heir.kind != renamed[0].kind else f"takes the former name `{heir.former[-1]}`", heir.former[-1]
            case 22 if event.former and event.former[0] not in covered and other_event:
                other_event[1].former.append(event.former.pop(0))
                return f"takes the former name `{other_event[1].former[-1]}`", other_event[1].name
            case 23 if value.former and any(values is self.types[c.kind.strip("[]")] for _, e in self.events() for c in e.columns + self.common if not c.retired and c.kind.strip("[]") in self.types):
                second.former.append(value.former.pop(0))
                return f"takes the former value `{second.former[-1]}`", ""


def changes(old, new):
    """Returns the changes of each event by its number: the subject, the readers that break, and the part of the version
    that grows."""
    result = {}
    before = {e.number: (c, e) for c, e in old.events()}
    for category, event in new.events():
        if event.number not in before:
            continue
        found = result[event.number] = set()
        was, former = before[event.number]
        name = f"{category.name}.{event.name}"
        if name != f"{was.name}.{former.name}":
            found.add((f"`{name}`", frozenset({APP, WAREHOUSE}), 3))
        for now, then, subject in [(event.columns, former.columns, "the column `{}` of `" + name + "`"), (new.common, old.common, "the common column `{}`")]:
            known = {c.number: c for c in then if not c.retired}
            for column in now:
                previous = known.get(column.number)
                # A retired column is named as the reader knows it.
                shown = previous.name if previous and column.retired else column.name
                add = lambda readers, bump: found.add((subject.format(shown), frozenset(readers), bump))
                if previous is None:
                    if not column.retired:
                        add(set() if column.optional else ALL, 1 if column.optional else 3)
                    continue
                if column.retired:
                    add({APP, OLD} if previous.optional else ALL, 2 if previous.optional else 3)
                    continue
                if column.name != previous.name:
                    add({APP, WAREHOUSE}, 3)
                if column.optional != previous.optional:
                    add({WAREHOUSE} if column.optional else ALL, 2 if column.optional else 3)
                if column.kind != previous.kind:
                    add({APP, WAREHOUSE}, 2)
                if (kind := column.kind.strip("[]")) in new.types:
                    # A change of the values of a type with another name is one of the column.
                    type = f"the type `{new.shown[kind]}`"
                    if new.shown[kind] != old.shown[kind]:
                        type = subject.format(shown)
                        add({APP}, 0)
                    values = {v.number: v.name for v in old.types[kind]}
                    for value in new.types[kind]:
                        if value.number not in values:
                            found.add((type, frozenset(), 1))
                        elif values[value.number] != value.name:
                            found.add((type, frozenset({APP, WAREHOUSE}), 3))
                    if set(values) - {v.number for v in new.types[kind]}:
                        found.add((type, frozenset(ALL), 2))
            order = [[c.number for c in columns if c.number in known and any(c.number == o.number and not o.retired for o in now)] for columns in (then, now)]
            if order[0] != order[1]:
                found.add((f"`{name}`" if now is event.columns else "the common columns", frozenset({APP}), 0))
    return result


def loses(old, new):
    """Returns whether a column has another name and does not accept all former values. Then its former name is an error."""
    before = {c.number: c for _, e in old.events() for c in e.columns + old.common}
    for column in [c for _, e in new.events() for c in e.columns + new.common if not c.retired and c.number in before]:
        previous = before[column.number]
        kind = column.kind.strip("[]")
        removed = kind in new.types and {v.number for v in old.types[kind]} - {v.number for v in new.types[kind]}
        if column.name != previous.name and (removed or previous.optional and not column.optional):
            return True
    return False


def run(folder, *words):
    result = subprocess.run([warehouse.options.loggen, *map(str, words)], capture_output=True, text=True, cwd=folder)
    return result.returncode, result.stdout, result.stderr


def check(folder):
    """Returns the exit code of `check` and its diagnostics."""
    code, out, err = run(folder, "check", "D", "--diagnostics", "json", "--quiet")
    return code, [json.loads(line) for line in (out + err).split("\n") if line.startswith("{")], out + err


def parsed(diagnostics):
    """Returns the changes that diagnostics report, as `changes`, without those that break nobody."""
    result = set()
    for message in (d["message"] for d in diagnostics if d["rule"] in ("breaking-change", "reserved-name")):
        subject = re.match(r"the column `\w+` of `[\w.]+`|the common columns|the common column `\w+`|the type `\w+`|`[\w.]+`", message)
        parts = re.search(r"; breaks (.*?); (no new version|\w+)", message)
        result.add((subject[0], frozenset(r for r in ALL if r in parts[1]), BUMPS.index(parts[2])))
    return result


def bumped(version, bump):
    model, revision, addition = map(int, version.split("-"))
    return [version, f"{model}-{revision}-{addition + 1}", f"{model}-{revision + 1}-0", f"{model + 1}-0-0"][bump]


def versions(folder, world):
    model = json.loads(run(folder, "dump", "D")[1])
    names = {f"{c['name']}.{e['name']}": e["version"] for c in model["categories"] for e in c["events"]}
    return {e.number: names[f"{c.name}.{e.name}"] for c, e in world.events()}


def locked(folder):
    """Returns the lines of the lock file, with sorted words and the first names of types: columns in another order and
    types with another name are no new version."""
    text = re.sub(r"(New|Other)(?=ListOrder|Stage)", "", (folder / "D/loggen.lock").read_text())
    return {tuple(sorted(line.split(" "))) for line in text.split("\n")}


def try_mistake(world, folder, problem, done):
    """Tries the possible mistake that was tried least."""
    possible = []
    for number in World.MISTAKES:
        wrong = copy.deepcopy(world)
        if mistake := wrong.mistake(number):
            possible.append((done[f"mistake {number}"], number, wrong, *mistake))
    _, number, wrong, words, name = min(possible, key=lambda one: one[:2])
    done[f"mistake {number}"] += 1
    lock = (folder / "D/loggen.lock").read_bytes()
    wrong.write(folder / "D")
    code, diagnostics, output = check(folder)
    places = [d for d in diagnostics if words in d["message"] and d["severity"] == "error"]
    lines = [(folder / "D" / pathlib.Path(d["file"]).name).read_text().split("\n")[d["line"] - 1] for d in places]
    if code != 1 or not any(name in line for line in lines):
        problem(f"`{words}` at `{name}` is not reported: exit code {code}, {output}")
    code, _, err = run(folder, "lock", "D", "--accept", "--quiet")
    if code != 1 or (folder / "D/loggen.lock").read_bytes() != lock:
        problem(f"`{words}` at `{name}` is accepted: exit code {code}, {err}")
    (folder / "D/loggen.lock").write_bytes(lock)
    world.write(folder / "D")


def chain(seed, folder, done):
    chance = renames.Chance(seed)
    (folder / "D").mkdir(parents=True)
    (folder / "D/loggen.yml").write_text("outputs: {}\n")
    world = World(chance)
    world.write(folder / "D")
    problem = lambda text: warehouse.fail(f"chain {seed}, step {step}: {text}\n    edits: {edits}")
    step, edits = 0, []
    if (result := run(folder, "lock", "D"))[0]:
        return problem(f"the first lock: {result}")
    known = {e.number: "1-0-0" for _, e in world.events()}
    for step in range(1, chance.randint(2, 6)):
        try_mistake(world, folder, problem, done)
        old = copy.deepcopy(world)
        now = world.step(chance.choice([1, 1, 2, 3]))
        edits.append(now)
        world.write(folder / "D")
        code, diagnostics, output = check(folder)
        if loses(old, world):
            if code != 1 or "does not accept all values" not in output:
                problem(f"a lossy rename is not reported: {code} {output}")
            world = old
            world.write(folder / "D")
            continue
        expected = changes(old, world)
        wanted = {change for found in expected.values() for change in found}
        breaks = {change for change in wanted if change[1]}
        if parsed(diagnostics) != breaks or any(d["severity"] == "error" and d["rule"] not in ("breaking-change", "lock-behind") for d in diagnostics):
            return problem(f"the breaks are {sorted(map(str, parsed(diagnostics) - breaks))}, not {sorted(map(str, breaks - parsed(diagnostics)))}: {output}")
        new = {e.number: bumped(known[e.number], max((b for _, _, b in expected[e.number]), default=0)) if e.number in known else "1-0-0" for _, e in world.events()}
        if code != (1 if breaks or new != known else 0):
            problem(f"exit code {code} of check: {output}")
        if (found := versions(folder, world)) != new:
            problem(f"the versions are {found}, not {new}")
        lock = locked(folder)
        code, _, err = run(folder, "lock", "D", "--accept", "--quiet")
        after = check(folder)
        if code or after[0]:
            return problem(f"lock --accept and check: exit codes {code}, {after[0]}, {err} {after[2]}")
        if missing := lock - locked(folder):
            problem(f"the lock has lost {missing}")
        known = new
        done["edits"] += len(now)
    done["chains"] += 1


def merge(seed, folder, done):
    """Merges two branches that both edit and lock: the merged lock has the lines of both and judges the records of both
    by them, or a command fails."""
    chance = renames.Chance(f"merge {seed}")
    git = lambda *words: renames.Chain.git(folder, *words)
    (folder / "D").mkdir(parents=True)
    (folder / "D/loggen.yml").write_text("outputs: {}\n")
    git("init", "-q", "-b", "base")
    base = World(chance)

    def commit(world, message):
        world.write(folder / "D")
        if (result := run(folder, "lock", "D", "--accept", "--quiet"))[0]:
            raise RuntimeError(f"merge {seed}: {result} {edits}")
        git("add", "-A")
        git("commit", "-qm", message)
        return {number: version for number, version in versions(folder, world).items()}

    edits = {}
    commit(base, "base")
    branches = []
    for name in ("one", "other"):
        git("checkout", "-q", "-b", name, "base")
        world = copy.deepcopy(base)
        # New numbers of one branch are not those of the other.
        world.numbers += 1000 * len(branches)
        edits[name] = []
        while not edits[name] or loses(base, world):
            world, edits[name] = copy.deepcopy(base), []
            world.numbers += 1000 * len(branches)
            edits[name] = world.step(chance.choice([1, 1, 2]))
        known = commit(world, name)
        records = [world.record(chance, None) for _ in range(10)]
        for record in records:
            record.version = known[record.event]
        branches.append(([world.line(r) for r in records], locked(folder)))
    result = subprocess.run(["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e@example.com", "merge", "-q", "--no-edit", "one"], capture_output=True, text=True)
    if result.returncode:
        # In the document, one side of each conflict is taken. In the lock file, first nothing and then both.
        conflicts = subprocess.run(["git", "-C", folder, "diff", "--name-only", "--diff-filter=U"], capture_output=True, text=True).stdout.split()
        done["conflicts"] += 1
        if "D/loggen.lock" in conflicts and check(folder)[0] == 0:
            warehouse.fail(f"merge {seed}: a conflict is silent, {edits}")
        side = chance.choice([r"\1", r"\2", r"\1\2"])
        for path in conflicts:
            file = folder / path
            if file.exists():
                kept = r"\1\2" if path.endswith(".lock") else side
                file.write_text(re.sub(r"<<<<<<< [^\n]*\n(.*?)=======\n(.*?)>>>>>>> [^\n]*\n", kept, file.read_text(), flags=re.S))
    code, diagnostics, output = check(folder)
    if run(folder, "lock", "D", "--accept", "--quiet")[0]:
        done["merges with an error"] += 1
        return
    done["merges without an error"] += 1
    for lines, known in branches:
        if missing := known - locked(folder):
            warehouse.fail(f"merge {seed}: the merged lock has lost {missing}, and check says {code} {output}; {edits}")
        (folder / "records").write_text("".join(line + "\n" for line in lines))
        if (result := run(folder, "validate", "D", "records"))[0]:
            warehouse.fail(f"merge {seed}: records of a branch are wrong, and check says {code} {output}: {result[1]} {result[2]}; {edits}")
    if check(folder)[0]:
        warehouse.fail(f"merge {seed}: check fails after lock --accept; {edits}")


def main():
    done = collections.Counter()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="loggen-renames."))
    try:
        for act, count in [(chain, options.chains), (merge, options.merges)]:
            for seed in range(options.first, options.first + count):
                try:
                    act(seed, folder / f"{act.__name__}-{seed}", done)
                except (RuntimeError, KeyError, json.JSONDecodeError) as error:
                    warehouse.fail(f"{act.__name__} {seed}: {error!r}")
                if not options.keep:
                    shutil.rmtree(folder / f"{act.__name__}-{seed}", ignore_errors=True)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(dict(done))
    if warehouse.problems:
        print(f"{len(warehouse.problems)} problems")
    return 1 if warehouse.problems else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loggen", help="the executable")
    parser.add_argument("--chains", type=int, default=300, help="how many sequences of edits (300)")
    parser.add_argument("--merges", type=int, default=100, help="how many merges (100)")
    parser.add_argument("--first", type=int, default=1, help="the number of the first one (1)")
    parser.add_argument("--keep", action="store_true", help="leave the files")
    options = warehouse.options = parser.parse_args()
    options.loggen = str(pathlib.Path(options.loggen).resolve())
    sys.exit(main())
