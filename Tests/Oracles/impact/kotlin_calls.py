"""Compares the calls of generated Kotlin that `loggen impact` finds with those that a program makes when it runs.

usage: kotlin_calls.py LOGGEN [--count 12] [--seed 1] [--keep FOLDER]
Requires: kotlinc, java

Random programs are compiled with the generated classes, which note each event and its columns. Each event that a
statement creates must be reported in its lines: with the same columns, or as possible. Each call that is reported as
certain must have created its event.
"""

import collections
import pathlib
import random
import subprocess
import sys

import reported_calls

CATEGORY = """# {name}

## {first}

| column | type |
| --- | --- |
| position | int? |
| keyword | string? |
| when | string? |

## {second}

| column | type |
| --- | --- |
| keyword | string? |
| position | int? |

"""
COLUMNS = {"search.show": [("position", 0), ("keyword", 1), ("`when`", 1)], "search.hide_all": [("keyword", 1), ("position", 0)],
           "item_list.show": [("position", 0), ("keyword", 1), ("`when`", 1)], "item_list.tap": [("keyword", 1), ("position", 0)]}
CLASSES = {"search.show": ("Search", "Show"), "search.hide_all": ("Search", "HideAll"), "item_list.show": ("ItemList", "Show"),
           "item_list.tap": ("ItemList", "Tap")}
TRACE = """package logs

object Trace {
    val calls = ArrayList<Pair<LogEvent, StackTraceElement>>()
    fun note(event: LogEvent) {
        calls.add(event to Throwable().stackTrace.first { it.fileName.orEmpty().startsWith("File") })
    }
    fun print() {
        for ((event, frame) in calls) {
            val record = event.toRecord()
            val columns = record.keys.filter { it != "event_category" && it != "event_name" && it != "schema_version" }
            println("${frame.fileName} ${frame.lineNumber} ${record["event_category"]}.${record["event_name"]} " + columns.joinToString(","))
        }
    }
}
"""


