"""Compares the calls of generated TypeScript that `loggen impact` finds with the TypeScript compiler, on random programs.

usage: script_calls.py LOGGEN [--count 150] [--seed 1] [--keep FOLDER]

Each call that the compiler resolves must be reported: with the same columns, or as possible. Each reported call that is
not a possible one must be a call for the compiler, with these columns.
"""

import collections
import json
import pathlib
import random
import subprocess
import sys

import reported_calls

SEARCH = """# {name}

## {first}

| column | type |
| --- | --- |
| position | int? |
| keyword | string? |
| note_text | string? |

## {second}

| column | type |
| --- | --- |
| position | int? |
| class | string? |

## {third}

"""
EVENTS = {"Search": ["show", "hideAll", "bare"], "ItemList": ["show", "tap", "leave"]}
NAMES = {("Search", "show"): "search.show", ("Search", "hideAll"): "search.hide_all", ("Search", "bare"): "search.bare",
         ("ItemList", "show"): "item_list.show", ("ItemList", "tap"): "item_list.tap", ("ItemList", "leave"): "item_list.leave"}
COLUMNS = {"search.show": {"position": "position", "keyword": "keyword", "noteText": "note_text"},
           "search.hide_all": {"position": "position", "class": "class"}, "search.bare": {},
           "item_list.show": {"position": "position", "keyword": "keyword", "noteText": "note_text"},
           "item_list.tap": {"position": "position", "class": "class"}, "item_list.leave": {}}