class Program:
    def __init__(self, random_, number):
        self.random, self.number = random_, number
        self.head, self.callees, self.lines, self.statements = [], [], [], []
        package = random_.choice([f"app.f{number}", f"app.f{number}", "logs"])
        self.package = package
        self.head.append(f"@file:Suppress(\"Search.Show()\")\npackage {package}")
        for category in ("Search", "ItemList"):
            self.imports(category)
        self.random.shuffle(self.callees)

    def imports(self, category):
        events = [(event, name[1]) for event, name in CLASSES.items() if name[0] == category]
        style = self.random.randrange(7)
        if style == 0 or self.package == "logs" and style < 3:
            if self.package != "logs":
                self.head.append("import logs.*")
            self.callees += [(f"{category}.{name}", event) for event, name in events]
        elif style == 1:
            self.head.append(f"import logs.{category} // {category}.Show()")
            self.callees += [(f"{category}.{name}", event) for event, name in events]
        elif style == 2:
            self.head.append(f"import logs.{category} as {category}Log;")
            self.callees += [(f"{category}Log.{name}", event) for event, name in events]
        elif style == 3:
            for event, name in events:
                self.head.append(f"import logs.{category}.{name} as {category}{name}")
                self.callees.append((f"{category}{name}", event))
        elif style == 4:
            self.callees += [(f"logs.{category}.{name}", event) for event, name in events]
        elif style == 5 and not any(callee == "Show" for callee, _ in self.callees):
            self.head.append(f"import logs.{category}.*")
            self.callees += [(name, event) for event, name in events]
        else:
            self.head.append(f"import logs.`{category}` as {category}_logs")
            self.callees += [(f"`{category}_logs`.{name}", event) for event, name in events]

    # Expressions. All of their parts are evaluated.

    def number_value(self, depth):
        if depth <= 0 or self.random.random() < 0.4:
            return self.random.choice(["1L", "(2L)", "x", "'\"'.toLong()", "-3L", "(1L..9L).first"])
        return f"n({self.any(depth - 1)})"

    def string_value(self, depth):
        choice = self.random.randrange(9)
        if choice == 0 or depth <= 0:
            return self.random.choice(['"a"', '"Search.Show(1L)"', '"\\"Search.Show(1L)"', '"""Search.Show(1L) "\\ """', "\"\"\"a\"\"\"\"", '"$x {Search.Show()}"'])
        if choice == 1:
            return '"a ${' + self.any(depth - 1) + '} ${"b"} $x"'
        if choice == 2:
            return '"""a "${' + self.any(depth - 1) + '}" Search.Show(1L) ${\'"\'} {"""'
        if choice == 3:
            return "listOf<Any>(" + self.any(depth - 1) + ", " + self.any(depth - 1) + ").toString()"
        if choice == 4:
            return "run { " + self.any(depth - 1) + '; "b" }'
        if choice == 5:
            return "mapOf<String, List<Any>>(\"a\" to listOf(" + self.any(depth - 1) + ")).toString()"
        if choice == 6:
            return "(if (x < 2 || x > (3)) " + self.string_value(depth - 1) + ' else "b")'
        return "s(" + self.any(depth - 1) + ")"

    def any(self, depth):
        choice = self.random.randrange(5)
        if choice < 3 and depth > 0:
            return self.call(depth - 1)
        return self.string_value(depth) if choice == 3 else self.number_value(depth)

    def call(self, depth):
        callee, event = self.random.choice(self.callees)
        if self.random.random() < 0.1 and "." in callee:
            first, last = callee.rsplit(".", 1)
            callee = self.random.choice([f"{first}\n        .{last}", f"{first} /* . /* a */ */ .{last}", f"{first}.`{last}`"])
        arguments, isNamed = [], False
        columns = list(COLUMNS[event])
        while columns and not isNamed and self.random.random() < 0.4:
            _, kind = columns.pop(0)
            arguments.append(self.string_value(depth) if kind else self.number_value(depth))
        self.random.shuffle(columns)
        for name, kind in columns:
            if self.random.random() < 0.5:
                value = self.string_value(depth) if kind else self.number_value(depth)
                if name == "keyword" and self.random.random() < 0.2:
                    name = "`keyword`"
                arguments.append(name + self.random.choice([" = ", "=", " = /* , */ "]) + value)
        call = callee + self.random.choice(["(", "(", " ("]) + self.random.choice([", ", ",\n        ", ", // Search.Show(1L)\n        "]).join(arguments) + ")"
        if self.random.random() < 0.06:
            name, kind = self.random.choice(COLUMNS[event])
            call += f".copy({name} = {self.string_value(0) if kind else self.number_value(0)})"
        return call

    def statement(self):
        choice = self.random.randrange(9)
        if choice == 0:
            return f"run {{ val event = {self.call(2)}; send(event) }}"
        if choice == 1:
            return f"send({self.any(3)}) /* Search.Show(1L) /* Search.Show(2L) */ */ // Search.Show(3L)"
        if choice == 2:
            callee, event = self.random.choice(self.callees)
            return f"send(({self.call(1)} as Any) is {callee})"
        if choice == 3:
            callee, event = self.random.choice(self.callees)
            return f"run {{ val a: {callee}? = null; send(a); send({callee}::class); send({callee}::keyword) }}"
        if choice == 4:
            return f"when (val e: Any = {self.call(1)}) {{ is String -> send(1); else -> send({self.any(1)}) }}"
        if choice == 5:
            return f"listOf(1).forEach {{ send(it); send({self.any(2)}) }}"
        if choice == 6:
            return f"label@ do {{ send({self.any(2)}); break@label }} while (true)"
        if choice == 7:
            return f"send(object {{ val show = {self.any(2)}; fun Show(x: Int) = x }}.Show(1))"
        return f"send({self.any(3)})"

    def text(self):
        lines = "\n".join(self.head).split("\n")
        lines += ["import java.util.Date", "private fun send(x: Any?) = x", "private fun s(x: Any?) = \"s\"", "private fun n(x: Any?) = 1L",
                  f"fun main{self.number}(x: Long) {{"]
        for _ in range(20):
            text = "    " + self.statement()
            start = len(lines) + 1
            lines += text.split("\n")
            self.statements.append((start, len(lines)))
        lines.append("}")
        newline = self.random.choice(["\n", "\r\n"])
        return newline.join(lines) + newline


def write(work, count, random_):
    (work / "D").mkdir()
    (work / "D/search.md").write_text(CATEGORY.format(name="search", first="show", second="hide_all"))
    (work / "D/item_list.md").write_text(CATEGORY.format(name="item_list", first="show", second="tap"))
    (work / "D/loggen.yml").write_text("outputs: {kotlin: {to: ../gen}}\n")
    (work / "app").mkdir()
    programs = {}
    for number in range(count):
        program = Program(random_, number)
        (work / f"app/File{number}.kt").write_bytes(program.text().encode())
        programs[f"File{number}.kt"] = program
    calls = "".join(f"    {p.package}.main{p.number}(1L)\n" for p in programs.values())
    (work / "Main.kt").write_text(f"fun main() {{\n{calls}    logs.Trace.print()\n}}\n")
    return programs


def run(work):
    """The events that each line creates: file -> list of line, event, columns."""
    record = work / "gen/LogRecord.kt"
    text = record.read_text()
    opening = "abstract class LogEvent internal constructor() {"
    if opening not in text:
        sys.exit("failed: LogEvent has another form")
    record.write_text(text.replace(opening, opening + " init { Trace.note(this) }"))
    (work / "gen/Trace.kt").write_text(TRACE)
    files = [str(path) for folder in ("gen", "app") for path in sorted((work / folder).glob("*.kt"))]
    result = subprocess.run(["kotlinc", "-nowarn", *files, str(work / "Main.kt"), "-include-runtime", "-d", str(work / "main.jar")],
                            capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit("failed: the programs do not compile\n" + result.stderr[-3000:])
    result = subprocess.run(["java", "-cp", str(work / "main.jar"), "MainKt"], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit("failed: the programs end with an error\n" + result.stderr[-3000:])
    made = collections.defaultdict(list)
    for line in result.stdout.splitlines():
        file, number, event, columns = (line + " ").split(" ")[:4]
        made[file].append((int(number), event, frozenset(filter(None, columns.split(",")))))
    return made


def main():
    arguments = reported_calls.arguments(__doc__, count=12)
    print(f"seed {arguments.seed}", flush=True)
    with reported_calls.folder(arguments.keep) as work:
        programs = write(work, arguments.count, random.Random(arguments.seed))
        subprocess.run([arguments.loggen, "D", "--quiet"], cwd=work, check=True)
        columns = {event: [name.strip("`") for name, _ in columns] for event, columns in COLUMNS.items()}
        made, calls = run(work), reported_calls.reported(work, arguments.loggen, columns)
    calls = {(pathlib.Path(file).name, line, column, event): call for (file, line, column, event), call in calls.items()}
    failures, counts = [], collections.Counter()
    for file, program in programs.items():
        for first, last in program.statements:
            created = collections.Counter((e, c) for line, e, c in made[file] if first <= line <= last)
            sites = [(key[3], value) for key, value in calls.items() if key[0] == file and first <= key[1] <= last]
            certain = collections.Counter((event, frozenset(passed)) for event, (is_certain, passed, _) in sites if is_certain)
            counts["created"] += sum(created.values())
            counts["certain"] += sum((created & certain).values())
            for event, columns in (certain - created):
                failures.append(f"{file}:{first}: {event} {sorted(columns)} is reported and not created")
            possible = [event for event, (is_certain, _, _) in sites if not is_certain]
            for (event, columns), number in (created - certain).items():
                counts["possible"] += number
                if event not in possible:
                    failures.append(f"{file}:{first}: {event} {sorted(columns)} is created and not reported")
        lines = [line for first, last in program.statements for line in range(first, last + 1)]
        for key in calls:
            if key[0] == file and key[1] not in lines:
                failures.append(f"{key}: reported outside of the statements")
    if counts["created"] == 0:
        failures.append("no program creates an event")
    reported_calls.finish(counts, failures, arguments.seed)
    if counts["certain"] < 0.75 * counts["created"]:
        sys.exit("failed: fewer than three of four calls are certain")


if __name__ == "__main__":
    main()