class Program:
    """A random file."""

    def __init__(self, random_, number):
        self.random = random_
        self.number = number
        self.jsx = random_.random() < 0.4
        self.name = f"app/f{number}.{random_.choice(['tsx', 'jsx', 'js']) if self.jsx else random_.choice(['ts', 'mts', 'ts'])}"
        self.typed = self.name.endswith("ts") or self.name.endswith("tsx")
        self.counter = 0
        self.callees = []
        self.modules = []
        self.head = []
        for module in EVENTS:
            self.imports(module)

    def fresh(self):
        self.counter += 1
        return f"v{self.counter}"

    def imports(self, module):
        style = self.random.randrange(9)
        events = EVENTS[module]
        path = self.random.choice(["./logs/", "../app/logs/", "./logs/../logs/"]) + module
        if self.random.random() < 0.2 and self.typed:
            path += ".js"
        if style == 0:
            self.head.append(f'import * as {module} from "{path}";')
            self.modules.append(module)
        elif style == 1:
            alias = module + "Log"
            self.head.append(f"import * as {alias}\n  from '{path}'")
            self.modules.append(alias)
        elif style == 2:
            names = [(event, self.random.choice([event, f"{event}{module}"])) for event in events]
            known = {callee for callee, _ in self.callees}
            names = [(event, name) for event, name in names if name not in known]
            self.head.append("import { " + ", ".join(e if e == n else f"{e} as {n}" for e, n in names) + f' }} from "{path}";')
            self.callees += [(name, (module, event)) for event, name in names]
            return
        elif style == 3:
            self.head.append(f'import {{ {module} as {module}B }} from "./barrel";')
            self.modules.append(module + "B")
            self.callees += [(f"{module}B.{event}", (module, event)) for event in events]
            return
        elif style == 4 and not self.typed:
            self.head.append(f'const {module}R = require("{path}");')
            self.modules.append(module + "R")
            self.callees += [(f"{module}R.{event}", (module, event)) for event in events]
            return
        elif style == 5:
            self.head.append(f'import * as all{module} from "./barrel";')
            self.callees += [(f"all{module}.{module}.{event}", (module, event)) for event in events]
            return
        elif style == 6:
            self.head.append(f'import {{ hide as hide{module} }} from "./again"; // hide({{ position: 1 }})')
            self.callees.append((f"hide{module}", ("Search", "hideAll")))
            return
        elif style == 7 and self.typed:
            self.head.append(f'import type {{ Event as {module}Event }} from "{path}";')
            self.head.append(f'import {module}Q = require("{path}");' if self.name.endswith(".ts") else f'import * as {module}Q from "{path}";')
            self.modules.append(module + "Q")
            self.callees += [(f"{module}Q.{event}", (module, event)) for event in events]
            return
        else:
            self.head.append(f'import {{ {events[0]} as first{module}, }} from "{path}"')
            self.callees.append((f"first{module}", (module, events[0])))
            return
        name = self.modules[-1]
        self.callees += [(f"{name}.{event}", (module, event)) for event in events]

    # Expressions

    def value(self, depth):
        choice = self.random.randrange(12)
        if choice == 0 or depth <= 0:
            if self.random.random() < 0.3:
                generic = "(<T,>(y: T) => y)(x)" if self.typed else "x >> 1 > 2"
                return self.random.choice(["x < 1", "(x < 1, x > (2))", "x << 2", generic, "x.return / 2", "typeof /'/g", "async () => { }"])
            return self.random.choice(["1", "x", '"a"', "'it\\'s'", "x.y", "-1", "x!" if self.typed else "x"])
        if choice == 1:
            return "`a ${" + self.value(depth - 1) + "} Search.show({ position: 1 })`"
        if choice == 2:
            return '"Search.show({ position: 1 }) // "'
        if choice == 3:
            return self.random.choice(["/[/\"']Search.show(\\/)/g.test(x)", "x / 2 / x", "(x) / 2 /* show({}) */", "x++ / 2"])
        if choice == 4:
            return f"f({self.value(depth - 1)}, {self.value(depth - 1)})"
        if choice == 5:
            return f"x ? {self.value(depth - 1)} : {self.value(depth - 1)}"
        if choice == 6:
            return f"[{self.value(depth - 1)}, {self.value(depth - 1)}]"
        if choice == 7:
            return f"(() => {{ {self.statement(depth - 1)} return {self.value(depth - 1)}; }})()"
        if choice == 8:
            return "{ a: " + self.value(depth - 1) + ", show: 1, [`show`]: x }"
        if choice == 9 and self.jsx:
            return self.element(depth - 1)
        if choice == 10 and self.typed:
            return f"g<string, Map<string, number[]>>({self.value(depth - 1)})"
        return self.call(depth - 1)

    def element(self, depth):
        choice = self.random.randrange(5)
        if choice == 0:
            return f"<Tag a=\"Search.show('\" b={{{self.value(depth)}}} {{...x}} />"
        if choice == 1:
            return f"<><b>it's Search.show(&#123; position: 1 )</b>{{{self.value(depth)}}}</>"
        if choice == 2:
            return f"<a.b c>{{/* Search.show() */}} // {{{self.value(depth)}}} `text <i/> </a.b>"
        if choice == 3:
            return f"<p onClick={{() => [{self.value(depth)}]}}>\n    show({{{self.value(depth)}}})\n  </p>"
        return f"<p q=<i>Search.bare() {{{self.value(depth)}}}</i> />"

    def call(self, depth):
        callee, (module, event) = self.random.choice(self.callees)
        if self.random.random() < 0.15 and "." in callee:
            parts = callee.rsplit(".", 1)
            callee = self.random.choice([f'{parts[0]}["{parts[1]}"]', f"{parts[0]}?.{parts[1]}", f"{parts[0]}\n      .{parts[1]}", f"{parts[0]} /* . */ . {parts[1]}"])
        if self.random.random() < 0.05 and self.typed:
            callee += "!"
        if self.random.random() < 0.05:
            callee = f"({callee})"
        if self.random.random() < 0.05:
            return callee
        opener = self.random.choice(["(", "(", "(", " (", "?.("])
        columns = COLUMNS[NAMES[(module, event)]]
        if not columns:
            return f"{callee}{opener})"
        return callee + opener + self.argument(columns, depth) + ")"

    def argument(self, columns, depth):
        if self.random.random() < 0.07:
            return self.random.choice(["x", "x as any" if self.typed else "x", "f({ position: 1 })", "x ? { position: 1 } : {}"])
        entries = []
        for name in columns:
            if self.random.random() < 0.5:
                continue
            choice = self.random.randrange(8)
            value = self.value(depth)
            if choice == 0:
                entries.append(f'"{name}": {value}')
            elif choice == 1 and name != "class":
                entries.append(name)
            elif choice == 2:
                entries.append(f"['{name}']: {value}")
            elif choice == 3:
                entries.append(f"{name}() {{ return {value}; }}")
            elif choice == 4:
                entries.append(f"get {name}() {{ return {value}; }}")
            else:
                entries.append(f"{name}: {value}")
        if self.random.random() < 0.08:
            entries.append("...x")
        if self.random.random() < 0.08:
            entries.append("[x]: 1")
        self.random.shuffle(entries)
        tail = "," if entries and self.random.random() < 0.2 else ""
        return "{ " + self.random.choice([", ", ",\n      ", ", // show({ position: 1 })\n      "]).join(entries) + tail + " }" + (
            " as any" if self.typed and self.random.random() < 0.1 else "")

    # Statements

    def statement(self, depth):
        choice = self.random.randrange(13)
        if choice == 11:
            return self.shadow()
        if choice == 12:
            return f"if (x) /[/]'show(/.test(x); while (x < 2) {{ {self.fresh()}: break; }}"
        if choice == 0:
            return f"const {self.fresh()} = {self.value(depth)};"
        if choice == 1:
            return f"if (x) {{ {self.statement(depth - 1)} }} else /re's/.test(x);" if depth > 0 else "x;"
        if choice == 2:
            return "/* Search.show({ position: 1 }) * / */ // show()\n  x;"
        if choice == 3:
            return f"for (const k of x) {{ send({self.value(depth)}) }}"
        if choice == 4 and self.typed:
            return f"type {self.fresh().upper()} = ReturnType<typeof {self.random.choice(self.callees)[0]}>;"
        if choice == 5:
            return f"class {self.fresh().upper()} {{ show({'x?: number' if self.typed else 'x'}) {{ return {self.value(depth)}; }} }}"
        if choice == 6 and self.modules:
            return f"send({self.random.choice(self.modules)}, 1);"
        if choice == 7:
            return f"x.other({{ a: 1 }}); x.leave();"
        if choice == 8:
            return f"switch (x) {{ case 1: {self.call(depth)}; default: }}"
        return f"send({self.value(depth)});"

    def shadow(self):
        """A function that declares an imported name again."""
        names = [callee for callee, _ in self.callees if "." not in callee]
        if not names or self.random.random() < 0.7:
            return f"const {{ a: {self.fresh()}, b = {{ show: 1 }} }} = x;"
        name = self.random.choice(names)
        typed = f"{name}: any" if self.typed else name
        return self.random.choice([
            f"x.map(({typed}) => {name}({{ position: 1 }}));", f"x.map(function ({typed}) {{ {name}(); }});",
            f"{{ const {name} = x; {name}({{ keyword: 1 }}); }}", f"{{ let {{ a: [{name}] }} = x; {name}(); }}",
            f"x = {{ f({typed}) {{ return {name}({{}}) }} }};", f"try {{ }} catch ({name}) {{ {name}({{ position: 1 }}) }}"])

    def text(self):
        lines = list(self.head)
        lines.append("export async function main(x, f, g, send, Tag, a) {" if not self.typed else
                     "export async function main(x: any, f: any, g: any, send: any, Tag: any, a: any) {")
        lines.append("const [position, keyword, noteText] = x;")
        for _ in range(self.random.randrange(4, 14)):
            lines.append("  " + self.statement(3))
        lines.append("}")
        newline = self.random.choice(["\n", "\n", "\r\n"])
        return self.random.choice(["", "", "\ufeff"]) + newline.join("\n".join(lines).split("\n")) + newline


def write(work, count, random_):
    definitions = work / "D"
    definitions.mkdir()
    (definitions / "search.md").write_text(SEARCH.format(name="search", first="show", second="hide_all", third="bare"))
    (definitions / "item_list.md").write_text(SEARCH.format(name="item_list", first="show", second="tap", third="leave"))
    (definitions / "loggen.yml").write_text("outputs: {typescript: {to: ../app/logs}}\n")
    (work / "app").mkdir()
    (work / "app/barrel.ts").write_text('export * as Search from "./logs/Search";\nimport * as ItemList from "./logs/ItemList";\nexport { ItemList };\n')
    (work / "app/again.ts").write_text('export { hideAll as hide, show } from "./logs/Search";\n')
    files = []
    for number in range(count):
        program = Program(random_, number)
        path = work / program.name
        path.write_bytes(program.text().encode())
        files.append(program.name)
    return files


def judged(work, files):
    """The compiler's calls: file, line, column, event -> kind, columns."""
    script = pathlib.Path(__file__).with_name("script_calls.js")
    result = subprocess.run(["node", str(script), "app/logs"] + files, cwd=work, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit("failed: the judge ended with an error\n" + result.stderr)
    calls = {}
    for line in result.stdout.splitlines():
        entry = json.loads(line)
        if entry["module"] not in EVENTS:
            continue
        names = [entry["name"]] if entry.get("name") else EVENTS[entry["module"]]
        for name in names:
            event = NAMES[(entry["module"], name)]
            columns = {COLUMNS[event][key] for key in entry["passed"] if key in COLUMNS[event]}
            calls[(entry["file"], entry["line"], entry["column"], event)] = (entry["kind"], columns)
    return calls


def main():
    arguments = reported_calls.arguments(__doc__, count=150)
    print(f"seed {arguments.seed}", flush=True)
    with reported_calls.folder(arguments.keep) as work:
        files = write(work, arguments.count, random.Random(arguments.seed))
        subprocess.run([arguments.loggen, "D", "--quiet"], cwd=work, check=True)
        columns = {event: columns.values() for event, columns in COLUMNS.items()}
        wanted, found = judged(work, files), reported_calls.reported(work, arguments.loggen, columns)
    failures, counts = [], collections.Counter()
    for key, (kind, columns) in wanted.items():
        counts[kind] += 1
        if key not in found:
            failures.append(f"{key}: missing ({kind})")
            continue
        certain, passed, possible = found[key]
        missing = columns - passed - possible
        if missing or kind != "call" and not (set(COLUMNS[key[3]].values()) <= passed | possible):
            failures.append(f"{key}: {kind} {sorted(columns)}, reported {sorted(passed)} and {sorted(possible)} as possible")
        counts["certain"] += kind == "call" and certain and passed == columns
    for key, (certain, passed, possible) in found.items():
        kind, columns = wanted.get(key, ("", set()))
        if not certain:
            counts["only reported, as possible"] += key not in wanted
        elif kind not in ("call", "open") or not passed <= columns:
            failures.append(f"{key}: reported with {sorted(passed)}, but the compiler has {kind or 'no call'} {sorted(columns)}")
    reported_calls.finish(counts, failures, arguments.seed)
    if counts["certain"] < 0.8 * counts["call"]:
        sys.exit(f"failed: only {counts['certain']} of {counts['call']} calls are certain")


if __name__ == "__main__":
    main()
